//! Prepares the linked program for native runs: the module that was lowered, with a counter on
//! every edge of the user's control flow.
//!
//! Counters are numbered as the blocks of the lowered functions are, so that native and
//! interpreted runs count in the same terms. A function has one counter for its entry and one
//! for each pair of a block and a successor; the executions of a block are the sum over the
//! edges that lead to it. Blocks that the lowering adds within one of LLVM's (a loop for a
//! vector operation, the check of a division in inline assembly) have no counters.

use std::ffi::CString;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use byway_base::ubsan::HandlerName;
use byway_ir::{FuncId, Origin};
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;

use crate::ffi;
use crate::link::origin_of;
use crate::llvm::{BasicBlock, LlvmModule, LlvmValue};
use crate::lower::{block_order, engine_supplies, is_undefined_weak, symbol_name};

/// Where a call of a missing function ends, and of a handler of UBSan.
const MISSING: &str = "__byway_native_missing";
const CHECK_FAILED: &str = "__byway_native_check_failed";

/// Functions of the runtime that consist of the intrinsic for which a back end calls them.
const BACK_END: [&str; 5] = ["memcpy", "memmove", "memset", "fma", "fmaf"];

/// Writes the program with counters as bitcode, and a line for each counter: the numbers of the
/// function, of the block that the edge leaves (`-` for the function's entry), and of the block
/// that it leads to. `bodies` are the functions that were lowered. Changes the program.
pub fn write(
    program: LlvmModule,
    bodies: &[(LlvmValue, FuncId)],
    bitcode: &Path,
    edges: &Path,
) -> Result<(), String> {
    let list = count_edges(bodies);
    define_missing(program);
    drop_circular(program);
    // SAFETY: nothing else holds handles to instructions of the program.
    unsafe { ffi::bw_prepare_native(program.0) };
    let path = CString::new(bitcode.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: the module and the zero-terminated path are alive.
    if unsafe { LLVMWriteBitcodeToFile(program.0, path.as_ptr()) } != 0 {
        return Err(format!("{}: cannot be written", bitcode.display()));
    }
    std::fs::write(edges, list).map_err(|e| format!("{}: {e}", edges.display()))
}

fn count_edges(bodies: &[(LlvmValue, FuncId)]) -> String {
    let mut list = String::new();
    let mut counter = 0;
    for &(function, id) in bodies.iter().filter(|(f, _)| origin_of(*f) == Origin::User) {
        let order = block_order(function);
        // Before any edge is split.
        let edges = numbered_edges(&order);
        // SAFETY: the function has a body.
        unsafe { ffi::bw_count_entry(function.0, counter) };
        let _ = writeln!(list, "{} - 0", id.as_u32());
        counter += 1;
        for (from, to) in edges {
            // SAFETY: both are blocks of one function.
            if unsafe { ffi::bw_count_edge(order[from].0, order[to].0, counter) } {
                let _ = writeln!(list, "{} {from} {to}", id.as_u32());
                counter += 1;
            }
        }
    }
    list
}

/// The pairs of a block and a successor, by their positions in the order.
fn numbered_edges(order: &[BasicBlock]) -> Vec<(usize, usize)> {
    let numbers: rustc_hash::FxHashMap<BasicBlock, usize> =
        order.iter().enumerate().map(|(n, &block)| (block, n)).collect();
    let mut edges = Vec::new();
    for (from, block) in order.iter().enumerate() {
        let mut targets: Vec<usize> = block
            .terminator()
            .into_iter()
            .flat_map(|end| end.successors().collect::<Vec<_>>())
            .filter_map(|to| numbers.get(&to).copied())
            .collect();
        targets.sort_unstable();
        targets.dedup();
        edges.extend(targets.into_iter().map(|to| (from, to)));
    }
    edges
}

/// Defines what no library defines, so that the program links and a call is reported by name.
fn define_missing(program: LlvmModule) {
    let missing: Vec<LlvmValue> = program
        .functions()
        .filter(|f| f.is_declaration() && !f.is_intrinsic() && !is_undefined_weak(*f))
        .collect();
    for function in missing {
        let name = symbol_name(function);
        let stub = if HandlerName::parse(&name).is_some() {
            CHECK_FAILED
        } else if engine_supplies(&name) {
            continue;
        } else {
            MISSING
        };
        // SAFETY: the function has no body; the name is borrowed for the call only.
        unsafe { ffi::bw_define_stub(function.0, ffi::RawStr::lend(stub)) };
    }
}

/// Leaves functions that would call themselves to the machine's C library.
fn drop_circular(program: LlvmModule) {
    let is_circular = |f: &LlvmValue| {
        !f.is_declaration() && origin_of(*f) == Origin::Runtime && BACK_END.contains(&&*f.name())
    };
    for function in program.functions().filter(is_circular).collect::<Vec<_>>() {
        // SAFETY: no handles to its instructions exist.
        unsafe { ffi::bw_drop_body(function.0) };
    }
}
