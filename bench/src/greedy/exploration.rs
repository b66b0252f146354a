//! One exploration, and how its coverage grew.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use byway_rundir::{RunDirError, RunReader, SampleRecord};

use crate::process;
use crate::processor_clock::{ProcessorClock, ProcessorTimes};
use crate::setup::BenchSetup;

/// Time for loading and results beyond the exploration, on a busy machine.
const GRACE: Duration = Duration::from_secs(300);

/// How the coverage of an exploration grew.
pub struct MeasuredExploration {
    /// All branch sides of the program.
    pub all_sides: u32,
    /// Processor seconds since the start, and the branch sides that tests had covered by then.
    growth: Vec<(f64, u32)>,
    /// Processor seconds of the whole run.
    seconds: f64,
}

impl MeasuredExploration {
    fn new(times: &ProcessorTimes, started: u64, samples: &[SampleRecord]) -> MeasuredExploration {
        let mut run =
            MeasuredExploration { all_sides: 0, growth: Vec::new(), seconds: times.last() };
        for sample in samples {
            let coverage = &sample.totals.coverage;
            run.all_sides = coverage.branches_total;
            if coverage.branches > run.sides() {
                run.growth.push((times.at(started + sample.elapsed_ms), coverage.branches));
            }
        }
        run
    }

    /// Branch sides that tests cover.
    pub fn sides(&self) -> u32 {
        self.growth.last().map_or(0, |&(_, sides)| sides)
    }

    pub fn is_complete(&self) -> bool {
        self.sides() == self.all_sides
    }

    /// Processor seconds until this many sides were covered.
    pub fn time_to(&self, sides: u32) -> Option<f64> {
        self.growth.iter().find(|step| step.1 >= sides).map(|&(seconds, _)| seconds)
    }

    /// Processor seconds until the last new side was covered.
    pub fn last_new(&self) -> f64 {
        self.growth.last().map_or(0.0, |&(seconds, _)| seconds)
    }
}

impl fmt::Display for MeasuredExploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MeasuredExploration { all_sides, seconds, .. } = self;
        let (sides, last) = (self.sides(), self.last_new());
        write!(f, "{sides} of {all_sides} sides, the last after {last:.2} of {seconds:.2} s")
    }
}

/// Explores a program with a strategy.
pub fn explore(
    setup: &BenchSetup,
    source: &Path,
    strategy: &str,
    seed: u64,
    time: Duration,
) -> Result<MeasuredExploration, String> {
    let folder = setup.folder(strategy)?;
    let out = folder.file("out");
    let mut command = setup.byway();
    command.args(["run", "--only-covering-new", "--stats-interval=20ms"]);
    command.args(["--search", strategy, "--seed", &seed.to_string()]);
    command.arg(format!("--max-cpu={}ms", time.as_millis())).arg("--output-dir").arg(&out);
    let clock = ProcessorClock::start();
    let ended = process::explore(command.arg(source), time * 4 + GRACE);
    let times = clock.finish()?;
    ended?;
    let read = || {
        let run = RunReader::open(&out)?;
        Ok(MeasuredExploration::new(&times, run.clock()?.start.started_ms, &run.samples()?))
    };
    read().map_err(|error: RunDirError| error.to_string())
}

#[cfg(test)]
impl MeasuredExploration {
    /// An exploration of a program with four sides that grew like this.
    pub fn that_grew(growth: &[(f64, u32)]) -> MeasuredExploration {
        MeasuredExploration { all_sides: 4, growth: growth.to_vec(), seconds: 10.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_first_coverage() {
        let run = MeasuredExploration::that_grew(&[(0.5, 1), (2.0, 3)]);
        assert_eq!((run.sides(), run.is_complete(), run.last_new()), (3, false, 2.0));
        assert_eq!([1, 2, 4].map(|sides| run.time_to(sides)), [Some(0.5), Some(2.0), None]);
        let empty = MeasuredExploration::that_grew(&[]);
        assert_eq!((empty.sides(), empty.last_new()), (0, 0.0));
    }
}
