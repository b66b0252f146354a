//! The symbolic input objects of one path, each under a name of its own.
//!
//! List and names are persistent: paths that fork share what they had before, so that a path
//! with thousands of inputs costs its own ones alone. Finding a fresh name is one look-up,
//! since a name that is taken stays taken on the path.

use std::hash::BuildHasherDefault;
use std::rc::Rc;

use archery::RcK;
use rpds::{HashTrieMap, Vector};
use rustc_hash::FxHasher;

use crate::pool::{InputId, Pool};

/// The inputs of a path, in the order of their creation. Cheap to clone.
#[derive(Clone, Default, Debug)]
pub struct InputList(Option<Rc<Inputs>>);

#[derive(Clone, Debug)]
struct Inputs {
    ids: Vector<InputId, RcK>,
    /// The names taken, each with the last number that was appended to it.
    names: HashTrieMap<Rc<str>, u32, RcK, BuildHasherDefault<FxHasher>>,
}

impl Default for Inputs {
    fn default() -> Inputs {
        let names = HashTrieMap::new_with_hasher_and_ptr_kind(BuildHasherDefault::default());
        Inputs { ids: Vector::new_with_ptr_kind(), names }
    }
}

impl InputList {
    /// The number of inputs.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |inputs| inputs.ids.len())
    }

    /// Whether the path has no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The inputs in the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = InputId> + '_ {
        self.0.iter().flat_map(|inputs| inputs.ids.iter().copied())
    }

    /// The address of what the list shares with its clones: lists with the same one are equal, as
    /// long as they live.
    pub fn shared_address(&self) -> usize {
        self.0.as_ref().map_or(0, |inputs| Rc::as_ptr(inputs) as usize)
    }

    /// Adds a new input. A name that is taken gets the first free number.
    pub fn add(&mut self, pool: &mut Pool, name: &str, size: u32) -> InputId {
        let inputs = Rc::make_mut(self.0.get_or_insert_default());
        let own = inputs.fresh_name(name);
        let input = pool.input(&own, size);
        inputs.names.insert_mut(Rc::clone(&pool.input_object(input).name), 0);
        inputs.ids.push_back_mut(input);
        input
    }
}

impl Inputs {
    /// The name itself, or with the first number that makes it a new one.
    fn fresh_name(&mut self, name: &str) -> String {
        let Some(&last) = self.names.get(name) else { return name.to_string() };
        let mut number = last;
        loop {
            number += 1;
            let numbered = format!("{name}_{number}");
            if !self.names.contains_key(numbered.as_str()) {
                self.names.insert_mut(name.into(), number);
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pool: &Pool, inputs: &InputList) -> Vec<String> {
        inputs.iter().map(|input| pool.input_object(input).name.to_string()).collect()
    }

    #[test]
    fn a_taken_name_gets_the_first_free_number() {
        let (mut pool, mut inputs) = (Pool::new(), InputList::default());
        assert!(inputs.is_empty());
        for name in ["x", "x_2", "x", "x", "x_2", "y", "x_2_1", "x"] {
            inputs.add(&mut pool, name, 1);
        }
        let expected = ["x", "x_2", "x_1", "x_3", "x_2_1", "y", "x_2_1_1", "x_4"];
        assert_eq!(names(&pool, &inputs), expected);
        assert_eq!(inputs.len(), 8);
    }

    #[test]
    fn paths_that_fork_name_their_inputs_independently() {
        let (mut pool, mut one) = (Pool::new(), InputList::default());
        one.add(&mut pool, "x", 1);
        let mut other = one.clone();
        let first = one.add(&mut pool, "x", 4);
        assert_eq!(other.add(&mut pool, "x", 4), first);
        one.add(&mut pool, "x", 4);
        assert_eq!(names(&pool, &one), ["x", "x_1", "x_2"]);
        assert_eq!(names(&pool, &other), ["x", "x_1"]);
    }

    /// Each of many inputs of one name costs the same: a scan of all would take hours.
    #[test]
    fn names_are_found_among_many() {
        let (mut pool, mut inputs) = (Pool::new(), InputList::default());
        let last = (0..200_000).map(|_| inputs.add(&mut pool, "x", 1)).last();
        let last = last.expect("there are inputs");
        assert_eq!(&*pool.input_object(last).name, "x_199999");
    }
}
