//! What the pointers of functions can point to.

use byway_ir::{FuncId, LocId, Module};

use crate::report::Sources;

/// Prints the result of the points-to analysis for these functions.
pub fn print(module: &Module, funcs: &[FuncId]) -> String {
    let sources = Sources::new();
    let place = |loc: LocId| sources.location(&module.src_loc(loc));
    let result = byway_engine::points_to(module);
    let printed = funcs.iter().map(|&func| result.print_function(module, func, &place));
    printed.collect::<Vec<_>>().join("\n")
}
