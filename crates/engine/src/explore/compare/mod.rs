//! How two builds of a program end on the same input, explored together.
//!
//! An exploration of each build has one input for each set of conditions that something there depends
//! on. A difference may need more: an input on a certain path of the old build *and* on a certain
//! path of the new one. So both builds run on the same inputs here, with terms in common:
//!
//! ```text
//! tests of both explorations ──→ run on both builds ──→ endings of the old build ──┐
//!                                  ↑        ↑                                      ├─→ pairs
//!                                  │        └──── Reducer of each build ←──────────┤    │
//!                                  │               (endings not seen yet)          │    │
//!                                  │          endings of the new build ────────────┘    │
//!                                  └──── input that satisfies both endings ←─ solver ───┘
//! ```
//!
//! An [`endings::Ending`] is how a build ends, with the conditions that this depends on in the order of
//! demand. The endings of a build are the leaves of a decision tree, which the reducer of the build
//! completes: exit code and output are one more instruction, and a fault is a check that fails. What a
//! pair of builds does is then known if each satisfiable pair of endings has run.
//!
//! A pair is left out if it shows nothing: both endings are the same, or another pair
//! with the same two kinds has run. Output is part of a kind only where both builds reach the same end;
//! if the change can affect it, all pairs of such endings run.
//!
//! One worker does all this, however many explored the builds.

mod build;
mod endings;
mod search;
mod totals;

pub use build::ComparedBuild;
pub use totals::{CombinationStop, CombinationTotals};

use byway_base::{Input, TestCase};
use byway_expr::Pool;
use byway_solver::SolverOptions;

use super::{Control, ExploreConfig};
use crate::DeterministicEnv;
use crate::dependence::PathLog;
use crate::env::HostFiles;
use build::BuildRunner;
use search::CombinationSearch;

/// The result of [`combine_endings`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CombinedEndings {
    /// The inputs that were found.
    pub tests: Vec<CombinedTest>,
    /// Counts of the search.
    pub totals: CombinationTotals,
}

/// An input for both builds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CombinedTest {
    /// What both builds ask for.
    pub test: TestCase,
    /// The instructions of the build that took more.
    pub instructions: u64,
    /// The index of the known input that it stands for: that one lacks what one of the builds
    /// asks for and assumes something of.
    pub completes: Option<usize>,
}

/// Finds inputs for the combinations of how the old and the new build end. `tests` are inputs
/// that are known already; `tick` is called often, and can stop the search.
///
/// The error is one sentence about why a build cannot start.
pub fn combine_endings(
    [old, new]: [ComparedBuild; 2],
    config: &ExploreConfig,
    tests: &[Vec<Input>],
    solver: SolverOptions,
    tick: &mut dyn FnMut(&CombinationTotals) -> Control,
) -> Result<CombinedEndings, String> {
    let mut pool = Pool::new();
    let solver = byway_solver::solver(&pool, solver)
        .map_err(|error| format!("cannot log queries: {error}"))?;
    let logs = [&old, &new].map(|build| PathLog::new(build.module));
    let (old_program, new_program) =
        (old.lay_out(config, &logs[0])?, new.lay_out(config, &logs[1])?);
    let mut files = [old.shared_files(), new.shared_files()];
    let mut envs = files.each_mut().map(|files| DeterministicEnv {
        files: files.as_mut().map(|files| files as &mut dyn HostFiles),
        ..DeterministicEnv::default()
    });
    let [old_env, new_env] = &mut envs;
    let [old_log, new_log] = logs;
    let builds = [
        BuildRunner::new(&old, &old_program, old_log, old_env, config, &mut pool)?,
        BuildRunner::new(&new, &new_program, new_log, new_env, config, &mut pool)?,
    ];
    Ok(CombinationSearch::new(builds, pool, config, solver, tick).run(tests))
}
