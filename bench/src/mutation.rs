//! `byway-bench mutation`: which searcher's tests kill the most mutants? Several searchers explore
//! tools of Coreutils for the same processor time; the same mutants judge the tests of each run.
//!
//! After "Steering Symbolic Execution to Less Traveled Paths" (Li, Su, Wang and Li, 2013),
//! section 3.3: kill rates averaged over programs, kills in all, and how often a searcher
//! is best. There the mutants were all that Milu makes of forty tools. As there, only tests of
//! paths that had ended count, and a searcher that has none for a tool kills nothing there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::quantity::percentage;
use byway_rundir::{RunDirError, RunReader};
use serde_json::Value;

use crate::build;
use crate::coreutils::{INPUT, Tools};
use crate::process::{self, ProcessStatus};
use crate::record;
use crate::setup::{BenchSetup, create_dir};

const ABOUT: &str = "\
Which searcher's tests kill the most mutants?

Explores tools of Coreutils by several searchers, each for the same processor time, and has
`byway mutate` judge the tests of each run by the same mutants of the tool's source. Prints the
share of mutants that the tests kill, for all searchers.

An interrupt loses no more than the exploration or the judgement under way.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench mutation --tools cut --cpu 5 --sample 20 --tests 50 --dir /tmp/m
  ./dev bench mutation --record";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct MutationOptions {
    /// The tools, separated by commas
    #[arg(long, value_name = "NAMES", default_value = "cut,uniq,nl,fold,comm")]
    tools: String,

    /// The searchers, separated by semicolons
    #[arg(long, value_name = "NAMES", default_value = "sgs:combined;random-path;dfs")]
    searches: String,

    /// Processor seconds of each exploration
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    cpu: f64,

    /// Mutants of each tool, chosen at random
    #[arg(long, value_name = "N", default_value_t = 200)]
    sample: u64,

    /// The most tests of each run: those that cover something new, and others, evenly spread
    #[arg(long, value_name = "N", default_value_t = 500)]
    tests: usize,

    /// Mutants judged at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: u16,

    /// The directory of runs and results. Those by the same byway and of the same tools are not
    /// repeated (default: mutation in Byway's cache)
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Write the result to bench/results/DATE-mutation.md
    #[arg(long)]
    record: bool,
}

/// Time after which a command counts as stuck.
const LIMIT: Duration = Duration::from_secs(24 * 3600);

/// The settings of all measurements.
struct MutationSettings {
    cpu: f64,
    sample: u64,
    tests: usize,
    jobs: u16,
    dir: PathBuf,
    /// A digest of byway, tools and input.
    build: String,
}

/// The mutation score of a run's tests.
#[derive(Copy, Clone, Debug, PartialEq, Default)]
pub struct MutationResult {
    pub killed: u64,
    /// Mutants that differ from the program and from each other.
    pub judged: u64,
    pub tests: u64,
}

impl MutationResult {
    /// The share that is killed.
    pub fn part(self) -> f64 {
        self.killed as f64 / self.judged.max(1) as f64
    }

    fn rate(self) -> String {
        format!("{} %", percentage(self.part()))
    }
}

/// Runs the benchmark.
pub fn main(options: MutationOptions) -> Result<bool, String> {
    let MutationOptions { tools, searches, cpu, sample, tests, jobs, dir, record } = options;
    let setup = BenchSetup::in_memory()?;
    let built = Tools::build(&setup)?;
    let settings = MutationSettings {
        build: build::digest(Path::new(setup.byway().get_program()), built.folder(), INPUT)?,
        cpu,
        sample,
        tests: tests.max(1),
        jobs,
        dir: match dir {
            Some(dir) => std::path::absolute(&dir).map_err(|e| e.to_string())?,
            None => setup.cache()?.join("mutation"),
        },
    };
    let tools: Vec<&str> = tools.split(',').collect();
    let searches: Vec<&str> = searches.split(';').collect();
    let mut results = BTreeMap::new();
    for &tool in &tools {
        for &search in &searches {
            let judged = settings.measure(&setup, &built, tool, search)?;
            eprintln!("mutation: {tool} {search}: {}", judged.rate());
            results.insert((tool, search), judged);
        }
    }
    let report = report(&settings, &tools, &searches, &results);
    println!("{report}");
    if record {
        record::write("mutation", "Mutants killed by the tests of searchers", &report)?;
    }
    Ok(true)
}

