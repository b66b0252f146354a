//! Reads the file of a campaign.

use byway_lab::LabError;
use byway_lab::toml_file::{TomlDocument, TomlItem, TomlTable};
use byway_search::pruner::build_pruner;

use byway_rundir::PlannedRunRecord;

use super::options;
use super::repeat::{MAX_RUNS, repeated};

type Result<T> = std::result::Result<T, LabError>;

/// The form of a key's value.
#[derive(Copy, Clone)]
enum ValueForm {
    Text,
    /// A string, or a list of strings: the option is given once for each.
    Texts,
    /// A number, or a string such as "10k".
    Count,
    /// Whether the option is given.
    Flag,
}

/// The options that a run can have of its own: those that may also change when a run goes on.
/// `seed` is read separately.
const OPTIONS: [(&str, ValueForm); 18] = [
    ("search", ValueForm::Texts),
    ("prune", ValueForm::Text),
    ("ties", ValueForm::Text),
    ("jobs", ValueForm::Count),
    ("feasibility", ValueForm::Text),
    ("random-inputs", ValueForm::Texts),
    ("interpret-inputs", ValueForm::Flag),
    ("max-time", ValueForm::Text),
    ("max-cpu", ValueForm::Text),
    ("max-work", ValueForm::Count),
    ("max-memory", ValueForm::Text),
    ("max-states", ValueForm::Count),
    ("max-depth", ValueForm::Count),
    ("max-solver-time", ValueForm::Text),
    ("max-solver-effort", ValueForm::Count),
    ("only-covering-new", ValueForm::Flag),
    ("unfinished-tests", ValueForm::Text),
    ("solver-check", ValueForm::Flag),
];

/// Sums of shares may be so much above 1, for rounding.
const ROUNDING: f64 = 1e-9;

/// Reads the runs of a campaign from a file's text. `base_seed` is the seed of the command line.
pub fn read(name: &str, text: &str, base_seed: u64) -> Result<Vec<PlannedRunRecord>> {
    let document = TomlDocument { name, text };
    let root = document.parse()?;
    let root = TomlTable::new(document, "the campaign", 0..0, root.get_ref());
    let item = root.get("run").ok_or_else(|| {
        root.error("the campaign has no runs").hint("describe each in a table that [[run]] begins")
    });
    // A misspelt key is the better explanation of a missing one.
    let tables = match item {
        Ok(item) => item.tables("[[run]]")?,
        Err(missing) => return root.finish().and(Err(missing)),
    };
    root.finish()?;
    let mut runs = Vec::new();
    let mut shares = 0.0;
    for table in &tables {
        let (run, count, seed) = run(table)?;
        if count > MAX_RUNS - runs.len() {
            return Err(table.error(&format!("there can be no more than {MAX_RUNS} runs")));
        }
        shares += run.share.unwrap_or(0.0) * count as f64;
        if shares > 1.0 + ROUNDING {
            let shares = (shares * 1e6).round() / 1e6;
            return Err(table
                .error(&format!("the shares up to here add up to {shares}"))
                .hint("all together can be 1 at most; a repeated run takes its share each time"));
        }
        runs.extend(repeated(&run, count, seed, base_seed));
    }
    let without = tables.iter().find(|table| table.get("share").is_none());
    if let Some(table) = without
        && shares > 1.0 - ROUNDING
    {
        return Err(table.error("the shares of the other runs leave nothing for this one"));
    }
    Ok(runs)
}

/// A run, how often it is repeated, and its own seed.
fn run(table: &TomlTable<'_>) -> Result<(PlannedRunRecord, usize, Option<u64>)> {
    let name = table.get("name").map(|item| item.text().map(String::from)).transpose()?;
    let share = table.get("share").map(|item| share(&item)).transpose()?;
    let count = table.get("repeat").map(|item| repetitions(&item)).transpose()?.unwrap_or(1);
    let seed = table.get("seed").map(|item| item.number()).transpose()?;
    let mut words = Vec::new();
    for (key, form) in OPTIONS {
        if let Some(item) = table.get(key) {
            words.extend(option(&item, form)?);
        }
    }
    table.finish()?;
    Ok((PlannedRunRecord { name, options: words, share }, count, seed))
}

