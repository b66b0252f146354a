//! Which of many paths to write when there is no time to write them all: those that cover what
//! no other test does.
//!
//! The choice is greedy, as in test-suite minimisation: the path that covers most comes first,
//! then the one that covers most of what is left, until nothing is left. So there are at most
//! as many tests as sites. Paths are kept in buckets by how many new sites they had when last
//! looked at. That number only falls, so one pass over a bucket, from the highest to the
//! lowest, finds each path that still has as many and moves the others down.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

/// Paths by the number of new sites; `I` identifies a path.
pub(super) struct CoveringPaths<'a, I> {
    /// Sites that neither a test nor a chosen path covers, a bit each.
    uncovered: Vec<u64>,
    /// The paths with `index + 1` new sites when last looked at.
    buckets: Vec<VecDeque<(I, &'a [u64])>>,
    /// Sets of sites that were added, by address: forks share them until they reach more.
    added: FxHashSet<*const u64>,
}

impl<'a, I> CoveringPaths<'a, I> {
    /// No paths; `is_covered` is whether a test covers a site, of `sites` in all.
    pub fn new(sites: usize, is_covered: impl Fn(u32) -> bool) -> CoveringPaths<'a, I> {
        let mut uncovered = vec![0; sites.div_ceil(64)];
        for site in (0..sites).filter(|&site| !is_covered(site as u32)) {
            uncovered[site / 64] |= 1 << (site % 64);
        }
        CoveringPaths { uncovered, buckets: Vec::new(), added: FxHashSet::default() }
    }

    /// Adds a path that reaches these sites, a bit each. Of equally good paths, the one added
    /// first is chosen first.
    pub fn add(&mut self, id: I, sites: &'a [u64]) {
        if self.gain(sites) > 0 && self.added.insert(sites.as_ptr()) {
            self.put(id, sites);
        }
    }

    /// How many of these sites are uncovered.
    fn gain(&self, sites: &[u64]) -> usize {
        let new = sites.iter().zip(&self.uncovered).map(|(own, left)| own & left);
        new.map(|bits| bits.count_ones() as usize).sum()
    }

    fn put(&mut self, id: I, sites: &'a [u64]) {
        let Some(bucket) = self.gain(sites).checked_sub(1) else { return };
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, VecDeque::new);
        }
        self.buckets[bucket].push_back((id, sites));
    }
}

/// The paths to write, the one that covers most first.
impl<I> Iterator for CoveringPaths<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        loop {
            let most = self.buckets.len();
            let Some((id, sites)) = self.buckets.last_mut()?.pop_front() else {
                self.buckets.pop();
                continue;
            };
            if self.gain(sites) < most {
                self.put(id, sites);
                continue;
            }
            self.uncovered.iter_mut().zip(sites).for_each(|(left, own)| *left &= !own);
            return Some(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    fn chosen(sites: usize, covered: &[u32], paths: &[&[u64]]) -> Vec<usize> {
        let mut covering = CoveringPaths::new(sites, |site| covered.contains(&site));
        paths.iter().enumerate().for_each(|(id, sites)| covering.add(id, sites));
        covering.collect()
    }

    #[test]
    fn the_path_that_covers_most_comes_first() {
        assert_eq!(chosen(4, &[], &[&[0b1], &[0b111], &[0b1000]]), [1, 2]);
        // The second has two sites of its own, until the third is chosen.
        assert_eq!(chosen(6, &[], &[&[0b1], &[0b11], &[0b111110]]), [2, 0]);
    }

    #[test]
    fn paths_without_new_sites_are_left_out() {
        assert_eq!(chosen(3, &[0, 1, 2], &[&[0b111], &[0b1]]), [0; 0]);
        assert_eq!(chosen(3, &[0], &[&[0b1], &[0b11], &[]]), [1]);
        assert_eq!(chosen(70, &[0], &[&[0b1], &[0b1, 0b100], &[0b11]]), [1, 2]);
    }

    #[test]
    fn of_equal_paths_the_first_is_chosen() {
        let shared: &[u64] = &[0b11];
        assert_eq!(chosen(2, &[], &[shared, shared, &[0b11]]), [0]);
    }

    /// Every site that some path reaches is covered, by paths that each cover a new one, in
    /// descending order of how many.
    #[test]
    fn random_paths_are_chosen_greedily() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let sites: Vec<Vec<u64>> =
                (0..50).map(|_| vec![rng.next_u64() & rng.next_u64() & rng.next_u64()]).collect();
            let all = sites.iter().fold(0, |all, own| all | own[0]);
            let paths: Vec<&[u64]> = sites.iter().map(Vec::as_slice).collect();
            let (mut covered, mut last) = (0, u32::MAX);
            for id in chosen(64, &[], &paths) {
                let best = sites.iter().map(|own| (own[0] & !covered).count_ones()).max();
                let gain = (sites[id][0] & !covered).count_ones();
                assert!(gain > 0 && gain <= last && Some(gain) == best);
                (covered, last) = (covered | sites[id][0], gain);
            }
            assert_eq!(covered, all);
        }
    }
}
