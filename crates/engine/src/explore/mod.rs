//! The exploration: the loop that owns the states, asks a searcher which runs next,
//! and has the solver decide which ways are possible.

mod config;
mod observe;

pub use config::{ExploreConfig, Feasibility, Limits};
pub use observe::{
    Coverage, Explored, Flow, LineCoverage, Lost, Observer, PathEnd, Totals, Why, outcome_name,
};

use byway_ir::Module;
use byway_search::Searcher;

/// Explores a program from its entry; an error says in one sentence why it cannot
/// even begin.
pub fn explore(
    _module: &Module,
    _config: &ExploreConfig,
    _searcher: &mut dyn Searcher,
    _solver: byway_solver::Options,
    _observer: &mut dyn Observer,
) -> Result<Explored, String> {
    Err("exploring is not there yet".into())
}
