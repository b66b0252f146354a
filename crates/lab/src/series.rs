//! Curves: coverage and number of states, over time and over work.
//!
//! At each point of the axis a curve shows the figure that the tables show for the end: the mean
//! over programs of the median over seeds, with its confidence interval. A run that has ended
//! keeps its last value.

use crate::experiment::CoverageMeasure;
use crate::findings::{Findings, share};
use crate::result::{CellResult, Moment};
use crate::stats::{self, ConfidenceInterval};

/// Points of a curve.
const POINTS: usize = 60;
/// Bootstrap resamples per point; fewer than for a table, since there are many points.
const RESAMPLES: usize = 200;

/// The unit of the horizontal axis.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Wall-clock seconds.
    Wall,
    /// Processor seconds.
    Cpu,
    /// Units of work.
    Work,
}

impl Axis {
    /// The time axis of an experiment: wall time if its budget is in wall time alone.
    pub fn of_time(findings: &Findings<'_>) -> Axis {
        let budget = &findings.experiment.budget;
        if budget.time.is_some() && budget.cpu.is_none() { Axis::Wall } else { Axis::Cpu }
    }

    /// The label of the axis.
    pub fn words(self) -> &'static str {
        match self {
            Axis::Wall => "seconds",
            Axis::Cpu => "processor seconds",
            Axis::Work => "work",
        }
    }

    fn coordinate(self, at: Moment) -> f64 {
        match self {
            Axis::Wall => at.wall / 1e3,
            Axis::Cpu => at.cpu / 1e3,
            Axis::Work => at.work,
        }
    }

    /// The end of the axis: the budget if it has this unit, otherwise the longest run.
    pub fn end(self, findings: &Findings<'_>) -> f64 {
        let budget = &findings.experiment.budget;
        let limit = match self {
            Axis::Wall => budget.time.map(|time| time.as_secs_f64()),
            Axis::Cpu => budget.cpu.map(|time| time.as_secs_f64()),
            Axis::Work => budget.work.map(|work| work as f64),
        };
        let last = |outcome: &CellResult| {
            let samples = outcome.samples.iter().map(|sample| sample.at);
            let tests = outcome.coverage.credit.iter().map(|credit| credit.at);
            samples.chain(tests).map(|at| self.coordinate(at)).fold(0.0, f64::max)
        };
        limit.unwrap_or_else(|| findings.all().map(last).fold(0.0, f64::max))
    }
}

/// A point of a curve.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct CurvePoint {
    /// Position on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The confidence interval of `y`.
    pub band: Option<ConfidenceInterval>,
}

fn points(end: f64) -> impl Iterator<Item = f64> {
    (0..=POINTS).map(move |point| end * point as f64 / POINTS as f64)
}

/// A step function: positions and values, by ascending position.
struct Steps(Vec<(f64, f64)>);

impl Steps {
    fn of_coverage(outcome: &CellResult, measure: CoverageMeasure, axis: Axis) -> Steps {
        let mut gains: Vec<(f64, u64)> = outcome
            .coverage
            .credit
            .iter()
            .map(|credit| {
                let gain = match measure {
                    CoverageMeasure::Lines => credit.lines,
                    CoverageMeasure::Branches => credit.sides,
                };
                (axis.coordinate(credit.at), gain)
            })
            .collect();
        gains.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total = share(outcome, measure).total as f64;
        let mut sum = 0;
        let steps = gains.into_iter().map(|(x, gain)| {
            sum += gain;
            (x, sum as f64 / total)
        });
        Steps(steps.collect())
    }

    fn of_states(outcome: &CellResult, axis: Axis) -> Steps {
        let samples = outcome.samples.iter();
        Steps(samples.map(|it| (axis.coordinate(it.at), it.states as f64)).collect())
    }

    /// The value at a position; `first` before the first step.
    fn at(&self, x: f64, first: f64) -> f64 {
        match self.0.partition_point(|(step, _)| *step <= x) {
            0 => first,
            passed => self.0[passed - 1].1,
        }
    }
}

/// The coverage of a strategy over these programs.
pub fn coverage(
    findings: &Findings<'_>,
    programs: &[usize],
    strategy: usize,
    axis: Axis,
    end: f64,
) -> Vec<CurvePoint> {
    let measure = findings.experiment.measure;
    let steps: Vec<Vec<Steps>> = programs
        .iter()
        .map(|&program| {
            let outcomes = findings.outcomes(program, strategy);
            let outcomes = outcomes.filter(|outcome| share(outcome, measure).total > 0);
            outcomes.map(|outcome| Steps::of_coverage(outcome, measure, axis)).collect()
        })
        .collect();
    let at = |x: f64| {
        // The last point includes what was found just after the budget was reached.
        let x_or_all = if x >= end { f64::INFINITY } else { x };
        let groups: Vec<Vec<f64>> = steps
            .iter()
            .map(|seeds| seeds.iter().map(|steps| steps.at(x_or_all, 0.0)).collect())
            .collect();
        let medians: Vec<f64> = groups.iter().filter_map(|group| stats::median(group)).collect();
        let band = stats::interval(&groups, RESAMPLES, stats::median, stats::mean);
        Some(CurvePoint { x, y: stats::mean(&medians)?, band })
    };
    points(end).filter_map(at).collect()
}

/// The number of states of a strategy: the median over all runs, and the middle half.
pub fn states(findings: &Findings<'_>, strategy: usize, axis: Axis, end: f64) -> Vec<CurvePoint> {
    let outcomes = findings.compared.iter().flat_map(|&p| findings.outcomes(p, strategy));
    let steps: Vec<Steps> = outcomes.map(|outcome| Steps::of_states(outcome, axis)).collect();
    let at = |x: f64| {
        let values: Vec<f64> = steps.iter().map(|steps| steps.at(x, 1.0)).collect();
        let band = stats::quantile(&values, 0.25).zip(stats::quantile(&values, 0.75));
        let band = band.map(|(low, high)| ConfidenceInterval { low, high });
        Some(CurvePoint { x, y: stats::median(&values)?, band })
    };
    points(end).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{LINES, experiment, outcome};

    #[test]
    fn curves_end_at_the_figures_of_the_tables() {
        let experiment = experiment();
        let findings =
            Findings::new(&experiment, |p, s, seed| Some(outcome(LINES[p][s][seed], &[])));
        let end = Axis::Cpu.end(&findings);
        assert_eq!((end, Axis::of_time(&findings)), (10.0, Axis::Cpu));
        assert_eq!(Axis::Work.end(&findings), 1e7);
        for strategy in 0..3 {
            for (axis, end) in [(Axis::Cpu, end), (Axis::Work, 1e7)] {
                let curve = coverage(&findings, &findings.compared, strategy, axis, end);
                let last = curve.last().expect("points");
                let average = findings.strategies[strategy].average.expect("an average");
                assert!((last.y - average).abs() < 1e-12 && last.x == end);
                assert_eq!(curve[0].y, 0.0);
                // Half of it is reached after a second.
                let middle = curve.iter().find(|p| p.x > end * 0.3).expect("a point").y;
                assert!((middle - average / 2.0).abs() < 0.01, "{middle} of {average}");
            }
        }
        let states = states(&findings, 0, Axis::Cpu, end);
        assert_eq!((states[0].y, states[31].y, states[60].y), (1.0, 40.0, 64.0));
    }
}
