//! What tests cover together: of each line, side of a branch and function, how many tests
//! run it, and the first of them. The order in which tests are added does not matter.

use crate::native_coverage::gcov::{Covered, Map};

/// How a thing was covered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// By how many tests.
    pub tests: u64,
    /// The first of them, by number.
    pub first: Option<u64>,
}

impl Seen {
    fn add(&mut self, test: u64) {
        self.tests += 1;
        self.first = Some(self.first.map_or(test, |first| first.min(test)));
    }

    /// Whether any test covers it.
    pub fn is_covered(&self) -> bool {
        self.first.is_some()
    }
}

/// What tests cover together, by the numbers of a [`Map`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Of lines.
    pub lines: Vec<Seen>,
    /// Of sides of branches.
    pub sides: Vec<Seen>,
    /// Of functions.
    pub functions: Vec<Seen>,
}

impl Tally {
    /// No tests yet.
    pub fn new(map: &Map) -> Tally {
        let none = |count| vec![Seen::default(); count];
        Tally { lines: none(map.lines), sides: none(map.sides), functions: none(map.functions) }
    }

    /// Adds a test.
    pub fn add(&mut self, test: u64, covered: &Covered) {
        for (seen, numbers) in [
            (&mut self.lines, &covered.lines),
            (&mut self.sides, &covered.sides),
            (&mut self.functions, &covered.functions),
        ] {
            numbers.iter().for_each(|&number| seen[number].add(test));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_test_is_the_one_of_the_lowest_number_whenever_it_comes() {
        let mut seen = Seen::default();
        assert!(!seen.is_covered());
        [5, 2, 9].into_iter().for_each(|test| seen.add(test));
        assert_eq!(seen, Seen { tests: 3, first: Some(2) });
    }
}
