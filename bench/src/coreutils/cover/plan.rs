//! The runs to measure: every tool with every searcher and every seed.

use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity::parse_time;

use super::super::ToolsOption;

/// Options of `coreutils cover`.
#[derive(clap::Args, Debug)]
pub struct CoreutilsCoverOptions {
    #[command(flatten)]
    pub tools: ToolsOption,

    /// Processor time for which each tool is explored
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    time: Duration,

    /// Explore for this much work instead, whatever time it takes
    #[arg(long, value_name = "N", conflicts_with = "time",
          value_parser = clap::value_parser!(u64).range(1..))]
    work: Option<u64>,

    /// A searcher; repeat it for several columns, NAME+NAME for searchers that alternate (default:
    /// byway's own choice)
    #[arg(long, value_name = "NAME")]
    search: Vec<String>,

    /// Seeds 1 to N, or a list of seeds such as 3, or 1,5
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_seeds)]
    seeds: SeedList,

    /// The directory of results (default: coreutils-cover in the cache)
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,

    /// Keep the run directories, as DIR/TOOL_SEARCHER_SEED_BUDGET
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,

    /// Tools at once, at most 2
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// Write the result to bench/results/DATE-coreutils-cover.md
    #[arg(long)]
    pub record: bool,
}

/// Distinct seeds in the order of the command line.
#[derive(Clone, PartialEq, Debug)]
struct SeedList(Vec<u64>);

/// The limit of an exploration.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum CoverBudget {
    /// Processor time.
    Time(Duration),
    /// Units of work, which are the same on every machine.
    Work(u64),
}

impl CoverBudget {
    /// The option of `byway run` for it.
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

/// One exploration of the plan.
#[derive(Clone, PartialEq, Debug)]
pub struct CoverRun {
    /// The tool.
    pub tool: String,
    /// The searchers that take turns, joined by `+`, or [`DEFAULT`].
    pub search: String,
    pub seed: u64,
    pub budget: CoverBudget,
}

impl CoverRun {
    /// A name for its files. Searchers that differ only in punctuation share it.
    pub fn name(&self) -> String {
        let CoverRun { tool, search, seed, budget } = self;
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        format!("{tool}_{search}_seed{seed}_{budget}")
            .chars()
            .map(|c| if c == '_' { c } else { plain(c) })
            .collect()
    }

    /// The options of `byway run`.
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

/// All explorations.
#[derive(PartialEq, Debug)]
pub struct CoverPlan {
    /// The tools.
    pub tools: Vec<String>,
    /// Ways to search.
    pub searches: Vec<String>,
    /// Seeds.
    pub seeds: Vec<u64>,
    /// The limit of each exploration.
    pub budget: CoverBudget,
}

impl CoverPlan {
    /// The plan that these options describe for these tools.
    pub fn new(options: &CoreutilsCoverOptions, tools: Vec<String>) -> CoverPlan {
        let budget = options.work.map_or(CoverBudget::Time(options.time), CoverBudget::Work);
        let mut searches = Vec::new();
        for search in &options.search {
            if !searches.contains(search) {
                searches.push(search.clone());
            }
        }
        if searches.is_empty() {
            searches.push(DEFAULT.to_owned());
        }
        CoverPlan { tools, searches, seeds: options.seeds.0.clone(), budget }
    }

    /// One exploration after the other. Seeds come last: an interrupted plan has something of every tool.
    pub fn runs(&self) -> Vec<CoverRun> {
        let mut runs = Vec::new();
        for &seed in &self.seeds {
            for tool in &self.tools {
                for search in &self.searches {
                    let (tool, search) = (tool.clone(), search.clone());
                    runs.push(CoverRun { tool, search, seed, budget: self.budget });
                }
            }
        }
        runs
    }
}

/// `3` means 1, 2, 3; `3,` and `1,5` mean the seeds they list.
fn parse_seeds(text: &str) -> Result<SeedList, String> {
    let wrong = || "expected a number of seeds up to 1000, or seeds separated by commas".to_owned();
    if let Ok(count) = text.parse::<u64>() {
        let seeds = || SeedList((1..=count).collect());
        return (1..=1000).contains(&count).then(seeds).ok_or_else(wrong);
    }
    let mut seeds = Vec::new();
    for seed in text.split(',').filter(|part| !part.is_empty()) {
        let seed = seed.parse().map_err(|_| wrong())?;
        if !seeds.contains(&seed) {
            seeds.push(seed);
        }
    }
    if seeds.is_empty() { Err(wrong()) } else { Ok(SeedList(seeds)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        options: CoreutilsCoverOptions,
    }

    fn plan(line: &str) -> CoverPlan {
        let words = ["cover"].into_iter().chain(line.split_whitespace());
        let line = <Line as clap::Parser>::try_parse_from(words).expect("valid options");
        CoverPlan::new(&line.options, vec!["cut".into(), "[".into()])
    }

    #[test]
    fn every_tool_meets_every_searcher_and_seed() {
        let plan = plan("--search dfs --search=random-path+bfs --seeds 2 --work 500");
        let runs = plan.runs();
        assert_eq!(runs.len(), 2 * 2 * 2);
        assert_eq!(runs[1].name(), "cut_random-path-bfs_seed1_500work");
        let options =
            "--only-covering-new --max-work 500 --seed 1 --search random-path --search bfs";
        assert_eq!(runs[1].options().join(" "), options);
        assert_eq!((runs[3].tool.as_str(), runs[3].source()), ("[", "test.c".to_owned()));
        assert_eq!(runs[7].seed, 2);
    }

    #[test]
    fn the_default_is_a_minute_of_the_default_searcher() {
        let plan = plan("");
        let [first, _] = &plan.runs()[..] else { panic!("{plan:?}") };
        assert_eq!(first.options().join(" "), "--only-covering-new --max-cpu 60000ms --seed 1");
        assert_eq!(first.name(), "cut_default_seed1_60s");
    }

    #[test]
    fn seeds_are_a_count_or_a_list() {
        let seeds = |text: &str| parse_seeds(text).map(|seeds| seeds.0);
        assert_eq!(seeds("3"), Ok(vec![1, 2, 3]));
        assert_eq!(seeds("3,"), Ok(vec![3]));
        assert_eq!(seeds("4,9,4"), Ok(vec![4, 9]));
        for wrong in ["x", "0", ",", "1001"] {
            assert!(seeds(wrong).is_err(), "{wrong}");
        }
    }
}
