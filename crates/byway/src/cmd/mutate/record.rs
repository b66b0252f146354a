//! `mutants.jsonl`: one line per mutant with its fate; and the summary as JSON.

use std::fs;
use std::path::Path;

use byway_base::MutationOperator;
use byway_testcase::atomic;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::cmd::mutate::judge::Fate;
use crate::cmd::mutate::points::Mutant;
use crate::cmd::mutate::score::scores;
use crate::cmd::mutate::texts::SourceTexts;
use crate::failure::{Failure, Result};

/// The file name in the run directory.
pub const NAME: &str = "mutants.jsonl";

#[derive(Serialize)]
struct MutantLine<'a> {
    mutant: u64,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    operator: MutationOperator,
    original: String,
    replacement: &'a str,
    fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_run: Option<usize>,
}

/// Writes the file. After an interrupt, an existing file that records more judged mutants is
/// kept; then their number is returned.
pub fn write(
    path: &Path,
    mutants: &[Mutant],
    fates: &[Fate],
    texts: &SourceTexts,
) -> Result<Option<usize>> {
    let judged = fates.iter().filter(|fate| **fate != Fate::NotJudged).count();
    let existing = if judged < fates.len() { judged_in(path) } else { 0 };
    if existing > judged {
        return Ok(Some(existing));
    }
    let lines = lines(mutants, fates, texts)?;
    atomic::write(path, &lines).map_err(|error| Failure::io("write", path, &error))?;
    Ok(None)
}

/// The number of judged mutants in an existing file.
fn judged_in(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["fate"] != name(&Fate::NotJudged)).count()
}

fn lines(mutants: &[Mutant], fates: &[Fate], texts: &SourceTexts) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (mutant, fate) in mutants.iter().zip(fates) {
        let mutation = &mutant.mutation;
        let line = MutantLine {
            mutant: mutant.number,
            file: &mutation.file,
            line: mutation.line,
            column: mutation.column,
            function: &mutation.function,
            operator: mutation.operator,
            original: texts.original(mutant),
            replacement: &mutation.replacement,
            fate: name(fate),
            test: if let Fate::Killed { test, .. } = fate { Some(*test) } else { None },
            by: if let Fate::Killed { by, .. } = fate { Some(by) } else { None },
            why: if let Fate::NotMade(why) = fate { Some(why) } else { None },
            duplicate_of: if let Fate::Duplicate(first) = fate { Some(*first) } else { None },
            tests_run: if let Fate::Survived(tests) = fate { Some(*tests) } else { None },
        };
        serde_json::to_writer(&mut out, &line)
            .map_err(|error| Failure::new(format!("cannot write {NAME}: {error}")))?;
        out.push(b'\n');
    }
    Ok(out)
}

fn name(fate: &Fate) -> &'static str {
    match fate {
        Fate::NotCompiled => "not-compiled",
        Fate::NotMade(_) => "not-made",
        Fate::Equivalent => "equivalent",
        Fate::Duplicate(_) => "duplicate",
        Fate::NotReached => "not-reached",
        Fate::Survived(_) => "survived",
        Fate::Killed { .. } => "killed",
        Fate::NotJudged => "not-judged",
    }
}

/// The summary that `--json` prints.
pub fn summary(
    run: &Path,
    (tests, left_out): (usize, u64),
    available: u64,
    mutants: &[Mutant],
    fates: &[Fate],
) -> Value {
    let (total, kinds) = scores(mutants, fates);
    let with_score = |score: &crate::cmd::mutate::score::Score| {
        let mut value = serde_json::to_value(score).unwrap_or_default();
        let judged = score.judged();
        if let Some(fields) = value.as_object_mut().filter(|_| judged > 0) {
            fields.insert("score".into(), (score.killed as f64 / judged as f64).into());
        }
        value
    };
    let operators: Map<String, Value> =
        kinds.iter().map(|(kind, score)| (kind.name().into(), with_score(score))).collect();
    serde_json::json!({
        "run": run, "tests": tests, "left_out": left_out, "available": available, "total": with_score(&total),
        "operators": operators,
    })
}
