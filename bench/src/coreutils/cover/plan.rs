//! What is to be measured: every tool with every searcher and every seed.

use std::time::Duration;

use crate::options::Options;

/// What ends an exploration.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum CoverBudget {
    /// Seconds of the processor.
    Time(Duration),
    /// Units of work, which are the same on every machine.
    Work(u64),
}

impl CoverBudget {
    /// The option of `byway run` that says so.
    pub fn option(self) -> [String; 2] {
        match self {
            CoverBudget::Time(time) => ["--max-cpu".into(), format!("{}ms", time.as_millis())],
            CoverBudget::Work(work) => ["--max-work".into(), work.to_string()],
        }
    }
}

impl std::fmt::Display for CoverBudget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CoverBudget::Time(time) => write!(f, "{}s", time.as_secs_f64()),
            CoverBudget::Work(work) => write!(f, "{work}work"),
        }
    }
}

/// The name of byway's own choice of a searcher.
pub const DEFAULT: &str = "default";

/// One exploration.
#[derive(Clone, PartialEq, Debug)]
pub struct CoverRun {
    /// The tool.
    pub tool: String,
    /// The searchers that take turns, joined by `+`, or [`DEFAULT`].
    pub search: String,
    /// Where random choices come from.
    pub seed: u64,
    /// What ends it.
    pub budget: CoverBudget,
}

impl CoverRun {
    /// A name for its files. Another trial may have the same one if a searcher's has signs in it.
    pub fn name(&self) -> String {
        let CoverRun { tool, search, seed, budget } = self;
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        format!("{tool}_{search}_seed{seed}_{budget}")
            .chars()
            .map(|c| if c == '_' { c } else { plain(c) })
            .collect()
    }

    /// The options of `byway run` that say how to explore.
    pub fn options(&self) -> Vec<String> {
        let mut options = vec!["--only-covering-new".to_owned()];
        options.extend(self.budget.option());
        options.extend(["--seed".to_owned(), self.seed.to_string()]);
        if self.search != DEFAULT {
            let turns = self.search.split('+').map(str::to_owned);
            options.extend(turns.flat_map(|search| ["--search".to_owned(), search]));
        }
        options
    }

    /// The source that is the tool's own, among those all tools share.
    pub fn source(&self) -> String {
        match self.tool.as_str() {
            "base32" | "base64" | "basenc" => "basenc.c".to_owned(),
            "[" => "test.c".to_owned(),
            "dir" | "vdir" => "ls.c".to_owned(),
            "sum" | "cksum" => format!("{}.c", self.tool),
            tool if tool.ends_with("sum") => "digest.c".to_owned(),
            tool => format!("{tool}.c"),
        }
    }
}

/// All of them.
#[derive(PartialEq, Debug)]
pub struct CoverPlan {
    /// The tools.
    pub tools: Vec<String>,
    /// Ways to search.
    pub searches: Vec<String>,
    /// SeedResults.
    pub seeds: Vec<u64>,
    /// What ends each.
    pub budget: CoverBudget,
}

impl CoverPlan {
    /// Reads the options that say what to do with these tools.
    pub fn of(options: &mut Options, tools: Vec<String>) -> Result<CoverPlan, String> {
        let (time, work) = (options.text("--time")?, options.value("--work")?);
        let budget = match (time, work) {
            (Some(_), Some(_)) => return Err("--time and --work exclude each other".to_owned()),
            (None, Some(0)) => return Err("--work: 0 leaves nothing to measure".to_owned()),
            (None, Some(work)) => CoverBudget::Work(work),
            (time, None) => CoverBudget::Time(duration(time.as_deref().unwrap_or("60s"))?),
        };
        let mut searches = Vec::new();
        while let Some(search) = options.text("--search")? {
            if !searches.contains(&search) {
                searches.push(search);
            }
        }
        if searches.is_empty() {
            searches.push(DEFAULT.to_owned());
        }
        let seeds = seeds(options.text("--seeds")?.as_deref().unwrap_or("1"))?;
        Ok(CoverPlan { tools, searches, seeds, budget })
    }

