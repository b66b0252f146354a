//! The decisions of a path that begins in a function: what another path needs to follow it.

use std::rc::Rc;

use byway_search::{Case, Decision, OriginId};

/// A decision on a path.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordedDecision {
    /// The operation, as one number.
    pub position: u64,
    pub decision: Decision,
    pub case: Case,
}

impl RecordedDecision {
    /// Whether another path can take the same decision. Objects, sizes and choices of the
    /// environment are different on each path.
    pub fn is_repeatable(&self) -> bool {
        use Decision::{Branch, Check, Switch, Target};
        matches!(self.decision, Branch | Switch | Target | Check)
    }
}

/// The decisions of a path since its origin, a function.
#[derive(Clone, Debug)]
pub struct PartialTrace {
    origin: OriginId,
    last: Option<Rc<DecisionLink>>,
    /// The targets that it reached, by number.
    reached: Vec<u32>,
}

#[derive(Clone, Debug)]
struct DecisionLink {
    decided: RecordedDecision,
    before: Option<Rc<DecisionLink>>,
}

impl PartialTrace {
    /// A path without decisions.
    pub fn new(origin: OriginId) -> PartialTrace {
        PartialTrace { origin, last: None, reached: Vec::new() }
    }

    /// Where the path begins.
    pub fn origin(&self) -> OriginId {
        self.origin
    }

    /// Adds a decision.
    pub fn push(&mut self, decided: RecordedDecision) {
        self.last = Some(Rc::new(DecisionLink { decided, before: self.last.take() }));
    }

    /// Records that the path reaches a target; returns whether that is new on it.
    pub fn reach(&mut self, target: u32) -> bool {
        let is_new = !self.reached.contains(&target);
        if is_new {
            self.reached.push(target);
        }
        is_new
    }

    /// Its decisions, oldest first.
    pub fn decisions(&self) -> Vec<RecordedDecision> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        let mut decisions: Vec<RecordedDecision> = links.map(|link| link.decided).collect();
        decisions.reverse();
        decisions
    }
}

impl Drop for DecisionLink {
    /// Without recursion: a path may have made a million decisions.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(position: u64) -> RecordedDecision {
        RecordedDecision { position, decision: Decision::Branch, case: Case::TRUE }
    }

    #[test]
    fn forks_share_their_decisions_up_to_the_fork() {
        let mut path = PartialTrace::new(OriginId(1));
        path.push(branch(1));
        let mut other = path.clone();
        path.push(branch(2));
        other.push(branch(3));
        assert_eq!(path.decisions(), [branch(1), branch(2)]);
        assert_eq!(other.decisions(), [branch(1), branch(3)]);
        assert!(path.reach(0) && !path.reach(0) && other.reach(0));
    }

    #[test]
    fn a_long_path_is_freed() {
        let mut path = PartialTrace::new(OriginId(1));
        (0..1_000_000).for_each(|position| path.push(branch(position)));
        drop(path);
    }
}
