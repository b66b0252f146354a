//! Every figure of the report, computed once from the results.
//!
//! The figure of a program under a strategy is the median over its seeds. Strategies are compared
//! on the programs for which every strategy has a result.

use std::collections::BTreeSet;

use byway_base::quantity::per_mille;

use crate::experiment::{CoverageMeasure, Experiment};
use crate::result::{CellResult, CoverageShare, FoundFault};
use crate::stats::{self, ConfidenceInterval, EQUAL, MannWhitney, RESAMPLES, Wilcoxon};

/// The lower ends of the coverage bands, in tenths of a percent, so that a program shown with 90.0
/// is in the band from 90.
pub const BANDS: [u64; 5] = [900, 800, 700, 600, 0];

/// The significance level.
pub const SIGNIFICANT: f64 = 0.05;

/// The figures of an experiment.
pub struct Findings<'a> {
    pub experiment: &'a Experiment,
    /// Results by index of program, strategy and seed.
    results: Vec<Vec<Vec<Option<CellResult>>>>,
    /// The programs for which every strategy has a result with something to cover.
    pub compared: Vec<usize>,
    /// By strategy.
    pub strategies: Vec<StrategyFigures>,
    /// The index of the strategy that the others are compared with.
    pub baseline: usize,
    /// By strategy; `None` for the baseline.
    pub comparisons: Vec<Option<Comparison>>,
}

/// The figures of a strategy over the compared programs.
#[derive(Clone, PartialEq, Debug)]
pub struct StrategyFigures {
    /// Number of programs in each of [`BANDS`].
    pub bands: [usize; BANDS.len()],
    /// The mean coverage over programs.
    pub average: Option<f64>,
    pub average_interval: Option<ConfidenceInterval>,
    /// The median coverage over programs.
    pub median: Option<f64>,
    pub median_interval: Option<ConfidenceInterval>,
    /// Number of programs on which no strategy is better.
    pub best: usize,
}

/// A strategy compared with the baseline.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Number of programs on which it covers more.
    pub better: usize,
    /// Number of programs on which both cover the same.
    pub equal: usize,
    /// Number of programs on which it covers less.
    pub worse: usize,
    /// The mean difference in coverage.
    pub difference: f64,
    /// The test over programs; `None` if none differs.
    pub wilcoxon: Option<Wilcoxon>,
    /// Its p, adjusted for the number of comparisons (Holm).
    pub adjusted: Option<f64>,
    /// The comparison of seeds on each compared program.
    pub by_program: Vec<Option<SeedComparison>>,
}

/// The seeds of a strategy compared with those of the baseline, on one program.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct SeedComparison {
    /// The fraction of pairs in which the strategy's value is larger.
    pub effect: f64,
    /// `None` if one of the two has the same value with every seed: then its runs may be copies
    /// of one run, which the seed does not influence, and copies are not a sample.
    pub test: Option<MannWhitney>,
}

impl SeedComparison {
    fn new(one: &[f64], other: &[f64]) -> Option<SeedComparison> {
        let test = stats::mann_whitney(one, other)?;
        let varies = |values: &[f64]| values.iter().any(|value| (value - values[0]).abs() > EQUAL);
        let test_of = Some(test).filter(|_| varies(one) && varies(other));
        Some(SeedComparison { effect: test.effect, test: test_of })
    }

    /// Whether the difference is significant at level [`SIGNIFICANT`].
    pub fn is_significant(&self) -> bool {
        self.test.is_some_and(|test| test.p < SIGNIFICANT)
    }
}

