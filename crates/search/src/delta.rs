//! What happened to the states, as plain data.

use byway_ir::{BlockId, FuncId, InstId};

use crate::{StateId, View};

/// A block of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The function.
    pub func: FuncId,
    /// The block in it.
    pub block: BlockId,
}

/// A place in the program where paths part. The same place is the same site on
/// every path.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The block.
    pub location: Location,
    /// The instruction; `None` is the block's terminator.
    pub inst: Option<InstId>,
    /// What is decided there.
    pub decision: Decision,
}

/// What is decided where paths part, and so what a [`Case`] means.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// A condition: [`Case::TRUE`] or [`Case::FALSE`].
    Branch,
    /// A switch: the number of the successor.
    Switch,
    /// Where a pointer to code leads: the number of the function or block.
    Target,
    /// Which object a pointer points into: the object's number.
    Object,
    /// How large an allocation is: the size.
    Size,
    /// Whether a rule is kept ([`Case::TRUE`]) or broken, and the path ends in a fault.
    Check,
    /// A choice the program asks its environment to make: the choice.
    Choice,
}

/// Which way a path went at a [`Site`]; what the number means is the decision's.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Case(pub u64);

impl Case {
    /// The condition holds. Numbered as the successors of a branch are.
    pub const TRUE: Case = Case(0);
    /// The condition does not hold.
    pub const FALSE: Case = Case(1);
}

/// One of the states that come out of a fork.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Child {
    /// The way it goes; the first of them, if it stands for several.
    pub case: Case,
    /// The other ways it stands for, in ascending order. If there are any, it will part
    /// [again](Fork::again) when it runs.
    pub others: Vec<Case>,
    /// The state.
    pub state: StateId,
}

/// A state came to a site and went more than one way; or one way only, where the
/// others are impossible and the engine tells of the site all the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The state that came. It goes on as one of the children, the one whose way its
    /// witness takes; if it is not among them, it is gone.
    pub parent: StateId,
    /// Where.
    pub site: Site,
    /// Whether the parent had come out of a fork here, as a child that stands for several
    /// ways, and parts again. What it was said to go is replaced by what its children go, and is
    /// not followed by it: to them it is the same fork. There may be one child, which tells
    /// the way of a parent that goes on alone.
    pub again: bool,
    /// What came out, in ascending order of case: the order has nothing to do with
    /// which of them the parent is, so that a searcher which goes by it explores the
    /// same way whatever the solver answers.
    pub children: Vec<Child>,
}

/// A block of the user's own code was reached along a side of a branch, or by a call, that
/// no state had gone before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Covered {
    /// Who reached it.
    pub state: StateId,
    /// The block.
    pub location: Location,
}

/// What happened since the last one.
///
/// To be read in the order of its fields: states wake, states start, states fork (in the
/// order the forks happened, as one run can fork many times), states go, states rest. A
/// state can come and go in the same one. Every state that comes goes exactly once, in one
/// of the four lists that say why.
///
/// A state that rests is there, but is not to be picked until it is woken. It neither runs
/// nor forks before that, but may go. The engine lets none rest; a searcher around another
/// does. Whoever is woken is in the place it had: that is what tells it from one that starts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Delta {
    /// The state that ran: whatever the view says of it may have changed.
    pub ran: Option<StateId>,
    /// States that rested and may be picked again.
    pub woken: Vec<StateId>,
    /// States that came out of nothing: the program's entry, or from another worker.
    pub started: Vec<StateId>,
    /// Forks, in the order they happened.
    pub forks: Vec<Fork>,
    /// States whose path ended.
    pub ended: Vec<StateId>,
    /// Those of them that were [random inputs](crate::Action::Test) and took a path that one
    /// had taken before.
    pub repeated: Vec<StateId>,
    /// Pending states that no input reaches.
    pub infeasible: Vec<StateId>,
    /// Pending states the solver could not decide.
    pub unknown: Vec<StateId>,
    /// States given up: pruned, or too many, or too deep; or given to another worker.
    pub dropped: Vec<StateId>,
    /// States that are not to be picked until they are woken. If one of them was picked just
    /// now, that pick came to nothing.
    pub rested: Vec<StateId>,
    /// What was come to for the first time.
    pub covered: Vec<Covered>,
}

impl Delta {
    /// What tells a searcher or pruner that joins of all the states there are.
    pub fn all_of(view: &dyn View) -> Delta {
        Delta { started: view.states(), ..Delta::default() }
    }

    /// Nothing happened yet; what it holds room for, it keeps.
    pub fn clear(&mut self) {
        // Taken apart, so that a new list cannot be forgotten here.
        let Delta {
            woken,
            ran,
            started,
            forks,
            ended,
            repeated,
            infeasible,
            unknown,
            dropped,
            rested,
            covered,
        } = self;
        *ran = None;
        forks.clear();
        covered.clear();
        for states in [woken, started, ended, repeated, infeasible, unknown, dropped, rested] {
            states.clear();
        }
    }

    /// Every state that came, whichever way.
    pub fn born(&self) -> impl Iterator<Item = StateId> {
        let children = self.forks.iter().flat_map(|fork| {
            fork.children.iter().map(|c| c.state).filter(|&state| state != fork.parent)
        });
        self.started.iter().copied().chain(children)
    }

    /// Every state that went, whatever the reason.
    pub fn gone(&self) -> impl Iterator<Item = StateId> {
        let replaced = self.forks.iter().filter(|fork| !fork.parent_goes_on());
        let ended = self.ended.iter().chain(&self.infeasible);
        let given_up = self.unknown.iter().chain(&self.dropped);
        replaced.map(|fork| fork.parent).chain(ended.chain(given_up).copied())
    }

    /// Every state that may be picked from now on: those that came and those that woke.
    pub fn joining(&self) -> impl Iterator<Item = StateId> {
        self.woken.iter().copied().chain(self.born())
    }

    /// Every state that may not be picked any more: those that went and those that rest.
    pub fn leaving(&self) -> impl Iterator<Item = StateId> {
        self.gone().chain(self.rested.iter().copied())
    }
}

impl Fork {
    /// Whether the parent is one of the children.
    pub fn parent_goes_on(&self) -> bool {
        self.children.iter().any(|child| child.state == self.parent)
    }
}
