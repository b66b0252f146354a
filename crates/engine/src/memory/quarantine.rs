//! Numbers of objects that are no more, resting before they are used again: first in,
//! first out.
//!
//! States share it, and a queue that is copied as a whole where a path frees something
//! after a fork would cost what was ever freed. So it is kept in pieces.

use std::collections::VecDeque;
use std::rc::Rc;

/// How many numbers a piece has. What a fork copies is one piece, and once in so many
/// numbers the list of pieces.
const PIECE: usize = 64;

/// A queue of numbers; a copy costs what it changes.
#[derive(Clone, Default)]
pub struct Quarantine {
    /// Full pieces, the oldest first.
    full: Rc<VecDeque<Rc<[u32]>>>,
    /// How many numbers of the oldest piece have left.
    left: usize,
    /// The youngest numbers.
    young: Rc<Vec<u32>>,
}

impl Quarantine {
    /// How many numbers rest.
    pub fn len(&self) -> usize {
        self.full.len() * PIECE - self.left + self.young.len()
    }

    /// A number begins its rest.
    pub fn push(&mut self, number: u32) {
        match Rc::get_mut(&mut self.young) {
            Some(young) => young.push(number),
            None => self.young = Rc::new([self.young.as_slice(), &[number]].concat()),
        }
        if self.young.len() == PIECE {
            Rc::make_mut(&mut self.full).push_back(self.young.as_slice().into());
            Rc::make_mut(&mut self.young).clear();
        }
    }

    /// The number that has rested longest; numbers that are still in the youngest piece
    /// are never given out.
    pub fn pop(&mut self) -> Option<u32> {
        let number = self.full.front()?[self.left];
        self.left += 1;
        if self.left == PIECE {
            Rc::make_mut(&mut self.full).pop_front();
            self.left = 0;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    #[test]
    fn it_is_a_queue_and_copies_keep_what_they_had() {
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