impl<'a> Findings<'a> {
    /// Computes all figures; `result` returns the result of a program, strategy and seed, by index.
    pub fn new(
        experiment: &'a Experiment,
        mut result: impl FnMut(usize, usize, usize) -> Option<CellResult>,
    ) -> Findings<'a> {
        let results: Vec<Vec<Vec<Option<CellResult>>>> = (0..experiment.programs.len())
            .map(|program| {
                let strategies = 0..experiment.strategies.len();
                let seeds = 0..experiment.seeds.len();
                strategies
                    .map(|s| seeds.clone().map(|seed| result(program, s, seed)).collect())
                    .collect()
            })
            .collect();
        let compared: Vec<usize> = (0..results.len())
            .filter(|&program| {
                let measured = |outcome: &CellResult| share(outcome, experiment.measure).total > 0;
                results[program].iter().all(|seeds| seeds.iter().flatten().any(measured))
            })
            .collect();
        let mut findings = Findings {
            experiment,
            results,
            compared,
            strategies: Vec::new(),
            baseline: 0,
            comparisons: Vec::new(),
        };
        let strategies = 0..experiment.strategies.len();
        findings.strategies = strategies.clone().map(|s| findings.strategy_figures(s)).collect();
        let best = || {
            let average = |s: usize| findings.strategies[s].average.unwrap_or(0.0);
            // The first one if several are equal.
            strategies.clone().rev().max_by(|&a, &b| average(a).total_cmp(&average(b)))
        };
        findings.baseline = experiment.baseline.or_else(best).unwrap_or(0);
        findings.comparisons = findings.compare();
        findings
    }

    /// The existing results of a program under a strategy.
    pub fn outcomes(&self, program: usize, strategy: usize) -> impl Iterator<Item = &CellResult> {
        self.results[program][strategy].iter().flatten()
    }

    /// The existing results of a strategy.
    pub fn all_of(&self, strategy: usize) -> impl Iterator<Item = &CellResult> {
        (0..self.results.len()).flat_map(move |program| self.outcomes(program, strategy))
    }

    /// All existing results.
    pub fn all(&self) -> impl Iterator<Item = &CellResult> {
        (0..self.experiment.strategies.len()).flat_map(|strategy| self.all_of(strategy))
    }

    /// The number of runs of the experiment.
    pub fn planned(&self) -> usize {
        self.results.len() * self.experiment.strategies.len() * self.experiment.seeds.len()
    }

    /// The coverage of a program under a strategy, for each seed with a result.
    pub fn fractions(&self, program: usize, strategy: usize) -> Vec<f64> {
        let measure = self.experiment.measure;
        let outcomes = self.outcomes(program, strategy);
        outcomes.filter_map(|outcome| share(outcome, measure).fraction()).collect()
    }

    /// The number of items to cover in a program according to its results; normally one value.
    pub fn totals(&self, program: usize) -> BTreeSet<u64> {
        let outcomes = self.results[program].iter().flatten().flatten();
        outcomes.map(|outcome| share(outcome, self.experiment.measure).total).collect()
    }

    /// The figure of a program under a strategy: the median over seeds.
    pub fn figure(&self, program: usize, strategy: usize) -> Option<f64> {
        stats::median(&self.fractions(program, strategy))
    }

    /// Whether no strategy has a better figure for a program.
    pub fn is_best(&self, program: usize, strategy: usize) -> bool {
        let all = (0..self.experiment.strategies.len()).filter_map(|s| self.figure(program, s));
        let most = all.fold(f64::NEG_INFINITY, f64::max);
        self.figure(program, strategy).is_some_and(|figure| figure >= most - EQUAL)
    }

    fn strategy_figures(&self, strategy: usize) -> StrategyFigures {
        let figures: Vec<f64> =
            self.compared.iter().filter_map(|&program| self.figure(program, strategy)).collect();
        let mut bands = [0; BANDS.len()];
        for figure in &figures {
            let shown = per_mille(*figure);
            let band = BANDS.iter().position(|low| shown >= *low).unwrap_or(BANDS.len() - 1);
            bands[band] += 1;
        }
        let groups: Vec<Vec<f64>> =
            self.compared.iter().map(|&program| self.fractions(program, strategy)).collect();
        let interval = |figure: fn(&[f64]) -> Option<f64>| {
            stats::interval(&groups, RESAMPLES, stats::median, figure)
        };
        StrategyFigures {
            bands,
            average: stats::mean(&figures),
            average_interval: interval(stats::mean),
            median: stats::median(&figures),
            median_interval: interval(stats::median),
            best: self.compared.iter().filter(|&&p| self.is_best(p, strategy)).count(),
        }
    }

    fn compare(&self) -> Vec<Option<Comparison>> {
        let mut comparisons: Vec<Option<Comparison>> = (0..self.strategies.len())
            .map(|strategy| (strategy != self.baseline).then(|| self.comparison(strategy)))
            .collect();
        let tested = |comparison: &Comparison| Some(comparison.wilcoxon.as_ref()?.p);
        let p: Vec<f64> = comparisons.iter().flatten().filter_map(tested).collect();
        let mut adjusted = stats::holm(&p).into_iter();
        for comparison in comparisons.iter_mut().flatten() {
            comparison.adjusted = comparison.wilcoxon.as_ref().and_then(|_| adjusted.next());
        }
        comparisons
    }

    fn comparison(&self, strategy: usize) -> Comparison {
        let difference = |&program: &usize| {
            Some(self.figure(program, strategy)? - self.figure(program, self.baseline)?)
        };
        let differences: Vec<f64> = self.compared.iter().filter_map(difference).collect();
        let count = |of: fn(&f64) -> bool| differences.iter().filter(|d| of(d)).count();
        let by_program = self.compared.iter().map(|&program| {
            SeedComparison::new(
                &self.fractions(program, strategy),
                &self.fractions(program, self.baseline),
            )
        });
        Comparison {
            better: count(|d| *d > EQUAL),
            equal: count(|d| d.abs() <= EQUAL),
            worse: count(|d| *d < -EQUAL),
            difference: stats::mean(&differences).unwrap_or(0.0),
            wilcoxon: stats::wilcoxon(&differences),
            adjusted: None,
            by_program: by_program.collect(),
        }
    }

    /// The distinct faults of a program, under any strategy.
    pub fn faults_of(&self, program: usize) -> BTreeSet<&FoundFault> {
        let strategies = 0..self.experiment.strategies.len();
        strategies.flat_map(|strategy| self.faults(program, strategy)).collect()
    }

    /// The distinct faults of a program under a strategy, with any seed.
    pub fn faults(&self, program: usize, strategy: usize) -> BTreeSet<&FoundFault> {
        self.outcomes(program, strategy).flat_map(|outcome| &outcome.faults).collect()
    }
}