impl MutationSettings {
    /// Explores a tool and judges the tests, unless that was done by this very build. Where
    /// there are no tests nothing is killed.
    fn measure(
        &self,
        setup: &BenchSetup,
        tools: &Tools,
        tool: &str,
        search: &str,
    ) -> Result<MutationResult, String> {
        let name = format!("{tool}-{}-{}s-{}", file_name(search), self.cpu, self.build);
        let dir = self.dir.join(name);
        let run = dir.join("run");
        let result = dir.join(format!("killed-{}-{}-new-first.json", self.sample, self.tests));
        if !result.exists() {
            create_dir(&dir)?;
            if !RunReader::has_ended(&run) {
                // Remove the directory of an interrupted run.
                let _ = fs::remove_dir_all(&run);
                self.explore(setup, &tools.bitcode(tool), search, &run)?;
            }
            let tests = chosen_tests(&run, self.tests)?;
            if tests.is_empty() {
                return Ok(MutationResult::default());
            }
            let judged = self.judge(setup, tools, tool, &run, &tests)?;
            let draft = dir.join("draft.json");
            fs::write(&draft, judged.to_string())
                .and_then(|()| fs::rename(&draft, &result))
                .map_err(|e| format!("cannot write {}: {e}", result.display()))?;
        }
        let text = fs::read_to_string(&result).map_err(|e| format!("{}: {e}", result.display()))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|e| format!("{}: {e}", result.display()))?;
        Ok(read(&value))
    }

    fn explore(
        &self,
        setup: &BenchSetup,
        bitcode: &Path,
        search: &str,
        run: &Path,
    ) -> Result<(), String> {
        let mut command = setup.byway();
        command.arg("run").arg("--output-dir").arg(run).args(["--search", search]);
        command.arg("--max-cpu").arg(format!("{}s", self.cpu));
        command.args(INPUT.split(' ')).arg(bitcode);
        let ended = process::run(&mut command, b"", LIMIT)?;
        match ended.status {
            ProcessStatus::Code(0 | 1) => Ok(()),
            status => Err(format!("byway run: {status}: {}", ended.stderr_text())),
        }
    }

    fn judge(
        &self,
        setup: &BenchSetup,
        tools: &Tools,
        tool: &str,
        run: &Path,
        tests: &str,
    ) -> Result<Value, String> {
        let (sources, compile, link) = tools.commands(tool);
        let mut command = setup.byway();
        command.arg("mutate").arg(run).arg("--json");
        for source in sources {
            command.arg("--source").arg(source);
        }
        command.args(["--compile", &compile, "--link", &link]);
        command.args(["--sample", &self.sample.to_string(), "--jobs", &self.jobs.to_string()]);
        command.args(["--tests", tests, "--partial-tests", "drop"]);
        let ended = process::succeed(&mut command, LIMIT)?;
        serde_json::from_slice(&ended.stdout).map_err(|e| format!("byway mutate --json: {e}"))
    }
}

/// A searcher as a part of a file's name. No two have the same.
fn file_name(search: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        c => format!("_{:x}_", u32::from(c)),
    };
    search.chars().map(letter).collect()
}

/// Reads what `byway mutate --json` prints.
pub fn read(value: &Value) -> MutationResult {
    let count = |name: &str| value["total"][name].as_u64().unwrap_or(0);
    MutationResult {
        killed: count("killed"),
        judged: count("killed") + count("survived") + count("not_reached"),
        tests: value["tests"].as_u64().unwrap_or(0),
    }
}

/// At most so many tests of a run, for `byway mutate --tests`; empty if there are none.
pub fn chosen_tests(run: &Path, most: usize) -> Result<String, String> {
    let tests = ended_tests(run).map_err(|e| e.to_string())?;
    Ok(chosen(&tests, most))
}

/// A test of a path that is not truncated.
#[derive(Copy, Clone, Debug, PartialEq)]
struct EndedTest {
    path: u64,
    /// It is the first to cover something.
    covers_new: bool,
}

/// The tests of a run's paths that are not truncated, by number.
fn ended_tests(run: &Path) -> Result<Vec<EndedTest>, RunDirError> {
    let mut tests = Vec::new();
    for path in RunReader::open(run)?.paths()? {
        let path = path?;
        if path.test.is_some() && !path.outcome.is_truncated() {
            tests.push(EndedTest { path: path.path, covers_new: path.newly_covered > 0 });
        }
    }
    tests.sort_unstable_by_key(|test| test.path);
    Ok(tests)
}

