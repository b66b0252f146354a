//! States at the entries of functions that lead to a target, kept for partial paths that are
//! found later.
//!
//! In the paper, a path that has called a function before its first partial path is found never
//! follows it, and a search that comes too early gains nothing. A copy of a state costs little.

use std::rc::Rc;

use byway_ir::FuncId;
use rustc_hash::FxHashMap;

use super::partial_paths::{PartialPath, PartialPaths};
use crate::state::State;

/// The most states kept for a function: the first that enter it.
const MAX_KEPT: usize = 32;

/// States at the entries of functions.
#[derive(Default)]
pub(in super::super) struct EnteredFunctions {
    /// For each function, its states, each with the number of partial paths that it has tried to
    /// follow.
    functions: FxHashMap<FuncId, Vec<(Box<State>, usize)>>,
    /// The number of partial paths when states last tried to follow new ones.
    tried: usize,
}

impl EnteredFunctions {
    /// Keeps a state that has tried `tried` partial paths of the function; returns whether there
    /// is room for more.
    pub fn add(&mut self, func: FuncId, state: &State, tried: usize) -> bool {
        let entered = self.functions.entry(func).or_default();
        if entered.len() < MAX_KEPT {
            entered.push((Box::new(state.clone()), tried));
        }
        entered.len() < MAX_KEPT
    }

    /// All states kept.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.functions.values().flatten().map(|(state, _)| &**state)
    }

    /// Whether partial paths were found since the last call.
    pub fn has_new(&mut self, paths: &PartialPaths) -> bool {
        std::mem::replace(&mut self.tried, paths.len()) != paths.len()
    }

    /// The states of a function that have not tried all of its partial paths, each with those
    /// that are left, which count as tried now.
    pub fn take_untried(
        &mut self,
        func: FuncId,
        paths: &PartialPaths,
    ) -> Vec<(Box<State>, Vec<Rc<PartialPath>>)> {
        let Some(entered) = self.functions.get_mut(&func) else { return Vec::new() };
        let all = paths.of(func);
        let untried = entered.iter_mut().filter(|(_, tried)| *tried < all.len());
        untried
            .map(|(state, tried)| {
                let left = all[*tried..].to_vec();
                *tried = all.len();
                (state.clone(), left)
            })
            .collect()
    }
}
