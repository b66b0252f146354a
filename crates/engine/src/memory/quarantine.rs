//! A queue of the numbers of freed objects, which delays their reuse.
//!
//! States share it. A plain queue would be copied whole by the first `free` after a fork, at
//! the cost of everything freed before; so it is kept in pieces.

use std::collections::VecDeque;
use std::rc::Rc;

/// Numbers per piece. After a fork, a push copies one piece, and every 64th push also the list
/// of pieces.
const PIECE: usize = 64;

/// A persistent first-in, first-out queue of object numbers.
#[derive(Clone, Default)]
pub struct Quarantine {
    /// Full pieces, the oldest first.
    full: Rc<VecDeque<Rc<[u32]>>>,
    /// Numbers already popped from the oldest piece.
    popped: usize,
    /// The newest numbers, fewer than a piece.
    newest: Rc<Vec<u32>>,
}

impl Quarantine {
    /// Numbers in quarantine.
    pub fn len(&self) -> usize {
        self.full.len() * PIECE - self.popped + self.newest.len()
    }

    /// Appends a number.
    pub fn push(&mut self, number: u32) {
        match Rc::get_mut(&mut self.newest) {
            Some(newest) => newest.push(number),
            None => self.newest = Rc::new([self.newest.as_slice(), &[number]].concat()),
        }
        if self.newest.len() == PIECE {
            Rc::make_mut(&mut self.full).push_back(self.newest.as_slice().into());
            Rc::make_mut(&mut self.newest).clear();
        }
    }

    /// Removes the oldest number of the full pieces; `None` if there is no full piece.
    pub fn pop(&mut self) -> Option<u32> {
        let number = self.full.front()?[self.popped];
        self.popped += 1;
        if self.popped == PIECE {
            Rc::make_mut(&mut self.full).pop_front();
            self.popped = 0;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    #[test]
    fn behaves_as_a_queue_and_copies_are_independent() {
        let mut rng = Rng::new(1);
        let (mut plain, mut pieces) = (VecDeque::new(), Quarantine::default());
        let mut before = Vec::new();
        for number in 0..5_000 {
            plain.push_back(number);
            pieces.push(number);
            if plain.len() > PIECE && rng.below(3) > 0 {
                assert_eq!(pieces.pop(), plain.pop_front());
            }
            assert_eq!(pieces.len(), plain.len());
            if number % 777 == 0 {
                before.push((plain.clone(), pieces.clone()));
            }
        }
        for (mut plain, mut pieces) in before {
            while plain.len() > PIECE {
                assert_eq!(pieces.pop(), plain.pop_front());
            }
        }
    }
}
