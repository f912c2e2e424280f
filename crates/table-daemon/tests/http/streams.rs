//! The event stream over a socket.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Duration, Instant, timeout};

use crate::support::{PATIENCE, Served, frame, served};

struct Client {
    lines: tokio::io::Lines<BufReader<TcpStream>>,
}

impl Client {
    async fn open(table: &Served, last: Option<u64>) -> Self {
        let last = last.map_or_else(String::new, |id| format!("last-event-id: {id}\r\n"));
        let more = format!("authorization: Bearer {}\r\n{last}\r\n", table.token);
        let mut stream = TcpStream::connect(table.address).await.unwrap();
        stream.write_all(table.head("GET", "/api/v1/events", &more).as_bytes()).await.unwrap();
        let mut client = Self { lines: BufReader::new(stream).lines() };
        assert!(client.line().await.unwrap().contains("200"), "no stream");
        while client.line().await.unwrap() != "" {}
        client
    }

    async fn line(&mut self) -> Option<String> {
        timeout(PATIENCE, self.lines.next_line()).await.expect("nothing came").unwrap_or(None)
    }

    /// The next event that is more than a sign of life: name, id, data.
    async fn event(&mut self) -> Option<(String, String, String)> {
        let (mut name, mut id, mut data) = (String::new(), String::new(), String::new());
        loop {
            let line = self.line().await?;
            if let Some(text) = line.strip_prefix("event: ") {
                text.clone_into(&mut name);
            } else if let Some(text) = line.strip_prefix("id: ") {
                text.clone_into(&mut id);
            } else if let Some(text) = line.strip_prefix("data: ") {
                text.clone_into(&mut data);
            } else if line.is_empty() && !name.is_empty() {
                if name != "alive" {
                    return Some((name, id, data));
                }
                assert_eq!(data, "{}");
                name.clear();
            }
        }
    }

    async fn screen(&mut self) -> (String, String) {
        let (name, id, data) = self.event().await.unwrap();
        assert_eq!(name, "screen");
        (id, data)
    }
}

fn seen(sequence: u64) -> (String, String) {
    (sequence.to_string(), format!("{{\"sequence\":{sequence}}}"))
}

#[tokio::test]
async fn a_client_that_comes_back_misses_nothing_and_gets_nothing_twice() {
    let table = served().await;
    let mut first = Client::open(&table, None).await;
    assert_eq!(first.screen().await, seen(7));
    table.frames.send(frame(8)).unwrap();
    assert_eq!(first.screen().await, seen(8));
    drop(first);
    table.frames.send(frame(9)).unwrap();
    let mut behind = Client::open(&table, Some(8)).await;
    assert_eq!(behind.screen().await, seen(9), "the present screen at once");
    let mut current = Client::open(&table, Some(9)).await;
    table.frames.send(frame(10)).unwrap();
    assert_eq!(current.screen().await, seen(10), "what it had was sent again");
    assert_eq!(behind.screen().await, seen(10));
}

#[tokio::test]
async fn storage_that_stalls_is_told_and_its_end_too() {
    let table = served().await;
    let mut client = Client::open(&table, Some(7)).await;
    table.writing.send(Some(Instant::now() - Duration::from_secs(5))).unwrap();
    assert_eq!(client.event().await.unwrap(), ("saving".to_owned(), String::new(), "true".to_owned()));
    table.writing.send(None).unwrap();
    assert_eq!(client.event().await.unwrap(), ("saving".to_owned(), String::new(), "false".to_owned()));
}

#[tokio::test]
async fn open_streams_end_with_the_daemon() {
    let table = served().await;
    let mut clients = Vec::new();
    for _ in 0..10 {
        clients.push(Client::open(&table, Some(7)).await);
    }
    table.stop.cancel();
    timeout(PATIENCE, table.task).await.expect("the daemon waits for its streams").unwrap();
    for mut client in clients {
        assert_eq!(client.event().await, None);
    }
    assert!(!table.socket.exists(), "the socket was left behind");
}
