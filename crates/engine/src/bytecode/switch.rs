//! Where a switch leads, value by value and way by way.

use std::cell::OnceCell;

use byway_ir::Ty;

use super::Pc;

/// Where a switch leads.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// The type of the value.
    pub ty: Ty,
    /// The value of the first entry of `dense`.
    pub least: u64,
    /// One target per value from `least` on, if the values lie close together.
    pub dense: Box<[Pc]>,
    /// Values and targets, by value, if they do not.
    pub sparse: Box<[(u128, Pc)]>,
    /// If none matches.
    pub default: Pc,
    /// Its ways, found out when a value is first a term.
    ways: OnceCell<Box<[SwitchWay]>>,
}

/// A place that a switch leads to, but for the default.
#[derive(Clone, Debug)]
pub struct SwitchWay {
    /// The values that lead there, in ranges that do not touch.
    pub ranges: Vec<(u128, u128)>,
    /// Where that is.
    pub target: Pc,
}

impl SwitchTable {
    /// A table without values that leads nowhere yet.
    pub fn new(ty: Ty, least: u64, default: Pc) -> SwitchTable {
        let (dense, sparse) = Default::default();
        SwitchTable { ty, least, dense, sparse, default, ways: OnceCell::new() }
    }

    /// The places it leads to but the default, by the least value that leads there: values
    /// that lead to one place are one way. Only for a table that is complete.
    pub fn ways(&self) -> &[SwitchWay] {
        self.ways.get_or_init(|| self.find_ways().into())
    }

    /// Where it leads that goes a way; the default comes after all others.
    pub fn target(&self, way: usize) -> Pc {
        self.ways().get(way).map_or(self.default, |way| way.target)
    }

    fn find_ways(&self) -> Vec<SwitchWay> {
        let dense = self.dense.iter().enumerate();
        let dense = dense.map(|(i, &pc)| (u128::from(self.least.wrapping_add(i as u64)), pc));
        let mut ways: Vec<SwitchWay> = Vec::new();
        for (value, target) in dense.chain(self.sparse.iter().copied()) {
            if target == self.default {
                continue;
            }
            match ways.iter_mut().find(|way| way.target == target) {
                Some(way) => match way.ranges.last_mut() {
                    Some((_, high)) if *high + 1 == value => *high = value,
                    _ => way.ranges.push((value, value)),
                },
                None => ways.push(SwitchWay { ranges: vec![(value, value)], target }),
            }
        }
        ways
    }
}
