//! SideConstraints: what must be asserted along with a term, because the term mentions unknowns
//! that stand for something else.
//!
//! A tie determines its unknown and can always be met, so it changes no answer. An
//! instance needs each only once, however many of its assertions lead to it. SideConstraints
//! form a graph of the shape that terms have: a list for every term would grow with
//! the square of a long computation.

use std::rc::Rc;

use super::super::terms::SmtTerm;

/// A tie, or several; `None` is none at all.
pub type SideConstraints = Option<Rc<SideConstraint>>;

/// A tie and those that it leads to.
pub struct SideConstraint {
    /// What to assert; `None` in a node that only joins others.
    pub term: Option<SmtTerm>,
    /// What must be asserted as well.
    pub below: Vec<Rc<SideConstraint>>,
}

impl SideConstraint {
    /// A tie with all that the terms in it need.
    pub fn new(term: SmtTerm, below: SideConstraints) -> SideConstraints {
        Some(Rc::new(SideConstraint { term: Some(term), below: below.into_iter().collect() }))
    }

    /// All of several.
    pub fn all<'a>(several: impl Iterator<Item = &'a SideConstraints>) -> SideConstraints {
        let mut below: Vec<Rc<SideConstraint>> = Vec::new();
        for tie in several.flatten() {
            if !below.iter().any(|known| Rc::ptr_eq(known, tie)) {
                below.push(tie.clone());
            }
        }
        match below.len() {
            0 | 1 => below.pop(),
            _ => Some(Rc::new(SideConstraint { term: None, below })),
        }
    }
}

/// Step by step: a long chain would be too deep to drop by recursion.
impl Drop for SideConstraint {
    fn drop(&mut self) {
        let mut last = std::mem::take(&mut self.below);
        while let Some(tie) = last.pop() {
            if let Some(mut tie) = Rc::into_inner(tie) {
                last.append(&mut tie.below);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::terms::TermFactory;
    use super::*;

    #[test]
    fn several_are_joined_each_once() {
        let terms = TermFactory::new();
        let one = SideConstraint::new(terms.boolean(true), None);
        let two = SideConstraint::new(terms.boolean(false), None);
        assert!(SideConstraint::all([&None, &None].into_iter()).is_none());
        let same = SideConstraint::all([&one, &None, &one].into_iter());
        assert!(Rc::ptr_eq(&same.unwrap(), one.as_ref().unwrap()));
        let both = SideConstraint::all([&one, &two, &one].into_iter()).unwrap();
        assert!(both.term.is_none());
        assert_eq!(both.below.len(), 2);
    }

    #[test]
    fn a_long_chain_can_be_dropped() {
        let terms = TermFactory::new();
        let truth = terms.boolean(true);
        let mut chain = None;
        for _ in 0..200_000 {
            chain = SideConstraint::new(truth.clone(), chain);
        }
        let last = chain.clone();
        drop(chain);
        assert!(last.unwrap().below[0].term.is_some(), "it is still whole");
    }
}
