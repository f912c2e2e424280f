//! The shoe: draws in order and sealed, the cut card, and what hands do wrong.

use device_protocols::link::HostEvent;
use device_protocols::sealed::FaceUp;
use device_protocols::shoe::{Shoe, ShoeCommand, ShoeEvent, ShoeFault};
use table_simulator::shoe::ShoeTwin;

use crate::world::World;

type ShoeWorld = World<Shoe, ShoeTwin>;

fn loaded(cards: &str) -> ShoeWorld {
    let mut world = ShoeWorld::up(|now| ShoeTwin::new(1, now));
    world.obey(&format!("load {cards}"));
    world
}

#[test]
fn what_comes_out_is_what_was_loaded_and_sealed_on_the_way() {
    let mut world = loaded("Ah cut Kd");
    assert_eq!(world.obey("draw"), "out came Ah");
    assert_eq!(world.obey("draw"), "out came the cut card");
    assert_eq!(world.obey("draw"), "out came Kd");
    let mut cards = Vec::new();
    for event in std::mem::take(&mut world.told) {
        let HostEvent::Device { event, .. } = event else { continue };
        let printed = format!("{event:?}");
        assert!(!printed.contains("Ah") && !printed.contains("rank"), "{printed}");
        if let ShoeEvent::CardDrawn { card, .. } = event {
            let draw = card.draw();
            let card = card.open(FaceUp::said_by_controller(draw)).unwrap();
            cards.push((draw.0, card.rank(), card.suit()));
        }
    }
    assert_eq!(cards, [(1, 1, 2), (2, 13, 1)]);
    assert!(world.obey("state").contains("state: Empty"));
    assert!(world.obey("state").contains("cut_card_seen: true"));
    assert!(world.twin_says_empty());
}

impl ShoeWorld {
    fn twin_says_empty(&mut self) -> bool {
        use table_simulator::twin::Twin;
        self.twin.obey("draw", self.now).is_err()
    }
}

#[test]
fn locks_errors_and_batches_show_in_the_draws() {
    let mut world = loaded("2h 3h 4h 5h 6h 7h");
    world.command(&ShoeCommand::Lock);
    world.obey("draw");
    world.command(&ShoeCommand::Unlock);
    world.obey("misread 1000");
    world.obey("draw");
    world.obey("misread 0");
    world.obey("draw");
    world.command(&ShoeCommand::ClearError { fault: ShoeFault::CannotRead });
    world.command(&ShoeCommand::StartBatch);
    world.obey("draw");
    assert_eq!(
        world.take_events(),
        [
            "Locked { cause: Commanded }",
            "CardDrawn { context: WhileLocked, card: SealedCard(draw 1) }",
            "Unlocked { cause: Commanded }",
            "CardUnread { draw: DrawNumber(2), context: InPlay }",
            "FaultRaised(CannotRead)",
            "CardDrawn { context: DuringError, card: SealedCard(draw 3) }",
            "FaultCleared(CannotRead)",
            "CardDrawn { context: InPlay, card: SealedCard(draw 1) }",
        ]
    );
}

#[test]
fn reversals_and_overdraws_are_told() {
    let mut world = loaded("2h 3h 4h 5h");
    world.obey("draw");
    world.obey("reverse");
    world.command(&ShoeCommand::ClearError { fault: ShoeFault::ReversedAtExit });
    assert_eq!(world.obey("draw"), "out came 2h", "the same card again");
    assert_eq!(world.obey("overdraw"), "2 cards came");
    assert_eq!(
        world.take_events(),
        [
            "CardDrawn { context: InPlay, card: SealedCard(draw 1) }",
            "CardReversed { draw: DrawNumber(1), place: AtExit }",
            "FaultRaised(ReversedAtExit)",
            "FaultCleared(ReversedAtExit)",
            "CardDrawn { context: InPlay, card: SealedCard(draw 2) }",
            "CardDrawn { context: InPlay, card: SealedCard(draw 3) }",
            "CardOverdrawn { draw: DrawNumber(3) }",
            "FaultRaised(Overdraw)",
        ]
    );
}

#[test]
fn the_twin_prints_no_card_of_its_stack() {
    let world = loaded("Ah Kd Qs");
    let printed = format!("{:?}", world.twin);
    for name in ["Ah", "Kd", "Qs", "rank", "King", "Ace"] {
        assert!(!printed.contains(name), "{name} in {printed}");
    }
}
