//! Random C programs over a few bytes of input.
//!
//! A seed decides everything. Each program leaves out most of what the generator knows
//! and does much of the rest, so that rare features are combined. Every variable is declared at
//! the head of its function, every operation that may break a rule has a line of its
//! own, and every decision is made through a macro of the prelude; so the native run
//! can tell exactly which paths there are.

mod assorted;
mod call;
mod fault;
mod float;
mod library;
mod memory;
mod statement;
mod types;
mod value;

use byway_base::{FaultKind, Rng};

use super::tree::SourceTree;
use types::{Float, INTS, Int, U8};

const PRELUDE: &str = include_str!("../prelude.h");

/// The restrictions on a program, which determine how exactly it can be checked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Profile {
    /// Forks exactly at its branches: the paths are known to the last.
    Exact,
    /// Likewise, with overflow and shifts checked.
    Checked,
    /// Forks in libraries and at sizes, too: there may be more paths than known.
    Loose,
    /// Optimised, so branches may have gone: only the predictions of tests are checked.
    Optimised,
}

impl Profile {
    /// By the seed: half of all programs are exact.
    pub fn of(seed: u64) -> Profile {
        match seed % 8 {
            0..4 => Profile::Exact,
            4 | 5 => Profile::Checked,
            6 => Profile::Loose,
            _ => Profile::Optimised,
        }
    }

    /// Whether every path is known.
    pub fn is_exact(self) -> bool {
        matches!(self, Profile::Exact | Profile::Checked)
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Exact => "exact",
            Profile::Checked => "checked",
            Profile::Loose => "loose",
            Profile::Optimised => "optimised",
        }
    }
}

/// A random program.
#[derive(Clone)]
pub struct GeneratedProgram {
    /// How it is checked.
    pub profile: Profile,
    /// How many bytes of input it has.
    pub input_bytes: u32,
    /// Its parts.
    pub tree: SourceTree,
}

impl GeneratedProgram {
    /// All of it, as C. The fault kinds get the numbers that records have them by.
    pub fn source(&self) -> String {
        let kinds: String = FaultKind::ALL
            .iter()
            .enumerate()
            .map(|(at, kind)| format!("FAULT_{} = {}, ", kind.name().replace('-', "_"), at + 2))
            .collect();
        let head = format!("enum {{ {kinds}}};\n#define INPUT_BYTES {}\n", self.input_bytes);
        format!("{head}{PRELUDE}\n{}", self.tree.print())
    }
}

/// The program of a seed; `size` from 1 up says how much it does at most.
pub fn program(seed: u64, size: u32) -> GeneratedProgram {
    let profile = Profile::of(seed);
    let mut rng = Rng::new(seed);
    let input_bytes = if rng.chance(0.35) { 1 } else { 2 };
    let wanted = ProgramFeatures::draw(&mut rng);
    let generator = Generator {
        rng,
        profile,
        wanted,
        input_bytes,
        size,
        scope: VariableScope::default(),
        globals: Vec::new(),
        functions: Vec::new(),
        callable: Vec::new(),
        fresh: 0,
        loops: 0,
    };
    GeneratedProgram { profile, input_bytes, tree: generator.program() }
}

/// The optional features that this program uses.
struct ProgramFeatures {
    arrays: bool,
    structs: bool,
    unions: bool,
    pointers: bool,
    floats: bool,
    calls: bool,
    tables_of_functions: bool,
    recursion: bool,
    wide: bool,
    builtins: bool,
    faults: bool,
    heap: bool,
    assumptions: bool,
    jumps: bool,
    assorted: bool,
}

impl ProgramFeatures {
    fn draw(rng: &mut Rng) -> ProgramFeatures {
        ProgramFeatures {
            arrays: rng.chance(0.7),
            structs: rng.chance(0.35),
            unions: rng.chance(0.3),
            pointers: rng.chance(0.3),
            floats: rng.chance(0.2),
            calls: rng.chance(0.4),
            tables_of_functions: rng.chance(0.2),
            recursion: rng.chance(0.2),
            wide: rng.chance(0.15),
            builtins: rng.chance(0.5),
            faults: rng.chance(0.5),
            heap: rng.chance(0.3),
            assumptions: rng.chance(0.15),
            jumps: rng.chance(0.2),
            assorted: rng.chance(0.35),
        }
    }
}