/// At most so many of them, their numbers with commas between them: those that cover something new, and
/// as many others as there is room for, evenly spread. Of a hundred thousand tests few do what
/// others do not, and an even choice would leave those out.
fn chosen(tests: &[EndedTest], most: usize) -> String {
    let (new, others): (Vec<EndedTest>, Vec<EndedTest>) =
        tests.iter().partition(|test| test.covers_new);
    let mut chosen = spread(&new, most);
    chosen.extend(spread(&others, most - chosen.len()));
    chosen.sort_unstable();
    chosen.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// At most so many of them, evenly spread.
fn spread(tests: &[EndedTest], most: usize) -> Vec<u64> {
    let count = tests.len().min(most);
    (0..count).map(|place| tests[place * tests.len() / count].path).collect()
}

fn report(
    settings: &MutationSettings,
    tools: &[&str],
    searches: &[&str],
    results: &BTreeMap<(&str, &str), MutationResult>,
) -> String {
    let MutationSettings { cpu, sample, tests, .. } = settings;
    let mut table = format!(
        "Each tool explored for {cpu} s of the processor with `{INPUT}`; at most {tests} tests of \
         each run, all of paths that had ended (those that cover something new, and others evenly spread), on the same \
         {sample} mutants. Killed of those that differ from the tool and from each other, in brackets the tests.\n\n| tool | {} |\n|---|{}\n",
        searches.join(" | "),
        "---:|".repeat(searches.len())
    );
    for tool in tools {
        let cell = |search: &&str| {
            let judged = results.get(&(*tool, *search)).copied().unwrap_or_default();
            let MutationResult { killed, judged: of, tests } = judged;
            match tests {
                0 => format!("{} (no tests)", judged.rate()),
                _ => format!("{} ({killed} of {of}; {tests})", judged.rate()),
            }
        };
        let cells: Vec<String> = searches.iter().map(cell).collect();
        table += &format!("| {tool} | {} |\n", cells.join(" | "));
    }
    let of = |search: &&str| {
        tools
            .iter()
            .filter_map(|tool| results.get(&(*tool, *search)).copied())
            .collect::<Vec<MutationResult>>()
    };
    let row = |name: &str, cell: &dyn Fn(&&str) -> String| {
        let cells: Vec<String> = searches.iter().map(cell).collect();
        format!("| {name} | {} |\n", cells.join(" | "))
    };
    table += &row("average", &|search| {
        let parts: f64 = of(search).iter().map(|judged| judged.part()).sum();
        format!("{} %", percentage(parts / tools.len().max(1) as f64))
    });
    table += &row("killed in all", &|search| {
        of(search).iter().map(|judged| judged.killed).sum::<u64>().to_string()
    });
    table += &row("best of", &|search| {
        let killed = |tool: &str, search: &str| Some(results.get(&(tool, search))?.killed);
        let most = |tool: &str| searches.iter().filter_map(|search| killed(tool, search)).max();
        let best = tools.iter().filter(|tool| {
            killed(tool, search).filter(|&it| it > 0).is_some_and(|it| Some(it) == most(tool))
        });
        format!("{} tools", best.count())
    });
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_covers_something_new_is_chosen_and_the_rest_spread() {
        let tests = |new: &[u64]| -> Vec<EndedTest> {
            (1..=6).map(|path| EndedTest { path, covers_new: new.contains(&path) }).collect()
        };
        assert_eq!(chosen(&tests(&[]), 9), "1,2,3,4,5,6");
        assert_eq!(chosen(&tests(&[]), 3), "1,3,5");
        assert_eq!(chosen(&tests(&[4, 6]), 4), "1,3,4,6");
        assert_eq!(chosen(&tests(&[1, 2, 3, 4]), 2), "1,3");
        assert_eq!(chosen(&[], 3), "");
    }

    #[test]
    fn only_tests_of_paths_that_are_not_truncated_count() {
        // Of 19 paths, eight have a test; one of these is out of budget.
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lab/tests/recorded");
        let tests = ended_tests(&recorded).expect("a recorded run");
        assert_eq!(tests.len(), 7);
        assert!(tests.iter().any(|test| test.covers_new) && tests.is_sorted_by_key(|it| it.path));
        assert!(ended_tests(Path::new("nowhere")).is_err());
    }

    #[test]
    fn a_searcher_without_tests_kills_nothing() {
        let judged = MutationResult { killed: 4, judged: 8, tests: 3 };
        let results = [(("cut", "dfs"), judged), (("nl", "dfs"), MutationResult::default())];
        let (dir, build) = (PathBuf::new(), String::new());
        let settings = MutationSettings { cpu: 1.0, sample: 8, tests: 3, jobs: 1, dir, build };
        let table = report(&settings, &["cut", "nl"], &["dfs"], &results.into());
        assert!(table.contains("| nl | 0.0 % (no tests) |\n"), "{table}");
        assert!(table.contains("| average | 25.0 % |\n"), "{table}");
        assert!(table.lines().next().is_some_and(|it| it.contains("paths that had ended")));
    }

    #[test]
    fn searchers_do_not_share_a_name() {
        assert_eq!(file_name("sgs:1"), "sgs_3a_1");
        let names = ["a:b", "a-b", "a_b", "a(b)", "a_3a_b", "ab"].map(file_name);
        let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }

    #[test]
    fn searchers_are_compared_tool_by_tool() {
        let value = json!({"tests": 7, "total": {"killed": 3, "survived": 1, "not_reached": 2}});
        let few = read(&value);
        assert_eq!(few, MutationResult { killed: 3, judged: 6, tests: 7 });
        let many = MutationResult { killed: 6, ..few };
        let results = [
            (("cut", "dfs"), few),
            (("cut", "bfs"), many),
            (("nl", "dfs"), few),
            (("nl", "bfs"), few),
        ];
        let (dir, build) = (PathBuf::new(), String::new());
        let settings = MutationSettings { cpu: 1.0, sample: 6, tests: 7, jobs: 1, dir, build };
        let table = report(&settings, &["cut", "nl"], &["dfs", "bfs"], &results.into());
        assert!(table.contains("| cut | 50.0 % (3 of 6; 7) | 100.0 % (6 of 6; 7) |\n"), "{table}");
        assert!(table.ends_with("| average | 50.0 % | 75.0 % |\n| killed in all | 6 | 9 |\n| best of | 1 tools | 2 tools |\n"), "{table}");
    }
}
