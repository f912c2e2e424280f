//! Faults that serial devices report about themselves. Their numbers are those on the wire plus 100.

use super::{FaultText, TableDoes};

const NO_NEXT_ROUND: &str =
    "the present round is finished, no further one is dealt until it is cleared or the reader is replaced";

pub(super) const READER: &[FaultText] = &[
    FaultText {
        number: 101,
        name: "lens dirty",
        meaning: "the white strip looks darker than it should with no card in",
        cause: "dust, ash, lint",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "clean lens and strip with the approved cloth; the fault clears at the next idle check",
    },
    FaultText {
        number: 102,
        name: "lamp dead",
        meaning: "the reader's own light does not come on",
        cause: "LED or its driver failed",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "replace the reader (two persons)",
    },
    FaultText {
        number: 103,
        name: "slot sensor stuck",
        meaning: "a slot sensor sees a card that is not there, or the other way round",
        cause: "a scrap of card or a label in the slot",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "look into the slot with a light; remove what is in it; otherwise replace the reader",
    },
    FaultText {
        number: 104,
        name: "cover open",
        meaning: "the service cover is open",
        cause: "left open after cleaning",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "close it; the floorperson inspects the reader again",
    },
    FaultText {
        number: 105,
        name: "tamper",
        meaning: "the tamper switch was released",
        cause: "the reader was taken off its plate or opened",
        table: TableDoes::Same("the table stops at once and stays closed until the reader has been inspected"),
        remedy: "call the floorperson and security; inspect seals; full inspection before the table opens",
    },
    FaultText {
        number: 106,
        name: "self-test failed",
        meaning: "the reader does not trust itself",
        cause: "hardware failure",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "power it off and on once; if it returns, replace the reader",
    },
    FaultText {
        number: 107,
        name: "supply low",
        meaning: "the reader's supply is below its limit",
        cause: "weak supply, long thin cable, too many devices on one hub",
        table: TableDoes::Same(NO_NEXT_ROUND),
        remedy: "measure the supply at the reader under load; use the powered hub",
    },
];

const BATCH_NOT_DEALABLE: &str = "the batch is not dealable and must be shuffled again";

pub(super) const SHUFFLER: &[FaultText] = &[
    FaultText {
        number: 101,
        name: "motor",
        meaning: "a motor does not turn as it should",
        cause: "card fragment in the rollers, worn belt",
        table: TableDoes::Same(BATCH_NOT_DEALABLE),
        remedy: "open, clear, close; if it returns, take the shuffler out of service",
    },
    FaultText {
        number: 102,
        name: "sensor dirty",
        meaning: "a card sensor has lost light",
        cause: "dust",
        table: TableDoes::Same("nothing until a count is wrong"),
        remedy: "clean the sensors at the next break",
    },
    FaultText {
        number: 103,
        name: "count mismatch",
        meaning: "the shuffler counted another number of cards than expected",
        cause: "a card left in the rack or on the floor, or a card too many",
        table: TableDoes::Same("the batch is not dealable; the floorperson decides about the decks"),
        remedy: "count by hand; a count is evidence, not proof",
    },
    FaultText {
        number: 104,
        name: "wrong back colour",
        meaning: "a card of the other batch is among the cards",
        cause: "cards of both batches in the discard rack",
        table: TableDoes::Same("the batch is not dealable; the floorperson decides about the decks"),
        remedy: "sort both batches by hand",
    },
    FaultText {
        number: 105,
        name: "face-up card",
        meaning: "a card lies the wrong way round",
        cause: "loaded with a card turned",
        table: TableDoes::Same(BATCH_NOT_DEALABLE),
        remedy: "turn the card; shuffle again",
    },
    FaultText {
        number: 106,
        name: "door switch",
        meaning: "the door switch contradicts itself",
        cause: "bent switch, door not latched",
        table: TableDoes::Same(BATCH_NOT_DEALABLE),
        remedy: "close the door firmly; otherwise replace the switch",
    },
    FaultText {
        number: 107,
        name: "supply low",
        meaning: "the shuffler's supply is below its limit",
        cause: "weak supply, shared outlet",
        table: TableDoes::Same(BATCH_NOT_DEALABLE),
        remedy: "use its own outlet; measure the supply under load",
    },
    FaultText {
        number: 108,
        name: "self-test failed",
        meaning: "the shuffler does not trust itself",
        cause: "hardware failure",
        table: TableDoes::Same(
            "the shuffler is out of service: cover it or sign it before cards are shuffled in another way",
        ),
        remedy: "power it off and on once; if it returns, replace it",
    },
];

const WAITS_FOR_CARD: &str = "the draw is asked for by a tap; play goes on";

pub(super) const SHOE: &[FaultText] = &[
    FaultText {
        number: 101,
        name: "cannot read",
        meaning: "a card left the shoe unread",
        cause: "card pulled too fast or askew, worn card",
        table: TableDoes::Same(WAITS_FOR_CARD),
        remedy: "if it is frequent, clean the lens and change the cards",
    },
    FaultText {
        number: 102,
        name: "overdraw",
        meaning: "a card was drawn that nobody asked for",
        cause: "two cards pulled together",
        table: TableDoes::Same("the dealer is led through the irregularity"),
        remedy: "none",
    },
    FaultText {
        number: 103,
        name: "button stuck",
        meaning: "a button on the shoe does not come up",
        cause: "dirt around the button",
        table: TableDoes::Same("play goes on"),
        remedy: "clean it; otherwise replace the shoe",
    },
    FaultText {
        number: 104,
        name: "reversed at the exit",
        meaning: "a card was pushed back at the exit",
        cause: "card drawn and returned",
        table: TableDoes::Same("the dealer is led through the irregularity"),
        remedy: "none",
    },
    FaultText {
        number: 105,
        name: "reversed midway",
        meaning: "a card was pushed back before it was out",
        cause: "hesitation of the dealer",
        table: TableDoes::Same(WAITS_FOR_CARD),
        remedy: "none",
    },
    FaultText {
        number: 106,
        name: "card code",
        meaning: "the mark on a card is none of the deck",
        cause: "foreign or damaged card",
        table: TableDoes::Same("the draw is asked for by a tap; the floorperson looks at the card"),
        remedy: "take the card to the floorperson; count the batch",
    },
    FaultText {
        number: 107,
        name: "draw timeout",
        meaning: "a card has been half out for too long",
        cause: "card held in the mouth of the shoe",
        table: TableDoes::Same(WAITS_FOR_CARD),
        remedy: "draw it or push it back",
    },
    FaultText {
        number: 108,
        name: "lens dirty",
        meaning: "the shoe's lens has lost light",
        cause: "dust",
        table: TableDoes::Same("play goes on until cards are unread"),
        remedy: "clean the lens at the next break",
    },
    FaultText {
        number: 109,
        name: "tamper",
        meaning: "the shoe was opened",
        cause: "service cover opened",
        table: TableDoes::Same("the table stops at once and stays closed until the shoe has been inspected"),
        remedy: "call the floorperson and security; inspect seals",
    },
];
