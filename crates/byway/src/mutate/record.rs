//! `mutants.jsonl`: every mutant and what became of it, a line each; and the sum as JSON.

use std::path::Path;

use byway_base::MutationOperator;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::failure::{Failure, Result};
use crate::mutate::judge::Fate;
use crate::mutate::points::Mutant;
use crate::mutate::score::scores;

/// The file's name in the run's directory.
pub const NAME: &str = "mutants.jsonl";

#[derive(Serialize)]
struct Line<'a> {
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
    duplicate_of: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_run: Option<usize>,
}

/// All mutants as lines.
pub fn lines(mutants: &[Mutant], fates: &[Fate]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (mutant, fate) in mutants.iter().zip(fates) {
        let mutation = &mutant.mutation;
        let line = Line {
            mutant: mutant.number,
            file: &mutation.file,
            line: mutation.line,
            column: mutation.column,
            function: &mutation.function,
            operator: mutation.operator,
            original: original(mutant),
            replacement: &mutation.replacement,
            fate: name(fate),
            test: if let Fate::Killed { test, .. } = fate { Some(*test) } else { None },
            by: if let Fate::Killed { by, .. } = fate { Some(by) } else { None },
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
        Fate::Equivalent => "equivalent",
        Fate::Duplicate(_) => "duplicate",
        Fate::NotReached => "not-reached",
        Fate::Survived(_) => "survived",
        Fate::Killed { .. } => "killed",
        Fate::NotJudged => "not-judged",
    }
}

/// The text that a mutant replaces.
pub fn original(mutant: &Mutant) -> String {
    let text = std::fs::read(&mutant.file).unwrap_or_default();
    let bytes = text.get(mutant.mutation.begin..mutant.mutation.end).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

/// The sum, as `--json` prints it.
pub fn summary(
    run: &Path,
    tests: usize,
    available: u64,
    mutants: &[Mutant],
    fates: &[Fate],
) -> Value {
    let (total, kinds) = scores(mutants, fates);
    let with_score = |score: &crate::mutate::score::Score| {
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
        "run": run, "tests": tests, "available": available, "total": with_score(&total),
        "operators": operators,
    })
}
