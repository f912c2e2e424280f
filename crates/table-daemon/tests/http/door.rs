//! Who gets in.

use crate::support::{play, served};

#[tokio::test]
async fn without_the_key_nothing_is_told_and_nothing_is_done() {
    let table = served().await;
    for path in [
        "/api/v1/screen",
        "/api/v1/events",
        "/api/v1/meters",
        "/api/v1/pad",
        "/api/v1/recall/12",
        "/api/v1/outlook/irregularity",
        "/metrics",
    ] {
        for proof in ["", "authorization: Bearer x\r\n", "cookie: holecard=x\r\n", "cookie: a=b; holecard=\r\n"] {
            let got = table.raw(table.head("GET", path, &format!("{proof}\r\n")).as_bytes()).await;
            assert_eq!((got.status, got.error().as_str()), (401, "no-key"), "{path} {proof}");
        }
    }
    let body = play("k", "stand").to_string();
    let more = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    assert_eq!(table.raw(table.head("POST", "/api/v1/act", &more).as_bytes()).await.status, 401);
    assert!(table.acted().is_empty());
}

#[tokio::test]
async fn another_host_is_refused_even_with_the_key() {
    let table = served().await;
    let key = format!("authorization: Bearer {}\r\nconnection: close\r\n\r\n", table.token);
    let port = table.address.port();
    for host in [
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{port}.evil.example"),
        format!("evil:{port}"),
    ] {
        let got = table.raw(format!("GET /api/v1/screen HTTP/1.1\r\nhost: {host}\r\n{key}").as_bytes()).await;
        assert_eq!((got.status, got.error().as_str()), (421, "wrong-host"), "{host}");
    }
    let two = format!("GET /api/v1/screen HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nhost: evil\r\n{key}");
    assert_ne!(table.raw(two.as_bytes()).await.status, 200);
    let other_name = format!("GET /api/v1/screen HTTP/1.1\r\nhost: localhost:{port}\r\n{key}");
    assert_eq!(table.raw(other_name.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn another_origin_is_refused_even_with_the_key() {
    let table = served().await;
    let address = table.address;
    for origin in
        ["http://evil.example", "null", &format!("https://{address}"), &format!("http://{address}.evil.example")]
    {
        for (method, path) in [("GET", "/api/v1/screen"), ("POST", "/api/v1/act"), ("POST", "/api/v1/enter")] {
            let more = format!("authorization: Bearer {}\r\norigin: {origin}\r\n\r\n", table.token);
            let got = table.raw(table.head(method, path, &more).as_bytes()).await;
            assert_eq!((got.status, got.error().as_str()), (403, "wrong-origin"), "{origin} {method}");
        }
    }
    let cross = format!("authorization: Bearer {}\r\nsec-fetch-site: cross-site\r\n\r\n", table.token);
    assert_eq!(table.raw(table.head("GET", "/api/v1/screen", &cross).as_bytes()).await.status, 403);
    let same = format!("authorization: Bearer {}\r\norigin: http://{address}\r\n\r\n", table.token);
    assert_eq!(table.raw(table.head("GET", "/api/v1/screen", &same).as_bytes()).await.status, 200);
}

#[tokio::test]
async fn the_key_is_exchanged_for_a_cookie_that_no_script_and_no_other_site_can_use() {
    let table = served().await;
    let enter = |token: &str| {
        let body = format!("{{\"token\":\"{token}\"}}");
        let more = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        table.head("POST", "/api/v1/enter", &more)
    };
    for wrong in ["", "x", &table.token[1..], &format!("{}0", table.token)] {
        assert_eq!(table.raw(enter(wrong).as_bytes()).await.status, 401, "{wrong}");
    }
    let entered = table.raw(enter(&table.token).as_bytes()).await;
    assert_eq!(entered.status, 204);
    let cookie = entered.header("set-cookie").unwrap().to_owned();
    assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&table.token), "the cookie is the key itself");
    let pair = cookie.split(';').next().unwrap();
    let with = |more: &str| format!("cookie: other=1; {pair}\r\n{more}\r\n");
    assert_eq!(table.raw(table.head("GET", "/api/v1/screen", &with("")).as_bytes()).await.status, 200);
    // What changes something must also say which page it comes from.
    let body = play("k", "stand").to_string();
    let json = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    let nowhere = table.raw((table.head("POST", "/api/v1/act", &with(&json)) + &body).as_bytes()).await;
    assert_eq!((nowhere.status, nowhere.error().as_str()), (403, "wrong-origin"));
    let here = with(&format!("origin: http://{}\r\n{json}", table.address));
    assert_eq!(table.raw((table.head("POST", "/api/v1/act", &here) + &body).as_bytes()).await.status, 200);
}

/// The players' display stands where anybody can reach its cable: what its key opens is what it shows anyway.
#[tokio::test]
async fn the_display_s_key_opens_the_amounts_and_nothing_else() {
    let table = served().await;
    let key = table_daemon::http::display_key(
        &table_daemon::secret::Secret::read(&table.directory.path().join("token")).unwrap(),
    );
    assert_ne!(key, table.token);
    let body = format!("{{\"token\":\"{key}\"}}");
    let more = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let entered = table.raw(table.head("POST", "/api/v1/enter", &more).as_bytes()).await;
    assert_eq!(entered.status, 204);
    let cookie = entered.header("set-cookie").unwrap().to_owned();
    assert!(cookie.starts_with("holecard-display=") && cookie.contains("; Path=/api/v1/players;"), "{cookie}");
    assert!(!cookie.contains(&key), "the cookie is the key itself");
    let pair = cookie.split(';').next().unwrap();
    for proof in [format!("cookie: {pair}\r\n"), format!("authorization: Bearer {key}\r\n")] {
        let ask = |method: &str, path: &str| table.head(method, path, &format!("{proof}\r\n"));
        assert_eq!(table.raw(ask("GET", "/api/v1/players").as_bytes()).await.json()["names_seat"], false);
        let others = [
            "screen",
            "events",
            "meters",
            "day",
            "alerts",
            "devices",
            "recall/12",
            "outlook/irregularity",
            "people",
            "pad",
            "settings",
            "head",
        ];
        for path in others.map(|name| format!("/api/v1/{name}")).iter().map(String::as_str).chain(["/metrics"]) {
            let got = table.raw(ask("GET", path).as_bytes()).await;
            assert_eq!((got.status, got.error().as_str()), (403, "display-only"), "{path}");
        }
        for path in ["/api/v1/act", "/api/v1/visit", "/api/v1/identify", "/api/v1/players"] {
            assert_eq!(table.raw(ask("POST", path).as_bytes()).await.status, 403, "{path}");
        }
    }
    assert_eq!(table.get("/api/v1/players").await.status, 200, "the table's own key opens it as well");
    assert!(table.acted().is_empty());
}

#[tokio::test]
async fn the_socket_needs_no_key_and_takes_no_pages() {
    let table = served().await;
    let plain = "GET /api/v1/screen HTTP/1.1\r\nhost: holecard\r\nconnection: close\r\n\r\n";
    assert_eq!(table.raw_unix(plain.as_bytes()).await.status, 200);
    let page = "GET /api/v1/screen HTTP/1.1\r\nhost: holecard\r\norigin: http://holecard\r\nconnection: close\r\n\r\n";
    assert_eq!(table.raw_unix(page.as_bytes()).await.status, 403);
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&table.socket).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o660);
}

