//! Visits and signatures as a page meets them.

use operator_api::{Action, PersonId, Role, VisitEnd};
use serde_json::{Value, json};
use table_daemon::handle::{Frame, Moment, Proof};
use table_daemon::staff::{Authenticated, Book};

use crate::support::{FLOOR, Got, MANAGER, PIN, Served, play, served, until};

const FLOORPERSON: Authenticated = Authenticated { id: PersonId(FLOOR), role: Role::Floorperson };

async fn visit(table: &Served, person: u32, pin: &str) -> Got {
    table.post("/api/v1/visit", &json!({ "person": person.to_string(), "pin": pin })).await
}

async fn token(table: &Served, person: u32) -> String {
    let begun = visit(table, person, PIN).await;
    assert_eq!(begun.status, 200, "{begun:?}");
    begun.json()["token"].as_str().unwrap().to_owned()
}

fn asked(key: &str, action: Value, with: Value) -> Value {
    let mut body = json!({ "key": key, "action": action });
    body.as_object_mut().unwrap().extend(with.as_object().unwrap().clone());
    body
}

async fn ended(table: &Served, how: VisitEnd) {
    let is = |table: &Served| table.acted().iter().any(|acted| acted.action == Action::EndVisit { how });
    until("the end of the visit is on record", || async { is(table) }).await;
}

#[tokio::test]
async fn a_visit_is_opened_by_a_pin_and_says_what_it_may() {
    let table = served().await;
    assert_eq!(visit(&table, FLOOR, "295818").await.error(), "wrong-pin");
    assert!(table.acted().is_empty());
    let begun = visit(&table, FLOOR, PIN).await.json();
    assert_eq!(begun["visit"], json!({ "number": 1, "person": FLOOR, "role": "floorperson", "seconds": 60 }));
    assert_eq!(table.acted()[0].action, Action::OpenVisit, "on record before it is open");
    let may = |act: &str| begun["may"].as_array().unwrap().iter().find(|row| row["act"] == act).cloned();
    assert_eq!(may("acknowledge").unwrap()["signature"], false);
    assert_eq!(may("close").unwrap()["signature"], true);
    assert_eq!((may("correct-meter"), may("stand")), (None, None));
    assert_eq!(
        table.get("/api/v1/people").await.json(),
        json!({ "people": [{ "person": FLOOR, "role": "floorperson" }] })
    );
    let rows = table.get("/api/v1/permissions").await.json();
    assert!(
        rows["permissions"].as_array().unwrap().iter().any(|row| row["act"] == "stand" && row["place"] == "slot-e")
    );
}

#[tokio::test]
async fn a_visit_acknowledges_without_a_pin_and_signs_with_one() {
    let table = served().await;
    let token = token(&table, FLOOR).await;
    let seen = json!({ "do": "acknowledge", "alert": 3 });
    let clear = json!({ "do": "clear", "alert": 3 });
    assert_eq!(table.act(&asked("a", seen.clone(), json!({ "visit": token }))).await.status, 200);
    let last = table.acted().pop().unwrap();
    assert_eq!((last.person, last.proof), (Some(FLOORPERSON), Proof::Visit));
    let unsigned = table.act(&asked("b", clear.clone(), json!({ "visit": token }))).await;
    assert_eq!((unsigned.status, unsigned.error().as_str()), (403, "needs-signature"));
    assert_eq!(table.act(&asked("b", clear.clone(), json!({ "visit": token, "pin": "295818" }))).await.status, 401);
    assert_eq!(table.act(&asked("b", clear, json!({ "visit": token, "pin": PIN }))).await.status, 200);
    let last = table.acted().pop().unwrap();
    assert_eq!((last.person, last.proof), (Some(FLOORPERSON), Proof::Pin));
    for (with, error) in [
        (json!({ "visit": "guess" }), "visit-over"),
        (json!({ "visit": token, "person": "2001", "pin": PIN }), "malformed"),
        (json!({ "visit": token, "pad": "p" }), "malformed"),
    ] {
        assert_eq!(table.act(&asked("c", seen.clone(), with)).await.error(), error);
    }
    for action in [json!({ "do": "open-visit" }), json!({ "do": "end-visit", "how": "left" })] {
        assert_eq!(table.act(&asked("d", action, json!({ "visit": token }))).await.status, 400);
    }
}

#[tokio::test]
async fn a_visit_ends_by_leaving_by_another_and_with_its_visitor() {
    let table = served().await;
    let touch = |token: &str| {
        let body = json!({ "visit": token });
        let table = &table;
        async move { table.post("/api/v1/visit/touch", &body).await }
    };
    let first = token(&table, FLOOR).await;
    assert_eq!(touch(&first).await.json()["visit"]["seconds"], 60);
    let second = token(&table, MANAGER).await;
    ended(&table, VisitEnd::Replaced).await;
    assert_eq!(touch(&first).await.error(), "visit-over");
    assert_eq!(table.post("/api/v1/visit/leave", &json!({ "visit": first })).await.status, 200);
    assert_eq!(touch(&second).await.status, 200, "only its own page ends a visit");
    assert_eq!(table.post("/api/v1/visit/leave", &json!({ "visit": second })).await.status, 200);
    ended(&table, VisitEnd::Left).await;
    assert_eq!(touch(&second).await.error(), "visit-over");
    let third = token(&table, FLOOR).await;
    Book::change(table.directory.path(), |book| book.disable(PersonId(FLOOR))).unwrap();
    assert_eq!(touch(&third).await.error(), "visit-over");
    ended(&table, VisitEnd::Disabled).await;
}

