//! Irregularities as a dealer finds them: by group and in plain words, with what the clause has to be told. The engine is
//! asked about each seat and card, so that nothing is asked for that it would refuse.

use serde::Serialize;
use table_rules::card::Card;
use table_rules::engine::Irregular;
use table_rules::input::{Input, Text};
use table_rules::questions::Questions;
use table_rules::seat::Seat;

use super::{numbers, ranks, seats_where};

/// Where to look for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    Card,
    Dealer,
    Shoe,
    Reader,
    Shuffler,
}

/// One that can have happened now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OfferedIrregularity {
    pub clause: &'static str,
    pub group: Group,
    /// Begins a sentence that `note` ends.
    pub title: &'static str,
    pub note: &'static str,
    /// The seats that may be named, where one has to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seats: Option<Vec<u8>>,
    /// The ranks of the card that has to be named, where one has to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<String>,
    /// Somebody has to say that the device is covered or has its sign.
    pub attest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paraphrase: Option<&'static str>,
}

/// Group, and what happened in a dealer's words.
const fn words(kind: Irregular) -> (Group, &'static str, &'static str) {
    match kind {
        Irregular::FaceUpInShoe => (Group::Card, "Lay face up", "in the shoe"),
        Irregular::SecondFaceUpInShoe => (Group::Card, "More than one", "face up in the shoe"),
        Irregular::TenInShoe => (Group::Card, "A 10 came out", "of the shoe"),
        Irregular::SecondTenInShoe => (Group::Card, "A second 10", "came out of the shoe"),
        Irregular::DrawnUnexposed => (Group::Card, "Drawn by mistake,", "nobody saw it"),
        Irregular::DrawnExposed => (Group::Card, "Drawn by mistake,", "and somebody saw it"),
        Irregular::NoCardDealt => (Group::Card, "A player got", "no card"),
        Irregular::OneCardDealt => (Group::Card, "A player got", "only one card"),
        Irregular::RequestedCardMissed => (Group::Card, "A card asked for", "did not come"),
        Irregular::DealerDrewOn17 => (Group::Dealer, "One card too many", "in the dealer's hand"),
        Irregular::DealerMissedOwnCard => (Group::Dealer, "Own card forgotten", "by the dealer"),
        Irregular::ShoeRanOut => (Group::Shoe, "Ran out of cards", "before the end"),
        Irregular::WrongShoeSide => (Group::Shoe, "Wrong side", "of the double shoe"),
        Irregular::ReaderOnWrongUpCard => (Group::Reader, "Used under", "a wrong up card"),
        Irregular::ReaderMalfunction => (Group::Reader, "No answer,", "or a wrong one"),
        Irregular::ShufflerJam => (Group::Shuffler, "Cards jam", "in the machine"),
        Irregular::ShufflerOutOfOrder => (Group::Shuffler, "Out of order,", "the machine stays off"),
    }
}

/// Each with the input that tells it, as far as nothing is asked for besides.
pub(super) fn irregularities(now: &Questions<'_>) -> Vec<(Input, OfferedIrregularity)> {
    let told = |offered: OfferedIrregularity| {
        let clause = Text::new(offered.clause)?;
        Some((Input::Irregularity { clause, seat: None, card: None, attested: false }, offered))
    };
    now.engine().possible_irregularities().filter_map(|kind| offered(now, kind).and_then(told)).collect()
}

fn offered(now: &Questions<'_>, kind: Irregular) -> Option<OfferedIrregularity> {
    let game = now.engine().table().game;
    let clause = kind.clause(game)?;
    let text = Text::new(clause)?;
    let (group, title, note) = words(kind);
    let takes = |seat: Option<Seat>, card: Option<Card>, attested: bool| {
        now.takes(&Input::Irregularity { clause: text, seat, card, attested })
    };
    let some_card = Card::deck().find(|card| takes(None, Some(*card), false));
    let plain = OfferedIrregularity {
        clause,
        group,
        title,
        note,
        seats: None,
        cards: None,
        attest: false,
        paraphrase: table_rules::clauses::paraphrase(game, clause),
    };
    if takes(None, None, false) {
        return Some(plain);
    }
    if takes(None, None, true) {
        return Some(OfferedIrregularity { attest: true, ..plain });
    }
    if some_card.is_some() {
        return Some(OfferedIrregularity { cards: Some(ranks(now.engine())), ..plain });
    }
    let seats = seats_where(now, |seat| takes(Some(seat), None, false));
    if !seats.is_empty() {
        return Some(OfferedIrregularity { seats: Some(numbers(seats)), ..plain });
    }
    let seats = seats_where(now, |seat| Card::deck().any(|card| takes(Some(seat), Some(card), false)));
    (!seats.is_empty()).then(|| OfferedIrregularity {
        seats: Some(numbers(seats)),
        cards: Some(ranks(now.engine())),
        ..plain
    })
}
