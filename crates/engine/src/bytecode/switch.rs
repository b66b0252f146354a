//! The jump table of a switch, by value and by case.

use std::cell::OnceCell;

use byway_ir::Ty;

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
    cases: OnceCell<Box<[SwitchCase]>>,
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
        self.cases.get_or_init(|| self.find_cases().into())
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

    fn find_cases(&self) -> Vec<SwitchCase> {
        let dense = self.dense.iter().enumerate();
        let dense = dense.map(|(i, &pc)| (u128::from(self.least.wrapping_add(i as u64)), pc));
        let mut cases: Vec<SwitchCase> = Vec::new();
        for (value, target) in dense.chain(self.sparse.iter().copied()) {
            if target == self.default {
                continue;
            }
            match cases.iter_mut().find(|case| case.target == target) {
                Some(case) => match case.ranges.last_mut() {
                    Some((_, high)) if *high + 1 == value => *high = value,
                    _ => case.ranges.push((value, value)),
                },
                None => cases.push(SwitchCase { ranges: vec![(value, value)], target }),
            }
        }
        cases
    }
}