/// An array that may be read, and written unless it is constant.
#[derive(Clone, Debug)]
struct ArrayVariable {
    name: String,
    of: Int,
    length: u32,
    constant: bool,
}

/// The names in scope.
#[derive(Clone, Default)]
struct VariableScope {
    /// Variables that may be read and written.
    ints: Vec<(String, Int)>,
    /// Read-only names: input, parameters, counters of loops.
    fixed: Vec<(String, Int)>,
    floats: Vec<(String, Float)>,
    arrays: Vec<ArrayVariable>,
    structs: bool,
    union: bool,
}

/// The program under construction.
struct Generator {
    rng: Rng,
    profile: Profile,
    wanted: ProgramFeatures,
    input_bytes: u32,
    size: u32,
    scope: VariableScope,
    globals: Vec<SourceTree>,
    functions: Vec<SourceTree>,
    /// Functions with two parameters that may be called.
    callable: Vec<String>,
    fresh: u32,
    /// Loops around the place.
    loops: u32,
}

/// A production and its relative frequency.
type PathDirection = (u64, fn(&mut Generator, u32) -> SourceTree);

impl Generator {
    fn below(&mut self, n: u32) -> u32 {
        self.rng.below(u64::from(n.max(1))) as u32
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        self.rng.pick(items).cloned()
    }

    fn any_int(&mut self) -> Int {
        INTS[self.below(INTS.len() as u32) as usize]
    }

    /// An unused name.
    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn one_of(&mut self, ways: &[PathDirection], depth: u32) -> SourceTree {
        let total: u64 = ways.iter().map(|(weight, _)| weight).sum();
        let mut at = self.rng.below(total.max(1));
        for (weight, way) in ways {
            if at < *weight {
                return way(self, depth);
            }
            at -= weight;
        }
        self.leaf()
    }

    fn program(mut self) -> SourceTree {
        self.global_memory();
        if self.wanted.calls {
            for _ in 0..1 + self.below(2) {
                self.helper();
            }
        }
        if self.wanted.recursion {
            self.recursive();
        }
        self.scope.fixed = (0..self.input_bytes).map(|n| (format!("in[{n}]"), U8)).collect();
        let declarations = self.declarations();
        let statements = self.size * 3 + self.below(self.size * 2);
        let body = self.statements(statements, 0);
        let result = self.result();
        let main = SourceTree::fixed(
            "static u64 f(const u8 *in)\n{\n$0$1u64 r = 1;\n$2return r;\n}",
            vec![declarations, body, result],
        );
        SourceTree::fixed(
            "$0$1$2\n",
            vec![SourceTree::list(self.globals), SourceTree::list(self.functions), main],
        )
    }

    /// The variables of a function, all set to something.
    fn declarations(&mut self) -> SourceTree {
        let mut list = Vec::new();
        for _ in 0..3 + self.below(3) {
            let of = self.any_int();
            let start = if self.rng.chance(0.5) {
                self.leaf()
            } else {
                SourceTree::value(of.name, types::constant(&mut self.rng, of), vec![])
            };
            let name = self.name("v");
            list.push(SourceTree::fixed(format!("{} {name} = $0;", of.name), vec![start]));
            self.scope.ints.push((name, of));
        }
        self.local_memory(&mut list);
        if self.wanted.floats {
            self.float_variables(&mut list);
        }
        SourceTree::list(list)
    }

    /// Folds everything the function has into its result.
    fn result(&mut self) -> SourceTree {
        let scope = &self.scope;
        let mut list: Vec<SourceTree> = scope
            .ints
            .iter()
            .map(|(name, _)| SourceTree::fixed(format!("r = r * 31 + (u64){name};"), vec![]))
            .collect();
        for array in scope.arrays.iter().filter(|array| !array.constant) {
            let ArrayVariable { name, length, .. } = array;
            let text = format!("for (int i = 0; i < {length}; i++) r = r * 31 + (u64){name}[i];");
            list.push(SourceTree::fixed(text, vec![]));
        }
        list.extend(self.memory_result());
        list.extend(self.float_result());
        SourceTree::list(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything() {
        for seed in 0..50 {
            assert_eq!(program(seed, 3).source(), program(seed, 3).source());
        }
        assert_ne!(program(8, 3).source(), program(16, 3).source());
    }

    #[test]
    fn programs_fork() {
        let branches = |seed| program(seed, 3).tree.print().matches("BR(").count();
        assert!((0..50).map(branches).sum::<usize>() > 300);
    }
}
