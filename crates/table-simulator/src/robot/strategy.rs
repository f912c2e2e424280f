//! How a simulated player decides: a few plain rules, enough to visit every kind of hand. It knows no card that the
//! player could not see.

use table_rules::card::Card;
use table_rules::engine::HandView;
use table_rules::game::Game;
use table_rules::input::InputKind;
use table_rules::prompt::Offers;

use crate::dice::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Stand,
    Hit,
    Double,
    Split,
    Surrender,
}

/// After a hit the prompt still offers `double` and `split`, as late words about its card; a player who has seen the
/// card does not mean that.
pub(crate) fn decide(game: Game, hand: &HandView, up: Option<Card>, offers: &Offers, dice: &mut Dice) -> Choice {
    let up = up.map_or(10, |card| if card.rank().is_ace() { 11 } else { card.points() });
    let known: Vec<Card> = hand.cards.iter().copied().flatten().collect();
    let stiff = !hand.soft && (12..=16).contains(&hand.total);
    if offers.offers(InputKind::Surrender) && stiff && up >= 9 && dice.per_mille(400) {
        return Choice::Surrender;
    }
    if offers.offers(InputKind::Split)
        && let [first, second] = known.as_slice()
        && first.points() == second.points()
        && (matches!(first.points(), 1 | 8) || dice.per_mille(300))
    {
        return Choice::Split;
    }
    let may_double = game != Game::Blackjack || known.len() == 2;
    if may_double && offers.offers(InputKind::Double) && doubles(hand, up, dice) {
        return Choice::Double;
    }
    if !offers.offers(InputKind::Hit) {
        return Choice::Stand;
    }
    let stands = match (hand.soft, up) {
        (true, _) => hand.total >= 18,
        (false, 2..=6) => hand.total >= 12,
        (false, _) => hand.total >= 17,
    };
    if stands { Choice::Stand } else { Choice::Hit }
}

fn doubles(hand: &HandView, up: u8, dice: &mut Dice) -> bool {
    let good = !hand.soft && (9..=11).contains(&hand.total) && up < 10;
    // Now and then somebody doubles on anything.
    good || dice.per_mille(20)
}
