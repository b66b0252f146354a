//! What is explored, and how: the programs, the configurations, and the paper's settings scaled to
//! shorter runs.

use std::path::PathBuf;
use std::time::Duration;

use crate::coreutils::Tools;
use crate::setup::BenchSetup;
use crate::sources;

/// A program of the paper that Debian has.
pub struct HomiProgram {
    pub name: &'static str,
    /// Whether it is one of Coreutils' tools.
    is_tool: bool,
    /// Whether restarts alone are measured too, as in the paper's figure 3.
    divides: bool,
}

pub const PROGRAMS: [HomiProgram; 4] = [
    HomiProgram { name: "grep", is_tool: false, divides: true },
    HomiProgram { name: "gawk", is_tool: false, divides: false },
    HomiProgram { name: "ptx", is_tool: true, divides: false },
    HomiProgram { name: "sort", is_tool: true, divides: false },
];

/// The programs with these names, as bitcode.
pub fn build(
    setup: &BenchSetup,
    names: &[String],
) -> Result<Vec<(&'static HomiProgram, PathBuf)>, String> {
    let chosen = PROGRAMS.iter().filter(|program| names.iter().any(|name| name == program.name));
    let (mut tools, mut others) = (None, None);
    let mut programs = Vec::new();
    for program in chosen {
        let name = program.name;
        let bitcode = if program.is_tool {
            if tools.is_none() {
                tools = Some(Tools::build(setup)?);
            }
            tools.as_ref().map(|tools| tools.bitcode(name))
        } else {
            if others.is_none() {
                others = Some(sources::recipe(setup, "homi")?);
            }
            others.as_ref().map(|folder| folder.join(name).join(name).with_extension("bc"))
        };
        programs.extend(bitcode.map(|bitcode| (program, bitcode)));
    }
    Ok(programs)
}

/// The searchers that Homi is put on top of.
pub const SEARCHERS: [&str; 2] = ["random-path", "auto"];

/// A searcher, and how states are dropped.
#[derive(Clone, Debug)]
pub struct Configuration {
    pub search: &'static str,
    pub pruning: Pruning,
}

/// How states are dropped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pruning {
    None,
    Homi,
    Random,
    Divide,
}

/// The paper's settings for a run of another length.
#[derive(Copy, Clone, Debug)]
pub struct ScaledSettings {
    /// The length of the run.
    pub time: Duration,
}

impl ScaledSettings {
    /// The paper's explorations take five hours.
    const PAPER: Duration = Duration::from_secs(5 * 3600);

    /// A time of the paper's, scaled and in milliseconds.
    fn scaled(self, seconds: u64) -> String {
        let share = self.time.as_secs_f64() / Self::PAPER.as_secs_f64();
        format!("{}ms", ((seconds * 1000) as f64 * share).round().max(1.0))
    }

    /// The value of `--prune`.
    pub fn prune(self, pruning: Pruning) -> Option<String> {
        let interval = self.scaled(30);
        match pruning {
            Pruning::None => None,
            Pruning::Homi => Some(format!("homi:interval={interval},run={}", self.scaled(800))),
            Pruning::Random => {
                Some(format!("homi:interval={interval},run={},learn=no", self.scaled(800)))
            }
            // The mean of its lengths of runs.
            Pruning::Divide => Some(format!("divide:{}", self.scaled(500))),
        }
    }
}

impl Configuration {
    /// The configurations of a program, in the order of the table.
    pub fn of(program: &HomiProgram) -> Vec<Configuration> {
        let with = |search, pruning| Configuration { search, pruning };
        let [path, auto] = SEARCHERS;
        let mut all = vec![
            with(path, Pruning::None),
            with(path, Pruning::Homi),
            with(path, Pruning::Random),
            with(auto, Pruning::None),
            with(auto, Pruning::Homi),
        ];
        if program.divides {
            all.extend(SEARCHERS.map(|search| with(search, Pruning::Divide)));
        }
        all
    }

    pub fn title(&self) -> String {
        let pruning = match self.pruning {
            Pruning::None => "",
            Pruning::Homi => " + homi",
            Pruning::Random => " + random",
            Pruning::Divide => " + divide",
        };
        format!("{}{pruning}", self.search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_the_papers_in_proportion() {
        let settings = |seconds| ScaledSettings { time: Duration::from_secs(seconds) };
        let prune = |seconds, pruning| settings(seconds).prune(pruning).unwrap_or_default();
        assert_eq!(prune(5 * 3600, Pruning::Homi), "homi:interval=30000ms,run=800000ms");
        assert_eq!(prune(300, Pruning::Homi), "homi:interval=500ms,run=13333ms");
        assert_eq!(prune(300, Pruning::Random), "homi:interval=500ms,run=13333ms,learn=no");
        assert_eq!(prune(360, Pruning::Divide), "divide:10000ms");
        assert_eq!(settings(300).prune(Pruning::None), None);
    }

    #[test]
    fn restarts_alone_are_measured_on_one_program() {
        let counts = PROGRAMS.each_ref().map(|program| Configuration::of(program).len());
        assert_eq!(counts, [7, 5, 5, 5]);
    }
}
