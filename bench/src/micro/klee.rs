//! What KLEE needs for the programs in `bench/micro`: facts, measured once.
//!
//! KLEE 3.3-pre with LLVM 16 and STP, explored to the end on an idle machine with 2
//! cores. Its seconds are the best of its default flags, depth-first search, and no
//! forked solver, wherever those were measured. Readings are exact to 0.1 s.

use crate::toolchain::Level;

/// A program with its parameters, and what KLEE makes of it.
pub struct KleeCase {
    /// The file in `bench/micro`, without its ending.
    pub name: &'static str,
    /// What tells it from the program's usual form.
    pub defines: &'static [&'static str],
    /// The level it is compiled at.
    pub level: Level,
    /// All paths.
    pub paths: u64,
    /// Those of them that end in a fault.
    pub faulty_paths: u64,
    /// KLEE's seconds.
    pub klee_seconds: f64,
}

const fn case(name: &'static str, paths: u64, klee_seconds: f64) -> KleeCase {
    KleeCase { name, defines: &[], level: Level::O0, paths, faulty_paths: 0, klee_seconds }
}

/// The programs.
pub const CASES: [KleeCase; 12] = [
    case("concrete_loop", 1, 27.7),
    KleeCase { level: Level::O2, ..case("concrete_loop", 1, 5.26) },
    case("branch_indep", 16_384, 1.82),
    case("branch_coupled", 512, 7.14),
    case("table_lookup", 2, 0.21),
    case("table_branch", 48, 2.92),
    KleeCase { faulty_paths: 1, ..case("maze", 113, 0.10) },
    KleeCase { defines: &["-DREVISIT", "-DSTEPS=12"], ..case("maze", 3953, 0.80) },
    KleeCase { faulty_paths: 34, ..case("calc_parser", 1093, 0.80) },
    case("crc_match", 2, 0.21),
    case("mul_factor", 2, 0.40),
    case("list_insert", 120, 1.51),
];

impl KleeCase {
    /// The name with what is unusual about it.
    pub fn title(&self) -> String {
        let level = (self.is_concrete()).then_some(self.level.flag());
        let parts = [self.name].into_iter().chain(level).chain(self.defines.iter().copied());
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Whether nothing in it is symbolic.
    pub fn is_concrete(&self) -> bool {
        self.name == "concrete_loop"
    }

    /// The flags it is compiled with beside the level: what KLEE was measured with.
    pub fn compiler_flags(&self) -> Vec<String> {
        // Functions marked "do not optimise" could not be treated any further.
        let plain = match self.level {
            Level::O0 => ["-Xclang", "-disable-O0-optnone"].as_slice(),
            _ => &[],
        };
        ["-g"].iter().chain(plain).chain(self.defines).map(|flag| flag.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The number behind `// paths: `, and the sum of those behind the `x` of faults.
    fn promised(source: &str) -> (Option<u64>, u64) {
        let mut lines = source.lines();
        let paths = lines.find_map(|line| line.strip_prefix("// paths: ")?.parse().ok());
        let faults = source.lines().filter_map(|line| line.strip_prefix("// faults: "));
        let counts = faults.flat_map(str::split_whitespace);
        (paths, counts.filter_map(|word| word.strip_prefix('x')?.parse::<u64>().ok()).sum())
    }

    #[test]
    fn the_programs_say_what_the_table_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("micro");
        for case in CASES.iter().filter(|case| case.defines.is_empty()) {
            let path = folder.join(case.name).with_extension("c");
            let source = std::fs::read_to_string(&path).expect("the program");
            let expected = (Some(case.paths), case.faulty_paths);
            assert_eq!(promised(&source), expected, "{}", path.display());
        }
    }

    #[test]
    fn titles_are_distinct() {
        let mut titles: Vec<_> = CASES.iter().map(KleeCase::title).collect();
        titles.sort();
        titles.dedup();
        assert_eq!(titles.len(), CASES.len());
        assert!(titles.contains(&"maze -DREVISIT -DSTEPS=12".to_owned()), "{titles:?}");
    }
}
