//! What a demo's page may ask for: at a demo, and nowhere else.

use crate::support::served;

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

#[cfg(not(feature = "demo"))]
#[tokio::test]
async fn a_daemon_for_a_table_serves_no_rail() {
    let table = served().await;
    let key = format!("authorization: Bearer {}\r\n\r\n", table.token);
    for path in ["/demo", "/assets/demo/rail.js", "/assets/demo/rail.css"] {
        assert_eq!(table.raw(table.head("GET", path, &key).as_bytes()).await.status, 404, "{path}");
    }
}

#[cfg(feature = "demo")]
mod at_a_demo {
    use std::sync::Arc;

    use table_daemon::http::{DemoDealer, DemoPanel, DemoWish, HandAct, Limits, OfferedFault};
    use tokio::sync::mpsc;

    use super::post;
    use crate::support::{serve_demo_in, served_with};

    const JAM: OfferedFault = OfferedFault { word: "jam", label: "shuffler jam" };

    #[tokio::test]
    async fn a_demo_takes_what_it_offers_from_whoever_has_the_key() {
        let first = served_with(Limits::default()).await;
        first.stop.cancel();
        first.task.await.unwrap();
        let (wanted, mut asked) = mpsc::channel(1);
        let panel = DemoPanel { dealer: DemoDealer::Person, faults: vec![JAM], progressive: None, wanted };
        let table = serve_demo_in(Arc::clone(&first.directory), Limits::default(), Some(panel)).await;
        let key = format!("authorization: Bearer {}\r\n\r\n", table.token);
        let offered = table.raw(table.head("GET", "/api/v1/demo", &key).as_bytes()).await;
        assert_eq!(offered.status, 200);
        let send = async |body: &str, key: &str| {
            table.raw(table.head("POST", "/api/v1/demo", &post(body, key)).as_bytes()).await.status
        };
        assert_eq!(send(r#"{"fault":"jam"}"#, "nobody").await, 401);
        let wrong = [r#"{"fault":"fire"}"#, r#"{"fault":"jam","more":1}"#, r#"{"hand":"wave"}"#, "[]", ""];
        for body in wrong {
            assert_eq!(send(body, &table.token).await, 400, "{body}");
        }
        assert!(asked.try_recv().is_err(), "nothing was asked for so far");
        assert_eq!(send(r#"{"fault":"jam"}"#, &table.token).await, 202);
        assert_eq!(asked.recv().await, Some(DemoWish::Fault("jam")));
        assert_eq!(send(r#"{"hand":{"chip":{"seat":3,"cents":2500}}}"#, &table.token).await, 202);
        assert_eq!(asked.recv().await, Some(DemoWish::Hand(HandAct::Chip { seat: 3, cents: 2500 })));
        assert_eq!(send(r#"{"hand":"draw"}"#, &table.token).await, 202);
        assert_eq!(send(r#"{"hand":"draw"}"#, &table.token).await, 503, "the last one waits");
    }
}
