//! What goes wrong: devices, links, power, disks, clocks, versions; and how people bring the table back.

use operator_api::Action;
use table_controller::{
    Carried, Controller, FaultInput, ForeignRound, Input, JournalInput, LayoutInput, Outputs, Part, ReaderCondition,
    ReaderInput, ShoeInput, ShoeSide, ShufflerInput, Spot, Stamp,
};

use table_rules::engine::Irregular;
use table_rules::input::InputKind;
use table_rules::prompt::Order;

use super::disk::Recovered;
use super::hands::Slot;
use super::{DEALER, FLOOR, MANAGER, Storm, TECHNICIAN, clock_at, identity};

/// No round takes more cards: nobody here deals from a shoe that has run out.
const ROUND_CARDS: usize = 80;

impl Storm {
    pub(super) fn links_up(&mut self) -> Result<(), String> {
        self.world.reader_up = true;
        self.world.shoe_up = true;
        self.put(&Input::Reader(ReaderInput::Up(identity("R-1"))))?;
        let state = match self.world.reader {
            Slot::Holds => ReaderCondition::Answered,
            Slot::Idle | Slot::Armed => ReaderCondition::Idle,
        };
        if self.world.reader == Slot::Armed {
            self.world.reader = Slot::Idle;
        }
        self.put(&Input::Reader(ReaderInput::State(state)))?;
        self.put(&Input::Shuffler(ShufflerInput::Up(identity("S-1"))))?;
        self.put(&Input::Shoe { side: ShoeSide::Left, event: ShoeInput::Up(identity("D-1")) })?;
        self.sensors_up()
    }

    /// While the power was off somebody may have taken a chip away; what lies there now is what the sensors say.
    fn sensors_up(&mut self) -> Result<(), String> {
        if self.dice.per_mille(200)
            && let Some(gone) = self.world.chips.iter().next_back().copied()
        {
            self.world.chips.remove(&gone);
        }
        let occupied: Vec<Spot> = self.world.chips.iter().copied().collect();
        if !self.controller.sensors_say_something(&occupied, &[]) {
            return Ok(());
        }
        self.put(&Input::Layout(LayoutInput::Read { occupied, unread: Vec::new() }))
    }

