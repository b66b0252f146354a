//! The partial paths of each function, and the functions that paths have started in. Shared by
//! the exploration of the program, which follows them, and the backward search, which finds them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use byway_ir::FuncId;
use byway_search::OriginId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::CallChains;
use crate::partial_trace::RecordedDecision;

/// The most partial paths of a function: a path that calls it tries to follow each.
const MAX_KEPT: usize = 64;

/// A path from a function's entry to a target.
#[derive(PartialEq, Eq, Debug)]
pub(in super::super) struct PartialPath {
    /// The target that it reaches, by number.
    pub target: u32,
    pub decisions: Vec<RecordedDecision>,
    /// Instructions from the function's entry.
    pub instructions: u64,
}

/// A function that paths can start in.
struct OriginFunction {
    func: FuncId,
    /// Calls the function on unconstrained input.
    entry: FuncId,
    is_started: bool,
    paths: Vec<Rc<PartialPath>>,
    /// The decisions of `paths`.
    known: FxHashSet<(u32, Vec<RecordedDecision>)>,
}

/// All partial paths.
pub(in super::super) struct PartialPaths {
    chains: Rc<CallChains>,
    origins: RefCell<Vec<OriginFunction>>,
    by_func: FxHashMap<FuncId, OriginId>,
    /// Started, but without a state yet.
    unstarted: RefCell<Vec<OriginId>>,
    /// Functions that got their first partial path and were not taken note of.
    new: RefCell<Vec<FuncId>>,
    /// Functions that cannot be started, whose callers were.
    passed: RefCell<FxHashSet<FuncId>>,
    is_entry_reached: Cell<bool>,
    /// The number of partial paths.
    kept: Cell<usize>,
}

impl PartialPaths {
    /// None yet. `entries` has for each candidate of the call chains the function that calls it on
    /// unconstrained input.
    pub fn new(chains: Rc<CallChains>, entries: Vec<(FuncId, FuncId)>) -> PartialPaths {
        let number = |index: usize| OriginId(index as u32 + 1);
        let by_func = entries.iter().enumerate().map(|(i, &(func, _))| (func, number(i))).collect();
        let origin = |(func, entry)| OriginFunction {
            func,
            entry,
            is_started: false,
            paths: Vec::new(),
            known: FxHashSet::default(),
        };
        PartialPaths {
            chains,
            origins: RefCell::new(entries.into_iter().map(origin).collect()),
            by_func,
            unstarted: RefCell::default(),
            new: RefCell::default(),
            passed: RefCell::default(),
            is_entry_reached: Cell::new(false),
            kept: Cell::new(0),
        }
    }

    /// Whether the entry of the program contains a target or calls a function with partial paths.
    pub fn is_entry_reached(&self) -> bool {
        self.is_entry_reached.get()
    }

    pub fn calls_from_entry(&self, origin: OriginId) -> u32 {
        match self.origins.borrow().get(index(origin)) {
            Some(it) => self.chains.calls_from_main(it.func),
            None => 0,
        }
    }

    /// The functions that paths can start in.
    pub fn candidates(&self) -> impl Iterator<Item = FuncId> {
        self.by_func.keys().copied()
    }

    /// The number of partial paths of all functions.
    pub fn len(&self) -> usize {
        self.kept.get()
    }

    /// The functions with partial paths.
    pub fn functions(&self) -> Vec<FuncId> {
        let origins = self.origins.borrow();
        origins.iter().filter(|it| !it.paths.is_empty()).map(|it| it.func).collect()
    }

    /// Whether a function is an origin.
    pub fn is_of(&self, origin: OriginId, func: FuncId) -> bool {
        self.by_func.get(&func) == Some(&origin)
    }

    /// The functions that paths started in.
    pub fn started(&self) -> u64 {
        self.origins.borrow().iter().filter(|it| it.is_started).count() as u64
    }

    /// Starts paths in a function. Where none can start, in its callers.
    pub fn start(&self, func: FuncId) {
        let mut rest = vec![func];
        while let Some(func) = rest.pop() {
            if self.chains.is_main(func) {
                self.is_entry_reached.set(true);
            } else if let Some(&origin) = self.by_func.get(&func) {
                let started = &mut self.origins.borrow_mut()[index(origin)].is_started;
                if !std::mem::replace(started, true) {
                    self.unstarted.borrow_mut().push(origin);
                }
            } else if self.passed.borrow_mut().insert(func) {
                rest.extend(self.chains.callers(func));
            }
        }
    }

    /// Whether a function was started that has no state yet.
    pub fn has_unstarted(&self) -> bool {
        !self.unstarted.borrow().is_empty()
    }

    /// The origins that have no state yet, with the functions to call.
    pub fn take_unstarted(&self) -> Vec<(OriginId, FuncId)> {
        let origins = self.origins.borrow();
        let started = std::mem::take(&mut *self.unstarted.borrow_mut());
        started.into_iter().map(|origin| (origin, origins[index(origin)].entry)).collect()
    }

    /// The functions that got their first partial path since the last call.
    pub fn take_new(&self) -> Vec<FuncId> {
        std::mem::take(&mut self.new.borrow_mut())
    }

    /// Keeps a partial path, if it is new and there is room. The first of a function starts its
    /// callers.
    pub fn add(&self, origin: OriginId, path: PartialPath) -> Added {
        let func = {
            let mut origins = self.origins.borrow_mut();
            let Some(own) = origins.get_mut(index(origin)) else { return Added::Known };
            if own.paths.len() >= MAX_KEPT
                || !own.known.insert((path.target, path.decisions.clone()))
            {
                return Added::Known;
            }
            own.paths.push(Rc::new(path));
            self.kept.set(self.kept.get() + 1);
            if own.paths.len() > 1 {
                return Added::Kept;
            }
            own.func
        };
        self.new.borrow_mut().push(func);
        let callers: Vec<FuncId> = self.chains.callers(func).collect();
        callers.into_iter().for_each(|caller| self.start(caller));
        Added::First(func)
    }

    /// The partial paths of a function.
    pub fn of(&self, func: FuncId) -> Vec<Rc<PartialPath>> {
        let origin = self.by_func.get(&func);
        origin.map_or(Vec::new(), |&it| self.origins.borrow()[index(it)].paths.clone())
    }
}

/// What became of a partial path.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum Added {
    /// It is the first of its function.
    First(FuncId),
    Kept,
    /// It was known, or there are too many.
    Known,
}

fn index(origin: OriginId) -> usize {
    (origin.0 as usize).wrapping_sub(1)
}
