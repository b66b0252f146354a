//! Greedy set cover: a small selection of sets with the same union as all of them, without
//! redundant ones. Finding the smallest selection is NP-hard.

use std::collections::{BTreeMap, BinaryHeap};

/// The indices of the selected sets in ascending order. Among sets with equal gain the first
/// is selected.
pub fn select(sets: &[Vec<u32>]) -> Vec<usize> {
    let mut selected = greedy(sets);
    let mut cover_counts: BTreeMap<u32, usize> = BTreeMap::new();
    for &element in selected.iter().flat_map(|&index| &sets[index]) {
        *cover_counts.entry(element).or_default() += 1;
    }
    // The sets selected last have the least gain and are most likely redundant.
    for index in selected.clone().into_iter().rev() {
        if sets[index].iter().all(|element| cover_counts[element] > 1) {
            selected.retain(|&kept| kept != index);
            for element in &sets[index] {
                cover_counts.entry(*element).and_modify(|cover_counts| *cover_counts -= 1);
            }
        }
    }
    selected.sort_unstable();
    selected
}

/// Selects the set with the largest gain until none is left. Gains only shrink, so a set whose
/// recomputed gain equals its entry in the heap is the best one.
fn greedy(sets: &[Vec<u32>]) -> Vec<usize> {
    let size = sets.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let mut covered = vec![false; size];
    let entry = |count: usize, index: usize| (count, std::cmp::Reverse(index));
    let mut heap: BinaryHeap<_> =
        sets.iter().enumerate().map(|(index, set)| entry(set.len(), index)).collect();
    let mut selected = Vec::new();
    while let Some((counted, std::cmp::Reverse(index))) = heap.pop() {
        let gain = sets[index].iter().filter(|&&element| !covered[element as usize]).count();
        if gain == 0 {
            continue;
        }
        if gain < counted {
            heap.push(entry(gain, index));
            continue;
        }
        sets[index].iter().for_each(|&element| covered[element as usize] = true);
        selected.push(index);
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn all(sets: &[Vec<u32>], selected: &[usize]) -> BTreeSet<u32> {
        selected.iter().flat_map(|&index| sets[index].iter().copied()).collect()
    }

    #[test]
    fn selects_the_largest_set_and_the_first_of_equals() {
        assert_eq!(select(&[vec![1], vec![1, 2], vec![2, 1], vec![3]]), [1, 3]);
        assert_eq!(select(&[vec![], vec![7], vec![7]]), [1]);
        assert_eq!(select(&[]), [0; 0]);
    }

    #[test]
    fn drops_sets_that_later_ones_make_redundant() {
        // The first of four elements is selected first, and the two others cover all of it.
        let sets = [vec![1, 2, 3, 4], vec![1, 2, 5, 6], vec![3, 4, 7, 8]];
        assert_eq!(select(&sets), [1, 2]);
    }

    #[test]
    fn covers_everything_without_redundant_sets() {
        let mut seed = 1_u32;
        let mut random = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        for _ in 0..200 {
            let sets: Vec<Vec<u32>> = (0..random() % 20)
                .map(|_| {
                    let set: BTreeSet<u32> = (0..random() % 12).map(|_| random() % 30).collect();
                    set.into_iter().collect()
                })
                .collect();
            let everything: Vec<usize> = (0..sets.len()).collect();
            let selected = select(&sets);
            assert_eq!(all(&sets, &selected), all(&sets, &everything));
            for removed in &selected {
                let rest: Vec<usize> =
                    selected.iter().copied().filter(|kept| kept != removed).collect();
                assert!(all(&sets, &rest).len() < all(&sets, &selected).len(), "{sets:?}");
            }
        }
    }
}
