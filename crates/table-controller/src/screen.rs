//! The table as people see it, made from the state alone. A card that lies face down is `?` here as everywhere.

use operator_api::{
    DealerView, HandView, HoleView, LampView, LineView, MeterView, Mode, PromptView, Screen, SeatView, Settled,
    SideView, Who, closed, offers,
};
use table_rules::Tracking;
use table_rules::clauses::paraphrase;
use table_rules::engine::{BoxView, StageView, TableView};
use table_rules::input::InputKind;
use table_rules::prompt::Order;
use table_rules::table::Shuffler;
use table_rules::text::PitLines;

use crate::config::Spot;
use crate::controller::Controller;
use crate::interlocks::foreign_round;
use crate::output::LampState;

/// The version of [`Screen`].
const VERSION: u16 = 1;

impl Controller {
    pub fn screen(&self) -> Screen {
        let view = self.engine.view();
        let table = &self.config.table;
        Screen {
            version: VERSION,
            table: self.config.table_id.clone(),
            game: table.game.id(),
            mode: self.mode(),
            sequence: self.state.sequence,
            prompt_number: self.state.prompt_number,
            prompt: self.prompt_view(),
            round: view.round,
            stage: stage_word(view.stage),
            locked: self.wagers_are_locked(),
            cover_seen: view.cover_seen,
            tracking: match self.config.tracking {
                Tracking::Cards => "cards",
                Tracking::Procedure => "procedure",
            },
            last_boxes: self.state.last_boxes.clone(),
            shoe_left: self.shoe_left(),
            decks_change_minutes: self.engine.decks_change_minutes(),
            seats: (1..=table.positions).map(|seat| self.seat_view(seat, &view)).collect(),
            dealer: self.dealer_view(&view),
            lines: view
                .lines
                .iter()
                .enumerate()
                .map(|(at, line)| LineView { settled: Settled::from(line), confirmed: at < view.lines_confirmed })
                .collect(),
            verifying: self.verifying_view(&view),
            meters: self.meter_views(),
            alerts: self.state.alerts.views(),
            devices: self.device_views(),
            stops: self.stops().into_iter().map(Into::into).collect(),
            inspection: self.inspection_view(),
            work_orders: self.state.work.views(),
            day: self.day_view(),
            signed_in: self.state.signed_in,
        }
    }

    pub fn mode(&self) -> Mode {
        if self.state.foreign.is_some() {
            Mode::Faulted
        } else if self.in_inspection() {
            // Also where a failed one stops the table: passing another is the way out.
            Mode::Inspection
        } else if self.state.alerts.stopping().next().is_some() {
            Mode::Faulted
        } else if self.state.service.is_some() {
            Mode::Service
        } else if matches!(self.engine.stage(), StageView::Closed) {
            Mode::Closed
        } else {
            Mode::Dealing
        }
    }

    fn prompt_view(&self) -> PromptView {
        let ((order, source), words) = (self.engine.order(), self.engine.order_in_words());
        let stopped = (self.engine.is_wagering() || matches!(self.engine.stage(), StageView::Closed))
            .then(|| self.stops().into_iter().next())
            .flatten();
        if let Some(foreign) = &self.state.foreign {
            let long = format!("Settle round {} by hand from its record, under the floorperson.", foreign.round);
            let PitLines { situation, order: text } = foreign_round(foreign.round);
            let clause = crate::codes::Code::ForeignRound.to_string();
            let (offers, closed) = (Vec::new(), Vec::new());
            let (waits_for, wanted, paraphrase) = (None, None, None);
            let shoe_knows = false;
            return PromptView {
                situation,
                text,
                long,
                clause,
                besides: Vec::new(),
                offers,
                paraphrase,
                closed,
                waits_for,
                wanted,
                shoe_knows,
            };
        }
        let by_engine = stopped.is_none() && !self.in_inspection();
        let engine = || (words.lines(), words.to_string(), source.to_string());
        let (lines, long, clause) = match stopped {
            Some(stop) if !self.in_inspection() => {
                (stop.lines, format!("No next round: {}.", stop.reason), stop.source)
            }
            Some(_) | None if self.in_inspection() => match self.inspection_view() {
                Some(inspection) => {
                    (PitLines::new(inspection.situation, inspection.order), inspection.text, inspection.source)
                }
                None => engine(),
            },
            Some(_) | None => engine(),
        };
        let PitLines { situation, order: text } = lines;
        let at_reader = matches!(order, Order::InsertHoleCard { .. }) && self.config.has_reader;
        let waits_for = at_reader.then_some("reader");
        let wanted = by_engine.then(|| wanted(order)).flatten().map(InputKind::word);
        let mut offers = if self.in_inspection() { Vec::new() } else { offers(&self.engine, &self.circumstances()) };
        // What a device says is nobody's to tap.
        offers.retain(|offer| offer.permission.who != Who::Device);
        let besides = if by_engine { source.besides().collect() } else { Vec::new() };
        let paraphrase = by_engine.then(|| paraphrase(source.game(), source.id())).flatten();
        let closed = closed(&self.engine);
        let shoe_knows = self.shoe_knows_next_turn();
        PromptView { situation, text, long, clause, besides, offers, paraphrase, closed, waits_for, wanted, shoe_knows }
    }

