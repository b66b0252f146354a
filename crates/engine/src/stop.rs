//! Why the interpreter stops in the middle of an instruction. [`Stop::outcome`] adds the call
//! stack when a path ends.

use std::rc::Rc;

use byway_base::{
    Fault, FaultKind, InternalError, InternalErrorKind, Limit, Note, Outcome, StackFrame,
    Unsupported, UnsupportedFeature,
};
use byway_ir::FuncId;

use crate::bytecode::Pc;
use crate::memory::{AccessError, CallPath, FaultNote, RoomRequest};
use crate::path_info::ForkRequest;
use crate::program::Program;
use crate::stack_arguments::arguments_of;
use crate::state::{State, split_position};
use crate::undefined;
use crate::watch::WatchId;

/// The message of a call through a null pointer. Other bad function pointers may lead anywhere.
pub const CALL_OF_NULL: &str = "call through a null pointer";

/// Why the interpreter stops.
#[derive(Debug)]
pub enum Stop {
    /// The program ended with this exit code.
    Exit(i32),
    /// The program has a defect.
    Fault {
        /// The rule broken.
        kind: FaultKind,
        /// One sentence with sizes, offsets and values.
        message: String,
        /// Related locations.
        notes: Vec<FaultNote>,
        /// The calls to report, if not those that are open.
        stack: Option<CallPath>,
    },
    /// An uninitialised value decides something.
    Uninitialised {
        /// What it decides.
        used_as: ValueUse,
        /// The name of the undefined object that it comes from.
        source: Rc<str>,
    },
    /// The program needs a feature that Byway lacks.
    Unsupported(UnsupportedFeature),
    /// Byway has a bug.
    InternalError(InternalErrorKind),
    /// The user stopped the run while the program waited for input.
    Interrupted,
    /// The program excluded this path.
    Excluded,
    /// An operation on words found a symbolic operand, and must be executed on terms.
    Symbolic,
    /// The instruction must know which case the path takes.
    Fork(ForkRequest),
    /// The instruction must wait for room in memory.
    NoRoom(RoomRequest),
    /// The path is at a watched point.
    Watch(WatchId),
    /// The instruction must wait until the contents of the unconstrained object at this address
    /// are made.
    Unmade(u64),
}

/// A use of a value that decides what the program does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ValueUse {
    /// The condition of a branch, or the value of a switch.
    Branch,
    /// An address that is accessed, jumped to, called or freed.
    Address,
    /// The size of an access or an allocation.
    Size,
    /// A divisor.
    Divisor,
    /// Bytes passed to a system call.
    Output,
    /// The status that the program exits with.
    ExitStatus,
    /// Anything else that must be known to go on.
    Decision,
}

impl ValueUse {
    /// The start of a sentence that ends with the value.
    fn subject(self) -> &'static str {
        match self {
            ValueUse::Branch => "a branch depends on",
            ValueUse::Address => "an address depends on",
            ValueUse::Size => "a size depends on",
            ValueUse::Divisor => "a divisor depends on",
            ValueUse::Output => "a system call is passed",
            ValueUse::ExitStatus => "the exit status depends on",
            ValueUse::Decision => "a decision depends on",
        }
    }
}

/// The result of an operation that may stop the interpreter.
pub type ExecResult<T> = Result<T, Box<Stop>>;

/// A fault without related locations.
#[cold]
pub fn fault(kind: FaultKind, message: impl Into<String>) -> Box<Stop> {
    Box::new(Stop::Fault { kind, message: message.into(), notes: Vec::new(), stack: None })
}

/// A missing feature.
#[cold]
pub fn unsupported(feature: UnsupportedFeature) -> Box<Stop> {
    Box::new(Stop::Unsupported(feature))
}

/// An operation on words found a symbolic operand.
#[cold]
pub fn symbolic() -> Box<Stop> {
    Box::new(Stop::Symbolic)
}

impl From<Box<AccessError>> for Box<Stop> {
    #[cold]
    fn from(error: Box<AccessError>) -> Self {
        match *error {
            AccessError::Fault { kind, message, notes } => {
                Box::new(Stop::Fault { kind, message, notes, stack: None })
            }
            AccessError::Symbolic => symbolic(),
            AccessError::NoRoom(request) => Box::new(Stop::NoRoom(request)),
            AccessError::Unmade(base) => Box::new(Stop::Unmade(base)),
        }
    }
}

impl Stop {
    /// The outcome of the path, with the state's call stack.
    pub fn outcome(self, program: &Program, state: &State) -> Outcome {
        match self {
            Stop::Exit(code) => Outcome::Exit(code),
            Stop::Interrupted => Outcome::Interrupted,
            Stop::Excluded => Outcome::Excluded,
            Stop::NoRoom(_) => Outcome::Dropped(Limit::Memory),
            Stop::Symbolic | Stop::Fork(_) | Stop::Watch(_) | Stop::Unmade(_) => {
                Stop::InternalError(InternalErrorKind::SymbolicValue).outcome(program, state)
            }
            Stop::InternalError(kind) => Outcome::InternalError(Box::new(InternalError {
                kind,
                stack: call_stack(program, state),
            })),
            Stop::Fault { kind, message, notes, stack } => {
                let note = |r: FaultNote| Note {
                    message: r.message.into(),
                    loc: r.at.map(|loc| program.module.src_loc(loc)),
                };
                Outcome::Fault(Box::new(Fault {
                    kind,
                    message,
                    stack: match stack {
                        Some(path) => recorded_stack(program, &path),
                        None => call_stack(program, state),
                    },
                    notes: notes.into_iter().map(note).collect(),
                }))
            }
            Stop::Uninitialised { used_as, source } => {
                let (source, notes) = undefined::describe(&source, &state.memory);
                let message = format!("{} an uninitialised value, of {source}", used_as.subject());
                let kind = FaultKind::UninitialisedRead;
                Stop::Fault { kind, message, notes, stack: None }.outcome(program, state)
            }
            Stop::Unsupported(feature) => Outcome::Unsupported(Box::new(Unsupported {
                feature,
                stack: call_stack(program, state),
            })),
        }
    }
}

/// The call stack, innermost first, inlined calls included. The middle of a very deep one is
/// omitted.
fn call_stack(program: &Program, state: &State) -> Vec<StackFrame> {
    const EACH_END: usize = 50;
    let all = state.stack.len();
    let shown = state
        .stack
        .iter()
        .rev()
        .enumerate()
        .filter(|(i, _)| *i < EACH_END || *i >= all.saturating_sub(EACH_END));
    shown
        .flat_map(|(i, frame)| {
            let mut frames = frames_of(program, frame.func, frame.pc.saturating_sub(1));
            // The last one is the function itself, the others are inlined into it.
            if program.stack_arguments
                && let Some(call) = frames.last_mut()
            {
                call.arguments = arguments_of(program, &state.stack, all - 1 - i);
            }
            frames
        })
        .collect()
}

/// The call stack of recorded positions.
fn recorded_stack(program: &Program, path: &CallPath) -> Vec<StackFrame> {
    let frames = path.iter().map(|&position| split_position(position));
    frames.flat_map(|(func, pc)| frames_of(program, func, pc)).collect()
}

fn frames_of(program: &Program, id: FuncId, pc: Pc) -> Vec<StackFrame> {
    let func = &program.module.funcs[id];
    match program.code(id).locs.get(pc as usize).copied().flatten() {
        Some(loc) => program.module.frames_at(loc, func.origin),
        None => {
            vec![StackFrame {
                function: func.name.clone(),
                loc: None,
                user: program.is_user(id),
                arguments: Vec::new(),
            }]
        }
    }
}
