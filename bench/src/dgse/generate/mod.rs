//! Random C programs with parts that meet and parts that do not.
//!
//! A program reads a few bytes of symbolic input. Each of its parts works on inputs and variables
//! of its own; some parts also use what another one left. At the end, results of some parts are
//! combined. So some paths are redundant, because they only combine decisions of parts that
//! never meet, and others are not. The seed determines everything.
//!
//! A program compares no addresses and never indexes an array of pointers by input: the values
//! that two explorations are compared by would contain addresses, which differ with the
//! allocations before them.

mod call;
mod fault;
mod memory;
mod statement;
mod value;

use byway_base::Rng;

use crate::paths::SourceTree;
use crate::toolchain::Level;

/// A random program.
#[derive(Clone, Debug)]
pub struct PartsProgram {
    pub tree: SourceTree,
    pub level: Level,
}

impl PartsProgram {
    /// The program in C.
    pub fn source(&self) -> String {
        self.tree.print()
    }
}

/// What every program declares.
const PRELUDE: &str = "\
#include <assert.h>
#include <byway.h>
#include <stdlib.h>
typedef unsigned u32;
typedef unsigned char u8;
struct record {
u32 count;
u8 tag;
u32 items[3];
struct record *next;
};
static u32 unused;
static void put(u32 *to, u32 value)
{
*to = value;
}
static void bump(u32 **to, u32 value)
{
**to += value;
}
static u32 sum(struct record *r)
{
return r->count + r->items[0] + r->items[2];
}";

/// The program of a seed, in a size from 1 to 5.
pub fn program(seed: u64, size: u32) -> PartsProgram {
    let level = [Level::O0, Level::O1, Level::O0, Level::O2][(seed % 4) as usize];
    let mut generator = PartsGenerator::new(Rng::new(seed.wrapping_mul(5) + u64::from(size)), size);
    PartsProgram { tree: generator.program(), level }
}

/// What a statement can name. All numbers are of type `u32`.
#[derive(Clone, Default)]
struct PartScope {
    /// Inputs and loop counters, which are only read.
    fixed: Vec<String>,
    variables: Vec<String>,
    /// Pointers to numbers, never null.
    pointers: Vec<String>,
    /// Pointers to these.
    double_pointers: Vec<String>,
    /// Arrays of numbers, with their lengths.
    arrays: Vec<(String, u32)>,
    /// Records and pointers to them, as prefixes of a member: `s.` or `p->`.
    records: Vec<String>,
}

struct PartsGenerator {
    rng: Rng,
    size: u32,
    names: u32,
    /// Definitions before `main`.
    definitions: Vec<SourceTree>,
    /// Functions of two numbers that return one.
    callable: Vec<String>,
    scope: PartScope,
    /// Loops around the statement.
    loops: u32,
    /// Whether the statement can return a number: it is in a function other than `main`.
    returns: bool,
    /// Statements that can fault are left.
    faults: u32,
}

impl PartsGenerator {
    fn new(mut rng: Rng, size: u32) -> PartsGenerator {
        let faults = rng.below(4) as u32;
        PartsGenerator {
            rng,
            size,
            names: 0,
            definitions: Vec::new(),
            callable: Vec::new(),
            scope: PartScope::default(),
            loops: 0,
            returns: false,
            faults,
        }
    }