    /// Whether something went wrong just now.
    pub(super) fn make_trouble(&mut self) -> Result<bool, String> {
        let roll = self.dice.below(2_000);
        match roll {
            0..4 => self.flap_reader()?,
            4..7 => {
                self.put(&Input::Shuffler(ShufflerInput::Down))?;
                self.put(&Input::Shuffler(ShufflerInput::Up(identity("S-1"))))?;
            }
            7..10 => self.fault(Part::Expander, "EX-102")?,
            10..12 => self.fault(Part::Reader, "RD-101")?,
            12..15 => self.put(&Input::Reader(ReaderInput::WrongTimeInsertion))?,
            15..20 => self.late_chip()?,
            20..26 => self.disk_cut(),
            26..29 => self.restart_process()?,
            29..31 => self.disk.fill(),
            31..33 => self.put(&Input::Journal(JournalInput::Stalled { milliseconds: 10_000 }))?,
            33..35 => self.step_clock()?,
            35..37 => self.clock_back()?,
            37..39 => self.upgrade()?,
            39..42 => self.serve()?,
            42..60 => self.odd_word()?,
            60..62 => self.correct_meter()?,
            62..68 if !self.controller.in_round() => self.let_hours_pass()?,
            68..168 if self.card_may_come_early() => self.draw_early()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The procedure asks for something else before the next card, and the shoe would give one out all the same.
    fn card_may_come_early(&self) -> bool {
        let engine = self.controller.engine();
        let enough = self.world.shoe.len() > ROUND_CARDS;
        self.world.shoe_up && enough && engine.early_card_may_wait() && !engine.offers().offers(InputKind::Card)
    }

    /// Cards leave the shoe while first-card wagers, insurance or the reader are waited for (H4). Mostly one; more than
    /// eight are a fault. Now and then the dealer says that the first of them was seen.
    fn draw_early(&mut self) -> Result<(), String> {
        let unsettled = matches!(self.controller.engine().order().0, Order::SettleLine { .. });
        self.tally.reached.note(if unsettled { "card before bets were settled" } else { "card before the reader" });
        let cards = if self.dice.per_mille(100) { 10 } else { 1 + self.dice.below(2) };
        for _ in 0..cards {
            self.draw()?;
        }
        if self.dice.per_mille(300)
            && let Some(clause) = Irregular::DrawnExposed.clause(self.config.table.game)
        {
            let seen = self.words(&format!("irregularity {clause}"))?;
            if seen.is_ok() {
                self.tally.reached.note("early card was seen");
            }
        }
        Ok(())
    }

    fn flap_reader(&mut self) -> Result<(), String> {
        self.put(&Input::Reader(ReaderInput::Down))?;
        self.links_up()
    }

    fn fault(&mut self, part: Part, code: &str) -> Result<(), String> {
        self.put(&Input::Fault(FaultInput::of(part, code, true)))?;
        self.pass(5_000)?;
        self.put(&Input::Fault(FaultInput::of(part, code, false)))
    }

    fn late_chip(&mut self) -> Result<(), String> {
        if !self.controller.in_round() {
            return Ok(());
        }
        let spots = self.config.spots.len();
        let seat = 1 + u8::try_from(self.dice.below(u64::from(self.config.table.positions))).unwrap_or(0);
        let spot = Spot { seat, spot: self.config.spots[self.dice.index(spots)].spot };
        if self.world.chips.contains(&spot) {
            return Ok(());
        }
        self.put(&Input::Layout(LayoutInput::Late(spot)))?;
        self.put(&Input::Layout(LayoutInput::LateRemoved(spot)))
    }

    /// The power will go soon, within some write.
    fn disk_cut(&mut self) {
        let (operation, bytes) = (self.dice.below(40), self.dice.index(600));
        self.disk.cut_power_at(operation, bytes);
    }

    /// The process dies and comes back; the machine does not notice.
    fn restart_process(&mut self) -> Result<(), String> {
        let recovered = self.read_back(None)?;
        if recovered.controller.checkpoint() != self.controller.checkpoint() {
            return Err("a restart came back to another table".to_owned());
        }
        self.controller = recovered.controller;
        self.tally.reached.note("restart");
        self.after_start()
    }

    fn read_back(&mut self, cut: Option<u64>) -> Result<Recovered, String> {
        self.disk.restart(cut);
        self.disk.recover(&self.config)
    }

    /// The record was not acknowledged. The table comes back where the last acknowledged one left it, or after this one.
    /// `unseen`: what the input led to, where nobody has followed it yet.
    pub(super) fn come_back(&mut self, input: &Input, why: &str, unseen: Option<&Outputs>) -> Result<(), String> {
        self.tally.power_cuts += 1;
        self.tally.reached.note("power cut");
        if matches!(input, Input::Reader(ReaderInput::Inserted | ReaderInput::Answered(_))) {
            self.tally.reached.note("power cut with the card in the reader");
        }
        let seed = self.dice.roll();
        let recovered = self.read_back(Some(seed))?;
        let (now, live) = (recovered.controller.sequence(), self.controller.sequence());
        let again = recovered.controller;
        if now + 1 == live {
            // Lost as it may be; played on top, it leads to the very state that was never shown.
            let mut twin = Controller::resumed(self.config.clone(), &again.checkpoint()).map_err(|e| e.to_string())?;
            let mut out = Outputs::default();
            let replayed = twin.apply(Stamp { sequence: live }, input, &mut out);
            if replayed.is_err() || twin.checkpoint() != self.controller.checkpoint() {
                return Err(format!("power cut {why}: the table came back to another state"));
            }
        } else if now != live || again.checkpoint() != self.controller.checkpoint() {
            return Err(format!("power cut {why}: {live} inputs were acknowledged or under way, {now} came back"));
        }
        self.controller = again;
        if let Some(out) = unseen.filter(|_| now == live) {
            self.promises.check(&self.controller, input, out)?;
        }
        self.after_start()
    }

    fn after_start(&mut self) -> Result<(), String> {
        self.world.forget();
        let before = self.screen();
        let last = self.clock.wall_ms;
        self.clock = clock_at(last + 20_000, 0);
        self.clock_told_ms = self.clock.wall_ms;
        self.promises.restarted(&self.controller);
        self.start(Some(last), None)?;
        let after = self.screen();
        let same = before.lines == after.lines && before.meters == after.meters && before.round >= after.round;
        if !same {
            return Err("lines or meters changed in a restart".to_owned());
        }
        if !self.screen().alerts.iter().any(|alert| !alert.ended && alert.text.contains("could not read")) {
            self.world.unread = None;
        } else if self.world.unread.is_none() {
            self.world.unread = self.world.last_open.or(self.world.shoe.front().copied());
        }
        Ok(())
    }

    fn step_clock(&mut self) -> Result<(), String> {
        self.clock.wall_ms += 60_000;
        self.clock_told_ms = 0;
        self.pass(1_000)
    }

    /// The battery of the clock is empty: the machine starts a year ago.
    fn clock_back(&mut self) -> Result<(), String> {
        if self.controller.in_round() {
            return Ok(());
        }
        let right = self.clock.wall_ms;
        self.restart_process()?;
        self.clock = clock_at(right - 365 * super::DAY_MS, 0);
        let started = table_controller::Started { clock: self.clock, last_record_ms: Some(right), foreign_round: None };
        self.put(&Input::Started(started))?;
        self.links_up()?;
        if self.controller.stops().is_empty() {
            return Err("a clock a year back stops nothing".to_owned());
        }
        // Somebody sets it right.
        self.clock = clock_at(right + 30_000, 1_000);
        self.clock_told_ms = self.clock.wall_ms;
        self.put(&Input::Clock(self.clock))
    }

    /// Another version of the software starts, whatever the table is doing.
    fn upgrade(&mut self) -> Result<(), String> {
        let meters = self.controller.meter_views();
        let waits = self.controller.stops().iter().any(|stop| stop.reason.contains("settled by hand"));
        let open = self.controller.in_round() || waits;
        let Recovered { carried, .. } = self.read_back(None)?;
        self.disk.begin_epoch(self.clock)?;
        self.controller = Controller::continued(self.config.clone(), &carried);
        if self.dice.per_mille(300) {
            // The power goes before the new version has recorded a thing.
            let seed = self.dice.roll();
            self.controller = self.read_back(Some(seed))?.controller;
            self.tally.reached.note("power cut in an upgrade");
        }
        if self.controller.meter_views() != meters {
            return Err("an upgrade changed a meter".to_owned());
        }
        if carried.open_round.is_some() != open {
            return Err(format!("the open round was lost in an upgrade: {:?}", carried.open_round));
        }
        if open && !self.controller.stops().iter().any(|stop| stop.reason.contains("settled by hand")) {
            return Err("nobody is asked to settle the open round".to_owned());
        }
        self.world.forget();
        self.world.clear_layout();
        self.promises.upgraded(&self.controller);
        if open {
            self.tally.reached.note("foreign round");
        }
        self.tally.reached.note("upgrade");
        self.clock_told_ms = self.clock.wall_ms;
        self.start(Some(self.clock.wall_ms - 1), foreign_round(&carried))
    }

    fn serve(&mut self) -> Result<(), String> {
        let _said = self.person(Some(TECHNICIAN), Action::EnterService)?;
        Ok(())
    }

    /// Words at any time: most are refused, and then nothing has changed.
    fn odd_word(&mut self) -> Result<(), String> {
        let seat = 1 + self.dice.below(u64::from(self.config.table.positions));
        let words = [
            "undo".to_owned(),
            "floor void".to_owned(),
            "correct \"misread\"".to_owned(),
            format!("irregularity 13.F {seat} 8h"),
            format!("irregularity 13.E {seat} 8h"),
            "irregularity 13.P".to_owned(),
            "irregularity 14.K".to_owned(),
            format!("irregularity 13.B {seat}"),
            "lock".to_owned(),
            "idle".to_owned(),
            "floor reshuffle".to_owned(),
            format!("wager {seat} main 25"),
            format!("cash {seat}"),
            "surrender".to_owned(),
            "settled".to_owned(),
        ];
        let words = &words[self.dice.index(words.len())];
        let _said = self.words(words)?;
        Ok(())
    }

    fn correct_meter(&mut self) -> Result<(), String> {
        let Some(meter) = self.controller.meter_views().first().cloned() else { return Ok(()) };
        let correct = Action::CorrectMeter {
            wager: meter.wager.to_owned(),
            meter: meter.meter.to_owned(),
            pool: operator_api::MeterPool::Meter,
            cents: 1 + i64::try_from(self.dice.below(500)).unwrap_or(0),
            reason: "counted again".to_owned(),
        };
        if self.two_people(MANAGER, MANAGER, correct.clone())?.is_ok() {
            return Err("one person corrected a meter".to_owned());
        }
        let _said = self.two_people(MANAGER, FLOOR, correct)?;
        Ok(())
    }

    /// Nobody plays for a while; the day may turn.
    fn let_hours_pass(&mut self) -> Result<(), String> {
        for _ in 0..self.dice.below(6) {
            self.pass(3_600_000)?;
        }
        Ok(())
    }

    /// People do what each stop asks for, until a next round may be dealt.
    pub(super) fn remove_stops(&mut self) -> Result<(), String> {
        self.disk.make_room();
        let said = |stops: &[table_controller::Stop], part: &str| stops.iter().any(|stop| stop.reason.contains(part));
        let stops = self.controller.stops();
        if said(&stops, "settled by hand") {
            let _done = self.person(Some(FLOOR), Action::SettledByHand { reason: "from the record".to_owned() })?;
        } else if said(&stops, "clock") {
            let _done = self.two_people(FLOOR, MANAGER, Action::ConfirmClock)?;
        } else if said(&stops, "in service") {
            let _done = self.person(Some(TECHNICIAN), Action::LeaveService)?;
        } else if said(&stops, "does not answer") {
            self.links_up()?;
        } else if said(&stops, "out of service") {
            let replace = Action::ReplaceReader { serial: "R-2".to_owned() };
            let _done = self.two_people(TECHNICIAN, FLOOR, replace)?;
            self.tally.reached.note("reader replaced");
        } else if said(&stops, "inspection") {
            self.inspect()?;
        } else {
            self.put(&Input::Journal(JournalInput::RoomAgain))?;
            let stands = self.screen().alerts.into_iter().find(|alert| alert.severity == operator_api::Severity::Stop);
            if let Some(alert) = stands {
                let _done = self.person(Some(FLOOR), Action::Clear { alert: alert.alert })?;
            }
        }
        Ok(())
    }

    fn inspect(&mut self) -> Result<(), String> {
        let _begun = self.person(Some(FLOOR), Action::BeginInspection { full: false })?;
        for _ in 0..400 {
            let Some(view) = self.screen().inspection else { return Ok(()) };
            let answer = |answer: &str| Action::InspectionAnswer { answer: answer.to_owned() };
            match view.steps.get(view.step - 1).map_or("", |step| step.name) {
                _ if view.wrong.is_some() => drop(self.person(Some(FLOOR), answer("fail something-else"))?),
                "seals" => {
                    let numbers = vec!["A-17"; view.seals.len()].join(" ");
                    drop(self.person(Some(FLOOR), answer(&numbers))?);
                }
                "test cards" => {
                    let cards = if view.full { &self.config.full_test_cards } else { &self.config.daily_test_cards };
                    let number = view.text.rsplit('(').next().and_then(|rest| rest.split(' ').next()?.parse().ok());
                    let Some(card) = number.and_then(|number: usize| cards.get(number - 1)).cloned() else {
                        return Err(format!("the inspection asks for no card: {}", view.text));
                    };
                    let event = ReaderInput::TestAnswered { group: card.group, answer: card.expected };
                    self.put(&Input::Reader(event))?;
                }
                "lock-out" => {
                    self.put(&Input::Layout(LayoutInput::Locked))?;
                    let split = LayoutInput::Split { accepted: Vec::new(), late: Vec::new(), doubtful: Vec::new() };
                    self.put(&Input::Layout(split))?;
                }
                "positions" => {
                    for seat in 1..=self.config.table.positions {
                        for at in 0..self.config.spots.len() {
                            let spot = Spot { seat, spot: self.config.spots[at].spot };
                            self.put(&Input::Layout(LayoutInput::Placed(spot)))?;
                            self.put(&Input::Layout(LayoutInput::Removed(spot)))?;
                        }
                    }
                }
                "signature" => {
                    let _signed = self.person(Some(FLOOR), answer("sign"))?;
                    return Ok(());
                }
                _ if self.dice.per_mille(20) => drop(self.person(Some(FLOOR), answer("fail something-else"))?),
                _ if self.dice.per_mille(20) => drop(self.person(Some(FLOOR), Action::PauseInspection)?),
                _ => drop(self.person(Some(FLOOR), answer("pass"))?),
            }
            if self.dice.per_mille(5) {
                self.restart_process()?;
            }
            if !self.controller.in_inspection() {
                let _goes_on = self.person(Some(FLOOR), Action::BeginInspection { full: false })?;
            }
            if self.controller.dealer().is_none() {
                let _in = self.person(Some(DEALER), Action::SignIn)?;
            }
        }
        Err("the inspection does not end".to_owned())
    }
}

fn foreign_round(carried: &Carried) -> Option<ForeignRound> {
    carried.open_round.map(|round| ForeignRound { round, told: carried.told.clone() })
}
