//! The published schema against what the table really sends and takes. The checker knows exactly the keywords that the
//! schema uses; any other is an error, so that nothing is passed over in silence.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its example should stop")]

use operator_api::{ActKind, Action, DeviceTest, MeterPool, PersonId, Role, VisitView};
use serde_json::{Value, json};
use table_controller::{Clock, Config, Controller, Input, Outputs, PersonInput, Staff, Stamp, Started};
use table_rules::Tracking;
use table_rules::submission::RulesSubmission;

const SCHEMA: &str = include_str!("../../../docs/operator-api.schema.json");

struct Schema(Value);

impl Schema {
    fn load() -> Self {
        Self(serde_json::from_str(SCHEMA).unwrap())
    }

    /// Every way in which `value` is not a `name`.
    fn faults(&self, name: &str, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        self.check(&json!({ "$ref": format!("#/$defs/{name}") }), value, "", &mut faults);
        faults
    }

    fn check(&self, schema: &Value, value: &Value, path: &str, faults: &mut Vec<String>) {
        for (keyword, rule) in schema.as_object().unwrap() {
            let fits = match keyword.as_str() {
                "description" => true,
                "$ref" => {
                    let target = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                    self.check(&self.0["$defs"][target], value, path, faults);
                    true
                }
                "type" => kinds(rule).iter().any(|kind| is_kind(kind, value)),
                "const" => rule == value,
                "enum" => rule.as_array().unwrap().contains(value),
                "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().unwrap()),
                "maximum" => value.as_i64().is_none_or(|number| number <= rule.as_i64().unwrap()),
                "minLength" => value.as_str().is_none_or(|text| text.chars().count() >= number(rule)),
                "maxLength" => value.as_str().is_none_or(|text| text.chars().count() <= number(rule)),
                "minItems" => value.as_array().is_none_or(|list| list.len() >= number(rule)),
                "maxItems" => value.as_array().is_none_or(|list| list.len() <= number(rule)),
                "required" => value.as_object().is_none_or(|object| {
                    rule.as_array().unwrap().iter().all(|key| object.contains_key(key.as_str().unwrap()))
                }),
                "additionalProperties" => {
                    assert_eq!(rule, &json!(false));
                    let known = schema["properties"].as_object().unwrap();
                    value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
                }
                "properties" => {
                    for (key, inner) in rule.as_object().unwrap() {
                        if let Some(member) = value.get(key) {
                            self.check(inner, member, &format!("{path}/{key}"), faults);
                        }
                    }
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{path}/{index}"), faults);
                    }
                    true
                }
                "oneOf" => {
                    let fitting = rule.as_array().unwrap().iter().filter(|one| {
                        let mut inner = Vec::new();
                        self.check(one, value, path, &mut inner);
                        inner.is_empty()
                    });
                    fitting.count() == 1
                }
                other => panic!("the checker does not know {other}"),
            };
            if !fits {
                faults.push(format!("{path}: {keyword} {rule} does not hold for {value}"));
            }
        }
    }
}

fn number(rule: &Value) -> usize {
    usize::try_from(rule.as_u64().unwrap()).unwrap()
}

fn kinds(rule: &Value) -> Vec<&str> {
    rule.as_str()
        .map_or_else(|| rule.as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect(), |kind| vec![kind])
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the checker does not know the type {other}"),
    }
}

const OPENING: [(&str, &[&str]); 4] = [
    ("blackjack-all-wagers", &["decks 6 preinspected"]),
    ("spanish-21-all-wagers", &["decks 6 preinspected"]),
    ("pontoon-21-all-wagers", &["decks 6 preinspected"]),
    ("players-edge-21-all-wagers", &["decks 6 preinspected"]),
];

/// Says these words at the table and holds every screen against the schema; refused words are skipped, because the games
/// differ in what they ask for.
#[test]
fn every_screen_of_a_round_fits() {
    let schema = Schema::load();
    for (submission, opening) in OPENING {
        let path = format!("{}/../../firmware-config/submissions/{submission}.toml", env!("CARGO_MANIFEST_DIR"));
        let table = RulesSubmission::parse(&std::fs::read_to_string(path).unwrap()).check().table.unwrap();
        let mut config = Config::with_all_devices("T-1", table, Tracking::Cards);
        (config.has_reader, config.has_shuffler, config.has_layout, config.shoes) = (false, false, false, 0);
        let mut controller = Controller::new(config);
        let clock = Clock { wall_ms: 1_800_000_000_000, monotonic_ms: 0, minute: 600, day: 20_833, trusted: true };
        let started = Input::Started(Started { clock, last_record_ms: None, foreign_round: None });
        let floor = Staff { id: PersonId(2001), role: Role::Floorperson };
        let person = |action: Action| Input::Person(PersonInput { by: Some(floor), second: None, action, key: None });
        let words = |text: &str| person(Action::Play { words: text.to_owned() });
        let mut script = vec![started, person(Action::SignIn), words("open")];
        script.extend(opening.iter().map(|text| words(text)));
        for text in [
            "shuffle by-hand",
            "cut refuse 1",
            "cut dealer 120",
            "place 80",
            "load",
            "wager 1 main 25",
            "wager 2 main 50",
            "lock",
            "burn",
            "card 9h",
            "card 6c",
            "card Kd",
            "card 8s",
            "card 5c",
            "card ?",
            "settled",
            "peek no",
            "stand",
            "card Jc",
            "stand",
            "stand",
            "reveal 7d",
            "card 9c",
            "irregularity 13.E",
            "paid",
            "collected",
            "settled",
            "next",
            "undo",
        ] {
            script.push(words(text));
        }
        let mut stages = std::collections::BTreeSet::new();
        let mut sequence = 0;
        for input in &script {
            if controller.apply(Stamp { sequence: sequence + 1 }, input, &mut Outputs::default()).is_ok() {
                sequence += 1;
            }
            let screen = serde_json::to_value(controller.screen()).unwrap();
            let faults = schema.faults("screen", &screen);
            assert!(faults.is_empty(), "{submission}: {}", faults.join("\n"));
            let players = serde_json::to_value(controller.players_view(true)).unwrap();
            assert_eq!(schema.faults("players", &players), Vec::<String>::new(), "{submission}");
            stages.insert(screen["stage"].as_str().unwrap().to_owned());
        }
        for stage in ["closed", "preparing", "wagering", "dealing", "decisions"] {
            assert!(stages.contains(stage), "{submission} never came to {stage}: {stages:?}");
        }
    }
}