#[tokio::test]
async fn every_answer_forbids_scripts_from_elsewhere_framing_and_keeping() {
    let table = served().await;
    for got in [table.get("/api/v1/screen").await, table.get("/nowhere").await, table.get("/").await] {
        assert!(got.header("content-security-policy").unwrap().starts_with("default-src 'none'; script-src 'self'"));
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(got.header("cache-control"), Some("no-store"));
        assert_eq!(got.header("access-control-allow-origin"), None);
    }
}

#[tokio::test]
async fn questions_are_answered_and_addresses_are_exact() {
    let table = served().await;
    assert_eq!(table.get("/api/v1/screen").await.json()["sequence"], 7);
    assert_eq!(table.get("/api/v1/meters").await.json()[0]["wager"], "monster-match");
    assert_eq!(table.get("/api/v1/day").await.json()["rounds"], 12);
    assert_eq!(table.get("/api/v1/head").await.json()["sequence"], 7);
    assert_eq!(table.get("/api/v1/devices").await.body, "[]");
    assert_eq!(table.get("/api/v1/alerts").await.body, "[]");
    assert_eq!(table.get("/api/v1/recall/12").await.json()["round"], 12);
    assert_eq!(table.get("/api/v1/recall/13").await.status, 404);
    assert_eq!(table.get("/api/v1/recall/-1").await.status, 400);
    // Only what went wrong is asked about beforehand, and it is nobody's act.
    assert_eq!(
        table.get("/api/v1/outlook/irregularity%2013.F%208h").await.json()["said"].as_array().map(Vec::len),
        Some(0)
    );
    for other in ["stand", "floor%20void", "irregularity", "reject%20x", "%23"] {
        assert_eq!(table.get(&format!("/api/v1/outlook/{other}")).await.status, 400, "{other}");
    }
    assert!(table.acted().is_empty());
    for missing in ["/api/v1/nothing", "/api/v2/screen", "/assets/../Cargo.toml", "/index.html"] {
        assert_eq!(table.get(missing).await.status, 404, "{missing}");
    }
    let key = format!("authorization: Bearer {}\r\n\r\n", table.token);
    for (method, path) in [("DELETE", "/api/v1/screen"), ("GET", "/api/v1/act"), ("PUT", "/")] {
        let got = table.raw(table.head(method, path, &key).as_bytes()).await;
        assert!([404, 405].contains(&got.status), "{method} {path} {}", got.status);
    }
    let metrics = table.get("/metrics").await;
    assert!(metrics.body.contains("holecard_sequence 7\n"), "{}", metrics.body);
}
