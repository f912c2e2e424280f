//! Faults from the page: at a demo, and nowhere else.

use std::sync::Arc;

use table_daemon::http::{DemoPanel, Limits, OfferedFault};
use tokio::sync::mpsc;

use crate::support::{serve_demo_in, served, served_with};

const JAM: OfferedFault = OfferedFault { word: "jam", label: "shuffler jam" };

fn post(body: &str, key: &str) -> String {
    format!(
        "authorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn a_table_that_people_play_at_has_no_such_address() {
    let table = served().await;
    let key = format!("authorization: Bearer {}\r\n\r\n", table.token);
    assert_eq!(table.raw(table.head("GET", "/api/v1/demo", &key).as_bytes()).await.status, 404);
    let wanted = post(r#"{"fault":"jam"}"#, &table.token);
    assert_eq!(table.raw(table.head("POST", "/api/v1/demo", &wanted).as_bytes()).await.status, 404);
}

#[tokio::test]
async fn a_demo_takes_the_faults_that_it_offers_from_whoever_has_the_key() {
    let first = served_with(Limits::default()).await;
    first.stop.cancel();
    first.task.await.unwrap();
    let (wanted, mut asked) = mpsc::channel(1);
    let panel = DemoPanel { faults: vec![JAM], wanted };
    let table = serve_demo_in(Arc::clone(&first.directory), Limits::default(), Some(panel)).await;
    let key = format!("authorization: Bearer {}\r\n\r\n", table.token);
    let offered = table.raw(table.head("GET", "/api/v1/demo", &key).as_bytes()).await;
    assert_eq!(offered.status, 200);
    let send = async |body: &str, key: &str| {
        table.raw(table.head("POST", "/api/v1/demo", &post(body, key)).as_bytes()).await.status
    };
    assert_eq!(send(r#"{"fault":"jam"}"#, "nobody").await, 401);
    for body in [r#"{"fault":"fire"}"#, r#"{"fault":"jam","more":1}"#, "[]", ""] {
        assert_eq!(send(body, &table.token).await, 400, "{body}");
    }
    assert!(asked.try_recv().is_err(), "nothing was asked for so far");
    assert_eq!(send(r#"{"fault":"jam"}"#, &table.token).await, 202);
    assert_eq!(asked.recv().await, Some("jam"));
    assert_eq!(send(r#"{"fault":"jam"}"#, &table.token).await, 202);
    assert_eq!(send(r#"{"fault":"jam"}"#, &table.token).await, 503, "the last one waits");
}
