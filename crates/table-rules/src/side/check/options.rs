//! The options of a wager: those required are answered, and none is answered that the wager does not have.

use super::Problems;
use super::stakes::Stakes;
use super::tables::Chosen;
use crate::money::{Cents, Pay, Rounding};
use crate::side::answers::Answers;
use crate::side::table::Printed;
use crate::side::twenty;
use crate::side::visible::{CrownTreasure, Options};
use crate::wager::WagerId;

/// No maximum of 13.J may be lower.
const MAXIMUM_PAYOUT_LEAST: Cents = Cents::dollars(25_000);

enum Question {
    Required,
    Optional,
    NotAsked,
}

pub(super) fn check(problems: &mut Problems, chosen: Option<&Chosen>, stakes: &Stakes, answers: &Answers) -> Options {
    let wager = problems.wager;
    let is = |id: WagerId| wager == id;
    let required_if = |yes: bool| if yes { Question::Required } else { Question::NotAsked };
    let optional_if = |yes: bool| if yes { Question::Optional } else { Question::NotAsked };
    let star = chosen.is_some_and(|chosen| chosen.first.table.rows.iter().any(|row| row.key.ends_with("chosen-suit")));
    let bonuses = is(WagerId::BadBeat) && answers.every_n_rounds.is_some();
    let jackpots = chosen.is_some_and(|chosen| {
        chosen.tables().any(|offered| offered.table.prize.is_some() || !offered.table.meters.is_empty())
    });
    let questions = [
        ("ace_high_straight", "B5", answers.ace_high_straight.is_some(), required_if(is(WagerId::ThreeCardPoker))),
        ("crown_treasure", "B6", answers.crown_treasure.is_some(), required_if(is(WagerId::RoyalMatch21))),
        ("star_suit", "W7", answers.star_suit.is_some(), required_if(star)),
        ("random_source", "B10", answers.random_source.is_some(), required_if(is(WagerId::MustHit) || bonuses)),
        ("busted_hands_count", "W10", answers.busted_hands_count.is_some(), optional_if(is(WagerId::HitAndRun))),
        (
            "community_pay_to_own_boxes",
            "H15",
            answers.community_pay_to_own_boxes.is_some(),
            optional_if(is(WagerId::BonusSpin) || is(WagerId::BonusSpinXtreme)),
        ),
        ("every_n_rounds", "W13", answers.every_n_rounds.is_some(), optional_if(is(WagerId::BadBeat))),
        ("jackpot_threshold", "X1", answers.jackpot_threshold.is_some(), optional_if(jackpots || chosen.is_none())),
    ];
    let title = problems.title();
    for (answer, id, said, question) in questions {
        match (question, said) {
            (Question::Required, false) => problems.add(id, answer, format!("{title} needs an answer to `{answer}`")),
            (Question::NotAsked, true) if chosen.is_some() => {
                problems.add(id, answer, format!("{title} has no option `{answer}`"));
            }
            (Question::Required | Question::Optional, true)
            | (Question::Optional, false)
            | (Question::NotAsked, true | false) => {}
        }
    }
    if answers.every_n_rounds == Some(0) {
        problems.add("W13", "every_n_rounds", format!("{title}: `every_n_rounds` counts from 1"));
    }
    if let Some(threshold) = answers.jackpot_threshold.filter(|amount| *amount < Cents::ZERO) {
        problems.add("X1", "jackpot_threshold", format!("{title}: {threshold} is not an amount"));
    }
    maximum_payout(problems, chosen, stakes, answers);
    Options {
        lines: chosen.map_or(0, lines_of),
        // Required for Three Card Poker; the other three-card wagers allow it in words (readings B5 and W4).
        ace_high_straight: answers.ace_high_straight.unwrap_or(true),
        crown_treasure: answers.crown_treasure.unwrap_or(CrownTreasure::Line),
        star_suit: answers.star_suit,
        busted_hands_count: answers.busted_hands_count.unwrap_or(true),
        community_pay_to_own_boxes: answers.community_pay_to_own_boxes.unwrap_or(false),
        maximum_payout: answers.maximum_payout,
        least_stake: stakes.least,
        only_stake: match stakes.allowed.as_slice() {
            [only] => Some(*only),
            _ => None,
        },
    }
}

fn lines_of(chosen: &Chosen) -> u64 {
    let rows = chosen.tables().flat_map(|offered| &offered.table.rows);
    rows.fold(0, |lines, row| lines | 1 << row.line.index())
}

/// 13.J to 13.M as reading B2 has them.
fn maximum_payout(problems: &mut Problems, chosen: Option<&Chosen>, stakes: &Stakes, answers: &Answers) {
    let Some(maximum) = answers.maximum_payout else {
        return;
    };
    let title = problems.title();
    let Some(line) = twenty::capped_line(problems.wager) else {
        let sentence = format!("{title} may have no maximum payout: only Lucky Ladies and King's Bounty may");
        problems.add("B2", "maximum_payout", sentence);
        return;
    };
    let Some(most) = stakes.most else {
        let sentence =
            format!("{title} sets a maximum payout, which is measured by its largest stake: name `max_stake`");
        problems.add("13.L", "max_stake", sentence);
        // What no stake could make legal is said at once, not when the stake is there.
        if maximum < MAXIMUM_PAYOUT_LEAST {
            let sentence = format!(
                "{title} sets a maximum payout of {maximum}; whatever the stakes, it is at least {MAXIMUM_PAYOUT_LEAST}"
            );
            problems.add("13.L", "maximum_payout", sentence);
        }
        return;
    };
    let Some(Printed::Pay(Pay::To(odds) | Pay::For(odds))) =
        chosen.and_then(|chosen| chosen.first.table.row(line)).map(|row| row.pays)
    else {
        return;
    };
    let least = odds.of(most, Cents(1), Rounding::Up).max(MAXIMUM_PAYOUT_LEAST);
    if maximum < least {
        let sentence =
            format!("{title} sets a maximum payout of {maximum}; with stakes up to {most} it is at least {least}");
        problems.add("13.L", "maximum_payout", sentence);
    }
}
