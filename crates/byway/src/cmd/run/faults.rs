//! The distinct faults of a run, one for each kind and location.

use std::collections::{BTreeMap, HashMap};

use byway_base::{Fault, FaultKind, SrcLoc};
use byway_rundir::{FaultCount, FaultRecord};

/// The faults of a run.
#[derive(Default)]
pub struct Faults {
    /// The index of each fault in the lists below.
    known: HashMap<Identity, usize>,
    counts: Vec<u64>,
    records: Vec<FaultRecord>,
}

/// Two faults are the same if they have the same kind and location, or without a known location the
/// same kind and function.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: FaultKind,
    at: Option<SrcLoc>,
    function: String,
}

impl Identity {
    fn of(fault: &Fault) -> Self {
        let culprit = fault.culprit();
        let at = culprit.and_then(|frame| frame.loc.clone());
        let function = match (&at, culprit) {
            (None, Some(frame)) => frame.function.clone(),
            _ => String::new(),
        };
        Identity { kind: fault.kind, at, function }
    }
}

/// A fault that was counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CountedFault {
    /// Its number, from 1.
    pub id: u64,
    /// It was not known before.
    pub new: bool,
}

impl Faults {
    /// The faults of a run that goes on, and how many paths have each, by its number.
    pub fn of_earlier(records: &[FaultRecord], counts: &BTreeMap<u64, u64>) -> Faults {
        let mut faults = Faults::default();
        for record in records {
            let index = faults.records.len();
            faults.known.extend(record.fault().map(|fault| (Identity::of(&fault), index)));
            faults.counts.push(counts.get(&record.id).copied().unwrap_or(0));
            faults.records.push(record.clone());
        }
        faults
    }

    /// Counts a fault. The caller must record a new one next.
    pub fn count(&mut self, fault: &Fault) -> CountedFault {
        let next = self.counts.len();
        let index = *self.known.entry(Identity::of(fault)).or_insert(next);
        let new = index == next;
        if new {
            self.counts.push(0);
        }
        self.counts[index] += 1;
        CountedFault { id: index as u64 + 1, new }
    }

    /// Records the new fault that was just counted.
    pub fn record(&mut self, record: FaultRecord) {
        self.records.push(record);
    }

    /// The number of distinct faults.
    pub fn distinct(&self) -> u64 {
        self.counts.len() as u64
    }

    /// The first occurrence of each fault.
    pub fn records(&self) -> &[FaultRecord] {
        &self.records
    }

    /// The number of occurrences of each fault.
    pub fn counts(&self) -> Vec<FaultCount> {
        let count = |(record, &count): (&FaultRecord, &u64)| FaultCount {
            id: record.id,
            kind: record.kind.clone(),
            at: record.at.clone(),
            count,
        };
        self.records.iter().zip(&self.counts).map(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::StackFrame;

    fn fault(kind: FaultKind, function: &str, line: u32) -> Fault {
        let loc = (line > 0).then(|| SrcLoc { file: "a.c".into(), line, column: 1 });
        let stack =
            vec![StackFrame { function: function.into(), loc, user: true, arguments: vec![] }];
        Fault { kind, message: format!("in {function}"), stack, notes: vec![] }
    }

    #[test]
    fn kind_and_location_identify_a_fault() {
        let mut faults = Faults::default();
        let mut count = |kind, function, line| {
            let found = faults.count(&fault(kind, function, line));
            (found.id, found.new)
        };
        assert_eq!(count(FaultKind::Abort, "f", 3), (1, true));
        assert_eq!(count(FaultKind::Abort, "f", 3), (1, false));
        assert_eq!(count(FaultKind::Trap, "f", 3), (2, true));
        assert_eq!(count(FaultKind::Abort, "f", 4), (3, true));
        // The same line inlined into another function is the same location.
        assert_eq!(count(FaultKind::Abort, "g", 3), (1, false));
        // Without debug information the function is the location.
        assert_eq!(count(FaultKind::Abort, "f", 0), (4, true));
        assert_eq!(count(FaultKind::Abort, "g", 0), (5, true));
        assert_eq!(faults.distinct(), 5);
    }
}
