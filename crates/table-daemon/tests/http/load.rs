//! Too much, too slow, too many: refused with a clear status, and the loop goes on.

use std::time::Duration;

use table_daemon::http::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{PATIENCE, Served, frame, play, read_all, served, served_with, until};

#[tokio::test]
async fn a_huge_body_is_refused_whether_it_says_so_or_not() {
    let table = served().await;
    let huge = "x".repeat(64 * 1024);
    let got = table.act_text(&format!("{{\"key\":\"{huge}\"}}")).await;
    assert_eq!((got.status, got.error().as_str()), (413, "too-large"));
    let more = format!(
        "authorization: Bearer {}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n\
         10000\r\n{huge}\r\n0\r\n\r\n",
        table.token
    );
    let chunked = table.raw(table.head("POST", "/api/v1/act", &more).as_bytes()).await;
    assert_eq!((chunked.status, chunked.error().as_str()), (413, "too-large"));
    let lying = format!(
        "authorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{{}}",
        table.token
    );
    assert_eq!(table.raw(table.head("POST", "/api/v1/act", &lying).as_bytes()).await.status, 413);
    let long_head = table.head("GET", "/api/v1/screen", &format!("x-long: {huge}\r\n\r\n"));
    assert_ne!(table.raw(long_head.as_bytes()).await.status, 200);
    assert_eq!(table.act(&play("k", "stand")).await.status, 200);
}

#[tokio::test]
async fn clients_that_dribble_are_cut_off() {
    let limits =
        Limits { head_time: Duration::from_millis(300), body_time: Duration::from_millis(300), ..Limits::default() };
    let table = served_with(limits).await;
    let mut slow_head = TcpStream::connect(table.address).await.unwrap();
    slow_head.write_all(b"GET /api/v1/screen HTTP/1.1\r\nhost: ").await.unwrap();
    let mut rest = Vec::new();
    let ended = timeout(PATIENCE, slow_head.read_to_end(&mut rest)).await;
    assert!(ended.is_ok(), "a half request keeps its connection");
    let mut silent = TcpStream::connect(table.address).await.unwrap();
    assert!(timeout(PATIENCE, silent.read_to_end(&mut rest)).await.is_ok(), "silence keeps its connection");
    let mut slow_body = TcpStream::connect(table.address).await.unwrap();
    let more = format!(
        "authorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{",
        table.token
    );
    slow_body.write_all(table.head("POST", "/api/v1/act", &more).as_bytes()).await.unwrap();
    let got = read_all(&mut slow_body).await;
    assert_eq!((got.status, got.error().as_str()), (408, "too-slow"));
    assert_eq!(table.act(&play("k", "stand")).await.status, 200);
}

async fn open_stream(table: &Served) -> (TcpStream, u16) {
    let mut stream = TcpStream::connect(table.address).await.unwrap();
    let more = format!("authorization: Bearer {}\r\n\r\n", table.token);
    stream.write_all(table.head("GET", "/api/v1/events", &more).as_bytes()).await.unwrap();
    let mut head = [0; 12];
    timeout(PATIENCE, stream.read_exact(&mut head)).await.expect("no answer").unwrap();
    let status = String::from_utf8_lossy(&head[9..]).parse().unwrap();
    (stream, status)
}

#[tokio::test]
async fn the_sixty_fifth_stream_is_refused_and_a_place_that_is_left_is_given_again() {
    let table = served_with(Limits { connections: 500, ..Limits::default() }).await;
    let mut open = Vec::new();
    for number in 0..300 {
        let (stream, status) = open_stream(&table).await;
        assert_eq!(status, if number < 64 { 200 } else { 503 }, "stream {number}");
        open.push(stream);
    }
    table.frames.send(frame(8)).unwrap();
    assert_eq!(table.act(&play("k", "stand")).await.status, 200, "the loop is held up");
    assert!(table.get("/metrics").await.body.contains("holecard_streams_open 64\n"));
    drop(open);
    let table = &table;
    until("the places are free again", || async move {
        table.get("/metrics").await.body.contains("holecard_streams_open 0\n")
    })
    .await;
    assert_eq!(open_stream(table).await.1, 200);
}

#[tokio::test]
async fn connections_beyond_the_limit_are_told_so() {
    // Of sixteen, two are the socket's and four the strangers'.
    let table = served_with(Limits { connections: 16, ..Limits::default() }).await;
    let mut open = Vec::new();
    for _ in 0..10 {
        let (stream, status) = open_stream(&table).await;
        assert_eq!(status, 200);
        open.push(stream);
    }
    for _ in 0..50 {
        assert_eq!(open_stream(&table).await.1, 503);
    }
    open.pop();
    let table = &table;
    until("a place is free again", || async move { open_stream(table).await.1 == 200 }).await;
}

#[tokio::test]
async fn strangers_who_sit_there_keep_nobody_out() {
    let table = served_with(Limits { connections: 16, ..Limits::default() }).await;
    let (mut stream, status) = open_stream(&table).await;
    assert_eq!(status, 200);
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(TcpStream::connect(table.address).await.unwrap());
    }
    // Whoever has the key gets in, as does the socket, and whoever was in stays in.
    for number in 0..10 {
        assert_eq!(table.act(&play(&format!("k{number}"), "stand")).await.status, 200);
        let request = b"GET /api/v1/screen HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        assert_eq!(table.raw_unix(request).await.status, 200);
    }
    table.frames.send(frame(8)).unwrap();
    let mut got = Vec::new();
    until_read(&mut stream, &mut got, "id: 8").await;
}

async fn until_read(stream: &mut TcpStream, got: &mut Vec<u8>, wanted: &str) {
    while !String::from_utf8_lossy(got).contains(wanted) {
        let read = timeout(PATIENCE, stream.read_buf(got)).await.expect("the stream is silent").unwrap();
        assert_ne!(read, 0, "the stream was cut off");
    }
}

#[tokio::test]
async fn knocking_at_the_door_takes_nothing_from_the_taps_and_the_right_key_always_enters() {
    let table = served().await;
    let enter = |token: &str| {
        let body = format!("{{\"token\":\"{token}\"}}");
        let length = body.len();
        let more = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
        table.head("POST", "/api/v1/enter", &more)
    };
    let mut turned_away = 0;
    for _ in 0..100 {
        let got = table.raw(enter("wrong").as_bytes()).await;
        turned_away += u32::from(got.status == 429);
        assert!([401, 429].contains(&got.status), "{got:?}");
    }
    assert!(turned_away > 50, "{turned_away}");
    assert_eq!(table.raw(enter(&table.token).as_bytes()).await.status, 204);
    for number in 0..60 {
        assert_eq!(table.act(&play(&format!("k{number}"), "stand")).await.status, 200, "tap {number}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_stream() {
    let table = served_with(Limits { write_time: Duration::from_millis(500), ..Limits::default() }).await;
    let (_deaf, status) = open_stream(&table).await;
    assert_eq!(status, 200);
    let big: std::sync::Arc<str> = "x".repeat(4 << 20).into();
    let mut sequence = 8;
    let (table, big) = (&table, &big);
    until("the stream that nobody reads is gone", || {
        sequence += 1;
        let _ = table.frames.send(table_daemon::handle::Frame::new(sequence, big));
        async move { table.get("/metrics").await.body.contains("holecard_streams_open 0\n") }
    })
    .await;
}
