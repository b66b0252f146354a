//! `run.istats`: what each instruction of the program did, as a profile of callgrind.
//!
//! A reader of such profiles (KCachegrind, `callgrind_annotate`) sums the costs of
//! instructions by line and function, and draws the call graph from the calls. Each cost line
//! has two positions, as in KLEE: the instruction's line in the program's assembly, and its
//! line in the source.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// The name of the file in KLEE's output directory.
pub const FILE: &str = "run.istats";

/// Defines the costs together with their names, so that the two cannot differ.
macro_rules! events {
    ($($(#[$doc:meta])* $field:ident => $short:literal $long:literal,)*) => {
        /// The costs of an instruction, or of the calls of one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct KleeCosts {
            $($(#[$doc])* pub $field: u64,)*
        }

        impl KleeCosts {
            /// Names of the events: short and long.
            const NAMES: &[(&str, &str)] = &[$(($short, $long),)*];

            fn values(&self) -> impl Iterator<Item = u64> {
                [$(self.$field,)*].into_iter()
            }
        }
    };
}

events! {
    /// One if the instruction was executed.
    covered_instructions => "Icov" "CoveredInstructions",
    /// Forks.
    forks => "Forks" "Forks",
    /// Time in microseconds.
    instruction_real_time => "Ireal" "InstructionRealTimes",
    /// Processor time in microseconds.
    instruction_time => "Itime" "InstructionTimes",
    /// Executions.
    instructions => "I" "Instructions",
    /// The distance to an instruction that was not executed, in instructions.
    min_dist_to_uncovered => "UCdist" "MinDistToUncovered",
    /// Time for finding the objects that symbolic pointers refer to, in microseconds.
    resolve_time => "Rtime" "ResolveTime",
    /// States that are at this instruction now.
    states => "States" "States",
    /// One if the instruction was not executed.
    uncovered_instructions => "Iuncov" "UncoveredInstructions",
    /// Queries to the solver.
    queries => "Q" "Queries",
    /// Queries whose condition never holds.
    queries_invalid => "Qiv" "QueriesInvalid",
    /// Queries whose condition always holds.
    queries_valid => "Qv" "QueriesValid",
    /// Time in the solver in microseconds.
    query_time => "Qtime" "QueryTime",
}

/// The profile of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KleeProfile {
    /// The program's name.
    pub program: String,
    /// The object file that instruction positions refer to: `assembly.ll` in KLEE's directory.
    pub object: String,
    /// The program's functions.
    pub functions: Vec<FunctionProfile>,
}

/// The profile of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FunctionProfile {
    /// The function's name.
    pub name: String,
    /// Where it is defined; the file is empty if that is unknown.
    pub start: ProfilePosition,
    /// Its instructions. Several may have the same position: their costs are summed.
    pub instructions: Vec<InstructionProfile>,
}

/// Where an instruction is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProfilePosition {
    /// The source file; empty if unknown.
    pub file: String,
    /// The line in the source; 0 if unknown.
    pub line: u32,
    /// The line in the assembly; 0 if there is none.
    pub assembly_line: u64,
}

/// The profile of an instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InstructionProfile {
    /// Where it is.
    pub position: ProfilePosition,
    /// Its own costs, without those of the functions it calls.
    pub costs: KleeCosts,
    /// The functions it called.
    pub calls: Vec<CallProfile>,
}

/// The calls of one function from one instruction.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallProfile {
    /// The called function, as an index into [`KleeProfile::functions`].
    pub callee: usize,
    /// How often it was called.
    pub count: u64,
    /// The costs of the calls, with those of all functions called in turn.
    pub costs: KleeCosts,
}

impl KleeProfile {
    /// Writes the profile to a file, which replaces an earlier profile as a whole: a reader
    /// sees the old one or the new one.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut draft = path.as_os_str().to_owned();
        draft.push(".new");
        std::fs::write(&draft, self.render())?;
        std::fs::rename(&draft, path)
    }

    /// The text of the file.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let id = std::process::id();
        // Writing to a string cannot fail.
        let _ = write!(text, "version: 1\ncreator: byway\npid: {id}\n");
        let _ = write!(text, "cmd: {}\n\n\npositions: instr line\n", one_line(&self.program));
        for (short, long) in KleeCosts::NAMES {
            let _ = writeln!(text, "event: {short} : {long}");
        }
        let events: Vec<&str> = KleeCosts::NAMES.iter().map(|(short, _)| *short).collect();
        let _ = writeln!(text, "events: {}", events.join(" "));
        let _ = writeln!(text, "ob={}", one_line(&self.object));
        let mut file = "";
        for function in &self.functions {
            // Before `fn`: a reader takes the file that is current there for the function's.
            change_file(&mut text, &mut file, &function.start.file);
            let _ = writeln!(text, "fn={}", one_line(&function.name));
            for instruction in &function.instructions {
                change_file(&mut text, &mut file, &instruction.position.file);
                cost_line(&mut text, &instruction.position, &instruction.costs);
                for call in &instruction.calls {
                    self.call(&mut text, file, instruction, call);
                }
            }
        }
        text
    }

    fn call(&self, text: &mut String, file: &str, caller: &InstructionProfile, call: &CallProfile) {
        // A call of a function that the profile does not have cannot be shown.
        let Some(callee) = self.functions.get(call.callee) else { return };
        if !callee.start.file.is_empty() && callee.start.file != file {
            let _ = writeln!(text, "cfl={}", one_line(&callee.start.file));
        }
        let _ = writeln!(text, "cfn={}", one_line(&callee.name));
        let start = &callee.start;
        let _ = writeln!(text, "calls={} {} {}", call.count, start.assembly_line, start.line);
        cost_line(text, &caller.position, &call.costs);
    }
}

fn change_file<'a>(text: &mut String, current: &mut &'a str, file: &'a str) {
    if file != *current {
        let _ = writeln!(text, "fl={}", one_line(file));
        *current = file;
    }
}

fn cost_line(text: &mut String, position: &ProfilePosition, costs: &KleeCosts) {
    let _ = write!(text, "{} {}", position.assembly_line, position.line);
    for cost in costs.values() {
        let _ = write!(text, " {cost}");
    }
    text.push('\n');
}

/// A name as the format can hold it: a line break would begin a line of its own.
fn one_line(name: &str) -> String {
    name.replace(['\n', '\r'], "?")
}

#[cfg(test)]
mod tests;
