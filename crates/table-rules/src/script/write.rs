//! An input as the line that means it: the other direction of [`parse_line`](super::parse_line).
//!
//! What a table has accepted is kept in these words, so that anybody can read it, and so that reading it back gives the
//! very same input.

use std::fmt;

use crate::game::Direction;
use crate::input::{Cutter, Draw, Drawn, Input, Inspection, Packs, ShuffleDone, Text};
use crate::money::Cents;
use crate::table::ShoeSide;

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.kind().word();
        match *self {
            Self::Link(seats) => {
                f.write_str(word)?;
                seats.iter(Direction::FromLeft).try_for_each(|seat| write!(f, " {seat}"))
            }
            Self::Wager { seat, wager, amount } => write!(f, "{word} {seat} {wager}{}", Optional(amount)),
            Self::Unwager { seat, wager } | Self::Late { seat, wager } => write!(f, "{word} {seat} {wager}"),
            Self::Cash { seat, returned } => write!(f, "{word} {seat}{}", if returned { " returned" } else { "" }),
            Self::Payments { answer, reason } => write!(f, "{word} {} {}", answer.word(), Quoted(reason)),
            Self::DealerChange(text) | Self::Correct(text) | Self::Reject(text) => write!(f, "{word} {}", Quoted(text)),
            Self::Decks { count, packs } => {
                let packs = match packs {
                    Packs::Unsaid => "",
                    Packs::WithoutTens => " 48",
                    Packs::WithTens => " 52",
                    Packs::Preinspected => " preinspected",
                };
                write!(f, "{word} {count}{packs}")
            }
            Self::Inspect(Inspection::Dealer) => write!(f, "{word} dealer"),
            Self::Inspect(Inspection::Floor) => write!(f, "{word} floor"),
            Self::Inspect(Inspection::Tens(count)) => write!(f, "{word} tens {count}"),
            Self::Inspect(Inspection::Player(seat)) => write!(f, "{word} player {seat}"),
            Self::Shuffle(ShuffleDone::ByHand) => write!(f, "{word} by-hand"),
            Self::Shuffle(ShuffleDone::Device) => write!(f, "{word} device"),
            Self::Shuffle(ShuffleDone::Jam) => write!(f, "{word} jam"),
            Self::CutRefused(seat) => write!(f, "cut refuse {seat}"),
            Self::Cut { by: Cutter::Seat(seat), depth } => write!(f, "{word} {seat} {depth}"),
            Self::Cut { by: Cutter::Dealer, depth } => write!(f, "{word} dealer {depth}"),
            Self::PlaceCover(from_bottom) => write!(f, "{word} {from_bottom}"),
            Self::At(minute) => write!(f, "{word} {:02}:{:02}", minute / 60, minute % 60),
            Self::Irregularity { clause, seat, card, attested } => {
                write!(f, "{word} ")?;
                // No clause has a blank in it; what was typed in its place may.
                match clause.as_str().contains([' ', '\t', '#']) {
                    true => Quoted(clause).fmt(f)?,
                    false => f.write_str(clause.as_str())?,
                }
                seat.map_or(Ok(()), |seat| write!(f, " {seat}"))?;
                card.map_or(Ok(()), |card| write!(f, " {card}"))?;
                f.write_str(if attested { " covered" } else { "" })
            }
            Self::Accept(seat)
            | Self::Refuse(seat)
            | Self::Permit(seat)
            | Self::Seat(seat)
            | Self::SeatBlackjack(seat)
            | Self::SeatSurrender(seat)
            | Self::EvenMoney { seat } => write!(f, "{word} {seat}"),
            Self::Card(drawn) => write!(f, "{word} {}", Face(drawn)),
            Self::CardFrom { drawn, side } => write!(f, "{word} {} {}", Face(drawn), side_word(side)),
            Self::CoverFrom(side) => write!(f, "{word} {}", side_word(side)),
            Self::Reveal(card) => write!(f, "{word} {card}"),
            Self::Turn { seat, card } => write!(f, "{word} {seat} {card}"),
            Self::Insure { seat, amount } => write!(f, "{word} {seat}{}", Optional(amount)),
            Self::Peek(answer) => write!(f, "{word} {}", answer.word()),
            Self::Double(amount) => write!(f, "{word}{}", Optional(amount)),
            Self::Amount { seat, wager, amount } => write!(f, "{word} {seat} {wager}{}", Optional(Some(amount))),
            Self::Wheel { seat, wager, symbol: text } | Self::Claim { seat, wager, line: text } => {
                write!(f, "{word} {seat} {wager} {}", Quoted(text))
            }
            Self::Draw(Draw::Magic(card)) => write!(f, "{word} magic {card}"),
            Self::Draw(Draw::Player(seat)) => write!(f, "{word} player {seat}"),
            Self::Draw(Draw::MustHit(seat)) => write!(f, "{word} must-hit {seat}"),
            Self::Draw(Draw::None) => write!(f, "{word} none"),
            Self::Up(group) => write!(f, "{word} {}", group.word()),
            Self::Lock
            | Self::Open
            | Self::Close
            | Self::Spread
            | Self::Wash
            | Self::Load
            | Self::Idle
            | Self::FloorReshuffle
            | Self::FloorRecut
            | Self::ShufflerRepaired
            | Self::Burn
            | Self::Cover
            | Self::InsuranceClosed
            | Self::ReaderRepaired
            | Self::Hit
            | Self::Stand
            | Self::Redouble
            | Self::Split
            | Self::Surrender
            | Self::Rescue
            | Self::Switch
            | Self::Next
            | Self::Paid
            | Self::Collected
            | Self::Settled
            | Self::FloorApprove
            | Self::ManagerApprove
            | Self::FloorVoid
            | Self::Undo => f.write_str(word),
        }
    }
}

