//! Actions: their form, their keys, and the people who say them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use operator_api::{PersonId, Role};
use serde_json::{Value, json};
use table_daemon::http::Limits;
use table_daemon::staff::Authenticated;

use crate::support::{FLOOR, MANAGER, PIN, play, serve_in, served, served_with};

fn by(key: &str, person: u32, pin: &str) -> Value {
    let mut body = play(key, "floor approve");
    body["person"] = person.to_string().into();
    body["pin"] = pin.into();
    body
}

#[tokio::test]
async fn each_reply_of_the_loop_has_its_status() {
    let table = served().await;
    let accepted = table.act(&play("k1", "stand")).await;
    assert_eq!(accepted.status, 200);
    assert_eq!(accepted.json()["accepted"]["sequence"], 8);
    assert_eq!(accepted.json()["accepted"]["record"], 11);
    assert_eq!(accepted.json()["accepted"]["events"][0]["event"]["kind"], "acted");
    let refused = table.act(&play("k2", "hit")).await;
    assert_eq!(refused.status, 409);
    assert_eq!(refused.json()["reason"], "the hand has 21");
    assert_eq!(refused.json()["clause"], "blackjack D1");
    let stale = table.act(&play("k3", "old")).await;
    assert_eq!((stale.status, stale.error().as_str()), (409, "stale"));
    assert_eq!(stale.json()["prompt_number"], 9);
    let saving = table.act(&play("k4", "slow")).await;
    assert_eq!((saving.status, saving.error().as_str()), (503, "saving"));
    let needs = table.act(&play("k5", "floor approve")).await;
    assert_eq!((needs.status, needs.error().as_str()), (403, "needs-person"));
    assert_eq!(needs.json()["roles"], json!(["floorperson", "manager"]));
    let metrics = table.get("/metrics").await.body;
    assert!(metrics.contains("holecard_requests_total{reply=\"accepted\"} 1"), "{metrics}");
    assert!(metrics.contains("holecard_http_answers_total{status=\"4xx\"}"), "{metrics}");
}

#[tokio::test]
async fn a_key_acts_once_however_often_it_is_sent() {
    let table = served().await;
    let first = table.act(&play("once", "stand")).await;
    for _ in 0..5 {
        let again = table.act(&play("once", "stand")).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
    }
    let other = table.act(&play("once", "split")).await;
    assert_eq!((other.status, other.error().as_str()), (409, "key-reused"));
    assert_eq!(table.acted().len(), 1);
    // What was refused stays refused under its key; what was not done may be tried again.
    table.act(&play("no", "hit")).await;
    table.act(&play("no", "hit")).await;
    assert_eq!(table.acted().len(), 2);
    table.act(&play("later", "slow")).await;
    table.act(&play("later", "slow")).await;
    assert_eq!(table.acted().len(), 4);
}

#[tokio::test]
async fn two_that_send_the_same_key_at_once_get_the_same_answer() {
    let table = served().await;
    let body = play("race", "stand");
    let (one, two, three) = tokio::join!(table.act(&body), table.act(&body), table.act(&body));
    assert_eq!((one.status, two.status, three.status), (200, 200, 200));
    assert!(one.body == two.body && two.body == three.body);
    assert_eq!(table.acted().len(), 1);
}

#[tokio::test]
async fn a_loop_that_hangs_does_not_hang_its_clients() {
    let table = served_with(Limits { reply_time: Duration::from_millis(200), ..Limits::default() }).await;
    for _ in 0..2 {
        let waiting = table.act(&play("h", "hang")).await;
        assert_eq!((waiting.status, waiting.error().as_str()), (503, "saving"));
    }
    assert_eq!(table.acted().len(), 1, "asking again must not act again while the outcome is open");
    assert_eq!(table.act(&play("next", "stand")).await.status, 200);
}

#[tokio::test]
async fn malformed_requests_are_refused_and_never_reach_the_loop() {
    let table = served().await;
    let deep = format!("{}{}", "[".repeat(4_000), "]".repeat(4_000));
    let good = play("k", "stand").to_string();
    for body in [
        "",
        "{",
        "null",
        "[]",
        "\u{0}",
        &deep,
        "{\"key\":\"k\"}",
        "{\"key\":\"\",\"prompt\":3,\"action\":{\"do\":\"reveal\"}}",
        "{\"key\":\"a b\",\"prompt\":3,\"action\":{\"do\":\"reveal\"}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"dance\"}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"play\"}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\",\"card\":\"Kc\"}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"role\":\"manager\"}",
        "{\"key\":\"k\",\"prompt\":-1,\"action\":{\"do\":\"reveal\"}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"turn-up\",\"seat\":300}}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"person\":\"2001\"}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"pin\":\"295817\"}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"person\":\"+201\",\"pin\":\"295817\"}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"person\":\"99999999999\",\"pin\":\"295817\"}",
        "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"reveal\"},\"second\":{\"person\":\"2001\",\"pin\":\"295817\"}}",
        &format!("{good}{good}"),
        &format!("{good} x"),
    ] {
        let got = table.act_text(body).await;
        assert_eq!((got.status, got.error().as_str()), (400, "malformed"), "{body}");
        assert!(!got.body.contains("answers an order"), "refused for its prompt and not for what is wrong: {body}");
        assert!(!got.body.contains(PIN), "the answer repeats a PIN: {}", got.body);
    }
    let more =
        format!("authorization: Bearer {}\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{{}}", table.token);
    assert_eq!(table.raw(table.head("POST", "/api/v1/act", &more).as_bytes()).await.status, 415);
    assert!(table.acted().is_empty());
}

