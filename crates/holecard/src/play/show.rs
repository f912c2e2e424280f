//! The table as it lies open: the dealer's cards, each box with its wager and hands.

use std::io::{self, Write};

use table_rules::card::Card;
use table_rules::engine::{BoxView, HandView, StageView, TableView};
use table_rules::line::Stake;

pub(crate) fn show(out: &mut impl Write, view: &TableView) -> io::Result<()> {
    writeln!(out, "  round {}, {}", view.round, stage(view.stage))?;
    if !view.dealer.is_empty() {
        let cards: Vec<String> = view.dealer.iter().map(Card::to_string).collect();
        writeln!(out, "  dealer  {}", cards.join(" "))?;
    } else if let Some(up) = view.up {
        writeln!(out, "  dealer  shows {}", up.word())?;
    }
    for each in &view.boxes {
        show_box(out, each)?;
    }
    let open = view.lines.len().saturating_sub(view.lines_confirmed);
    for line in view.lines.iter().skip(view.lines_confirmed) {
        writeln!(out, "  open    {line}")?;
    }
    if open == 0 && view.boxes.is_empty() {
        writeln!(out, "  no wagers")?;
    }
    if view.cover_seen {
        writeln!(out, "  the cover card has appeared")?;
    }
    Ok(())
}

fn show_box(out: &mut impl Write, each: &BoxView) -> io::Result<()> {
    write!(out, "  seat {}  main {}", each.seat, stake(each.main))?;
    if each.insurance.is_placed() {
        write!(out, ", insurance {}", stake(each.insurance))?;
    }
    for (wager, placed, open) in &each.side {
        let settled = if *open { "" } else { " (settled)" };
        write!(out, ", {wager} {}{settled}", stake(*placed))?;
    }
    writeln!(out)?;
    for (index, hand) in each.hands.iter().enumerate().filter(|(_, hand)| !hand.cards.is_empty()) {
        show_hand(out, index + 1, hand)?;
    }
    Ok(())
}

fn show_hand(out: &mut impl Write, number: usize, hand: &HandView) -> io::Result<()> {
    let faces: Vec<String> =
        hand.cards.iter().map(|card| card.map_or_else(|| "?".to_owned(), |card| card.to_string())).collect();
    let soft = if hand.soft { "soft " } else { "" };
    let turn = if hand.has_turn { "  ← to act" } else { "" };
    let doubled = match hand.doubles {
        0 => String::new(),
        1 => format!(", doubled to {}", stake(hand.stake)),
        times => format!(", doubled {times} times to {}", stake(hand.stake)),
    };
    let state = hand.state;
    writeln!(out, "          {number}: {}  {soft}{}, {state}{doubled}{turn}", faces.join(" "), hand.total)
}

fn stake(stake: Stake) -> String {
    match stake.amount() {
        Some(amount) => amount.to_string(),
        None if stake.is_unknown() => "of unknown amount".to_owned(),
        None => "none".to_owned(),
    }
}

fn stage(stage: StageView) -> &'static str {
    match stage {
        StageView::Closed => "the table is closed",
        StageView::Preparing => "the cards are being made ready",
        StageView::Irregularity => "an irregularity waits for its answer",
        StageView::Wagering => "wagers are open",
        StageView::Dealing => "dealing",
        StageView::FirstCardWagers => "first-card wagers",
        StageView::Insurance => "insurance is open",
        StageView::Reader => "the hole card goes to the reader",
        StageView::ReaderStopped => "the reader is out of service",
        StageView::Decisions => "players decide",
        StageView::Reveal => "the hole card is to be turned",
        StageView::DealerDraws => "the dealer draws",
        StageView::Wheel => "the wheel is to be spun",
        StageView::Settlement => "settlement",
    }
}
