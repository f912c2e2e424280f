//! What is fed to the walks: mostly what a table sees, some of it anything at all.

use table_rules::card::Card;
use table_rules::engine::Irregular;
use table_rules::input::{Cutter, Drawn, Input, PeekAnswer, ShuffleDone, Text};
use table_rules::money::Cents;
use table_rules::seat::{Seat, SeatSet};
use table_rules::wager::WagerId;
use table_rules::{Engine, Game};

/// Numbers without a pattern that matters here (Knuth's constants).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        let mut numbers = Self(seed);
        numbers.below(2);
        numbers
    }

    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn place(&mut self, bound: usize) -> usize {
        usize::try_from(self.below(bound as u64)).unwrap()
    }

    pub(crate) fn seat(&mut self) -> Seat {
        Seat::new(u8::try_from(self.below(8)).unwrap() + 1).unwrap()
    }

    fn card(&mut self) -> Card {
        Card::from_index(u8::try_from(self.below(52)).unwrap()).unwrap()
    }

    pub(crate) fn amount(&mut self) -> Cents {
        [Cents::dollars(5), Cents::dollars(10), Cents::dollars(15), Cents(1250), Cents(33)][self.place(5)]
    }

    /// The next input of a walk: every eighth comes as it falls, the others are such as would be accepted, since without
    /// some order no round would ever come to its end.
    pub(crate) fn next_input(&mut self, engine: &Engine, step: usize) -> Input {
        let game = engine.table().game;
        let mut input = self.input(game);
        for _ in 0..200 {
            if step.is_multiple_of(8) || engine.offers_input(&input) {
                break;
            }
            input = self.input(game);
        }
        input
    }

    fn irregularity(&mut self, game: Game) -> Input {
        let kinds: Vec<&str> = Irregular::ALL.iter().filter_map(|kind| kind.clause(game)).collect();
        let clause = kinds[self.place(kinds.len())];
        let seat = (self.below(2) == 0).then(|| self.seat());
        let card = (self.below(2) == 0).then(|| self.card());
        Input::Irregularity { clause: Text::new(clause).unwrap(), seat, card, attested: self.below(2) == 0 }
    }

    fn after_an_irregularity(&mut self) -> Input {
        match self.below(10) {
            0 => Input::Accept(self.seat()),
            1 => Input::Refuse(self.seat()),
            2 => Input::Shuffle(ShuffleDone::ByHand),
            3 => Input::Cut { by: Cutter::Dealer, depth: 100 },
            4 => Input::PlaceCover(100),
            5 => Input::Load,
            6 => Input::Burn,
            7 => Input::ShufflerRepaired,
            8 => Input::ManagerApprove,
            _ => Input::FloorApprove,
        }
    }

    fn input(&mut self, game: Game) -> Input {
        match self.below(62) {
            0..14 => Input::Card(Drawn::FaceUp(self.card())),
            14..16 => Input::Card(Drawn::FaceDown),
            16..20 => Input::Stand,
            20 => Input::Hit,
            21..23 => Input::Double(None),
            23 => Input::Double(Some(self.amount())),
            24 => Input::Split,
            25 => Input::Surrender,
            26 => Input::Rescue,
            27..29 => Input::Settled,
            29 => Input::Reveal(self.card()),
            30 => Input::Peek(
                [PeekAnswer::No, PeekAnswer::No, PeekAnswer::No, PeekAnswer::Unread, PeekAnswer::Yes][self.place(5)],
            ),
            31 => Input::Undo,
            32 => Input::Lock,
            33 => Input::Seat(self.seat()),
            34 => Input::Next,
            35 => Input::Wager { seat: self.seat(), wager: WagerId::MatchTheDealer, amount: Some(self.amount()) },
            36 => Input::Wager { seat: self.seat(), wager: WagerId::Main, amount: None },
            37 => Input::FloorVoid,
            38 => Input::ReaderRepaired,
            39 => Input::FloorApprove,
            // The decks stay young: an earlier minute would be the next day's.
            40 => Input::At(600),
            41..43 => Input::Turn { seat: self.seat(), card: self.card() },
            43 => Input::Insure { seat: self.seat(), amount: Some(Cents::dollars(5)) },
            44 => Input::EvenMoney { seat: self.seat() },
            45 => Input::InsuranceClosed,
            46 if self.below(8) == 0 => Input::Cover,
            47 => Input::Amount { seat: self.seat(), wager: WagerId::Main, amount: self.amount() },
            48 => match self.below(30) {
                0..2 => Input::Correct(Text::new("a slip").unwrap()),
                2 => self.irregularity(game),
                _ => self.after_an_irregularity(),
            },
            49..52 => self.after_an_irregularity(),
            52 => Input::Redouble,
            53 => match self.below(12) {
                0 => Input::Unwager { seat: self.seat(), wager: WagerId::Main },
                1 => Input::Unwager { seat: self.seat(), wager: WagerId::MatchTheDealer },
                2..5 => Input::Cash { seat: self.seat(), returned: true },
                5 => Input::Cash { seat: self.seat(), returned: false },
                6..9 => Input::Link(SeatSet::EMPTY.with(self.seat()).with(self.seat())),
                _ => Input::DealerChange(Text::new("another").unwrap()),
            },
            54 => Input::Burn,
            55 => Input::Paid,
            56 => Input::Collected,
            _ => Input::Wager { seat: self.seat(), wager: WagerId::Main, amount: Some(self.amount()) },
        }
    }
}
