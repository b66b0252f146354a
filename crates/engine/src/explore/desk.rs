//! Where what an exploration finds is told: at the desk of whoever watches it, or of
//! whoever coordinates several explorations that share the work.

use byway_ir::Module;

use super::{Control, Coverage, LineCoverage, Observer, PathEnd, Totals};
use crate::coverage::{CoverageReport, CoverageSite};

/// Who is told.
pub(super) trait ResultSink {
    /// The exploration begins; these are the sites of the user's code.
    fn begin(&mut self, module: &Module, sites: &[CoverageSite]);

    /// The test of the path that is told next covers sites that no test of this
    /// exploration did. How many lines and sides of branches are new, where that is known.
    fn credit(&mut self, sites: Vec<u32>, path: u64) -> u32;

    /// As [`Observer::path`].
    fn path(&mut self, path: PathEnd, totals: &Totals) -> Control;

    /// As [`Observer::tick`].
    fn tick(&mut self, totals: &Totals) -> Control;

    /// As [`Observer::resident`].
    fn resident(&mut self) -> Option<u64> {
        None
    }

    /// As [`Observer::give_back`].
    fn give_back(&mut self) -> Option<u64> {
        None
    }

    /// As [`Observer::message`].
    fn message(&mut self, text: &str);

    /// Nothing more may come for a while: what was held back is passed on.
    fn flush(&mut self, _totals: &Totals) {}

    /// What tests cover, where that is known.
    fn coverage(&self) -> Coverage;

    /// The same line by line.
    fn lines(&self) -> Vec<LineCoverage>;

    /// The first path whose test comes by a site, where that is known.
    fn first_path(&self, site: usize) -> Option<u64>;
}

/// The desk of whoever watches.
pub(super) struct LocalSink<'a> {
    observer: &'a mut dyn Observer,
    report: CoverageReport,
}

impl<'a> LocalSink<'a> {
    /// For this observer.
    pub fn new(observer: &'a mut dyn Observer) -> Self {
        LocalSink { observer, report: CoverageReport::default() }
    }
}

impl ResultSink for LocalSink<'_> {
    fn begin(&mut self, module: &Module, sites: &[CoverageSite]) {
        self.report = CoverageReport::new(module, sites);
    }

    fn credit(&mut self, sites: Vec<u32>, path: u64) -> u32 {
        self.report.credit(&sites, path)
    }

    fn path(&mut self, path: PathEnd, totals: &Totals) -> Control {
        self.observer.path(&path, totals)
    }

    fn tick(&mut self, totals: &Totals) -> Control {
        self.observer.tick(totals)
    }

    fn resident(&mut self) -> Option<u64> {
        self.observer.resident()
    }

    fn give_back(&mut self) -> Option<u64> {
        self.observer.give_back()
    }

    fn message(&mut self, text: &str) {
        self.observer.message(text);
    }

    fn coverage(&self) -> Coverage {
        self.report.totals()
    }

    fn lines(&self) -> Vec<LineCoverage> {
        self.report.lines()
    }

    fn first_path(&self, site: usize) -> Option<u64> {
        self.report.first_path(site)
    }
}
