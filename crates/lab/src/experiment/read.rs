//! Parses an experiment's file.

use std::collections::BTreeSet;

use byway_base::quantity::{parse_count, parse_time};

use super::document::{TomlDocument, TomlItem, TomlTable};
use super::{
    CoverageMeasure, CoverageSource, Experiment, ExperimentBudget, OptionWords, PartialTests,
    ProgramSpec, Strategy, Variables,
};
use crate::error::Result;

/// More seeds are a mistake.
const MAX_SEEDS: u64 = 10_000;

/// Parses an experiment from a file's text.
pub fn read(name: &str, text: &str, variables: &mut Variables<'_>) -> Result<Experiment> {
    let document = TomlDocument { name, text };
    let root = document.parse()?;
    let root = TomlTable::new(document, "the experiment", 0..0, root.get_ref());
    if let Some(table) = root.get("variables") {
        for (name, item) in table.table("[variables]")?.free() {
            variables.defaults.insert(name.to_string(), item.text()?.to_string());
        }
    }
    let reader = ExperimentReader { variables, here: None };
    let strategies = reader.strategies(&root.need("strategy")?)?;
    let experiment = Experiment {
        name: root.need("name")?.text()?.to_string(),
        description: optional(root.get("description"), |item| item.text())?.unwrap_or("").into(),
        budget: budget(root.need("budget")?.table("[budget]")?)?,
        seeds: optional(root.get("seeds"), seeds)?.unwrap_or_else(|| vec![1]),
        jobs: optional(root.get("jobs"), at_least_one)?.unwrap_or(1),
        coverage: optional(root.get("coverage"), |item| item.choice(&CoverageSource::NAMES))?
            .unwrap_or(CoverageSource::Gcov),
        measure: optional(root.get("measure"), |item| item.choice(&CoverageMeasure::NAMES))?
            .unwrap_or(CoverageMeasure::Lines),
        partial_tests: optional(root.get("partial-tests"), |item| {
            item.choice(&PartialTests::NAMES)
        })?
        .unwrap_or(PartialTests::Keep),
        keep_runs: optional(root.get("keep-runs"), |item| item.boolean())?.unwrap_or(true),
        baseline: optional(root.get("baseline"), |item| baseline(item, &strategies))?,
        options: reader.options(&root)?,
        programs: reader.programs(&root.need("program")?)?,
        strategies,
    };
    root.finish()?;
    Ok(experiment)
}

fn optional<'a, T>(
    item: Option<TomlItem<'a>>,
    read: impl FnOnce(&TomlItem<'a>) -> Result<T>,
) -> Result<Option<T>> {
    item.as_ref().map(read).transpose()
}

fn budget(table: TomlTable<'_>) -> Result<ExperimentBudget> {
    let time = |item: &TomlItem<'_>| parse_time(item.text()?).map_err(|why| item.error(&why));
    let work = |item: &TomlItem<'_>| {
        let work = match item.text() {
            Ok(text) => parse_count(text).map_err(|why| item.error(&why))?,
            Err(_) => item.number()?,
        };
        match work {
            0 => Err(item.error("this must be at least 1")),
            work => Ok(work),
        }
    };
    let budget = ExperimentBudget {
        time: optional(table.get("time"), time)?,
        cpu: optional(table.get("cpu"), time)?,
        work: optional(table.get("work"), work)?,
    };
    if budget == ExperimentBudget::default() {
        return Err(table.error("[budget] needs 'cpu', 'time' or 'work'"));
    }
    table.finish()?;
    Ok(budget)
}

/// A number of seeds, from 1, or a list of seeds.
fn seeds(item: &TomlItem<'_>) -> Result<Vec<u64>> {
    let seeds = match item.list() {
        Some(members) => members.iter().map(TomlItem::number).collect::<Result<Vec<u64>>>()?,
        None => (1..=item.number()?.min(MAX_SEEDS + 1)).collect(),
    };
    if seeds.len() as u64 > MAX_SEEDS {
        return Err(item.error(&format!("there can be no more than {MAX_SEEDS} seeds")));
    }
    let mut distinct = seeds.clone();
    distinct.sort_unstable();
    distinct.dedup();
    match (seeds.is_empty(), distinct.len() == seeds.len()) {
        (true, _) => Err(item.error("there must be at least one seed")),
        (_, false) => Err(item.error("a seed is listed twice")),
        _ => Ok(seeds),
    }
}