#[tokio::test]
async fn a_page_reads_the_past_only_in_a_visit() {
    let table = served().await;
    let body = json!({ "token": table.token }).to_string();
    let more = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let entered = table.raw(table.head("POST", "/api/v1/enter", &more).as_bytes()).await;
    let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let token = token(&table, FLOOR).await;
    for path in ["/api/v1/recall/12", "/api/v1/day", "/api/v1/identity", "/api/v1/inspections"] {
        let plain = format!("cookie: {cookie}\r\n\r\n");
        assert_eq!(table.raw(table.head("GET", path, &plain).as_bytes()).await.error(), "visit-over");
        let visiting = format!("cookie: {cookie}\r\nholecard-visit: {token}\r\n\r\n");
        assert_eq!(table.raw(table.head("GET", path, &visiting).as_bytes()).await.status, 200);
        assert_eq!(table.get(path).await.status, 200, "a program with the key needs none");
    }
}

#[tokio::test]
async fn the_first_signature_waits_for_the_second_person() {
    let table = served().await;
    let clock = json!({ "do": "confirm-clock" });
    let by = |key: &str, person: u32| asked(key, clock.clone(), json!({ "person": person.to_string(), "pin": PIN }));
    for key in ["a", "b"] {
        let first = table.act(&by(key, FLOOR)).await;
        assert_eq!((first.status, first.error().as_str()), (403, "needs-person"));
        let signed = json!({ "person": FLOOR, "role": "floorperson", "kept_s": 600 });
        assert_eq!((&first.json()["second"], &first.json()["signed"]), (&json!(true), &signed));
    }
    assert_eq!(table.act(&by("c", MANAGER)).await.status, 200);
    assert_eq!(table.acted().pop().unwrap().second, Some(FLOORPERSON));
    assert_eq!(table.act(&by("d", MANAGER)).await.status, 403, "a signature is good for one act");
    // Somebody who is disabled meanwhile has signed nothing.
    Book::change(table.directory.path(), |book| book.disable(PersonId(MANAGER))).unwrap();
    assert_eq!(table.act(&by("e", FLOOR)).await.status, 403);
}

#[tokio::test]
async fn the_keys_of_a_dealer_who_is_off_the_list_do_nothing() {
    let table = served().await;
    let dealt_by = |dealer: u32| Frame::new(8, "{}").at(Moment { dealer: Some(PersonId(dealer)), ..Moment::default() });
    table.frames.send_replace(dealt_by(FLOOR));
    assert_eq!(table.act(&play("a", "stand")).await.status, 200);
    table.frames.send_replace(dealt_by(1042));
    let refused = table.act(&play("b", "stand")).await;
    assert_eq!((refused.status, refused.error().as_str()), (403, "needs-person"));
    assert_eq!(refused.json()["clause"], "TC-007");
    table.frames.send_replace(dealt_by(FLOOR));
    Book::change(table.directory.path(), |book| book.disable(PersonId(FLOOR))).unwrap();
    assert_eq!(table.act(&play("c", "stand")).await.status, 403);
}

#[tokio::test]
async fn a_known_key_tells_nothing_to_a_wrong_pin() {
    let table = served().await;
    let mut body = play("k", "floor approve");
    body["person"] = FLOOR.to_string().into();
    body["pin"] = PIN.into();
    let first = table.act(&body).await;
    assert_eq!(first.status, 200);
    assert_eq!(table.act(&body).await.body, first.body);
    body["pin"] = "295818".into();
    assert_eq!(table.act(&body).await.error(), "wrong-pin");
    // The same bytes with a used pad are the same request sent again, and nothing else.
    let pad = table.get("/api/v1/pad").await.json();
    let digits: Vec<u64> = pad["digits"].as_array().unwrap().iter().map(|digit| digit.as_u64().unwrap()).collect();
    let typed: String = PIN
        .bytes()
        .map(|digit| digits.iter().position(|each| *each == u64::from(digit - b'0')).unwrap().to_string())
        .collect();
    body["key"] = "p".into();
    body["pin"] = typed.into();
    body["pad"] = pad["pad"].clone();
    let first = table.act(&body).await;
    assert_eq!((first.status, table.act(&body).await.body), (200, first.body));
    body["key"] = "q".into();
    assert_eq!(table.act(&body).await.error(), "pad-void");
}

#[tokio::test]
async fn two_origins_and_two_of_one_key_are_refused() {
    let table = served().await;
    let twice = "{\"key\":\"k\",\"prompt\":3,\"action\":{\"do\":\"play\",\"words\":\"stand\",\"words\":\"hit\"}}";
    let got = table.act_text(twice).await;
    assert_eq!(got.error(), "malformed");
    assert!(!got.body.contains("prompt_number"), "not for its prompt: {}", got.body);
    let once = twice.replace(",\"words\":\"hit\"", "").replace("\"k\"", "\"once\"");
    assert_eq!(table.act_text(&once).await.status, 200, "once it is taken");
    let origin = format!("origin: http://{}\r\n", table.address);
    let body = play("k", "stand").to_string();
    let more = format!(
        "{origin}{origin}authorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        table.token,
        body.len()
    );
    assert_eq!(table.raw(table.head("POST", "/api/v1/act", &more).as_bytes()).await.error(), "wrong-origin");
    assert_eq!(table.acted().len(), 1, "nothing but the one that was taken");
}
