//! Reads gcov's files, which gcc and clang write: `.gcno` files describe the code of a program,
//! `.gcda` files hold the counters of a run.
//!
//! ```text
//! .gcno ──▶ [`Notes`] ──▶ [`CoverageMap`]: lines, sides of branches, functions, each with a number
//! .gcda ──▶ [`Counters`] ──[`flow`]──▶ [`Covered`]: the numbers of those that ran
//! ```
//!
//! `gcov` itself is not called, because every test has its own counters: a process for each
//! would take longer than the tests. Both parsers accept arbitrary bytes without panicking.

mod counters;
mod flow;
mod notes;
mod reader;

use std::collections::BTreeMap;

pub use counters::Counters;
pub use flow::BlockCounts;
pub use notes::{NotedFunction, Notes};

/// How to decide whether a line that belongs to several blocks ran.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LineRule {
    /// As gcov: by the blocks that end with the line; if there are none, by all its blocks.
    Gcc,
    /// As llvm-cov: by all blocks that contain it.
    Llvm,
}

/// The lines, branch sides and functions of a program, each with a number.
pub struct CoverageMap {
    /// By the name that the compiler used.
    pub files: BTreeMap<String, MappedFile>,
    /// The number of lines.
    pub lines: usize,
    /// The number of branch sides.
    pub sides: usize,
    /// The number of functions.
    pub functions: usize,
    units: Vec<MappedUnit>,
}

/// A source file.
#[derive(Default)]
pub struct MappedFile {
    /// The directory the compiler ran in, if it is recorded.
    pub directory: String,
    /// Lines with code.
    pub lines: BTreeMap<u32, MappedLine>,
    /// Line, name and number of each function.
    pub functions: Vec<(u32, String, usize)>,
}

/// A line with code.
pub struct MappedLine {
    /// The number in the program.
    pub number: usize,
    /// For each branch that ends on the line, the numbers of its sides.
    pub branches: Vec<Vec<usize>>,
}

/// A compilation unit.
struct MappedUnit {
    notes: Notes,
    plans: Vec<FunctionMap>,
}

/// How the counts of a function map to numbers.
#[derive(Default)]
struct FunctionMap {
    function: usize,
    /// Numbers of lines, and the blocks that decide whether they ran.
    lines: Vec<(usize, Vec<usize>)>,
    /// Numbers of branch sides, and their arcs.
    sides: Vec<(usize, usize)>,
}

/// What a run covers: sorted numbers without duplicates.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    pub lines: Vec<usize>,
    /// Branch sides.
    pub sides: Vec<usize>,
    pub functions: Vec<usize>,
}

impl CoverageMap {
    /// Numbers the items of all units in files for which `wanted` returns true.
    pub fn new(units: Vec<Notes>, rule: LineRule, wanted: &dyn Fn(&str) -> bool) -> CoverageMap {
        let mut map = CoverageMap {
            files: BTreeMap::new(),
            lines: 0,
            sides: 0,
            functions: 0,
            units: Vec::new(),
        };
        for notes in units {
            let plan =
                |function: &NotedFunction| map.plan(function, &notes.directory, rule, wanted);
            let plans = notes.functions.iter().map(plan).collect();
            map.units.push(MappedUnit { notes, plans });
        }
        map
    }

