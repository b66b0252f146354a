//! Where a path starts.
//!
//! Concrete runs and explorations create their first state here. A start in any other function is
//! a call from a wrapper that takes the place of `main` (`underconstrained`); a backward
//! search calls such wrappers from the state at the entry of `main`
//! (`explore::backward`), and nothing else creates a state from scratch.

use byway_base::{FaultKind, UnsupportedFeature};
use byway_ir::{FuncId, Module};

use crate::Invocation;
use crate::interp::Machine;
use crate::memory::{Memory, ObjectKind};
use crate::state::State;
use crate::stop::{ExecResult, fault};
use crate::underconstrained::ENTRY;
use crate::value::Value;

/// The entry of a program that is linked with the runtime, and of one that is not.
const ENTRIES: [&str; 3] = ["__byway_start", ENTRY, "main"];

/// Where a path starts.
#[derive(Copy, Clone, Debug)]
pub enum PathOrigin<'a> {
    /// The program's entry, called with these arguments.
    Entry(&'a Invocation),
}

impl PathOrigin<'_> {
    /// A state that has made its first call; the error is why there can be none.
    pub fn start(self, machine: &mut Machine) -> Result<State, UnsupportedFeature> {
        match self {
            PathOrigin::Entry(invocation) => start_at_entry(machine, invocation),
        }
    }
}

/// The function that a path starts in.
pub fn entry(module: &Module) -> Option<FuncId> {
    let defined =
        |name: &&str| module.func_by_name(name).filter(|&f| !module.funcs[f].is_declaration());
    ENTRIES.iter().find_map(defined)
}

fn start_at_entry(
    machine: &mut Machine,
    invocation: &Invocation,
) -> Result<State, UnsupportedFeature> {
    let Some(entry) = entry(machine.program.module) else {
        return Err(UnsupportedFeature::NoMain);
    };
    let mut state = State::new(machine.program.memory());
    let started = place_arguments(&mut state.memory, invocation).and_then(|argv| {
        let argc = invocation.args.len() as u64;
        let envp = argv + (argc + 1) * 8;
        machine.start(&mut state, entry, &[argc, argv, envp])
    });
    match started {
        Ok(()) => Ok(state),
        Err(_) => Err(UnsupportedFeature::ArgumentsTooLarge),
    }
}

/// Places arguments, environment and the auxiliary vector in one object, as in a Linux
/// process: pointers first, then the strings. The auxiliary vector points to the list of the
/// runtime's own options, if there are any.
fn place_arguments(memory: &mut Memory, invocation: &Invocation) -> ExecResult<u64> {
    const AT_PAGESZ: u64 = 6;
    const AT_BYWAY_OPTIONS: u64 = 0x6279;
    const AUXV_WORDS: usize = 6;
    let lists = [&invocation.args, &invocation.env, &invocation.options];
    let pointers = |list: &Vec<Vec<u8>>| list.len() as u64 + 1;
    let words = lists.into_iter().map(pointers).sum::<u64>() + AUXV_WORDS as u64;
    let strings = lists.into_iter().flatten().map(|s| s.len() as u64 + 1).sum::<u64>();
    let size = words * 8 + strings;
    let base = memory.allocate(size, 16, ObjectKind::Arguments, None).ok_or_else(|| {
        fault(FaultKind::OutOfMemory, "the arguments do not fit into the program's memory")
    })?;
    let auxv = base + (pointers(&invocation.args) + pointers(&invocation.env)) * 8;
    let options = auxv + AUXV_WORDS as u64 * 8;
    let mut text = base + words * 8;
    for (list, start) in
        lists.into_iter().zip([base, base + pointers(&invocation.args) * 8, options])
    {
        for (slot, string) in (start..).step_by(8).zip(list) {
            memory.store::<8>(slot, Value::word(text))?;
            memory.write_bytes(text, string)?;
            text += string.len() as u64 + 1;
        }
    }
    let entries: [u64; AUXV_WORDS] = if invocation.options.is_empty() {
        [AT_PAGESZ, 4096, 0, 0, 0, 0]
    } else {
        [AT_PAGESZ, 4096, AT_BYWAY_OPTIONS, options, 0, 0]
    };
    for (slot, word) in (auxv..).step_by(8).zip(entries) {
        memory.store::<8>(slot, Value::word(word))?;
    }
    Ok(base)
}