/// The measured coverage of a result.
pub fn share(outcome: &CellResult, measure: CoverageMeasure) -> CoverageShare {
    match measure {
        CoverageMeasure::Lines => outcome.coverage.lines,
        CoverageMeasure::Branches => outcome.coverage.sides,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{LINES, experiment, outcome};

    fn close(got: Option<f64>, expected: f64) {
        assert!(got.is_some_and(|got| (got - expected).abs() < 1e-12), "{got:?}, not {expected}");
    }

    #[test]
    fn figures_follow_from_the_programs() {
        let experiment = experiment();
        let findings =
            Findings::new(&experiment, |p, s, seed| Some(outcome(LINES[p][s][seed], &[])));
        let [dfs, bfs, third] = &findings.strategies[..] else { panic!("three strategies") };
        assert_eq!(findings.compared, [0, 1]);
        // The medians are 55 and 80, 71 and 66, 95 and 84.
        close(dfs.average, 0.675);
        close(bfs.average, 0.685);
        close(third.average, 0.895);
        assert_eq!((dfs.bands, bfs.bands), ([0, 1, 0, 0, 1], [0, 0, 1, 1, 0]));
        assert_eq!((third.bands, third.best, dfs.best), ([1, 1, 0, 0, 0], 2, 0));
        let interval = dfs.average_interval.expect("an interval");
        assert!((interval.low - 0.65).abs() < 1e-9 && (interval.high - 0.7).abs() < 1e-9);
        let [None, Some(bfs), Some(third)] = &findings.comparisons[..] else { panic!("two") };
        assert_eq!((bfs.better, bfs.equal, bfs.worse), (1, 0, 1));
        close(Some(bfs.difference), 0.01);
        close(bfs.wilcoxon.map(|test| test.w), 2.0);
        assert_eq!((third.better, third.worse), (2, 0));
        close(third.wilcoxon.map(|test| test.p), 0.5);
        close(third.adjusted, 1.0);
        close(third.by_program[0].and_then(|of| Some(of.test?.p)), 0.1);
        // All seeds of the baseline have 80 there: that may be one run three times.
        assert_eq!(
            third.by_program[1].map(|of| (of.test, of.is_significant())),
            Some((None, false))
        );
        close(third.by_program[1].map(|of| of.effect), 5.0 / 6.0);
    }

    #[test]
    fn copies_of_one_run_are_not_a_sample() {
        let (ones, twos, mixed) = ([0.1; 8], [0.2; 8], [0.3, 0.4, 0.5, 0.6, 0.3, 0.4, 0.5, 0.7]);
        let of =
            |one: &[f64], other: &[f64]| SeedComparison::new(one, other).expect("a comparison");
        assert_eq!(of(&twos, &ones), SeedComparison { effect: 1.0, test: None });
        assert!(!of(&mixed, &ones).is_significant());
        let lower = mixed.map(|value| value - 0.5);
        assert!(of(&mixed, &lower).is_significant());
        assert_eq!(SeedComparison::new(&[], &ones), None);
    }

    #[test]
    fn a_program_with_nothing_to_cover_is_not_compared() {
        let experiment = Experiment { measure: CoverageMeasure::Branches, ..experiment() };
        let findings = Findings::new(&experiment, |p, s, seed| {
            let mut outcome = outcome(LINES[p][s][seed], &[]);
            if p == 1 {
                outcome.coverage.sides = CoverageShare::default();
            }
            Some(outcome)
        });
        assert_eq!(findings.compared, [0]);
        assert_eq!((findings.figure(1, 0), findings.totals(1)), (None, BTreeSet::from([0])));
        let notes = crate::report::ReportNotes::new(&findings, &[]);
        assert_eq!(notes.warnings, ["'two' has no branch sides, and is not compared."]);
    }

    #[test]
    fn results_of_different_programs_are_reported() {
        let experiment = experiment();
        let findings = Findings::new(&experiment, |_, s, _| {
            let mut outcome = outcome(50, &[]);
            outcome.coverage.lines.total += s as u64 / 2;
            Some(outcome)
        });
        let notes = crate::report::ReportNotes::new(&findings, &[]);
        let said =
            "The results of 'one' have 100 and 101 lines: they do not all come from one program.";
        assert_eq!(notes.warnings[0], said);
    }

    #[test]
    fn a_program_without_all_results_is_not_compared() {
        let experiment = experiment();
        let findings = Findings::new(&experiment, |p, s, seed| {
            (p == 0 || s != 1).then(|| outcome(LINES[p][s][seed], &[]))
        });
        assert_eq!(findings.compared, [0]);
        close(findings.strategies[0].average, 0.55);
        assert_eq!(findings.all().count(), 15);
        let none = Findings::new(&experiment, |_, _, _| None);
        assert_eq!(none.strategies[0].average, None);
        assert!(none.comparisons[1].as_ref().is_some_and(|it| it.wilcoxon.is_none()));
    }

    #[test]
    fn faults_are_distinguished_by_kind_and_location() {
        let experiment = experiment();
        let findings = Findings::new(&experiment, |_, s, seed| {
            Some(outcome(50, if s == 0 { &[1, 2][..seed.min(2)] } else { &[] }))
        });
        assert_eq!(findings.faults(0, 0).len(), 2);
        assert_eq!((findings.faults(0, 1).len(), findings.faults_of(1).len()), (0, 2));
    }
}
