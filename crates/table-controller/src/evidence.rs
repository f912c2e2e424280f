//! A progressive win that is being verified (7.O(1)): how far it has come, when, and what speaks for it.

use operator_api::{VerifyingStep, VerifyingView};
use serde::{Deserialize, Serialize};
use table_rules::Event;
use table_rules::engine::TableView;
use table_rules::input::InputKind;
use table_rules::prompt::Order;

use crate::controller::Controller;

/// By the wall, as far as the clock was known. What was taken back is told again; the order says how far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Verified {
    pub(crate) locked_ms: Option<i64>,
    pub(crate) hand_ms: Option<i64>,
    pub(crate) lamp_ms: Option<i64>,
    pub(crate) approved_ms: Option<i64>,
}

impl Controller {
    pub(crate) fn note_verified(&mut self, event: &Event) {
        let now = self.moment().wall_ms;
        let verified = &mut self.state.verified;
        if let Event::WagersLocked { .. } = event {
            *verified = Verified { locked_ms: now, ..Verified::default() };
        } else if let Event::Verified { lamp: true, .. } = event {
            verified.lamp_ms = now;
        } else if let Event::Verified { lamp: false, .. } = event {
            verified.hand_ms = now;
        } else if let Event::Approved { .. } = event {
            verified.approved_ms = now;
        }
    }

    /// Only a win that may be rejected is one that is verified (H28).
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other order is no step of a verification")]
    pub(crate) fn verifying_view(&self, view: &TableView) -> Option<VerifyingView> {
        let line = view.lines.get(view.lines_confirmed).filter(|_| self.offers(InputKind::Reject))?;
        let step = match self.engine.order().0 {
            Order::VerifyHand => VerifyingStep::Hand,
            Order::VerifyLamp => VerifyingStep::Lamp,
            Order::ApproveLineSecond => VerifyingStep::Second,
            _ => VerifyingStep::Floor,
        };
        let done = |of: VerifyingStep, ms: Option<i64>| ms.filter(|_| step > of);
        let verified = self.state.verified;
        let first = view.boxes.iter().find(|each| each.seat == line.seat).map(|each| each.first_cards.clone());
        Some(VerifyingView {
            step,
            seat: line.seat.number(),
            wager: line.wager.id(),
            first_cards: first.unwrap_or_default().iter().map(ToString::to_string).collect(),
            locked_ms: verified.locked_ms,
            hand_seen_ms: done(VerifyingStep::Hand, verified.hand_ms),
            lamp_seen_ms: done(VerifyingStep::Lamp, verified.lamp_ms),
            approved_by: self.state.approved_by.filter(|_| step > VerifyingStep::Floor),
            approved_ms: done(VerifyingStep::Floor, verified.approved_ms),
        })
    }
}