    fn below(&mut self, n: u32) -> u32 {
        self.rng.below(u64::from(n.max(1))) as u32
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        self.rng.pick(items).cloned()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The name of a global object, or of a local one with this prefix.
    fn object_name(&mut self, prefix: &str) -> String {
        let is_global = self.chance(40);
        self.name(if is_global { "g" } else { prefix })
    }

    fn program(&mut self) -> SourceTree {
        let inputs: Vec<String> = (0..2 + self.size).map(|n| format!("in{n}")).collect();
        let mut body = Vec::new();
        for input in &inputs {
            body.push(SourceTree::fixed(
                format!("u8 {input};\nbyway_make_symbolic(&{input}, 1, \"{input}\");"),
                vec![],
            ));
        }
        if self.chance(25)
            && let Some(input) = self.pick(&inputs)
        {
            let most = 3 + self.below(200);
            body.push(SourceTree::statement(format!("byway_assume({input} < {most});"), vec![]));
        }
        let count = 2 + self.below(2).min(self.size) as usize;
        let parts: Vec<PartScope> = (0..count)
            .map(|part| {
                let own = inputs.iter().skip(part).step_by(count).cloned().collect();
                self.declare_part(own, &mut body)
            })
            .collect();
        for _ in 0..1 + self.below(2) {
            self.scope = self.globals_of(&parts, 50);
            self.helper();
        }
        for part in 0..count {
            self.scope = parts[part].clone();
            if self.chance(35) {
                let other = parts[self.below(count as u32) as usize].clone();
                self.share(&other);
            }
            body.push(self.part());
        }
        self.scope = self.globals_of(&parts, 60);
        for _ in 0..1 + self.below(3) {
            body.push(self.combination());
        }
        for part in &parts {
            self.keep_results(part, &mut body);
        }
        let definitions = std::mem::take(&mut self.definitions);
        let kids = vec![SourceTree::list(definitions), SourceTree::list(body)];
        SourceTree::fixed(format!("{PRELUDE}\n$0int main(void)\n{{\n$1return 0;\n}}"), kids)
    }

    /// The variables of a part: some are global, some belong to `main`.
    fn declare_part(&mut self, inputs: Vec<String>, body: &mut Vec<SourceTree>) -> PartScope {
        let mut scope = PartScope { fixed: inputs, ..PartScope::default() };
        for _ in 0..2 {
            let name = self.object_name("v");
            self.declare(&name, format!("u32 {name} = {};", self.names % 7), body);
            scope.variables.push(name);
        }
        if self.chance(60) {
            let (name, length) = (self.object_name("a"), 4);
            self.declare(&name, format!("u32 {name}[{length}] = {{1, 2, 3}};"), body);
            scope.arrays.push((name, length));
        }
        if self.chance(50) {
            let name = self.object_name("r");
            self.declare(&name, format!("struct record {name} = {{1, 2, {{3, 4, 5}}, 0}};"), body);
            scope.records.push(format!("{name}."));
            if self.chance(50) {
                let pointer = self.name("q");
                self.declare(&pointer, format!("struct record *{pointer} = &{name};"), body);
                scope.records.push(format!("{pointer}->"));
            }
        }
        if self.chance(60) {
            let (pointer, to) = (self.name("p"), scope.variables[0].clone());
            self.declare(&pointer, format!("u32 *{pointer} = &{to};"), body);
            if self.chance(40) {
                let double = self.name("pp");
                self.declare(&double, format!("u32 **{double} = &{pointer};"), body);
                scope.double_pointers.push(double);
            }
            scope.pointers.push(pointer);
        }
        scope
    }

    /// Declares a variable; names that begin with `g` are global.
    fn declare(&mut self, name: &str, declaration: String, body: &mut Vec<SourceTree>) {
        match name.starts_with('g') {
            true => {
                self.definitions.push(SourceTree::fixed(format!("static {declaration}"), vec![]));
            }
            false => body.push(SourceTree::fixed(declaration, vec![])),
        }
    }

    /// Adds what another part leaves to the scope.
    fn share(&mut self, other: &PartScope) {
        self.scope.variables.extend(other.variables.iter().take(1).cloned());
        self.scope.arrays.extend(other.arrays.iter().cloned());
        self.scope.records.extend(other.records.iter().cloned());
    }

    /// Parts of several scopes together, each with a chance in percent.
    fn globals_of(&mut self, parts: &[PartScope], percent: u32) -> PartScope {
        let mut all = PartScope::default();
        for part in parts {
            all.variables.extend(part.variables.iter().filter(|_| self.chance(percent)).cloned());
            all.arrays.extend(part.arrays.iter().filter(|_| self.chance(percent)).cloned());
            all.records.extend(part.records.iter().filter(|_| self.chance(percent)).cloned());
        }
        all
    }

    /// A part: statements in `main`, or in a function of its own.
    fn part(&mut self) -> SourceTree {
        if self.chance(40)
            && let Some(call) = self.outlined_part()
        {
            return call;
        }
        let statements = self.statements(2 + self.size, 0);
        SourceTree::statement("{\n$0}", vec![statements])
    }

    /// Statements that use what several parts left.
    fn combination(&mut self) -> SourceTree {
        if self.scope.variables.is_empty() {
            return SourceTree::statement(";", vec![]);
        }
        match self.chance(60) {
            true => self.if_statement(1),
            false => self.statement(1),
        }
    }

    /// Stores the results of a part, each on its own, so that the optimiser keeps what they
    /// depend on and nothing else meets in them.
    fn keep_results(&mut self, part: &PartScope, body: &mut Vec<SourceTree>) {
        let members = part.records.iter().map(|record| format!("{record}items[1]"));
        let elements = part.arrays.iter().map(|(array, _)| format!("{array}[1]"));
        let results: Vec<String> =
            part.variables.iter().cloned().chain(members).chain(elements).collect();
        for result in results {
            let name = self.name("kept");
            let definition = format!("static volatile u32 {name};");
            self.definitions.push(SourceTree::fixed(definition, vec![]));
            body.push(SourceTree::statement(format!("{name} = {result};"), vec![]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_program() {
        for seed in 0..50 {
            let (one, other) = (program(seed, 3), program(seed, 3));
            assert_eq!(one.source(), other.source());
            assert_ne!(one.source(), program(seed + 1, 3).source());
        }
    }

    #[test]
    fn the_programs_have_every_feature() {
        let all: String = (0..300).map(|seed| program(seed, 3).source()).collect();
        for feature in [
            "if (",
            "else",
            "for (",
            "while (",
            "switch (",
            "break;",
            "continue;",
            "return ",
            "malloc(",
            "free(",
            "assert(",
            " / ",
            "&&",
            "||",
            "->",
            "**",
            "(*",
            "put(&",
            "bump(&",
            "byway_assume(",
            "static u32",
            "[in",
            "? &",
        ] {
            assert!(all.contains(feature), "{feature}");
        }
    }
}