    /// What a reading shoe that was filled once still holds; a continuous shuffler gives back what was dealt.
    fn shoe_left(&self) -> Option<u16> {
        let table = &self.config.table;
        let one = self.config.shoes == 1 && self.state.shoes[0].link.up && table.shuffler != Shuffler::Continuous;
        let held = u16::from(table.decks) * table.game.cards_per_deck();
        one.then(|| held.saturating_sub(self.state.shoes[0].last_draw))
    }

    fn seat_view(&self, seat: u8, view: &TableView) -> SeatView {
        let lamps = self
            .config
            .spots
            .iter()
            .map(|each| {
                let state = self.state.layout.shown.get(&Spot { seat, spot: each.spot });
                LampView {
                    spot: each.spot,
                    wager: each.wager.id(),
                    state: state.copied().unwrap_or(LampState::Dark).word(),
                }
            })
            .collect();
        let each = view.boxes.iter().find(|each| each.seat.number() == seat);
        let lies = |each: &BoxView| -> (Vec<SideView>, Vec<HandView>) {
            let side = each.side.iter().map(|(wager, stake, open)| SideView {
                wager: wager.id(),
                stake_cents: stake.amount().map(|cents| cents.0),
                open: *open,
            });
            (side.collect(), each.hands.iter().map(hand_view).collect())
        };
        let (side, hands) = each.map(lies).unwrap_or_default();
        SeatView {
            seat,
            lamps,
            in_play: each.is_some(),
            main_cents: each.and_then(|each| each.main.amount()).map(|cents| cents.0),
            insured: each.is_some_and(|each| each.insurance.is_placed()),
            insurance_cents: each.and_then(|each| each.insurance.amount()).map(|cents| cents.0),
            side,
            hands,
        }
    }

    fn dealer_view(&self, view: &TableView) -> DealerView {
        let turned = self.config.tracking == Tracking::Procedure
            && matches!(view.stage, StageView::DealerDraws | StageView::Wheel | StageView::Settlement);
        let hole = if turned {
            // The steps say that it was turned, and nobody names it.
            HoleView::Revealed
        } else if self.engine.hole_card_lies_down() {
            HoleView::Sealed
        } else if view.dealer.len() > 1 {
            HoleView::Revealed
        } else {
            HoleView::None
        };
        let revealed = hole == HoleView::Revealed && view.dealer.len() > 1;
        let hand = self.engine.dealer();
        DealerView {
            cards: view.dealer.iter().map(ToString::to_string).collect(),
            hole,
            total: revealed.then(|| hand.total()),
            soft: revealed && hand.is_soft(),
        }
    }

    pub fn meter_views(&self) -> Vec<MeterView> {
        let view = |(wager, name, meter): (
            table_rules::wager::WagerId,
            table_rules::money::MeterName,
            &table_rules::meter::Meter,
        )| MeterView {
            wager: wager.id(),
            meter: name.name(),
            amount_cents: meter.amount().0,
            reserve_cents: meter.reserve().0,
            overflow_cents: meter.overflow().0,
            hits: meter.hits(),
            wins_cents: meter.wins().0,
            balanced: meter.balance().holds(),
        };
        self.engine.meters().map(view).collect()
    }
}

fn hand_view(hand: &table_rules::engine::HandView) -> HandView {
    let hidden = hand.cards.iter().any(Option::is_none);
    HandView {
        cards: hand.cards.iter().map(|card| card.map_or_else(|| "?".to_owned(), |card| card.to_string())).collect(),
        total: (!hidden).then_some(hand.total),
        soft: hand.soft && !hidden,
        stake_cents: hand.stake.amount().map(|cents| cents.0),
        doubles: hand.doubles,
        state: hand.state,
        turn: hand.has_turn,
    }
}

/// What does an order that comes in between: at its stage something else would be the first to offer.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other order is of its stage")]
const fn wanted(order: Order) -> Option<InputKind> {
    match order {
        Order::ReaderStopped | Order::RepairReader => Some(InputKind::ReaderRepaired),
        Order::ChangeDecks { wagers_lie: false, .. } => Some(InputKind::Decks),
        // The hole card may be named there, and need not be.
        Order::RevealStep | Order::MarkBlackjacks | Order::MarkMissedBlackjacks => Some(InputKind::Next),
        _ => None,
    }
}

const fn stage_word(stage: StageView) -> &'static str {
    match stage {
        StageView::Closed => "closed",
        StageView::Preparing => "preparing",
        StageView::Irregularity => "irregularity",
        StageView::Wagering => "wagering",
        StageView::Dealing => "dealing",
        StageView::FirstCardWagers => "first-card-wagers",
        StageView::Insurance => "insurance",
        StageView::Reader => "reader",
        StageView::ReaderStopped => "reader-stopped",
        StageView::Decisions => "decisions",
        StageView::Reveal => "reveal",
        StageView::DealerDraws => "dealer-draws",
        StageView::Wheel => "wheel",
        StageView::Settlement => "settlement",
    }
}