fn every_action() -> Vec<Action> {
    let text = || "x".to_owned();
    vec![
        Action::Play { words: "stand".to_owned() },
        Action::Reveal,
        Action::TurnUp { seat: 3 },
        Action::FaceDown,
        Action::SignIn,
        Action::SignOut,
        Action::Acknowledge { alert: 7 },
        Action::AcknowledgeAll,
        Action::Clear { alert: 7 },
        Action::BeginInspection { full: true },
        Action::InspectionAnswer { answer: text() },
        Action::PauseInspection,
        Action::EnterService,
        Action::LeaveService,
        Action::TestDevice { test: DeviceTest::Lamps },
        Action::ConfirmClock,
        Action::CorrectMeter { wager: text(), meter: text(), pool: MeterPool::Reserve, cents: -5, reason: text() },
        Action::ReplaceReader { serial: text() },
        Action::PairDevice { device: text(), code: text() },
        Action::ChipCount { chips: 4 },
        Action::SettledByHand { reason: text() },
        Action::AcceptJournal { reason: text() },
        Action::OpenWorkOrder { place: text(), what: text() },
        Action::CloseWorkOrder { order: 3, done: text() },
        Action::CallFloor,
        Action::Words { words: vec![text(), text()] },
    ]
}

#[test]
fn every_action_fits_and_nothing_besides() {
    let schema = Schema::load();
    let actions = every_action();
    for action in &actions {
        let written = serde_json::to_value(action).unwrap();
        assert_eq!(schema.faults("action", &written), Vec::<String>::new());
        let request = json!({ "key": "k-1", "prompt": 7, "action": written, "person": "2001", "pin": "041385",
            "second": { "person": "3001", "pin": "041385", "pad": "p" } });
        assert_eq!(schema.faults("request", &request), Vec::<String>::new());
        let mut surplus = written.clone();
        surplus["card"] = "Kc".into();
        assert!(!schema.faults("action", &surplus).is_empty(), "{surplus}");
    }
    assert_eq!(
        actions.len(),
        schema.0["$defs"]["action"]["oneOf"].as_array().unwrap().len(),
        "an action is not described"
    );
    for bad in
        [json!({ "do": "dance" }), json!({ "do": "play" }), json!({ "do": "turn-up", "seat": 300 }), json!("play")]
    {
        assert!(!schema.faults("action", &bad).is_empty(), "{bad}");
        assert!(serde_json::from_value::<Action>(bad).is_err());
    }
    for bad in [json!({ "key": "", "action": { "do": "reveal" } }), json!({ "action": { "do": "reveal" } })] {
        assert!(!schema.faults("request", &bad).is_empty(), "{bad}");
    }
}

#[test]
fn visits_and_permissions_fit() {
    let schema = Schema::load();
    for role in Role::ALL {
        let view = VisitView { number: 1, person: PersonId(2001), role, seconds: 60 };
        let rows = ActKind::all().map(|kind| {
            let mut row = serde_json::to_value(kind.permission()).unwrap();
            row["act"] = kind.word().into();
            row
        });
        let begun = json!({ "token": "t", "visit": view, "may": rows.collect::<Vec<_>>() });
        assert_eq!(schema.faults("visit_begun", &begun), Vec::<String>::new());
    }
}

#[test]
fn a_screen_that_tells_too_much_or_too_little_does_not_fit() {
    let schema = Schema::load();
    let dealer = json!({ "cards": ["Kd"], "hole": "sealed", "total": null, "soft": false });
    assert!(schema.faults("dealer", &dealer).is_empty());
    for (key, value) in [("hole_card", json!("7d")), ("hole", json!("7d")), ("cards", json!(["Kd of diamonds"]))] {
        let mut bad = dealer.clone();
        bad[key] = value;
        assert!(!schema.faults("dealer", &bad).is_empty(), "{bad}");
    }
    assert!(!schema.faults("dealer", &json!({ "cards": [] })).is_empty());
}
