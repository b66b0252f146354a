//! Coverage in the format of gcc's gcov, which clang writes too: `.gcno` files say what
//! there is in a program, `.gcda` files what a run of it counted.
//!
//! ```text
//! .gcno ──▶ [`Notes`] ──▶ [`Map`]: lines, sides of branches, functions, each with a number
//! .gcda ──▶ [`Counters`] ──[`flow`]──▶ [`Covered`]: the numbers of those that ran
//! ```
//!
//! Read here and not by calling `gcov`, because every test has counters of its own:
//! a process for each would take longer than the tests.

mod counters;
mod flow;
mod notes;
mod words;

use std::collections::BTreeMap;

pub use counters::Counters;
pub use flow::Flow;
pub use notes::{Function, Notes};

/// Whose rule says whether a line ran, where it is part of several blocks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// gcov's: if blocks end with the line, they tell, and only else those that hold it.
    Gcc,
    /// llvm-cov's: any block that holds it tells.
    Llvm,
}

/// What there is in a program.
pub struct Map {
    /// The files, by the name that the compiler gave.
    pub files: BTreeMap<String, File>,
    /// How many lines there are.
    pub lines: usize,
    /// How many sides of branches.
    pub sides: usize,
    /// How many functions.
    pub functions: usize,
    units: Vec<Unit>,
}

/// A source file.
#[derive(Default)]
pub struct File {
    /// The directory the compiler ran in, if it is told.
    pub directory: String,
    /// Its lines with code.
    pub lines: BTreeMap<u32, Line>,
    /// Its functions: line, name, number.
    pub functions: Vec<(u32, String, usize)>,
}

/// A line with code.
pub struct Line {
    /// Its number in the program.
    pub number: usize,
    /// The branches that end on it: the numbers of their sides.
    pub branches: Vec<Vec<usize>>,
}

/// One compilation.
struct Unit {
    notes: Notes,
    plans: Vec<Plan>,
}

/// What of a function tells which number.
#[derive(Default)]
struct Plan {
    function: usize,
    /// Lines, and the blocks that tell whether they ran.
    lines: Vec<(usize, Vec<usize>)>,
    /// Sides of branches, and their arcs.
    sides: Vec<(usize, usize)>,
}

/// What a run covers, by number, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Covered {
    /// Lines.
    pub lines: Vec<usize>,
    /// Sides of branches.
    pub sides: Vec<usize>,
    /// Functions.
    pub functions: Vec<usize>,
}

impl Map {
    /// Of these compilations, the files that are wanted.
    pub fn new(units: Vec<Notes>, rule: Rule, wanted: &dyn Fn(&str) -> bool) -> Map {
        let mut map =
            Map { files: BTreeMap::new(), lines: 0, sides: 0, functions: 0, units: Vec::new() };
        for notes in units {
            let plan = |function: &Function| map.plan(function, &notes.directory, rule, wanted);
            let plans = notes.functions.iter().map(plan).collect();
            map.units.push(Unit { notes, plans });
        }
        map
    }

    fn plan(
        &mut self,
        function: &Function,
        directory: &str,
        rule: Rule,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Plan {
        let mut plan = Plan { function: usize::MAX, ..Plan::default() };
        if function.artificial {
            return plan;
        }
        if wanted(&function.file) {
            plan.function = self.functions;
            self.functions += 1;
            let entry = (function.line, function.name.clone(), plan.function);
            self.file(&function.file, directory).functions.push(entry);
        }
        let mut holders: BTreeMap<usize, Holders> = BTreeMap::new();
        for (number, block) in function.blocks.iter().enumerate() {
            let mut last = None;
            for (name, line) in block.lines.iter().filter(|(name, _)| wanted(name)) {
                let id = self.line(name, *line, directory);
                let holders = holders.entry(id).or_default();
                holders.any.push(number);
                last = Some((name, *line, id));
            }
            // gcov takes the first and the last block for entry and exit, which end no line.
            let inner = number != 0 && number + 1 != function.blocks.len();
            let ends = inner || rule == Rule::Llvm;
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
                Rule::Gcc if !holders.last.is_empty() => (id, holders.last),
                _ => (id, holders.any),
            })
            .collect();
        plan
    }

    fn file(&mut self, name: &str, directory: &str) -> &mut File {
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
            lines.entry(line).or_insert(Line { number: next, branches: Vec::new() }).number;
        self.lines = self.lines.max(number + 1);
        number
    }

    /// What counters say that ran; counters of another program say nothing.
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
                let Some(flow) = own.and_then(|(_, counts)| Flow::solve(function, counts)) else {
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

/// Blocks that hold a line, and those that end with it.
#[derive(Default)]
struct Holders {
    any: Vec<usize>,
    last: Vec<usize>,
}

impl Plan {
    fn add(&self, flow: &Flow, covered: &mut Covered) {
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

/// The arcs out of a block that can be left in more than one way, by where they lead.
fn branch(function: &Function, block: usize) -> Vec<usize> {
    let arcs = function.arcs.iter().enumerate();
    let leaves = arcs.filter(|(_, arc)| arc.from == block && !arc.fake);
    let mut sides: Vec<usize> = leaves.map(|(number, _)| number).collect();
    sides.sort_by_key(|&arc| function.arcs[arc].to);
    if sides.len() < 2 { Vec::new() } else { sides }
}

#[cfg(test)]
mod tests;