fn at_least_one(item: &TomlItem<'_>) -> Result<usize> {
    match item.number()? {
        0 => Err(item.error("this must be at least 1")),
        number => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
    }
}

fn baseline(item: &TomlItem<'_>, strategies: &[Strategy]) -> Result<usize> {
    let name = item.text()?;
    strategies.iter().position(|strategy| strategy.name == name).ok_or_else(|| {
        let names: Vec<&str> = strategies.iter().map(|strategy| strategy.name.as_str()).collect();
        item.error(&format!("there is no strategy '{name}'; there are {}", names.join(", ")))
    })
}

#[derive(Copy, Clone)]
struct ExperimentReader<'a> {
    variables: &'a Variables<'a>,
    /// The value of `${name}`.
    here: Option<&'a str>,
}

impl ExperimentReader<'_> {
    fn expand(&self, item: &TomlItem<'_>, text: &str) -> Result<String> {
        let expanded = self.variables.expand(text, self.here);
        expanded.map_err(|why| item.error(&why))
    }

    /// A string is split as in a shell; the members of a list are taken as they are. Variables are
    /// replaced after splitting, so a value with a blank stays one word.
    fn words(&self, item: Option<TomlItem<'_>>) -> Result<Vec<String>> {
        let Some(item) = item else { return Ok(Vec::new()) };
        let words: Vec<String> = match item.list() {
            Some(_) => item.texts()?.into_iter().map(String::from).collect(),
            None => {
                shlex::split(item.text()?).ok_or_else(|| item.error("a quote is not closed"))?
            }
        };
        words.iter().map(|word| self.expand(&item, word)).collect()
    }

    /// Options for `byway run`, except those that the lab sets itself.
    fn options(&self, table: &TomlTable<'_>) -> Result<OptionWords> {
        let item = table.get("options");
        let line = item.as_ref().map_or(0, TomlItem::line);
        let words = self.words(item)?;
        for (option, instead) in [
            ("--search", "use the key 'search' of a [[strategy]]"),
            ("--output-dir", "the lab chooses the directories of runs"),
        ] {
            let sets = |word: &String| {
                word.strip_prefix(option).is_some_and(|it| it.is_empty() || it.starts_with('='))
            };
            if words.iter().any(sets)
                && let Some(item) = table.get("options")
            {
                return Err(item.error(&format!("{option} is not allowed here")).hint(instead));
            }
        }
        Ok(OptionWords { words, line })
    }

    fn texts(&self, item: Option<TomlItem<'_>>) -> Result<Vec<String>> {
        let Some(item) = item else { return Ok(Vec::new()) };
        item.texts()?.into_iter().map(|text| self.expand(&item, text)).collect()
    }

    fn text(&self, item: Option<TomlItem<'_>>) -> Result<Option<String>> {
        optional(item, |item| self.expand(item, item.text()?))
    }

    /// A table with several names describes as many programs.
    fn programs(&self, item: &TomlItem<'_>) -> Result<Vec<ProgramSpec>> {
        let mut programs = Vec::new();
        let mut seen = BTreeSet::new();
        for table in item.tables("[[program]]")? {
            let name = table.need("name")?;
            for text in name.texts()? {
                unique(&mut seen, &name, text, "program")?;
                let reader = ExperimentReader { here: Some(text), ..*self };
                programs.push(reader.program(&table, text)?);
            }
            table.finish()?;
        }
        Ok(programs)
    }

    fn program(&self, table: &TomlTable<'_>, name: &str) -> Result<ProgramSpec> {
        let files = table.need("files")?;
        let files_line = files.line();
        let build_line = table.get("coverage-build").map_or(0, |item| item.line());
        let program = ProgramSpec {
            name: name.to_string(),
            line: table.line(),
            files: self.texts(Some(files))?,
            files_line,
            options: self.options(table)?,
            args: self.words(table.get("args"))?,
            coverage_build: self
                .text(table.get("coverage-build"))?
                .map(|build| (build, build_line)),
            notes: self.text(table.get("notes"))?,
            source_dirs: self.texts(table.get("source-dir"))?,
            measured: self.texts(table.get("measured"))?,
        };
        match program.files.is_empty() {
            true => Err(table.error("[[program]] needs at least one of 'files'")),
            false => Ok(program),
        }
    }

    fn strategies(&self, item: &TomlItem<'_>) -> Result<Vec<Strategy>> {
        let mut strategies = Vec::new();
        let mut seen = BTreeSet::new();
        for table in item.tables("[[strategy]]")? {
            let search_line = table.get("search").map_or(0, |item| item.line());
            let search = self.texts(table.get("search"))?;
            let named = table.get("name");
            let name = match &named {
                Some(name) => name.text()?.to_string(),
                None => search.join(", "),
            };
            let item = named.or_else(|| table.get("search"));
            let needs = || table.error("[[strategy]] needs 'name' or 'search'");
            unique(&mut seen, &item.ok_or_else(needs)?, &name, "strategy")?;
            let searchers = search.into_iter().flat_map(|one| ["--search".to_string(), one]);
            strategies.push(Strategy {
                name,
                line: table.line(),
                search: OptionWords { words: searchers.collect(), line: search_line },
                options: self.options(&table)?,
            });
            table.finish()?;
        }
        Ok(strategies)
    }
}

