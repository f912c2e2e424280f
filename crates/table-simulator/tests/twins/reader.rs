//! The reader: what each card, each moment and each fault makes it say.

use device_protocols::reader::{ANSWER_AFTER_MS, HoleCardReader, ReaderCommand, UpCardGroup};
use table_simulator::reader::ReaderTwin;

use crate::world::World;

type ReaderWorld = World<HoleCardReader, ReaderTwin>;

fn armed(group: UpCardGroup) -> ReaderWorld {
    let mut world = ReaderWorld::up(|now| ReaderTwin::new(1, now));
    world.command(&ReaderCommand::Arm { group });
    assert!(world.take_events().is_empty());
    world
}

fn answer(group: UpCardGroup, card: &str) -> Vec<String> {
    let mut world = armed(group);
    world.obey(&format!("insert {card}"));
    world.run(1_000);
    world.take_events()
}

#[test]
fn it_answers_the_armed_question_and_nothing_else() {
    for (group, card, said) in [
        (UpCardGroup::Ace, "Kh", "Yes"),
        (UpCardGroup::Ace, "Th", "Yes"),
        (UpCardGroup::Ace, "9h", "No"),
        (UpCardGroup::Ace, "Ah", "No"),
        (UpCardGroup::Ten, "Ah", "Yes"),
        (UpCardGroup::Ten, "Kh", "No"),
    ] {
        assert_eq!(
            answer(group, card),
            [
                format!("CardInserted {{ group: {group:?} }}"),
                format!("Answered {{ group: {group:?}, answer: {said} }}")
            ],
            "{card}"
        );
    }
}

#[test]
fn every_card_with_the_same_answer_gives_the_same_bytes_at_the_same_time() {
    let bytes = |card: &str| {
        let mut world = armed(UpCardGroup::Ace);
        world.emitted.clear();
        world.obey(&format!("insert {card}"));
        world.run(ANSWER_AFTER_MS - 1);
        assert!(!world.take_events().iter().any(|event| event.starts_with("Answered")), "not sooner");
        world.run(1);
        assert!(world.take_events().iter().any(|event| event.starts_with("Answered")), "not later");
        world.obey("remove");
        world.run(5_000);
        world.emitted
    };
    for card in ["Kc", "Qd", "Jh", "Ts"] {
        assert_eq!(bytes(card), bytes("Ks"), "{card}");
    }
    for card in ["2c", "5d", "9h", "As"] {
        assert_eq!(bytes(card), bytes("7s"), "{card}");
    }
    assert_eq!(bytes("Kc").len(), bytes("7s").len());
}

#[test]
fn a_card_at_the_wrong_time_is_not_looked_at() {
    let mut world = ReaderWorld::up(|now| ReaderTwin::new(1, now));
    world.obey("insert Kh");
    world.run(2_000);
    assert_eq!(world.take_events(), ["WrongTimeInsertion"]);
    world.command(&ReaderCommand::Arm { group: UpCardGroup::Ace });
    assert_eq!(world.take_events(), ["refused WrongState"], "not with a card in");
    world.obey("remove");
    world.command(&ReaderCommand::Arm { group: UpCardGroup::Ace });
    assert!(world.take_events().is_empty());
}

#[test]
fn half_askew_early_and_never_each_say_so() {
    let mut world = armed(UpCardGroup::Ten);
    world.obey("half Ah");
    world.run(1_999);
    assert!(world.take_events().is_empty(), "on its way");
    world.run(1);
    assert_eq!(world.take_events(), ["HalfInserted"]);
    world.obey("insert Ah");
    world.run(100);
    world.obey("remove");
    world.run(1_000);
    assert_eq!(world.take_events(), ["CardInserted { group: Ten }", "RemovedEarly"]);
    world.obey("askew");
    world.obey("remove");
    assert_eq!(world.take_events(), ["Misplaced"]);
    world.run(10_000);
    assert_eq!(world.take_events(), ["NoCard"]);
    world.obey("insert Ah");
    world.run(500);
    assert_eq!(world.take_events().last().unwrap(), "Answered { group: Ten, answer: Yes }", "it was still armed");
}

#[test]
fn a_dirty_lens_is_reported_without_a_card_and_reads_badly() {
    let mut world = armed(UpCardGroup::Ace);
    world.obey("dirty 100");
    assert_eq!(world.take_events(), ["FaultRaised(LensDirty)"]);
    world.obey("insert Kh");
    world.run(1_000);
    assert_eq!(world.take_events().last().unwrap(), "Answered { group: Ace, answer: Unread }");
    world.obey("dirty 0");
    assert!(world.take_events().is_empty(), "not measured while a card is in");
    world.obey("remove");
    assert_eq!(world.take_events(), ["CardRemoved", "FaultCleared(LensDirty)"]);
}

#[test]
fn it_can_lie_fail_and_stutter_on_purpose() {
    for (words, said) in [
        ("wrong 1000", vec!["Answered { group: Ace, answer: No }"]),
        ("misread 1000", vec!["Answered { group: Ace, answer: Unread }"]),
        ("double 1000", vec!["Answered { group: Ace, answer: Yes }", "Answered { group: Ace, answer: Yes }"]),
    ] {
        let mut world = armed(UpCardGroup::Ace);
        world.obey(words);
        world.obey("insert Kh");
        world.run(1_000);
        assert_eq!(world.take_events()[1..], said, "{words}");
    }
}

#[test]
fn a_fault_that_stops_it_refuses_arming_until_it_is_gone() {
    for (word, fault, state) in [
        ("tamper", "Tamper", "Faulted"),
        ("cover", "CoverOpen", "CoverOpen"),
        ("lamp", "LampDead", "Faulted"),
        ("stuck", "SensorStuck", "Faulted"),
        ("selftest", "SelfTestFailed", "Faulted"),
    ] {
        let mut world = armed(UpCardGroup::Ace);
        world.obey(word);
        assert!(world.obey("state").contains(&format!("state: {state}")), "{word}");
        world.command(&ReaderCommand::Arm { group: UpCardGroup::Ace });
        world.obey(&format!("{word} off"));
        world.command(&ReaderCommand::Arm { group: UpCardGroup::Ace });
        assert_eq!(
            world.take_events(),
            [format!("FaultRaised({fault})"), "refused FaultPresent".to_owned(), format!("FaultCleared({fault})")]
        );
    }
}

#[test]
fn a_restart_with_the_card_in_reports_it_and_has_no_answer() {
    let mut world = armed(UpCardGroup::Ace);
    world.obey("insert Kh");
    world.run(100);
    world.obey("reboot");
    world.run(5_000);
    let events = world.take_events();
    assert!(!events.iter().any(|event| event.starts_with("Answered")), "{events:?}");
    assert_eq!(events.last().unwrap(), "State(ReaderStatus { state: Idle, card_present: true, faults: {} })");
}

#[test]
fn test_cards_are_answered_apart_from_real_ones() {
    let mut world = ReaderWorld::up(|now| ReaderTwin::new(1, now));
    world.command(&ReaderCommand::ArmTest { group: UpCardGroup::Ten });
    assert_eq!(world.take_events(), ["refused NotInTestMode"]);
    world.command(&ReaderCommand::EnterTest);
    world.command(&ReaderCommand::CycleLamps);
    world.command(&ReaderCommand::ArmTest { group: UpCardGroup::Ten });
    world.obey("insert Ac");
    world.run(1_000);
    assert_eq!(world.take_events(), ["TestAnswered { group: Ten, answer: Yes }"]);
    world.obey("remove");
    world.command(&ReaderCommand::LeaveTest);
    assert!(world.obey("state").contains("Idle"));
}
