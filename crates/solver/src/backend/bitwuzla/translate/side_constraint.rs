//! Side constraints: assertions that must accompany a term because the term contains fresh
//! constants that they define.
//!
//! A side constraint determines its constant and is always satisfiable, so it changes no
//! answer. An instance asserts each only once, however many assertions require it. Side
//! constraints form a graph that mirrors the terms; a flat list per term would grow
//! quadratically with the length of a computation.

use std::rc::Rc;

use super::super::terms::SmtTerm;

/// Any number of side constraints, joined in one node.
pub type SideConstraints = Option<Rc<SideConstraint>>;

/// A side constraint and those it requires.
pub struct SideConstraint {
    /// The term to assert; `None` in a node that only joins others.
    pub term: Option<SmtTerm>,
    /// What must be asserted along with it.
    pub requires: Vec<Rc<SideConstraint>>,
}

impl SideConstraint {
    /// A side constraint that requires others, because its term contains their constants.
    pub fn new(term: SmtTerm, requires: SideConstraints) -> SideConstraints {
        let requires = requires.into_iter().collect();
        Some(Rc::new(SideConstraint { term: Some(term), requires }))
    }

    /// Joins several, each once.
    pub fn all<'a>(several: impl Iterator<Item = &'a SideConstraints>) -> SideConstraints {
        let mut requires: Vec<Rc<SideConstraint>> = Vec::new();
        for constraint in several.flatten() {
            if !requires.iter().any(|known| Rc::ptr_eq(known, constraint)) {
                requires.push(constraint.clone());
            }
        }
        match requires.len() {
            0 | 1 => requires.pop(),
            _ => Some(Rc::new(SideConstraint { term: None, requires })),
        }
    }
}

/// Iterative, because recursion would overflow the stack on a long chain.
impl Drop for SideConstraint {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.requires);
        while let Some(constraint) = pending.pop() {
            if let Some(mut constraint) = Rc::into_inner(constraint) {
                pending.append(&mut constraint.requires);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::terms::TermFactory;
    use super::*;

    #[test]
    fn joining_keeps_each_constraint_once() {
        let terms = TermFactory::new();
        let one = SideConstraint::new(terms.boolean(true), None);
        let two = SideConstraint::new(terms.boolean(false), None);
        assert!(SideConstraint::all([&None, &None].into_iter()).is_none());
        let same = SideConstraint::all([&one, &None, &one].into_iter());
        assert!(Rc::ptr_eq(&same.unwrap(), one.as_ref().unwrap()));
        let both = SideConstraint::all([&one, &two, &one].into_iter()).unwrap();
        assert!(both.term.is_none());
        assert_eq!(both.requires.len(), 2);
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
        assert!(last.unwrap().requires[0].term.is_some(), "the second owner keeps the chain");
    }
}
