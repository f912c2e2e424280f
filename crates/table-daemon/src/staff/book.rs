//! The staff file: `staff.toml` in the state directory, written by `holecard staff` alone.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use operator_api::{PersonId, Role};
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize;
use thiserror::Error;

use super::hashing::PinHash;
use crate::durable;

const FILE: &str = "staff.toml";
const VERSION: u32 = 1;
const NAME_CHARS_MAX: usize = 60;
const PEOPLE_MAX: usize = 5_000;

#[derive(Debug, Error)]
pub enum BookError {
    #[error("the staff file {file} cannot be {operation}: {source}")]
    File { file: String, operation: &'static str, source: io::Error },
    #[error(
        "there is no directory {directory}: start the daemon once, which makes it, or name the daemon's own with --state"
    )]
    NoDirectory { directory: String },
    #[error("the staff file {file} cannot be understood: {reason}; restore it, or write it anew with `holecard staff`")]
    Unreadable { file: String, reason: String },
    #[error("number {} is {name}'s already", number.0)]
    Taken { number: PersonId, name: String },
    #[error("nobody has number {}", .0.0)]
    Nobody(PersonId),
    #[error("numbers start at 1")]
    Number,
    #[error("a name has 1 to {NAME_CHARS_MAX} characters on one line")]
    Name,
    #[error("the staff file is full: {PEOPLE_MAX} people")]
    Full,
}

#[derive(Clone, Debug)]
pub struct Person {
    pub number: PersonId,
    pub name: String,
    pub role: Role,
    pub disabled: bool,
    /// The hash is of a one-time code: it sets a PIN and does nothing else.
    pub(crate) one_time: bool,
    pub(crate) pin: PinHash,
}

impl Person {
    pub fn new(number: PersonId, name: &str, role: Role, pin: PinHash) -> Result<Self, BookError> {
        if number.0 == 0 {
            return Err(BookError::Number);
        }
        let name = name.trim();
        let length_fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
        if !length_fits || name.contains(char::is_control) {
            return Err(BookError::Name);
        }
        Ok(Self { number, name: name.to_owned(), role, disabled: false, one_time: false, pin })
    }

    /// Somebody who has no PIN yet and sets one with a one-time code.
    #[must_use]
    pub fn with_code(self) -> Self {
        Self { one_time: true, ..self }
    }
}

/// Everybody, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Book {
    people: Vec<Person>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    #[serde(default)]
    person: Vec<WrittenPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPerson {
    number: u32,
    name: String,
    role: Role,
    disabled: bool,
    #[serde(default)]
    one_time: bool,
    pin: String,
}

impl Book {
    /// Of the file, for whoever wants to know whether it is another one.
    pub(super) fn metadata(state_directory: &Path) -> io::Result<fs::Metadata> {
        fs::metadata(state_directory.join(FILE))
    }

    /// An empty book where there is no file yet.
    pub fn load(state_directory: &Path) -> Result<Self, BookError> {
        let path = state_directory.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                Self::parse(&text).map_err(|reason| BookError::Unreadable { file: path.display().to_string(), reason })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(failed(&path, "read", source)),
        }
    }

    /// Reads, changes and writes the file with nobody else in between.
    pub fn change<T>(
        state_directory: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, BookError>,
    ) -> Result<T, BookError> {
        let path = state_directory.join(FILE);
        let directory = File::open(state_directory).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                BookError::NoDirectory { directory: state_directory.display().to_string() }
            } else {
                failed(&path, "locked", error)
            }
        })?;
        flock(&directory, FlockOperation::LockExclusive).map_err(|error| failed(&path, "locked", error.into()))?;
        let mut book = Self::load(state_directory)?;
        let result = change(&mut book)?;
        durable::replace(&path, book.write().as_bytes()).map_err(|error| failed(&path, "written", error))?;
        Ok(result)
    }

    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Somebody new. A number that was ever given belongs to its person: records name it.
    pub fn add(&mut self, person: Person) -> Result<(), BookError> {
        match self.people.binary_search_by_key(&person.number, |each| each.number) {
            Ok(at) => Err(BookError::Taken { number: person.number, name: self.people[at].name.clone() }),
            Err(_) if self.people.len() >= PEOPLE_MAX => Err(BookError::Full),
            Err(at) => {
                self.people.insert(at, person);
                Ok(())
            }
        }
    }

    /// A new PIN for somebody who is there, who can then act again.
    pub fn set_pin(&mut self, number: PersonId, pin: PinHash) -> Result<(), BookError> {
        let person = self.person_mut(number)?;
        person.pin = pin;
        person.one_time = false;
        person.disabled = false;
        Ok(())
    }

    /// Nobody is ever removed: records name them.
    pub fn disable(&mut self, number: PersonId) -> Result<(), BookError> {
        self.person_mut(number)?.disabled = true;
        Ok(())
    }

    /// Whoever has this number and may act.
    pub(super) fn active(&self, number: PersonId) -> Option<&Person> {
        self.people.iter().find(|person| person.number == number && !person.disabled)
    }

    fn person_mut(&mut self, number: PersonId) -> Result<&mut Person, BookError> {
        self.people.iter_mut().find(|person| person.number == number).ok_or(BookError::Nobody(number))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.message().trim().to_owned())?;
        if written.version != VERSION {
            return Err(format!("it has version {}, this software reads {VERSION}", written.version));
        }
        let mut book = Self::default();
        for each in written.person {
            let number = PersonId(each.number);
            let pin = PinHash::parse(&each.pin).ok_or_else(|| format!("the hash of {} is none", each.number))?;
            let mut person = Person::new(number, &each.name, each.role, pin).map_err(|error| error.to_string())?;
            person.disabled = each.disabled;
            person.one_time = each.one_time;
            book.add(person).map_err(|error| error.to_string())?;
        }
        Ok(book)
    }

    fn write(&self) -> String {
        let mut text =
            format!("# Written by `holecard staff`; changes by hand are read strictly.\nversion = {VERSION}\n");
        for Person { number, name, role, disabled, one_time, pin } in &self.people {
            // Names have no control characters, so these two are all that a quoted text must escape.
            let name = name.replace('\\', "\\\\").replace('"', "\\\"");
            let (number, role, pin) = (number.0, role.word(), pin.as_str());
            // Left out where it is false: a file without codes is read by earlier versions too.
            let once = if *one_time { "one_time = true\n" } else { "" };
            text.push_str(&format!(
                "\n[[person]]\nnumber = {number}\nname = \"{name}\"\nrole = \"{role}\"\ndisabled = {disabled}\n{once}pin = \"{pin}\"\n"
            ));
        }
        text
    }
}

fn failed(path: &Path, operation: &'static str, source: io::Error) -> BookError {
    let file: PathBuf = path.to_owned();
    BookError::File { file: file.display().to_string(), operation, source }
}
