//! The meters of an offer: all that the paytable pays from, none besides, started no lower than the clause allows.

use super::Problems;
use super::stakes::Stakes;
use super::tables::Chosen;
use crate::meter::{CheckedTerms, MeterTerms, Rate};
use crate::money::{Cents, MeterName};
use crate::side::answers::{Answers, MeterAnswers};
use crate::side::offer::OfferedMeter;
use crate::side::table::{MeterRule, MeterStart, ResetAndCeiling};

pub(super) fn check(
    problems: &mut Problems,
    chosen: Option<&Chosen>,
    stakes: &Stakes,
    answers: &Answers,
) -> Vec<OfferedMeter> {
    let Some(chosen) = chosen else {
        return Vec::new();
    };
    let rules: Vec<(&'static str, MeterRule)> =
        chosen.tables().flat_map(|offered| offered.table.meters.iter().map(|rule| (offered.table.id, *rule))).collect();
    strangers(problems, &rules, answers);
    all_or_none_seeded(problems, &rules, answers);
    let unseeded = goes_without_seeds(&rules, answers);
    let mut meters: Vec<OfferedMeter> = Vec::new();
    for (table, rule) in &rules {
        let offered = one(problems, table, rule, stakes, answers, unseeded);
        meters.extend(offered.filter(|offered| meters.iter().all(|meter| meter.name != offered.name)));
    }
    let rates: u32 = meters.iter().map(|meter| taken(&meter.terms)).sum();
    if rates > Rate::WHOLE.millionths() && meters.len() > 1 {
        let sentence = format!("the meters of {} together take more than the stake", problems.title());
        problems.add("X4", "meters", sentence);
    }
    meters
}

/// What a meter takes of a stake, reserve included, in millionths.
pub(super) fn taken(terms: &CheckedTerms) -> u32 {
    terms.terms().progression.millionths() + terms.terms().reserve.millionths()
}

fn strangers(problems: &mut Problems, rules: &[(&'static str, MeterRule)], answers: &Answers) {
    let title = problems.title();
    for (place, meter) in answers.meters.iter().enumerate() {
        let name = meter.name.name();
        if rules.iter().all(|(_, rule)| rule.name != meter.name) {
            problems.add_meter("X4", "meters", meter.name, format!("this paytable of {title} has no {name} meter"));
        } else if answers.meters[..place].iter().any(|other| other.name == meter.name) {
            problems.add_meter("X4", "meters", meter.name, format!("{title} describes its {name} meter twice"));
        }
    }
}

/// Where two meters may go without a seed, they do so together: the document prints the two cases as sets.
fn all_or_none_seeded(problems: &mut Problems, rules: &[(&'static str, MeterRule)], answers: &Answers) {
    let may_go_without = |name: MeterName| {
        rules.iter().find_map(|(_, rule)| match rule.start {
            MeterStart::Seed { unseeded: Some(clause), .. } if rule.name == name => Some(clause),
            MeterStart::Seed { .. } | MeterStart::ResetAndCeiling(_) => None,
        })
    };
    let mut seeded = None;
    for meter in &answers.meters {
        let Some(clause) = may_go_without(meter.name) else { continue };
        for amount in [meter.initial, meter.reset].into_iter().flatten() {
            if *seeded.get_or_insert(amount > Cents::ZERO) != (amount > Cents::ZERO) {
                let sentence = format!(
                    "{}: initial and reset amounts are either seeded for all its meters, or nothing for those that may go without",
                    problems.title()
                );
                problems.add_meter(clause, "meters", meter.name, sentence);
                return;
            }
        }
    }
}

/// Whether the submission takes the printed case in which some meters start at nothing.
fn goes_without_seeds(rules: &[(&'static str, MeterRule)], answers: &Answers) -> bool {
    rules.iter().any(|(_, rule)| match rule.start {
        MeterStart::Seed { unseeded: Some(_), .. } => {
            let meter = answers.meters.iter().find(|meter| meter.name == rule.name);
            meter.is_some_and(|meter| meter.initial == Some(Cents::ZERO) && meter.reset == Some(Cents::ZERO))
        }
        MeterStart::Seed { unseeded: None, .. } | MeterStart::ResetAndCeiling(_) => false,
    })
}

fn one(
    problems: &mut Problems,
    table: &str,
    rule: &MeterRule,
    stakes: &Stakes,
    answers: &Answers,
    others_unseeded: bool,
) -> Option<OfferedMeter> {
    let title = problems.title();
    let name = rule.name.name();
    let Some(meter) = answers.meters.iter().find(|meter| meter.name == rule.name) else {
        let sentence = format!("{title} paytable {table} needs its {name} meter: initial and reset amounts and rate");
        problems.add_meter(rule.rate_clause, "meters", rule.name, sentence);
        return None;
    };
    starts(problems, table, rule, meter, others_unseeded);
    let rate = rate(problems, rule, "rate_millionths", meter.rate_millionths);
    let reserve = rate_or_zero(problems, rule, meter);
    if meter.must_hit_ceiling.is_some() && matches!(rule.start, MeterStart::Seed { .. }) {
        let sentence = format!("the {name} meter of {title} has no must-hit ceiling");
        problems.add_meter("X4", "must_hit_ceiling", rule.name, sentence);
    }
    let terms = MeterTerms {
        initial: meter.initial.or(meter.reset)?,
        reset: meter.reset?,
        progression: rate?,
        reserve: reserve?,
        limit: meter.limit,
        must_hit: meter.must_hit_ceiling,
        stake_max: stakes.most,
    };
    let faults: Vec<_> = terms.faults().collect();
    for fault in &faults {
        problems.add_meter("X4", "meters", rule.name, format!("the {name} meter of {title}: {fault}"));
    }
    CheckedTerms::new(terms).ok().map(|terms| OfferedMeter { name: rule.name, terms })
}

fn starts(problems: &mut Problems, table: &str, rule: &MeterRule, meter: &MeterAnswers, others_unseeded: bool) {
    let title = problems.title();
    let name = rule.name.name();
    match rule.start {
        MeterStart::Seed { least, clause, unseeded, beside_unseeded } => {
            let clause = beside_unseeded.filter(|_| others_unseeded).unwrap_or(clause);
            for (answer, verb, amount) in [("initial", "starts at", meter.initial), ("reset", "resets to", meter.reset)]
            {
                let Some(amount) = amount else {
                    let sentence = format!("the {name} meter of {title} needs its {answer} amount");
                    problems.add_meter(clause, answer, rule.name, sentence);
                    continue;
                };
                let nothing_is_fine = amount == Cents::ZERO && unseeded.is_some();
                if amount < least && !nothing_is_fine {
                    let which = if rule.name == MeterName::Main { String::new() } else { format!(" {name} meter") };
                    let sentence =
                        format!("{title} paytable {table}{which} {verb} {amount}; {clause} requires at least {least}");
                    problems.add_meter(clause, answer, rule.name, sentence);
                }
            }
        }
        MeterStart::ResetAndCeiling(pairs) => reset_and_ceiling(problems, rule, meter, &pairs),
    }
}

fn reset_and_ceiling(problems: &mut Problems, rule: &MeterRule, meter: &MeterAnswers, pairs: &[ResetAndCeiling; 3]) {
    let title = problems.title();
    let clause = pairs[0].clause;
    let (Some(reset), Some(ceiling)) = (meter.reset, meter.must_hit_ceiling) else {
        let answer = if meter.reset.is_none() { "reset" } else { "must_hit_ceiling" };
        problems.add_meter(clause, answer, rule.name, format!("{title} needs its reset amount and its ceiling"));
        return;
    };
    if !pairs.iter().any(|pair| reset >= pair.reset && ceiling >= pair.ceiling) {
        let printed = super::one_of(pairs.iter().map(|pair| format!("{} and {}", pair.reset, pair.ceiling)));
        let sentence = format!("{title} resets to {reset} with a ceiling of {ceiling}; they are at least {printed}");
        problems.add_meter(clause, "reset", rule.name, sentence);
    }
    if let Some(initial) = meter.initial.filter(|initial| *initial < reset) {
        let sentence = format!("{title} starts at {initial}, below its reset amount of {reset}");
        problems.add_meter(clause, "initial", rule.name, sentence);
    }
}

fn rate(problems: &mut Problems, rule: &MeterRule, answer: &'static str, said: Option<u32>) -> Option<Rate> {
    let title = problems.title();
    let name = rule.name.name();
    let Some(millionths) = said else {
        let sentence = format!("the {name} meter of {title} needs its rate of progression");
        problems.add_meter(rule.rate_clause, answer, rule.name, sentence);
        return None;
    };
    let rate = Rate::from_millionths(millionths);
    if rate.is_none() {
        let sentence = format!("the {name} meter of {title} has a rate above 100 %");
        problems.add_meter(rule.rate_clause, answer, rule.name, sentence);
    }
    rate
}

fn rate_or_zero(problems: &mut Problems, rule: &MeterRule, meter: &MeterAnswers) -> Option<Rate> {
    rate(problems, rule, "reserve_rate_millionths", Some(meter.reserve_rate_millionths.unwrap_or(0)))
}
