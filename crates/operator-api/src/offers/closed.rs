//! What a hand that decides may not do, with the reason that the engine itself gives.

use serde::Serialize;
use table_rules::input::{Input, InputKind};
use table_rules::prompt::Order;
use table_rules::{Engine, Events};

/// A decision that is not open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Closed {
    pub word: &'static str,
    pub reason: String,
    pub clause: String,
}

/// Empty unless a hand is asked for a decision. The engine is asked about each input on a copy of itself.
pub fn closed(engine: &Engine) -> Vec<Closed> {
    if !matches!(engine.order().0, Order::AskDecision { .. } | Order::AskAfterDouble { .. }) {
        return Vec::new();
    }
    let decisions = [
        (InputKind::Surrender, Input::Surrender),
        (InputKind::Rescue, Input::Rescue),
        (InputKind::Split, Input::Split),
        (InputKind::Switch, Input::Switch),
        (InputKind::Double, Input::Double(None)),
        (InputKind::Redouble, Input::Redouble),
        (InputKind::Hit, Input::Hit),
        (InputKind::Stand, Input::Stand),
    ];
    let offered = engine.offers().kinds;
    let refused = |(kind, input): (InputKind, Input)| {
        let refusal = engine.clone().apply(&input, &mut Events::new()).err()?;
        Some(Closed { word: kind.word(), reason: refusal.reason.to_string(), clause: refusal.source.to_string() })
    };
    decisions.into_iter().filter(|(kind, _)| !offered.contains(*kind)).filter_map(refused).collect()
}
