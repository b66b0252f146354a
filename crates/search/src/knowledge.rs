//! What strategies have learnt about a program, for an exploration that goes on or a later one.
//!
//! A strategy writes tables of numbers under a name of its own ([`Searcher::store`]) and reads
//! those that it finds under that name ([`Searcher::recall`]). So knowledge outlives the choice
//! of strategies: what `sgs:1` learnt in a portfolio serves `sgs:1` alone.
//!
//! [`Searcher::store`]: crate::Searcher::store
//! [`Searcher::recall`]: crate::Searcher::recall

use byway_base::entity::EntityRef;
use byway_ir::{BlockId, FuncId, InstId};

use crate::{Case, Decision, Location, Site};

/// What the knowledge was learnt from.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum KnowledgeOrigin {
    /// The exploration that goes on.
    #[default]
    ThisExploration,
    /// Another exploration of the same build.
    SameBuild,
    /// An exploration of another version of the program: functions, blocks and coverage sites
    /// have other numbers.
    OtherBuild,
}

/// A table of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnowledgeTable {
    /// The name of the strategy.
    pub name: String,
    /// Rows of any length. The strategy alone knows what they mean.
    pub rows: Vec<Vec<u64>>,
}

/// What the strategies of one worker have learnt.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knowledge {
    /// What it was learnt from.
    pub origin: KnowledgeOrigin,
    /// A name can have several tables, of several workers.
    pub tables: Vec<KnowledgeTable>,
}

impl Knowledge {
    /// Adds a table, unless it is empty.
    pub fn add(&mut self, name: String, rows: Vec<Vec<u64>>) {
        if !rows.is_empty() {
            self.tables.push(KnowledgeTable { name, rows });
        }
    }

    /// The rows of the tables with a name, if the numbers of functions, blocks and coverage sites
    /// still mean the same.
    pub fn of_this_build<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Vec<u64>> + 'a {
        let is_valid = self.origin != KnowledgeOrigin::OtherBuild;
        self.tables_of(name).filter(move |_| is_valid).flatten()
    }

    /// The tables with a name, whatever build they are from.
    pub fn tables_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [Vec<u64>]> + 'a {
        self.tables.iter().filter(move |table| table.name == name).map(|table| &table.rows[..])
    }
}

/// The numbers of a case that was taken.
const CASE_NUMBERS: usize = 5;

const DECISIONS: [Decision; 8] = [
    Decision::Branch,
    Decision::Switch,
    Decision::Target,
    Decision::Object,
    Decision::Block,
    Decision::Size,
    Decision::Check,
    Decision::Choice,
];

/// Appends a case that was taken to a row.
pub(crate) fn put_case(row: &mut Vec<u64>, (site, case): (Site, Case)) {
    let Site { location: Location { func, block }, inst, decision } = site;
    let decision = DECISIONS.iter().position(|&it| it == decision).unwrap_or(0);
    let inst = inst.map_or(0, |inst| inst.index() as u64 + 1);
    row.extend([func.index() as u64, block.index() as u64, inst, decision as u64, case.0]);
}

/// The cases in a part of a row; `None` if it is damaged.
pub(crate) fn read_cases(row: &[u64]) -> Option<Vec<(Site, Case)>> {
    let (cases, rest) = row.as_chunks::<CASE_NUMBERS>();
    let small = |number: u64| usize::try_from(number).ok().filter(|&it| it < u32::MAX as usize);
    let case = |&[func, block, inst, decision, case]: &[u64; CASE_NUMBERS]| {
        let location =
            Location { func: FuncId::new(small(func)?), block: BlockId::new(small(block)?) };
        let inst = match inst.checked_sub(1) {
            Some(inst) => Some(InstId::new(small(inst)?)),
            None => None,
        };
        let decision = *DECISIONS.get(small(decision)?)?;
        Some((Site { location, inst, decision }, Case(case)))
    };
    if rest.is_empty() { cases.iter().map(case).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(number: u64, inst: Option<usize>, decision: Decision) -> (Site, Case) {
        let location = Location { func: FuncId::new(3), block: BlockId::new(7) };
        (Site { location, inst: inst.map(InstId::new), decision }, Case(number))
    }

    #[test]
    fn cases_are_read_as_they_were_written() {
        let cases = DECISIONS.map(|decision| case(decision as u64, None, decision));
        let cases: Vec<_> = cases.into_iter().chain([case(9, Some(0), Decision::Check)]).collect();
        let mut row = Vec::new();
        cases.iter().for_each(|&case| put_case(&mut row, case));
        assert_eq!(read_cases(&row), Some(cases));
        assert_eq!(read_cases(&[]), Some(Vec::new()));
    }

    #[test]
    fn damaged_cases_are_refused() {
        for row in [&[1][..], &[0, 0, 0, 99, 0], &[u64::MAX, 0, 0, 0, 0], &[0, 0, u64::MAX, 0, 0]] {
            assert_eq!(read_cases(row), None, "{row:?}");
        }
    }

    #[test]
    fn numbers_of_another_build_are_not_read() {
        let mut knowledge = Knowledge::default();
        knowledge.add("a".into(), vec![vec![1], vec![2]]);
        knowledge.add("b".into(), vec![vec![3]]);
        knowledge.add("a".into(), vec![vec![4]]);
        knowledge.add("c".into(), Vec::new());
        assert_eq!(knowledge.tables.len(), 3);
        assert_eq!(knowledge.of_this_build("a").flatten().copied().collect::<Vec<_>>(), [1, 2, 4]);
        knowledge.origin = KnowledgeOrigin::OtherBuild;
        assert_eq!(knowledge.of_this_build("a").count(), 0);
        assert_eq!(knowledge.tables_of("a").count(), 2);
    }
}