#[tokio::test]
async fn what_answers_an_order_says_which_one() {
    let table = served().await;
    let mut body = play("k", "stand");
    body.as_object_mut().unwrap().remove("prompt");
    let got = table.act(&body).await;
    assert_eq!((got.status, got.error().as_str()), (400, "malformed"));
    assert!(got.body.contains("prompt_number"), "{}", got.body);
    assert!(table.acted().is_empty());
    body["prompt"] = 3.into();
    assert_eq!(table.act(&body).await.status, 200, "nothing else was wrong with it");
}

#[tokio::test]
async fn a_person_is_who_the_staff_file_says() {
    let table = served().await;
    assert_eq!(table.act(&by("k1", FLOOR, PIN)).await.status, 200);
    let floor = Authenticated { id: PersonId(FLOOR), role: Role::Floorperson };
    assert_eq!(table.acted()[0].person, Some(floor));
    assert_eq!(table.acted()[0].prompt, Some(3));
    let wrong = table.act(&by("k2", FLOOR, "295818")).await;
    assert_eq!((wrong.status, wrong.error().as_str()), (401, "wrong-pin"));
    let nobody = table.act(&by("k3", 9, PIN)).await;
    assert_eq!((wrong.status, &wrong.body), (nobody.status, &nobody.body), "an unknown number looks different");
    assert_eq!(table.acted().len(), 1);
    // The same key after a slip of the finger is the same action.
    assert_eq!(table.act(&by("k2", FLOOR, PIN)).await.status, 200);
}

#[tokio::test]
async fn two_people_are_two_numbers_with_two_pins() {
    let table = served().await;
    let both = |key: &str, first: u32, second: u32, pin: &str| {
        let mut body = by(key, first, PIN);
        body["second"] = json!({ "person": second.to_string(), "pin": pin });
        body
    };
    let same = table.act(&both("k1", FLOOR, FLOOR, PIN)).await;
    assert_eq!((same.status, same.error().as_str()), (403, "same-person"));
    assert_eq!(table.act(&both("k2", FLOOR, MANAGER, "295818")).await.status, 401);
    assert!(table.acted().is_empty());
    assert_eq!(table.act(&both("k3", FLOOR, MANAGER, PIN)).await.status, 200);
    assert_eq!(table.acted()[0].second.unwrap().role, Role::Manager);
}

#[tokio::test]
async fn a_pin_may_come_as_positions_of_a_shuffled_pad_once() {
    let table = served().await;
    let pad = table.get("/api/v1/pad").await.json();
    let digits: Vec<u64> = pad["digits"].as_array().unwrap().iter().map(|digit| digit.as_u64().unwrap()).collect();
    let key_of = |digit: u8| digits.iter().position(|each| *each == u64::from(digit - b'0')).unwrap().to_string();
    let positions: String = PIN.bytes().map(key_of).collect();
    let body = |key: &str| {
        let mut body = by(key, FLOOR, &positions);
        body["pad"] = pad["pad"].clone();
        body
    };
    assert_eq!(table.act(&body("k1")).await.status, 200);
    let used = table.act(&body("k2")).await;
    assert_eq!((used.status, used.error().as_str()), (401, "pad-void"));
}

#[tokio::test]
async fn wrong_pins_lock_for_longer_each_time_and_a_restart_does_not_help() {
    let mut table = served().await;
    let mut delay = 30;
    for round in 0..3 {
        let tries = if round == 0 { 3 } else { 1 };
        for number in 0..tries {
            assert_eq!(table.act(&by(&format!("w{round}-{number}"), FLOOR, "295818")).await.status, 401);
        }
        table.stop.cancel();
        table.task.await.unwrap();
        // The board comes up anew: its uptime begins at nothing.
        table = serve_in(Arc::clone(&table.directory), Limits::default()).await;
        let locked = table.act(&by(&format!("l{round}"), FLOOR, PIN)).await;
        assert_eq!((locked.status, locked.error().as_str()), (429, "locked-out"));
        assert_eq!(locked.header("retry-after"), Some(delay.to_string().as_str()));
        assert_eq!(table.act(&by(&format!("o{round}"), MANAGER, PIN)).await.status, 200, "somebody else is not locked");
        table.clock.fetch_add(delay, Ordering::SeqCst);
        delay *= 2;
    }
    assert_eq!(table.act(&by("right", FLOOR, PIN)).await.status, 200);
}

#[tokio::test]
async fn more_actions_than_anybody_can_tap_are_refused() {
    let table = served_with(Limits { posts_burst: 5, posts_per_second: 0, ..Limits::default() }).await;
    for number in 0..5 {
        assert_eq!(table.act(&play(&format!("k{number}"), "stand")).await.status, 200);
    }
    let fast = table.act(&play("k5", "stand")).await;
    assert_eq!((fast.status, fast.error().as_str()), (429, "too-fast"));
    assert_eq!(table.get("/api/v1/screen").await.status, 200, "looking is free");
    assert_eq!(table.acted().len(), 5);
}
