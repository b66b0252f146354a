//! Sequentialises the parallel moves of an edge.

use rustc_hash::FxHashMap;

use super::Slot;

/// Orders moves so that each source is read before it is overwritten; a cycle is broken
/// through `spare`. Destinations are distinct. Returns the sequence, and whether it uses the
/// spare slot.
pub fn sequence(parallel: &[(Slot, Slot)], spare: Slot) -> (Vec<(Slot, Slot)>, bool) {
    let mut pending: Vec<(Slot, Slot)> =
        parallel.iter().copied().filter(|(to, from)| to != from).collect();
    let mut readers: FxHashMap<Slot, u32> = FxHashMap::default();
    for &(_, from) in &pending {
        *readers.entry(from).or_default() += 1;
    }
    let mut out = Vec::with_capacity(pending.len());
    let mut used_spare = false;
    while !pending.is_empty() {
        let before = pending.len();
        pending.retain(|&(to, from)| {
            let free = readers.get(&to).is_none_or(|&n| n == 0);
            if free {
                out.push((to, from));
                *readers.get_mut(&from).expect("every source was counted") -= 1;
            }
            !free
        });
        if pending.len() == before {
            // Only cycles are left: save one destination and read it from the spare slot.
            let (saved, _) = pending[0];
            out.push((spare, saved));
            used_spare = true;
            let moved = readers.insert(saved, 0).unwrap_or(0);
            *readers.entry(spare).or_default() += moved;
            for (_, from) in &mut pending {
                if *from == saved {
                    *from = spare;
                }
            }
        }
    }
    (out, used_spare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parallel: &[(Slot, Slot)]) {
        let spare = 9;
        let (moves, _) = sequence(parallel, spare);
        let mut slots: Vec<u32> = (100..110).collect();
        let before = slots.clone();
        for (to, from) in moves {
            slots[to as usize] = slots[from as usize];
        }
        for slot in 0..spare {
            let source = parallel.iter().find(|m| m.0 == slot).map_or(slot, |m| m.1);
            assert_eq!(slots[slot as usize], before[source as usize], "{parallel:?}");
        }
    }

    #[test]
    fn every_map_of_four_slots_equals_a_parallel_assignment() {
        for code in 0..5u32.pow(4) {
            let moves: Vec<_> =
                (0..4).map(|i| (i, code / 5u32.pow(i) % 5)).filter(|m| m.1 != 4).collect();
            check(&moves);
        }
        check(&[(0, 1), (1, 0), (2, 3), (3, 2), (5, 0)]);
        check(&[(0, 1), (1, 2), (2, 0), (6, 1), (7, 2)]);
    }
}
