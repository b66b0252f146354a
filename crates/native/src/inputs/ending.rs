//! How a run of an input ended.

use crate::sandbox::Resource;

/// How a run of an input ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum InputEnding {
    /// By `exit` or by returning from `main`, with this exit code.
    Exited(u8),
    /// By `abort`, or by this signal that the program sent itself.
    Raised(u32),
    /// By a failed assertion, at this line.
    AssertionFailed(u32),
    /// By a fault that the program reported itself.
    Reported,
    /// By a check that clang inserted.
    CheckFailed,
    /// The input violates an assumption, or the program ended the path silently.
    Excluded,
    /// At a feature that Byway does not model.
    Unsupported,
    /// At a feature that native runs lack.
    Unable,
    /// By this signal of the machine, such as a segmentation fault.
    Killed(u32),
    /// Killed at the time limit.
    TimedOut,
    /// Killed for exceeding the limit on this resource.
    UsedTooMuch(Resource),
}

impl InputEnding {
    /// The ending that the server wrote (`enum ending` in `server/state.h`); `None` if it is none,
    /// because the program overwrote it.
    pub(super) fn decode(kind: u32, code: u32) -> Option<InputEnding> {
        Some(match kind {
            1 => InputEnding::Exited(code as u8),
            2 => InputEnding::Raised(code),
            3 => InputEnding::AssertionFailed(code),
            4 => InputEnding::Reported,
            5 => InputEnding::CheckFailed,
            6 => InputEnding::Excluded,
            7 => InputEnding::Unsupported,
            8 => InputEnding::Unable,
            9 => InputEnding::Killed(code),
            10 => InputEnding::TimedOut,
            _ => return None,
        })
    }

    /// Whether the run shows a defect of the program.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            InputEnding::Raised(_)
                | InputEnding::AssertionFailed(_)
                | InputEnding::Reported
                | InputEnding::CheckFailed
                | InputEnding::Killed(_)
        )
    }
}
