//! Sets of kept conditions, each with a number: equal sets have equal numbers.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::ConditionId;

/// The number of a set of conditions. The default is the empty set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct KeptSet(u32);

/// All sets of conditions that tasks keep.
pub(super) struct KeptSets {
    /// The conditions of each set, ascending.
    sets: Vec<Arc<[ConditionId]>>,
    numbers: FxHashMap<Arc<[ConditionId]>, KeptSet>,
    /// The set with one more condition. Paths have most of their decisions in common, so most
    /// steps were made before.
    steps: FxHashMap<(KeptSet, ConditionId), KeptSet>,
}

impl Default for KeptSets {
    fn default() -> KeptSets {
        let empty: Arc<[ConditionId]> = Arc::default();
        KeptSets {
            numbers: FxHashMap::from_iter([(Arc::clone(&empty), KeptSet::default())]),
            sets: vec![empty],
            steps: FxHashMap::default(),
        }
    }
}

impl KeptSets {
    /// The conditions of a set, ascending.
    pub fn conditions(&self, set: KeptSet) -> &[ConditionId] {
        &self.sets[set.0 as usize]
    }

    /// The set with one more condition.
    pub fn with(&mut self, set: KeptSet, condition: ConditionId) -> KeptSet {
        if let Some(&known) = self.steps.get(&(set, condition)) {
            return known;
        }
        let mut all = self.conditions(set).to_vec();
        if let Err(at) = all.binary_search(&condition) {
            all.insert(at, condition);
        }
        let next = self.number(all);
        self.steps.insert((set, condition), next);
        next
    }

    /// The set of these conditions, which are ascending.
    pub fn number(&mut self, conditions: Vec<ConditionId>) -> KeptSet {
        if let Some(&known) = self.numbers.get(conditions.as_slice()) {
            return known;
        }
        let (number, all) =
            (KeptSet(self.sets.len() as u32), Arc::<[ConditionId]>::from(conditions));
        self.sets.push(Arc::clone(&all));
        self.numbers.insert(all, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_one_number_in_whatever_order_it_grew() {
        let mut sets = KeptSets::default();
        let empty = KeptSet::default();
        let (three, five) = (sets.with(empty, 3), sets.with(empty, 5));
        assert_ne!(three, five);
        let both = sets.with(three, 5);
        assert_eq!(sets.with(five, 3), both);
        assert_eq!(sets.with(both, 5), both);
        assert_eq!(sets.conditions(both), [3, 5]);
        assert_eq!(sets.number(vec![3, 5]), both);
        assert_eq!(sets.number(Vec::new()), empty);
    }
}
