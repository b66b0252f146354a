//! Why the interpreter stopped, before it is told to people: the outcome with its
//! call stack is made only once, at the end.

use byway_base::{Fault, FaultKind, Note, Outcome, StackFrame, Unsupported};

use crate::memory::{AccessError, FaultNote};
use crate::path_info::ForkRequest;
use crate::program::Program;
use crate::state::{Frame, State};

/// Why the interpreter stopped.
#[derive(Debug)]
pub enum Stop {
    /// The program ended itself.
    Exit(i32),
    /// The program did something it must not do.
    Fault {
        /// Which rule it broke.
        kind: FaultKind,
        /// The particulars.
        message: String,
        /// What a reader needs beside it.
        notes: Vec<FaultNote>,
    },
    /// Something is missing.
    Unsupported(String),
    /// The user asked to stop while the program waited for the world.
    Interrupted,
    /// The program says that this path does not count.
    Excluded,
    /// An operation on words met a term, and must be done in terms.
    Symbolic,
    /// The instruction must know which way the path goes.
    Fork(ForkRequest),
}

/// What can stop.
pub type ExecResult<T> = Result<T, Box<Stop>>;

/// A fault without notes.
#[cold]
pub fn fault(kind: FaultKind, message: impl Into<String>) -> Box<Stop> {
    Box::new(Stop::Fault { kind, message: message.into(), notes: Vec::new() })
}

/// Something is missing.
#[cold]
pub fn unsupported(what: impl Into<String>) -> Box<Stop> {
    Box::new(Stop::Unsupported(what.into()))
}

/// An operation on words met a term.
#[cold]
pub fn symbolic() -> Box<Stop> {
    Box::new(Stop::Symbolic)
}

impl From<Box<AccessError>> for Box<Stop> {
    #[cold]
    fn from(error: Box<AccessError>) -> Self {
        match *error {
            AccessError::Fault { kind, message, notes } => {
                Box::new(Stop::Fault { kind, message, notes })
            }
            AccessError::Symbolic => symbolic(),
        }
    }
}

impl Stop {
    /// The outcome, told with the state's call stack.
    pub fn outcome(self, program: &Program, state: &State) -> Outcome {
        match self {
            Stop::Exit(code) => Outcome::Exit(code),
            Stop::Interrupted => Outcome::Interrupted,
            Stop::Excluded => Outcome::Excluded,
            Stop::Symbolic | Stop::Fork(_) => {
                let what = "a symbolic value where only a number will do".into();
                Outcome::Unsupported(Box::new(Unsupported {
                    what,
                    stack: call_stack(program, state),
                }))
            }
            Stop::Fault { kind, message, notes } => {
                let note = |r: FaultNote| Note {
                    message: r.message.into(),
                    loc: r.at.map(|loc| program.module.src_loc(loc)),
                };
                Outcome::Fault(Box::new(Fault {
                    kind,
                    message,
                    stack: call_stack(program, state),
                    notes: notes.into_iter().map(note).collect(),
                }))
            }
            Stop::Unsupported(what) => Outcome::Unsupported(Box::new(Unsupported {
                what,
                stack: call_stack(program, state),
            })),
        }
    }
}

/// The call stack, innermost first, inlined calls included. A very deep one is
/// cut in the middle.
fn call_stack(program: &Program, state: &State) -> Vec<StackFrame> {
    const EACH_END: usize = 50;
    let all = state.stack.len();
    let shown = state
        .stack
        .iter()
        .rev()
        .enumerate()
        .filter(|(i, _)| *i < EACH_END || *i >= all.saturating_sub(EACH_END));
    shown.flat_map(|(_, frame)| frames_of(program, frame)).collect()
}

fn frames_of(program: &Program, frame: &Frame) -> Vec<StackFrame> {
    let func = &program.module.funcs[frame.func];
    let at = frame.pc.saturating_sub(1) as usize;
    match program.code(frame.func).locs.get(at).copied().flatten() {
        Some(loc) => program.module.frames_at(loc, func.origin),
        None => vec![StackFrame {
            function: func.name.clone(),
            loc: None,
            user: program.is_user(frame.func),
        }],
    }
}