fn share(item: &TomlItem<'_>) -> Result<f64> {
    let share = item.fraction()?;
    match share > 0.0 && share <= 1.0 {
        true => Ok(share),
        false => Err(item.error("this must be above 0, and 1 at most")),
    }
}

fn repetitions(item: &TomlItem<'_>) -> Result<usize> {
    let count = usize::try_from(item.number()?).unwrap_or(usize::MAX);
    match count {
        1..=MAX_RUNS => Ok(count),
        _ => Err(item.error(&format!("this must be a number from 1 to {MAX_RUNS}"))),
    }
}

/// The words of an option. An error if `byway run` would refuse its value.
fn option(item: &TomlItem<'_>, form: ValueForm) -> Result<Vec<String>> {
    let word = |value: &str| format!("--{}={value}", item.key);
    let words = match form {
        ValueForm::Text => vec![word(item.text()?)],
        ValueForm::Texts => item.texts()?.into_iter().map(word).collect(),
        ValueForm::Count => match item.text() {
            Ok(text) => vec![word(text)],
            Err(_) => vec![word(&item.number()?.to_string())],
        },
        ValueForm::Flag if item.boolean()? => vec![format!("--{}", item.key)],
        ValueForm::Flag => Vec::new(),
    };
    if words.is_empty() && matches!(form, ValueForm::Texts) {
        return Err(item.error("the list is empty"));
    }
    options::check(&words).map_err(|why| item.error(&why))?;
    let values = || item.texts().map(|texts| texts.into_iter().map(String::from).collect());
    match item.key {
        "search" => {
            let specs: Vec<String> = values()?;
            byway_search::build(&specs).map(drop).map_err(|error| {
                item.error(&error.to_string()).hint("'byway help run' lists the searchers")
            })?;
        }
        "prune" => {
            build_pruner(item.text()?)
                .map(drop)
                .map_err(|why| item.error(&why).hint("'byway help run' lists the pruners"))?;
        }
        _ => {}
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        let runs = read("c.toml", text, 3).unwrap_or_else(|error| panic!("{error}"));
        runs.iter().map(PlannedRunRecord::label).collect()
    }

    #[test]
    fn a_run_has_the_options_of_its_keys() {
        let text = r#"
            [[run]]
            name = "short"
            share = 0.25
            max-states = 100
            [[run]]
            search = ["dfs", "random-path"]
            prune = "homi"
            max-time = "15m"
            max-work = "10k"
            only-covering-new = true
            solver-check = false
            seed = 0x10
            repeat = 2
            [[run]]
            share = 1e-3
        "#;
        let options = "--search dfs --search random-path --prune homi --max-time 15m \
                       --max-work 10k --only-covering-new --seed";
        let expected = ["short", &format!("{options} 16"), &format!("{options} 17")];
        let found = labels(text);
        assert_eq!(found[..3], expected);
        assert_eq!(found[3], "");
        let runs = read("c.toml", text, 3).expect("valid");
        assert_eq!(runs[0].options, ["--max-states=100"]);
        assert_eq!(runs.iter().map(|run| run.share).collect::<Vec<_>>()[..2], [Some(0.25), None]);
    }

    #[test]
    fn every_key_is_an_option_of_run() {
        for (key, form) in OPTIONS {
            let value = match (key, form) {
                (_, ValueForm::Flag) => "true",
                (_, ValueForm::Count) => "7",
                ("search", _) => "\"dfs\"",
                ("prune", _) => "\"homi\"",
                ("feasibility", _) => "\"lazy\"",
                ("random-inputs", _) => "[\"uniform\", \"words\"]",
                ("unfinished-tests", _) => "\"none\"",
                ("max-memory", _) => "\"1GiB\"",
                ("ties", _) => "\"latest\"",
                _ => "\"5s\"",
            };
            let label = labels(&format!("[[run]]\n{key} = {value}"));
            assert!(label[0].starts_with(&format!("--{key}")), "{label:?}");
        }
    }

    #[test]
    fn mistakes_name_file_line_and_key() {
        let cases = [
            ("", "'c.toml', line 1: the campaign has no runs"),
            ("run = []", "line 1: 'run': this must be tables, each begun by [[run]]"),
            ("[run]", "line 1: 'run': this must be tables"),
            ("[[runs]]", "line 1: the campaign has no key 'runs'\n"),
            ("[[runs]]", "did you mean 'run'?"),
            ("[[run]]\nsearch = ", "'c.toml', line 2: "),
            ("[[run]]\nserach = \"dfs\"", "line 2: [[run]] has no key 'serach'\n"),
            ("[[run]]\nserach = \"dfs\"", "did you mean 'search'?"),
            ("[[run]]\nsym-stdin = 3", "there are name, share, repeat, seed, search, prune, "),
            ("[[run]]\nmax-tests = 3", "line 2: [[run]] has no key 'max-tests'"),
            ("[[run]]\nsearch = 3", "line 2: 'search': this must be a string or a list"),
            ("[[run]]\nsearch = []", "line 2: 'search': the list is empty"),
            ("[[run]]\nsearch = [\"dfs\", 1]", "line 2: 'search': this must be a string, but is"),
            ("[[run]]\n\nsearch = \"nonsense\"", "line 3: 'search': invalid searcher `nonsense`"),
            ("[[run]]\nprune = \"homy\"", "line 2: 'prune': unknown pruner `homy`"),
            ("[[run]]\nmax-time = 900", "'max-time': this must be a string, but is a number"),
            ("[[run]]\nmax-time = \"soon\"", "line 2: 'max-time': invalid value 'soon'"),
            ("[[run]]\nmax-states = \"many\"", "line 2: 'max-states': invalid value 'many'"),
            ("[[run]]\nmax-states = -1", "'max-states': this must be a number from 0 up"),
            ("[[run]]\nmax-depth = 0", "line 2: 'max-depth': "),
            ("[[run]]\nfeasibility = \"late\"", "'feasibility': invalid value 'late'"),
            ("[[run]]\nonly-covering-new = 1", "'only-covering-new': this must be true or false"),
            ("[[run]]\nname = 1", "'name': this must be a string"),
            ("[[run]]\nrepeat = 0", "line 2: 'repeat': this must be a number from 1 to 1000"),
            ("[[run]]\nrepeat = 1001", "'repeat': this must be a number from 1 to 1000"),
            ("[[run]]\nrepeat = 900\n[[run]]\nrepeat = 101", "line 3: there can be no more than"),
            ("[[run]]\nshare = 0", "line 2: 'share': this must be above 0, and 1 at most"),
            ("[[run]]\nshare = 1.5", "'share': this must be above 0, and 1 at most"),
            ("[[run]]\nshare = nan", "'share': this must be above 0, and 1 at most"),
            ("[[run]]\nshare = \"half\"", "'share': this must be a fraction, but is a string"),
            (
                "[[run]]\nshare = 0.7\n[[run]]\nshare = 0.4",
                "line 3: the shares up to here add up to 1.1",
            ),
            ("[[run]]\nshare = 0.3\nrepeat = 4", "line 1: the shares up to here add up to 1.2"),
            ("[[run]]\nshare = 1\n[[run]]", "line 3: the shares of the other runs leave nothing"),
        ];
        let found = cases.map(|(text, why)| {
            let error = read("c.toml", text, 0).err().map_or(String::new(), |it| it.to_string());
            if error.contains(why) { String::new() } else { format!("{text}: {error}") }
        });
        assert_eq!(found.concat(), "");
    }
}
