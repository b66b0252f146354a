//! Sums up the coverage of tests: for each line, branch side and function, the number of tests
//! that cover it and the first of them. The result is independent of the order of tests.

use crate::native_coverage::gcov::{CoverageMap, Covered};

/// The tests that cover an item.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Hits {
    /// The number of tests.
    pub tests: u64,
    /// The lowest test number.
    pub first: Option<u64>,
}

impl Hits {
    fn add(&mut self, test: u64) {
        self.tests += 1;
        self.first = Some(self.first.map_or(test, |first| first.min(test)));
    }

    /// Whether any test covers the item.
    pub fn is_covered(&self) -> bool {
        self.first.is_some()
    }
}

/// Hits by the numbers of a [`CoverageMap`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverageTally {
    pub lines: Vec<Hits>,
    /// Branch sides.
    pub sides: Vec<Hits>,
    pub functions: Vec<Hits>,
}

impl CoverageTally {
    /// Starts without tests.
    pub fn new(map: &CoverageMap) -> CoverageTally {
        let none = |count| vec![Hits::default(); count];
        CoverageTally {
            lines: none(map.lines),
            sides: none(map.sides),
            functions: none(map.functions),
        }
    }

    /// Adds the coverage of a test.
    pub fn add(&mut self, test: u64, covered: &Covered) {
        for (hits, numbers) in [
            (&mut self.lines, &covered.lines),
            (&mut self.sides, &covered.sides),
            (&mut self.functions, &covered.functions),
        ] {
            numbers.iter().for_each(|&number| hits[number].add(test));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_test_has_the_lowest_number_in_any_order() {
        let mut hits = Hits::default();
        assert!(!hits.is_covered());
        [5, 2, 9].into_iter().for_each(|test| hits.add(test));
        assert_eq!(hits, Hits { tests: 3, first: Some(2) });
    }
}