    fn plan(
        &mut self,
        function: &NotedFunction,
        directory: &str,
        rule: LineRule,
        wanted: &dyn Fn(&str) -> bool,
    ) -> FunctionMap {
        let mut plan = FunctionMap { function: usize::MAX, ..FunctionMap::default() };
        if function.artificial {
            return plan;
        }
        if wanted(&function.file) {
            plan.function = self.functions;
            self.functions += 1;
            let entry = (function.line, function.name.clone(), plan.function);
            self.file(&function.file, directory).functions.push(entry);
        }
        let mut holders: BTreeMap<usize, LineBlocks> = BTreeMap::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let mut last = None;
            for (name, line) in block.lines.iter().filter(|(name, _)| wanted(name)) {
                let id = self.line(name, *line, directory);
                let holders = holders.entry(id).or_default();
                holders.any.push(number);
                last = Some((name, *line, id));
            }
            // In gcov the first and the last block are entry and exit, which end no line.
            let inner = number != 0 && number + 1 != function.blocks.len();
            let ends = inner || rule == LineRule::Llvm;
            let Some((name, line, id)) = last.filter(|_| ends) else { continue };
            holders.entry(id).or_default().last.push(number);
            let sides = branch(function, number);
            let first = self.sides;
            self.sides += sides.len();
            plan.sides.extend(sides.iter().enumerate().map(|(i, &arc)| (first + i, arc)));
            if let Some(line) =
                self.file(name, directory).lines.get_mut(&line).filter(|_| !sides.is_empty())
            {
                line.branches.push((first..first + sides.len()).collect());
            }
        }
        plan.lines = holders
            .into_iter()
            .map(|(id, holders)| match rule {
                LineRule::Gcc if !holders.last.is_empty() => (id, holders.last),
                _ => (id, holders.any),
            })
            .collect();
        plan
    }

    fn file(&mut self, name: &str, directory: &str) -> &mut MappedFile {
        let file = self.files.entry(name.into()).or_default();
        if file.directory.is_empty() {
            file.directory = directory.into();
        }
        file
    }

    fn line(&mut self, name: &str, line: u32, directory: &str) -> usize {
        let next = self.lines;
        let lines = &mut self.file(name, directory).lines;
        let number =
            lines.entry(line).or_insert(MappedLine { number: next, branches: Vec::new() }).number;
        self.lines = self.lines.max(number + 1);
        number
    }

    /// Decodes the counters of a run, given by unit. Counters of other code are ignored.
    pub fn covered(&self, counters: &[(usize, Counters)]) -> Covered {
        let mut covered = Covered::default();
        for (unit, counters) in counters {
            let Some(unit) = self.units.get(*unit) else { continue };
            if unit.notes.stamp != counters.stamp {
                continue;
            }
            for (function, plan) in unit.notes.functions.iter().zip(&unit.plans) {
                let own = counters.functions.get(&function.id);
                let own = own.filter(|(checksum, _)| *checksum == function.checksum);
                let Some(flow) = own.and_then(|(_, counts)| BlockCounts::solve(function, counts))
                else {
                    continue;
                };
                plan.add(&flow, &mut covered);
            }
        }
        for list in [&mut covered.lines, &mut covered.sides, &mut covered.functions] {
            list.sort_unstable();
            list.dedup();
        }
        covered
    }
}

/// Blocks that contain a line, and those that end with it.
#[derive(Default)]
struct LineBlocks {
    any: Vec<usize>,
    last: Vec<usize>,
}

impl FunctionMap {
    fn add(&self, flow: &BlockCounts, covered: &mut Covered) {
        let ran = |block: &usize| flow.blocks.get(*block).is_some_and(|&count| count > 0);
        if self.function != usize::MAX && ran(&0) {
            covered.functions.push(self.function);
        }
        let lines = self.lines.iter().filter(|(_, blocks)| blocks.iter().any(ran));
        covered.lines.extend(lines.map(|(line, _)| *line));
        let taken = |arc: usize| flow.arcs.get(arc).is_some_and(|&count| count > 0);
        covered.sides.extend(self.sides.iter().filter(|(_, arc)| taken(*arc)).map(|side| side.0));
    }
}

/// The arcs out of a block with several successors, by target; empty for other blocks.
fn branch(function: &NotedFunction, block: usize) -> Vec<usize> {
    let arcs = function.arcs.iter().enumerate();
    let leaves = arcs.filter(|(_, arc)| arc.from == block && !arc.fake);
    let mut sides: Vec<usize> = leaves.map(|(number, _)| number).collect();
    sides.sort_by_key(|&arc| function.arcs[arc].to);
    if sides.len() < 2 { Vec::new() } else { sides }
}

#[cfg(test)]
mod tests;
