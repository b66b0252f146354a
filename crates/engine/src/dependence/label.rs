//! Labels: the decisions of a path that a value or an instruction depends on.

use rustc_hash::FxHashMap;

/// The most entries of all lists of a path, 64 MiB. A path whose labels need more has none.
const MOST_ENTRIES: usize = 1 << 24;

/// A list of decisions, by its number. Equal lists have equal numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Label(u32);

impl Label {
    /// No decision.
    pub const NONE: Label = Label(0);

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self == Label::NONE
    }
}

/// All labels of a path.
///
/// The decisions of a list are in the order of demand: a lazy evaluation of the value, from the
/// end of the path backwards, needs them in this order and needs no others. Reducers rely on
/// this order.
#[derive(Clone, Debug)]
pub struct LabelTable {
    lists: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, Label>,
    joined: FxHashMap<(Label, Label), Label>,
    entries: usize,
}

impl Default for LabelTable {
    fn default() -> LabelTable {
        let none: Box<[u32]> = Box::default();
        LabelTable {
            lists: vec![none.clone()],
            numbers: FxHashMap::from_iter([(none, Label::NONE)]),
            joined: FxHashMap::default(),
            entries: 0,
        }
    }
}

impl LabelTable {
    /// The label of a decision alone.
    pub fn of(&mut self, decision: u32) -> Label {
        self.intern(&[decision])
    }

    /// The decisions of a label.
    pub fn decisions(&self, label: Label) -> &[u32] {
        &self.lists[label.0 as usize]
    }

    /// The decisions of `first`, then those of `second` that are not among them.
    pub fn join(&mut self, first: Label, second: Label) -> Label {
        if second.is_none() || first == second {
            return first;
        }
        if first.is_none() {
            return second;
        }
        if let Some(&joined) = self.joined.get(&(first, second)) {
            return joined;
        }
        let mut all = self.decisions(first).to_vec();
        let own: rustc_hash::FxHashSet<u32> = all.iter().copied().collect();
        all.extend(self.decisions(second).iter().filter(|it| !own.contains(it)));
        let joined = self.intern(&all);
        self.joined.insert((first, second), joined);
        joined
    }

    /// The labels in their order, joined.
    pub fn join_all(&mut self, labels: impl IntoIterator<Item = Label>) -> Label {
        labels.into_iter().fold(Label::NONE, |all, label| self.join(all, label))
    }

    /// Whether there are too many to go on.
    pub fn is_full(&self) -> bool {
        self.entries > MOST_ENTRIES
    }

    fn intern(&mut self, list: &[u32]) -> Label {
        if let Some(&label) = self.numbers.get(list) {
            return label;
        }
        let label = Label(self.lists.len() as u32);
        self.entries += list.len();
        self.lists.push(list.into());
        self.numbers.insert(list.into(), label);
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_the_order_and_drops_repetitions() {
        let mut table = LabelTable::default();
        let (a, b, c) = (table.of(4), table.of(2), table.of(7));
        let first = table.join_all([a, b]);
        let second = table.join_all([b, c]);
        let all = table.join(first, second);
        assert_eq!(table.decisions(all), [4, 2, 7]);
        assert_eq!(table.join_all([a, b, c]), all);
        assert_eq!(table.join(all, first), all);
        assert_eq!(table.join(Label::NONE, all), all);
    }
}
