//! A small choice of sets that covers what all of them do: greedily, then without those
//! that turned out to be superfluous. The smallest choice would take too long to find.

use std::collections::{BTreeMap, BinaryHeap};

/// The indices of the sets to keep, in their order. Of sets that bring as much, the first
/// is taken.
pub fn choose(sets: &[Vec<u32>]) -> Vec<usize> {
    let mut chosen = greedy(sets);
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    for &element in chosen.iter().flat_map(|&index| &sets[index]) {
        *times.entry(element).or_default() += 1;
    }
    // The last brought the least, and are the likeliest to be in vain.
    for index in chosen.clone().into_iter().rev() {
        if sets[index].iter().all(|element| times[element] > 1) {
            chosen.retain(|&kept| kept != index);
            for element in &sets[index] {
                times.entry(*element).and_modify(|times| *times -= 1);
            }
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Always the set that brings most. What a set brings only shrinks, so the best of the
/// last count is the best if it still brings as much.
fn greedy(sets: &[Vec<u32>]) -> Vec<usize> {
    let size = sets.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let mut covered = vec![false; size];
    let entry = |count: usize, index: usize| (count, std::cmp::Reverse(index));
    let mut heap: BinaryHeap<_> =
        sets.iter().enumerate().map(|(index, set)| entry(set.len(), index)).collect();
    let mut chosen = Vec::new();
    while let Some((counted, std::cmp::Reverse(index))) = heap.pop() {
        let brings = sets[index].iter().filter(|&&element| !covered[element as usize]).count();
        if brings == 0 {
            continue;
        }
        if brings < counted {
            heap.push(entry(brings, index));
            continue;
        }
        sets[index].iter().for_each(|&element| covered[element as usize] = true);
        chosen.push(index);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn all(sets: &[Vec<u32>], chosen: &[usize]) -> BTreeSet<u32> {
        chosen.iter().flat_map(|&index| sets[index].iter().copied()).collect()
    }

    #[test]
    fn takes_the_largest_and_the_first_of_equals() {
        assert_eq!(choose(&[vec![1], vec![1, 2], vec![2, 1], vec![3]]), [1, 3]);
        assert_eq!(choose(&[vec![], vec![7], vec![7]]), [1]);
        assert_eq!(choose(&[]), [0; 0]);
    }

    #[test]
    fn leaves_out_what_later_choices_cover() {
        // Greed takes the first of four, and the two others cover all of it.
        let sets = [vec![1, 2, 3, 4], vec![1, 2, 5, 6], vec![3, 4, 7, 8]];
        assert_eq!(choose(&sets), [1, 2]);
    }

    #[test]
    fn covers_everything_and_nothing_in_vain() {
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
            let chosen = choose(&sets);
            assert_eq!(all(&sets, &chosen), all(&sets, &everything));
            for left_out in &chosen {
                let rest: Vec<usize> =
                    chosen.iter().copied().filter(|kept| kept != left_out).collect();
                assert!(all(&sets, &rest).len() < all(&sets, &chosen).len(), "{sets:?}");
            }
        }
    }
}