/// Fails if the name is empty or taken.
fn unique(seen: &mut BTreeSet<String>, item: &TomlItem<'_>, name: &str, what: &str) -> Result<()> {
    if name.trim().is_empty() {
        return Err(item.error(&format!("a {what} needs a name")));
    }
    match seen.insert(name.to_string()) {
        true => Ok(()),
        false => Err(item.error(&format!("there are two {what} entries named '{name}'"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::EXAMPLE;
    use std::time::Duration;

    const SMALL: &str = r#"name = "small"
seeds = 2
options = "--only-covering-new"
[variables]
HERE = "there"
[budget]
cpu = "5s"
[[program]]
name = ["cut", "wc"]
files = "${HERE}/${name}.bc"
options = "--sym-arg 3 --env 'A=b c'"
measured = "src/${name}.c"
[[strategy]]
search = "dfs"
[[strategy]]
name = "both"
search = ["dfs", "bfs"]
options = ["--max-states", "10"]
"#;

    fn of(text: &str) -> Result<Experiment> {
        read("x.toml", text, &mut Variables::default())
    }

    /// The error for the experiment with a part replaced.
    fn error(from: &str, to: &str) -> String {
        assert!(SMALL.contains(from));
        of(&SMALL.replacen(from, to, 1)).expect_err("a broken experiment").to_string()
    }

    #[test]
    fn every_key_is_read() {
        let experiment = of(SMALL).expect("a good experiment");
        assert_eq!(experiment.seeds, [1, 2]);
        assert_eq!(experiment.budget.cpu, Some(Duration::from_secs(5)));
        assert_eq!(experiment.options.words, ["--only-covering-new"]);
        let names: Vec<&str> = experiment.programs.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["cut", "wc"]);
        let wc = &experiment.programs[1];
        assert_eq!(wc.files, ["there/wc.bc"]);
        assert_eq!(wc.options.words, ["--sym-arg", "3", "--env", "A=b c"]);
        assert_eq!((wc.measured.as_slice(), wc.line), (["src/wc.c".to_string()].as_slice(), 8));
        let [dfs, both] = &experiment.strategies[..] else { panic!("two strategies") };
        assert_eq!((dfs.name.as_str(), both.name.as_str()), ("dfs", "both"));
        assert_eq!(
            dfs.search,
            OptionWords { words: ["--search", "dfs"].map(String::from).into(), line: 14 }
        );
        assert_eq!((dfs.options.words.len(), both.options.line), (0, 18));
        assert_eq!(both.search.words.join(" "), "--search dfs --search bfs");
        assert_eq!(both.options.words.join(" "), "--max-states 10");
    }

    #[test]
    fn the_example_is_valid() {
        let experiment = of(EXAMPLE).expect("the example is good");
        assert!(experiment.programs.len() > 1 && experiment.strategies.len() > 1);
    }

    #[test]
    fn errors_name_line_and_key() {
        for (from, to, expected) in [
            ("seeds = 2", "sedes = 2", "line 2: the experiment has no key 'sedes'"),
            ("seeds = 2", "sedes = 2", "did you mean 'seeds'?"),
            ("seeds = 2", "sedes = 2", "   2 | sedes = 2"),
            (
                "seeds = 2",
                "seeds = \"many\"",
                "line 2: 'seeds': this must be a number, but is a string",
            ),
            ("seeds = 2", "seeds = []", "line 2: 'seeds': there must be at least one seed"),
            ("seeds = 2", "seeds = [1, 1]", "a seed is listed twice"),
            (
                "seeds = 2",
                "seeds = 10001",
                "line 2: 'seeds': there can be no more than 10000 seeds",
            ),
            ("--only-covering-new", "--search dfs", "line 3: 'options': --search is not allowed"),
            ("--sym-arg 3", "--output-dir=x", "line 11: 'options': --output-dir is not allowed"),
            ("\"--max-states\"", "\"--search\"", "use the key 'search' of a [[strategy]]"),
            ("seeds = 2", "jobs = 0", "line 2: 'jobs': this must be at least 1"),
            (
                "seeds = 2",
                "coverage = \"lcov\"",
                "this must be \"gcov\" or \"engine\", not \"lcov\"",
            ),
            ("seeds = 2", "baseline = \"bfs\"", "there is no strategy 'bfs'; there are dfs, both"),
            ("seeds = 2", "seeds = ", "'x.toml', line 2: "),
            ("cpu = \"5s\"", "cpu = \"five\"", "line 7: 'cpu': expected a time such as"),
            ("cpu = \"5s\"", "cpu = \"0s\"", "line 7: 'cpu': expected a time such as"),
            ("cpu = \"5s\"", "work = \"0\"", "line 7: 'work': expected a number from 1 up"),
            ("cpu = \"5s\"", "work = 0", "line 7: 'work': this must be at least 1"),
            ("cpu = \"5s\"", "", "line 6: [budget] needs 'cpu', 'time' or 'work'"),
            ("cpu = \"5s\"", "cpus = \"5s\"\nwork = 7", "line 7: [budget] has no key 'cpus'"),
            (
                "search = \"dfs\"",
                "serch = \"dfs\"",
                "line 13: [[strategy]] needs 'name' or 'search'",
            ),
            ("name = \"both\"", "name = \"dfs\"", "there are two strategy entries named 'dfs'"),
            ("\"wc\"]", "\"cut\"]", "line 9: 'name': there are two program entries named 'cut'"),
            ("${HERE}", "${THERE}", "line 10: 'files': the variable 'THERE' is not set"),
            ("files = ", "file = ", "line 8: [[program]] needs the key 'files'"),
            ("'A=b c'", "'A=b c", "line 11: 'options': a quote is not closed"),
            ("name = \"small\"\n", "", "the experiment needs the key 'name'"),
        ] {
            let said = error(from, to);
            assert!(said.contains(expected), "{said:?} does not say {expected:?}");
        }
    }

    #[test]
    fn fuzz_experiments() {
        byway_fuzz::Fuzz::new("experiments", [SMALL, EXAMPLE]).run(|input| {
            match of(&String::from_utf8_lossy(input)) {
                Ok(experiment) => format!("{} programs", experiment.programs.len()),
                Err(error) => error.to_string(),
            }
        });
    }
}
