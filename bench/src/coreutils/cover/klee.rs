//! KLEE's coverage of the tools: constants, measured once.
//!
//! KLEE 3.3-pre with LLVM 16, STP and uclibc, 60 seconds of the processor for each tool, the same
//! symbolic input, its tests run on the same `gcc -O0 --coverage` build of the tool's own source.
//! Single runs on a machine under load: two or three points are noise.

/// KLEE's result for a tool.
pub struct KleeFigures {
    /// The tool.
    pub tool: &'static str,
    /// Percent of lines and of branch sides, by its default searchers.
    pub default: (f64, f64),
    /// The same, by its published recipe for Coreutils.
    pub recipe: (f64, f64),
    /// The most lines that any configuration reached, of these two, depth-first search, random states and
    /// no forked solver; the last three were tried on cut, tr, wc and expr only.
    pub best: f64,
    /// By default: instructions, in millions.
    instructions: f64,
    /// By default: paths that ended, and that were cut off.
    pub paths: (u64, u64),
    /// By default: queries that the solver was asked.
    queries: u64,
    /// By default: the most memory, in megabytes.
    pub memory: u64,
}

/// The processor time for each tool.
const SECONDS: f64 = 60.0;

/// The tools, in the order of tables.
pub const KLEE: [KleeFigures; 12] = [
    row("echo", (83.3, 67.0), (82.5, 65.9), 83.3, 6.64, (1255, 32_445), 244, 536),
    row("cat", (70.7, 51.0), (76.8, 61.7), 76.8, 2.59, (63, 11_030), 1919, 497),
    row("base64", (89.8, 72.9), (86.4, 68.8), 89.8, 0.75, (7, 4422), 2518, 196),
    row("wc", (55.8, 51.2), (56.3, 51.5), 60.3, 1.39, (3, 63_946), 926, 1123),
    row("tr", (48.9, 34.8), (58.6, 48.3), 58.6, 1.87, (48, 14_074), 1871, 489),
    row("cut", (54.9, 33.1), (58.3, 40.0), 72.3, 1.11, (70, 4067), 1049, 198),
    row("od", (62.2, 49.6), (49.4, 41.1), 62.2, 1.30, (13, 5879), 1581, 253),
    row("seq", (69.8, 58.4), (56.6, 48.1), 69.8, 1.55, (20, 21_302), 815, 352),
    row("expr", (57.0, 37.9), (65.5, 45.7), 65.5, 3.01, (257, 3588), 725, 231),
    row("sort", (31.2, 18.5), (37.6, 25.9), 37.6, 0.45, (1, 291), 218, 8319),
    row("ptx", (51.1, 31.9), (47.9, 35.2), 51.1, 0.18, (0, 3106), 3617, 170),
    row("ls", (54.1, 44.6), (29.8, 25.0), 54.1, 1.16, (1, 6146), 2193, 336),
];

#[expect(clippy::too_many_arguments, reason = "a row of a table")]
const fn row(
    tool: &'static str,
    default: (f64, f64),
    recipe: (f64, f64),
    best: f64,
    instructions: f64,
    paths: (u64, u64),
    queries: u64,
    memory: u64,
) -> KleeFigures {
    KleeFigures { tool, default, recipe, best, instructions, paths, queries, memory }
}

/// The result for a tool, if it was measured.
pub fn of(tool: &str) -> Option<&'static KleeFigures> {
    KLEE.iter().find(|klee| klee.tool == tool)
}

impl KleeFigures {
    /// Instructions a second.
    pub fn instruction_rate(&self) -> f64 {
        self.instructions * 1e6 / SECONDS
    }

    /// Queries a second.
    pub fn query_rate(&self) -> f64 {
        self.queries as f64 / SECONDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_no_less_than_what_was_tried_everywhere() {
        for klee in &KLEE {
            let tried = klee.default.0.max(klee.recipe.0);
            let more = klee.best > tried;
            assert!(klee.best >= tried, "{}", klee.tool);
            assert!(!more || ["cut", "tr", "wc", "expr"].contains(&klee.tool), "{}", klee.tool);
        }
        let mean = KLEE.iter().map(|klee| klee.best).sum::<f64>() / KLEE.len() as f64;
        assert!((mean - 65.1).abs() < 0.05, "{mean}");
    }
}