    /// One exploration after the other. SeedResults come last: an interrupted plan has something of every tool.
    pub fn trials(&self) -> Vec<CoverRun> {
        let mut trials = Vec::new();
        for &seed in &self.seeds {
            for tool in &self.tools {
                for search in &self.searches {
                    let (tool, search) = (tool.clone(), search.clone());
                    trials.push(CoverRun { tool, search, seed, budget: self.budget });
                }
            }
        }
        trials
    }
}

/// A time as `90`, `90s`, `1.5m` or `500ms`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; `60s` and `2m` are");
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => match (text.strip_suffix('s'), text.strip_suffix('m')) {
            (Some(number), _) => (number, 1.0),
            (None, Some(number)) => (number, 60.0),
            (None, None) => (text, 1.0),
        },
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    match Duration::try_from_secs_f64(number * unit) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        _ => Err(wrong()),
    }
}

/// `3` stands for 1, 2, 3; `3,` and `1,5` for what they list.
fn seeds(text: &str) -> Result<Vec<u64>, String> {
    let wrong = || format!("--seeds: `{text}` is neither a count nor seeds with commas");
    if let Ok(count) = text.parse::<u64>() {
        return if (1..=1000).contains(&count) { Ok((1..=count).collect()) } else { Err(wrong()) };
    }
    let mut seeds = Vec::new();
    for seed in text.split(',').filter(|part| !part.is_empty()) {
        let seed = seed.parse().map_err(|_| wrong())?;
        if !seeds.contains(&seed) {
            seeds.push(seed);
        }
    }
    if seeds.is_empty() { Err(wrong()) } else { Ok(seeds) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(line: &str) -> Result<CoverPlan, String> {
        let mut options = Options::new(line.split_whitespace().map(str::to_owned).collect());
        let plan = CoverPlan::of(&mut options, vec!["cut".into(), "[".into()])?;
        options.finish().map(|()| plan)
    }

    #[test]
    fn every_tool_meets_every_searcher_and_seed() {
        let plan =
            plan("--search dfs --search=random-path+bfs --seeds 2 --work 500").expect("sound");
        let trials = plan.trials();
        assert_eq!(trials.len(), 2 * 2 * 2);
        assert_eq!(trials[1].name(), "cut_random-path-bfs_seed1_500work");
        let options =
            "--only-covering-new --max-work 500 --seed 1 --search random-path --search bfs";
        assert_eq!(trials[1].options().join(" "), options);
        assert_eq!((trials[3].tool.as_str(), trials[3].source()), ("[", "test.c".to_owned()));
        assert_eq!(trials[7].seed, 2);
    }

    #[test]
    fn nothing_said_means_a_minute_of_the_default_searcher() {
        let plan = plan("").expect("sound");
        let [first, _] = &plan.trials()[..] else { panic!("{plan:?}") };
        assert_eq!(first.options().join(" "), "--only-covering-new --max-cpu 60000ms --seed 1");
        assert_eq!(first.name(), "cut_default_seed1_60s");
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("--time 5s --work 5", "exclude"),
            ("--work 0", "--work"),
            ("--time soon", "soon"),
            ("--time 0", "`0`"),
            ("--time -3s", "-3s"),
            ("--seeds x", "--seeds"),
            ("--seeds 0", "--seeds"),
            ("--seeds ,", "--seeds"),
        ] {
            assert!(plan(line).is_err_and(|error| error.contains(part)), "{line}");
        }
    }

    #[test]
    fn times_and_seeds_are_written_in_several_ways() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(["90", "90s", "1.5m"].map(seconds), [(); 3].map(|()| Ok(90.0)));
        assert_eq!(seconds("500ms"), Ok(0.5));
        assert_eq!(seeds("3"), Ok(vec![1, 2, 3]));
        assert_eq!(seeds("3,"), Ok(vec![3]));
        assert_eq!(seeds("4,9,4"), Ok(vec![4, 9]));
    }
}
