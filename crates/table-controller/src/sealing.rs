//! What is said of the seals in an inspection.

use table_rules::source::Point;

use crate::controller::Controller;
use crate::inspection::Running;
use crate::notice::Notice;
use crate::output::Outputs;
use crate::people::Refused;
use crate::seals::{KnownSeal, SealAnswer, SealPlace, last_two, pick};

impl Controller {
    /// Whether every seal that was not looked at yet has a number on record.
    pub(crate) fn all_seals_known(&self, running: &Running) -> bool {
        let places = SealPlace::at(&self.config);
        let mut left = places.iter().filter(|place| !running.seals.read.contains_key(place));
        left.clone().next().is_some() && left.all(|place| self.state.inspections.seals.0.contains_key(place))
    }

    pub(crate) fn answer_seals(&mut self, answer: &str, out: &mut Outputs) -> Result<(), Refused> {
        let source = self.cite(Point::ReaderInspection);
        let refused = |reason: &str| Refused { reason: reason.to_owned(), source: source.clone() };
        let places = SealPlace::at(&self.config);
        let Some(running) = self.state.inspections.running.as_ref() else {
            return Err(refused("No inspection is running"));
        };
        let asked = running.seals.asked;
        let said = SealAnswer::parse(answer, asked.is_some(), places.len());
        let said = said.ok_or_else(|| match asked {
            Some(place) => refused(&format!("Say the last two signs of the seal at the {}", place.name())),
            None => refused("Say whether each seal is the same, or its number: capitals, digits and dashes"),
        })?;
        match said {
            SealAnswer::AllSame => self.ask_for_last_two(&places).map_err(refused),
            SealAnswer::LastTwo(signs) => {
                self.compare_last_two(&signs, &places, out);
                Ok(())
            }
            SealAnswer::Same(at) => {
                let known = self.state.inspections.seals.0.get(&places[at]).map(|known| known.number.clone());
                let number = known.ok_or_else(|| refused("No number of this seal is on record: tap it in"))?;
                self.read_seal(places[at], number);
                self.judge_seals(&places, out);
                Ok(())
            }
            SealAnswer::Number(at, number) => {
                self.read_seal(places[at], number);
                self.judge_seals(&places, out);
                Ok(())
            }
            SealAnswer::All(numbers) => {
                places.iter().zip(numbers).for_each(|(place, number)| self.read_seal(*place, number));
                self.judge_seals(&places, out);
                Ok(())
            }
        }
    }

    fn read_seal(&mut self, place: SealPlace, number: String) {
        if let Some(running) = &mut self.state.inspections.running {
            running.seals.read.insert(place, number);
        }
    }

    /// Any of the table's seals, whichever were looked at before: the page cannot choose it.
    fn ask_for_last_two(&mut self, places: &[SealPlace]) -> Result<(), &'static str> {
        let wall_ms = self.state.day.clock.map_or(0, |clock| clock.wall_ms);
        let running = self.state.inspections.running.as_ref().ok_or("No inspection is running")?;
        if running.seals.one_by_one {
            return Err("The last two signs were wrong: look at each seal by itself");
        }
        if !self.all_seals_known(running) {
            return Err("Not every number is on record: look at each seal by itself");
        }
        let known: Vec<SealPlace> =
            places.iter().copied().filter(|place| self.state.inspections.seals.0.contains_key(place)).collect();
        let asked = known.get(pick(known.len(), self.state.sequence, wall_ms)).copied();
        if let Some(running) = &mut self.state.inspections.running {
            running.seals.asked = asked;
        }
        Ok(())
    }

    fn compare_last_two(&mut self, signs: &str, places: &[SealPlace], out: &mut Outputs) {
        let known = self.state.inspections.seals.0.clone();
        let Some(running) = &mut self.state.inspections.running else { return };
        let Some(asked) = running.seals.asked.take() else { return };
        if known.get(&asked).is_some_and(|known| last_two(&known.number) == signs) {
            for place in places {
                if let Some(known) = known.get(place) {
                    running.seals.read.entry(*place).or_insert_with(|| known.number.clone());
                }
            }
            return self.judge_seals(places, out);
        }
        running.seals.one_by_one = true;
        running.seals.read.clear();
        let what = format!("inspection, seals: {signs} are not the last two signs at the {}: one by one", asked.name());
        self.say(Notice::Noted { what }, &self.cite(Point::ReaderInspection), out);
    }

    /// When every seal has been looked at: all as they were, or one that was not.
    fn judge_seals(&mut self, places: &[SealPlace], out: &mut Outputs) {
        let Some(running) = &self.state.inspections.running else { return };
        let (read, known) = (&running.seals.read, &self.state.inspections.seals.0);
        if places.iter().any(|place| !read.contains_key(place)) {
            return;
        }
        let (mut all, mut others) = (Vec::new(), Vec::new());
        for (place, number) in read {
            match known.get(place) {
                Some(known) if known.number != *number => {
                    others.push(format!("{} {number}, was {}", place.name(), known.number));
                }
                Some(_) => all.push(format!("{} {number}", place.name())),
                None => all.push(format!("{} {number} (first on record)", place.name())),
            }
        }
        if others.is_empty() {
            self.pass_step(&all.join(", "), out);
        } else {
            self.find_wrong(others.join(", "), out);
        }
    }

    /// What was read is what the next inspection compares with, also where it failed: another number is on record then,
    /// with the name of whoever signed.
    pub(crate) fn keep_seals(&mut self, running: &Running) {
        for (place, number) in &running.seals.read {
            let known = KnownSeal { number: number.clone(), day: running.day };
            self.state.inspections.seals.0.insert(*place, known);
        }
    }
}
