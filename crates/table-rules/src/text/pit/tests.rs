//! The longest that the two lines can become: eight seats, eight hands, a million dollars, every wager and every order.

use super::*;
use crate::line::{Due, Line, Outcome, Stake};
use crate::money::{Cents, MeterName, Pay, Ratio};
use crate::table::ShoeSide;

const MILLION: Cents = Cents::dollars(1_000_000);
/// What a main line can be called.
const NAMES: &[&str] = &[
    "higher",
    "lower",
    "tie",
    "dealer bust",
    "bust",
    "blackjack",
    "21",
    "21 against 21",
    "dealer 22",
    "switched 21",
    "dealer blackjack",
    "blackjack against blackjack",
    "added wager returned",
    "even money",
    "surrender",
    "rescue",
    "dead hand",
    "void round",
    "6-7-8 top suit",
    "7-7-7 top suit",
    "seven-card 21",
];

#[track_caller]
fn fits(words: &OrderInWords<'_>) {
    let PitLines { situation, order } = words.lines();
    for (text, most) in [(&situation, SITUATION_MAX), (&order, ORDER_MAX)] {
        let length = text.chars().count();
        assert!((1..=most).contains(&length), "{length} characters: {text}");
        assert!(!text.contains('`'), "{text}");
    }
}

fn seat_8() -> Seat {
    Seat::new(8).unwrap()
}

fn every_line() -> Vec<Line> {
    let pays = [
        None,
        Some(Pay::To(Ratio::new(2000, 1))),
        Some(Pay::For(Ratio::new(5, 2))),
        Some(Pay::Amount(MILLION)),
        Some(Pay::Meter { percent: 100, meter: MeterName::Main }),
    ];
    let mut lines = Vec::new();
    for wager in WagerId::ALL {
        for outcome in Outcome::ALL {
            for pay in pays {
                for name in NAMES {
                    for due in [Due::of(MILLION), Due::NONE] {
                        for correction in [Due::NONE, Due::NOTHING, Due::of(MILLION), Due::of(Cents(200_000_099))] {
                            for approval in [Approval::NotNeeded, Approval::Floor, Approval::ProgressiveBySecond] {
                                let stake = if due == Due::NONE { Stake::UNKNOWN } else { Stake::of(MILLION) };
                                let (seat, returned) = (seat_8(), due);
                                let line = Line { seat, hand: 8, wager, outcome, name, pay, stake, ..Line::BLANK };
                                lines.push(Line { returned, pays: due, correction, approval, ..line });
                            }
                        }
                    }
                }
            }
        }
    }
    lines
}

#[test]
fn every_order_about_a_line_fits_its_two_lines() {
    let scene = Scene {
        boxes: 8,
        up: None,
        group: None,
        player: Some(21),
        dealer: Some(26),
        doubled: true,
        ..Scene::default()
    };
    let settle = Order::SettleLine { position: 64, of: 64 };
    for line in &every_line() {
        for order in [settle, Order::VerifyHand, Order::VerifyLamp, Order::ApproveLine, Order::ApproveLineSecond] {
            for several_hands in [false, true] {
                fits(&OrderInWords { order, line: Some(line), several_hands, scene });
                fits(&OrderInWords { order, line: Some(line), several_hands, scene: Scene::default() });
            }
        }
    }
}

#[test]
fn every_order_that_stands_alone_fits_its_two_lines() {
    let (seat, hand, total) = (seat_8(), 8, 20);
    let card = Card::new(Rank::Ten, Suit::Hearts);
    let mut orders = vec![
        Order::RepairReader,
        Order::ChangeCash(seat),
        Order::TableClosed,
        Order::ReceiveDecks(16),
        Order::InspectCards,
        Order::VerifyInspection,
        Order::RemoveTens,
        Order::ConfirmTens,
        Order::SwapBatches,
        Order::IntoShuffler,
        Order::TakeIntoHand,
        Order::OfferCutToAnyone,
        Order::OfferExposedCard { seat, card },
        Order::OfferMissedCard(seat),
        Order::TearTen,
        Order::NotifyFloor,
        Order::ShuffleDiscards,
        Order::DrawDeterminant,
        Order::BurnFirstCard,
        Order::BurnForNewDealer,
        Order::DealUpCard,
        Order::DealHoleCard,
        Order::OfferInsurance,
        Order::ReaderStopped,
        Order::AskUnseenHand { seat, hand },
        Order::DealSplitCard { seat, hand },
        Order::TurnCard { seat },
        Order::TellPersons,
        Order::SettleFirstCardWagers,
        Order::DealAndTellUpCard,
        Order::TakeInsurance,
        Order::ServeDecisions,
        Order::MarkBlackjacks,
        Order::MarkMissedBlackjacks,
        Order::RevealStep,
        Order::DealerDrawsStep,
        Order::SettleStep,
        Order::AnswerPayments,
    ];
    for yes in [false, true] {
        orders.extend([
            Order::TakeWagers { cover_seen: yes },
            Order::ChangeDecks { count: 16, wagers_lie: yes },
            Order::LetPlayerInspect { idle: yes },
            Order::LoadShoe { burn: yes },
            Order::DealHit { seat, hand, missed: yes },
            Order::DealDouble { seat, hand, missed: yes },
            Order::TellDraw { must_hit_falls: yes },
            Order::TurnHoleCard { blackjack: yes },
            Order::DealToDealer { total, soft: yes },
            Order::AskDecision { seat, hand, total, soft: yes },
            Order::AskAfterDouble { seat, hand, total, redouble: yes },
        ]);
        for hand in [None, Some(8)] {
            orders.push(Order::DealFirstCard { seat, hand, face_down: yes });
            orders.push(Order::DealSecondCard { seat, hand, face_down: yes });
            orders.push(Order::OfferSecondCard { seat, hand });
        }
    }
    for apart in [Apart::Nothing, Apart::Sides, Apart::Batches] {
        orders.extend([Order::SpreadCards(apart), Order::WashCards(apart), Order::Shuffle(apart)]);
    }
    for side in [ShoeSide::Left, ShoeSide::Right] {
        orders.extend([Order::ShuffleSide(side), Order::LoadSide(side)]);
        orders.extend([None, Some(seat)].map(|seat| Order::OfferCutOfSide { seat, side }));
        orders.push(Order::PlaceCover { least: 416, side: Some(side) });
    }
    for seat in [None, Some(seat)] {
        orders.extend([Order::OfferCut(seat), Order::CutDiscards(seat)]);
    }
    orders.push(Order::PlaceCover { least: 416, side: None });
    orders.extend([0, 1, 2].map(|attempts| Order::InsertHoleCard { attempts }));
    for wager in WagerId::ALL {
        orders.extend([Order::TellAmount { seat, wager }, Order::SpinWheel { seat, wager }]);
    }
    let up = |card| Scene { boxes: 8, up: Some(card), group: None, ..Scene::default() };
    let last = Scene { last_round: true, no_open_hands: true, decks_minutes: Some(30), ..Scene::default() };
    let scenes = [
        Scene::default(),
        last,
        Scene { boxes: 8, ..last },
        up(card),
        up(Card::new(Rank::Queen, Suit::Clubs)),
        up(Card::new(Rank::Eight, Suit::Clubs)),
    ];
    for order in orders {
        for several_hands in [false, true] {
            for scene in scenes {
                fits(&OrderInWords { order, line: None, several_hands, scene });
            }
        }
    }
}
