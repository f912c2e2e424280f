//! Nothing that happened is told in words of our own.

use super::*;
use crate::game::Game;
use crate::words;

#[test]
fn steps_irregularities_and_approvals_are_said_in_the_words_of_the_pit() {
    let mut all: Vec<String> = STEPS.iter().map(|(_, words)| (*words).to_owned()).collect();
    all.extend(InputKind::ALL.map(|kind| approved(kind).to_owned()));
    for game in Game::ALL {
        let clauses = Irregular::ALL.into_iter().filter_map(|kind| kind.clause(game));
        for source in clauses.map(|clause| Source::new(game, clause)).chain([Point::ExposedDiscarded.source(game)]) {
            let said = WentWrong { source, seat: Seat::new(4), card: None }.to_string();
            assert_ne!(said, "Irregularity", "{source}");
            all.push(said);
        }
    }
    let wrong: Vec<String> = all.iter().filter_map(|text| words::complaint(text)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
