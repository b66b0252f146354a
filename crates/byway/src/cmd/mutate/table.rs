//! The results as a table for the terminal.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

use crate::cmd::mutate::judge::Fate;
use crate::cmd::mutate::points::Mutant;
use crate::cmd::mutate::score::{Score, scores};
use crate::cmd::mutate::texts::SourceTexts;
use crate::console::Style;
use byway_base::quantity::{percent, plural};

/// Information beside the counts.
pub struct TableInfo<'a> {
    pub run: &'a Path,
    /// A description of the compiler.
    pub compiled: &'a str,
    /// A description of the isolation.
    pub contained: &'a str,
    /// A description of how reaching tests were determined.
    pub reach: &'a str,
    /// The number of tests in use.
    pub tests: u64,
    /// The number of tests of unfinished paths, which are excluded.
    pub left_out: u64,
    /// Tests that cannot be used, by reason.
    pub unusable: &'a BTreeMap<String, Vec<u64>>,
    /// The number of tests with non-deterministic behaviour.
    pub unstable: u64,
    /// The number of mutants to choose from.
    pub available: u64,
    /// The number of locations in macro definitions.
    pub in_macros: u64,
    pub texts: &'a SourceTexts,
    /// The number of survivors to show.
    pub show: usize,
}

/// Renders the table and some survivors.
pub fn render(mutants: &[Mutant], fates: &[Fate], facts: &TableInfo<'_>, style: Style) -> String {
    let mut out = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut out, mutants, fates, facts, style);
    out
}

fn write(
    out: &mut String,
    mutants: &[Mutant],
    fates: &[Fate],
    facts: &TableInfo<'_>,
    style: Style,
) -> fmt::Result {
    let count = mutants.len() as u64;
    let chosen = match count == facts.available {
        true => plural(count, "mutant"),
        false => format!("{count} of {}", plural(facts.available, "mutant")),
    };
    let tests = plural(facts.tests, "test");
    writeln!(out, "{} on {tests} of '{}'", style.strong(chosen), facts.run.display())?;
    writeln!(out, "  compiled by     {}", facts.compiled)?;
    writeln!(out, "  contained by    {}", facts.contained)?;
    writeln!(out, "  reach           {}", facts.reach)?;
    if facts.in_macros > 0 {
        let locations = plural(facts.in_macros, "location");
        writeln!(out, "  not mutated     {locations} in macro definitions")?;
    }
    if facts.left_out > 0 {
        let tests = plural(facts.left_out, "test");
        writeln!(out, "  excluded        {tests} of unfinished paths")?;
    }
    if facts.unstable > 0 {
        let tests = plural(facts.unstable, "test");
        writeln!(out, "  not compared    non-deterministic behaviour, in {tests}")?;
    }
    for (why, tests) in facts.unusable {
        writeln!(out, "  not used        {}: {why}", plural(tests.len() as u64, "test"))?;
    }
    for (why, mutants) in not_made(fates) {
        writeln!(out, "  not made        {}: {why}", plural(mutants, "mutant"))?;
    }
    let (total, kinds) = scores(mutants, fates);
    if total.not_judged > 0 {
        writeln!(out, "{}", style.warning("interrupted: not all mutants were judged"))?;
    }
    let heads = ["mutants", "not compiled", "equivalent", "duplicate", "not reached", "survived"];
    let head = heads.map(|head| format!("{head:>w$}", w = head.len() + 2)).concat();
    writeln!(out, "\n  {:10}{}", "", style.dim(format!("{head}  killed   score")))?;
    for (kind, score) in &kinds {
        row(out, kind.name(), score)?;
    }
    row(out, "total", &total)?;
    survivors(out, mutants, fates, facts, style)
}

/// The number of mutants that compile but could not be built, by reason.
fn not_made(fates: &[Fate]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for fate in fates {
        if let Fate::NotMade(why) = fate {
            *counts.entry(*why).or_default() += 1;
        }
    }
    counts
}

fn row(out: &mut String, name: &str, score: &Score) -> fmt::Result {
    let share = match score.judged() {
        0 => "-".into(),
        judged => percent(score.killed, judged),
    };
    writeln!(
        out,
        "  {name:10}{:>9}{:>14}{:>12}{:>11}{:>13}{:>10}{:>8}{share:>8}",
        score.mutants,
        score.not_compiled,
        score.equivalent,
        score.duplicate,
        score.not_reached,
        score.survived,
        score.killed,
    )
}

/// Lists survivors: first those that tests reach, which show what the tests do not check.
fn survivors(
    out: &mut String,
    mutants: &[Mutant],
    fates: &[Fate],
    facts: &TableInfo<'_>,
    style: Style,
) -> fmt::Result {
    let show = facts.show;
    let all = || mutants.iter().zip(fates);
    let survived = all().filter(|(_, fate)| matches!(fate, Fate::Survived(_)));
    let missed = all().filter(|(_, fate)| matches!(fate, Fate::NotReached));
    let alive: Vec<_> = survived.chain(missed).collect();
    if alive.is_empty() || show == 0 {
        return Ok(());
    }
    writeln!(out, "\n{}", style.strong("alive:"))?;
    for (mutant, fate) in alive.iter().take(show) {
        let mutation = &mutant.mutation;
        let why = match fate {
            Fate::Survived(tests) => format!("survived {}", plural(*tests as u64, "test")),
            _ => "reached by no test".into(),
        };
        let place = format!("{}:{}:{}", mutation.file, mutation.line, mutation.column);
        let kind = mutation.operator.name();
        writeln!(out, "  {:>4}  {place} in {}, {kind}, {why}", mutant.number, mutation.function)?;
        for (sign, line) in difference(mutant, facts.texts) {
            let text = format!("{sign} {line}");
            let text = if sign == '-' { style.error(text) } else { style.note(text) };
            writeln!(out, "        {text}")?;
        }
    }
    match alive.len().saturating_sub(show) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more: --show {} lists all", alive.len()),
    }
}

/// The number of lines shown of a change.
const SHOWN: usize = 3;

/// The changed lines before and after the mutation.
fn difference(mutant: &Mutant, texts: &SourceTexts) -> Vec<(char, String)> {
    let [before, original, after] = texts.around(mutant);
    let first = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let behind = after.iter().position(|&byte| byte == b'\n').unwrap_or(after.len());
    let with = |middle| [&before[first..], middle, &after[..behind]].concat();
    let (old, new) = (with(original), with(mutant.mutation.replacement.as_bytes()));
    let lines = |sign: char, text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let lines: Vec<&str> =
            text.lines().map(str::trim_end).filter(|it| !it.is_empty()).collect();
        let mut shown: Vec<(char, String)> =
            lines.iter().take(SHOWN).map(|line| (sign, line.trim_start().to_string())).collect();
        if lines.len() > SHOWN {
            shown.push((sign, "...".into()));
        }
        shown
    };
    [lines('-', &old), lines('+', &new)].concat()
}
