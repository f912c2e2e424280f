//! What the players' display shows, made from the durable state and the posting like the sign itself.

use operator_api::{PaidJackpot, PendingJackpot, PlayersView, ShownLine, ShownMeter};
use table_rules::line::Line;
use table_rules::meter::Meter;
use table_rules::money::{MeterName, Pay};
use table_rules::posting::{Figure, Part, PostedLine, Posting};
use table_rules::wager::WagerId;

use crate::controller::Controller;

/// More winners than a display has room for.
const WINNERS: usize = 5;
/// Lines of a paytable beside a meter.
const LINES: usize = 6;

impl Controller {
    /// `names_seat`: whether the seat of a jackpot that is being verified may be told.
    pub fn players_view(&self, names_seat: bool) -> PlayersView {
        let table = &self.config.table;
        let posting = Posting::of(table);
        let statements =
            posting.blocks.iter().filter(|block| matches!(block.part, Part::Inscriptions | Part::TableRules));
        let limits = &table.limits;
        PlayersView {
            game: table.game.id(),
            title: posting.title,
            limits: format!("Bets {} to {}", limits.minimum, limits.maximum),
            statements: statements.flat_map(|block| &block.statements).map(|said| said.text.clone()).collect(),
            meters: self.engine.meters().map(|(wager, name, meter)| shown(&posting, wager, name, meter)).collect(),
            pending: self.pending_jackpots(names_seat),
            last: self.paid_jackpots(),
        }
    }

    fn pending_jackpots(&self, names_seat: bool) -> Vec<PendingJackpot> {
        let view = self.engine.view();
        let pending = |line: &Line| {
            let Some(Pay::Meter { meter, .. }) = line.pay else { return None };
            let amount = line.pays.amount()?;
            let seat = names_seat.then(|| line.seat.number());
            Some(PendingJackpot { wager: line.wager.id(), meter: meter.name(), amount_cents: amount.0, seat })
        };
        view.lines.iter().skip(view.lines_confirmed).filter_map(pending).collect()
    }

    fn paid_jackpots(&self) -> Vec<PaidJackpot> {
        let mut all: Vec<_> = self
            .engine
            .meters()
            .flat_map(|(wager, _, meter)| meter.last_hits().map(move |hit| (hit.round, wager, hit.paid)))
            .collect();
        all.sort_by_key(|(round, _, _)| std::cmp::Reverse(*round));
        all.truncate(WINNERS);
        let paid = |(_, wager, paid): (u32, WagerId, table_rules::money::Cents)| PaidJackpot {
            wager: wager.id().to_owned(),
            amount_cents: paid.0,
            at_ms: None,
        };
        all.into_iter().map(paid).collect()
    }
}

fn shown(posting: &Posting, wager: WagerId, name: MeterName, meter: &Meter) -> ShownMeter {
    let of_wager = |part: Part| matches!(part, Part::Side { wager: other, .. } if other == wager);
    let lines = posting.blocks.iter().filter(|block| of_wager(block.part)).flat_map(|block| &block.lines);
    let terms = meter.terms();
    ShownMeter {
        wager: wager.id(),
        meter: name.name(),
        amount_cents: meter.amount().0,
        restart_cents: terms.reset.0.max(meter.reserve().0),
        must_hit_cents: terms.must_hit.map(|ceiling| ceiling.0),
        lines: lines.take(LINES).map(|line| shown_line(line, name, meter)).collect(),
    }
}

fn shown_line(line: &PostedLine, name: MeterName, meter: &Meter) -> ShownLine {
    let (percent, amount_cents) = match &line.figure {
        Figure::Pay(Pay::Meter { percent, meter: of }) if *of == name => {
            (Some(*percent), Some(meter.amount().0 * i64::from(*percent) / 100))
        }
        Figure::Pay(Pay::Amount(amount)) => (None, Some(amount.0)),
        Figure::Pay(Pay::Meter { .. } | Pay::To(_) | Pay::For(_)) | Figure::Prize(_) | Figure::Community { .. } => {
            (None, None)
        }
    };
    ShownLine { words: line.words.clone(), figure: line.figure.to_string(), percent, amount_cents }
}
