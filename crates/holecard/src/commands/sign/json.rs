//! The posting as data: the same blocks, lines and sources as on the page.

use serde::Serialize;
use table_rules::posting::{Block, Part, Posting, Statement};

#[derive(Debug, Serialize)]
pub(super) struct Document {
    game: &'static str,
    title: &'static str,
    approved: Option<Approved>,
    blocks: Vec<BlockObject>,
    /// For whoever puts the sign up; not on it.
    remarks: Vec<StatementObject>,
}

#[derive(Debug, Serialize)]
struct Approved {
    title: String,
    date: Option<String>,
    sha256: String,
}

#[derive(Debug, Serialize)]
struct BlockObject {
    part: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wager: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paytable: Option<&'static str>,
    title: String,
    clause: &'static str,
    lines: Vec<LineObject>,
    statements: Vec<StatementObject>,
}

#[derive(Debug, Serialize)]
struct LineObject {
    line: &'static str,
    words: String,
    pays: String,
    basis: &'static str,
    clause: &'static str,
}

#[derive(Debug, Serialize)]
struct StatementObject {
    text: String,
    clause: &'static str,
}

pub(super) fn of(posting: &Posting) -> Document {
    Document {
        game: posting.game.id(),
        title: posting.title,
        approved: posting.approved.as_ref().map(|text| Approved {
            title: text.title.clone(),
            date: text.date.map(super::html::date),
            sha256: super::html::hex(&text.sha256),
        }),
        blocks: posting.blocks.iter().map(block).collect(),
        remarks: posting.remarks.iter().map(statement).collect(),
    }
}

fn block(block: &Block) -> BlockObject {
    let (wager, paytable) = match block.part {
        Part::Side { wager, paytable } => (Some(wager.id()), Some(paytable)),
        Part::Inscriptions
        | Part::TableRules
        | Part::Main
        | Part::Bonuses
        | Part::DoubledHands
        | Part::AdditionalPayouts
        | Part::HowToRead => (None, None),
    };
    let lines = block.lines.iter().map(|line| LineObject {
        line: line.key,
        words: line.words.clone(),
        pays: line.figure.to_string(),
        basis: line.figure.basis(),
        clause: line.source.id(),
    });
    BlockObject {
        part: block.part.id(),
        wager,
        paytable,
        title: block.title.clone(),
        clause: block.source.id(),
        lines: lines.collect(),
        statements: block.statements.iter().map(statement).collect(),
    }
}

fn statement(statement: &Statement) -> StatementObject {
    StatementObject { text: statement.text.clone(), clause: statement.source.id() }
}