/// ` 12.50`, or nothing where the amount is unknown.
struct Optional(Option<Cents>);

impl fmt::Display for Optional {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(Cents(cents)) => write!(f, " {}.{:02}", cents / 100, cents % 100),
            None => Ok(()),
        }
    }
}

/// A text is quoted, so that its spaces and signs stay. None holds a quote itself: no line of a script can bring one.
struct Quoted(Text);

impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.as_str())
    }
}

struct Face(Drawn);

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Drawn::FaceUp(card) => card.fmt(f),
            Drawn::FaceDown => f.write_str("?"),
        }
    }
}

const fn side_word(side: ShoeSide) -> &'static str {
    match side {
        ShoeSide::Left => "left",
        ShoeSide::Right => "right",
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_line;

    #[test]
    fn what_is_written_reads_back_as_the_same_input() {
        let lines = "player 2 3
wager 1 main 25.00
wager 1 main
wager 1 match-the-dealer 0.50
unwager 1 main
lock
late 5 monster-match
dealer-change \"Ann # 4\"
open
close
decks 6
decks 6 preinspected
decks 6 48
decks 8 52
inspect dealer
inspect floor
inspect tens 24
inspect player 3
spread
wash
shuffle by-hand
shuffle device
shuffle jam
cut refuse 6
cut 6 45
cut dealer 45
place 80
load
idle
at 04:05
permit 4
irregularity 13.F 4 8h
irregularity 13.S covered
accept 5
refuse 4
card 7d
card ?
card 7d left
card ? right
burn
cover
cover right
reveal Kc
turn 3 7d
insure 1
insure 1 12.50
even-money 1
insurance-closed
peek unread
reader-repaired
hit
stand
double
double 5.00
redouble
split
surrender
surrender 3
rescue
switch
seat 4
amount 3 main 25.00
wheel 3 bonus-spin \"1000\"
draw magic Kh
draw player 4
draw must-hit 4
draw none
up ace
next
blackjack 2
claim 4 monster-match \"B(c)\"
paid
collected
settled
floor approve
floor void
floor reshuffle
floor recut
manager approve
undo
correct \"why not\"";
        for line in lines.lines() {
            let input = parse_line(line).unwrap().unwrap();
            assert_eq!(input.to_string(), line);
        }
        let odd = parse_line("correct \"#1  was\" right").unwrap().unwrap();
        assert_eq!(parse_line(&odd.to_string()).unwrap(), Some(odd));
    }
}
