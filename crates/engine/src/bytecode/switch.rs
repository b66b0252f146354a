//! The jump table of a switch, by value and by case.

use std::cell::OnceCell;

use byway_ir::Ty;
use rustc_hash::FxHashMap;

use super::Pc;

/// The jump table of a switch.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// The type of the value.
    pub ty: Ty,
    /// The value of the first entry of `dense`.
    pub least: u64,
    /// One target per value starting at `least`, if the values are close together.
    pub dense: Box<[Pc]>,
    /// Otherwise values and targets, sorted by value.
    pub sparse: Box<[(u128, Pc)]>,
    /// The target of every other value.
    pub default: Pc,
    /// Its cases, computed when the value is first symbolic.
    cases: OnceCell<CaseList>,
}

/// The cases of a switch other than the default.
#[derive(Clone, Default, Debug)]
struct CaseList {
    cases: Vec<SwitchCase>,
    by_target: FxHashMap<Pc, usize>,
}

/// All values of a switch with the same target, other than the default.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The values, in inclusive ranges that do not touch.
    pub ranges: Vec<(u128, u128)>,
    /// Their target.
    pub target: Pc,
}

impl SwitchTable {
    /// A table without values.
    pub fn new(ty: Ty, least: u64, default: Pc) -> SwitchTable {
        let (dense, sparse) = Default::default();
        SwitchTable { ty, least, dense, sparse, default, cases: OnceCell::new() }
    }

    /// The cases other than the default, by their least value; values with the same target
    /// are one case. Call it only once the table is complete.
    pub fn cases(&self) -> &[SwitchCase] {
        &self.case_list().cases
    }

    /// The index of the case of a value; the default comes after all others.
    pub fn case_of(&self, value: u128) -> usize {
        let list = self.case_list();
        let target = self.lookup(value as u64, (value >> 64) as u64);
        list.by_target.get(&target).copied().unwrap_or(list.cases.len())
    }

    /// The target of a case by its index; the default comes after all others.
    pub fn target(&self, case: usize) -> Pc {
        self.cases().get(case).map_or(self.default, |case| case.target)
    }

    /// The target of a value given as two words.
    #[inline(always)]
    pub fn lookup(&self, low: u64, high: u64) -> Pc {
        if !self.dense.is_empty() {
            let index = low.wrapping_sub(self.least) as usize;
            return self.dense.get(index).copied().unwrap_or(self.default);
        }
        let value = u128::from(low) | u128::from(high) << 64;
        match self.sparse.binary_search_by_key(&value, |case| case.0) {
            Ok(index) => self.sparse[index].1,
            Err(_) => self.default,
        }
    }

    fn case_list(&self) -> &CaseList {
        self.cases.get_or_init(|| self.find_cases())
    }

    fn find_cases(&self) -> CaseList {
        let dense = self.dense.iter().enumerate();
        let dense = dense.map(|(i, &pc)| (u128::from(self.least.wrapping_add(i as u64)), pc));
        let mut list = CaseList::default();
        for (value, target) in dense.chain(self.sparse.iter().copied()) {
            if target == self.default {
                continue;
            }
            let index = *list.by_target.entry(target).or_insert(list.cases.len());
            match list.cases.get_mut(index) {
                Some(case) => match case.ranges.last_mut() {
                    Some((_, high)) if *high + 1 == value => *high = value,
                    _ => case.ranges.push((value, value)),
                },
                None => list.cases.push(SwitchCase { ranges: vec![(value, value)], target }),
            }
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_with_one_target_are_one_case() {
        let (one, two, default) = (10, 20, 99);
        let ranges = |table: &SwitchTable| -> Vec<Vec<(u128, u128)>> {
            table.cases().iter().map(|case| case.ranges.clone()).collect()
        };
        let mut table = SwitchTable::new(Ty::Int(32), 5, default);
        table.dense = [one, one, default, two, one].into();
        assert_eq!(ranges(&table), [vec![(5, 6), (9, 9)], vec![(8, 8)]]);
        let indices = [4, 5, 6, 7, 8, 9, 10].map(|value| table.case_of(value));
        assert_eq!(indices, [2, 0, 0, 2, 1, 0, 2]);
        assert_eq!([0, 1, 2].map(|case| table.target(case)), [one, two, default]);

        let mut table = SwitchTable::new(Ty::Int(128), 0, default);
        table.sparse = [(3, two), (1 << 64 | 3, one), (1 << 100, default)].into();
        assert_eq!(ranges(&table), [vec![(3, 3)], vec![(1 << 64 | 3, 1 << 64 | 3)]]);
        assert_eq!([3, 1 << 64 | 3, 1 << 100, 4].map(|value| table.case_of(value)), [0, 1, 2, 2]);
    }
}
