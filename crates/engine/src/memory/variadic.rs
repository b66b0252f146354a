//! The variadic arguments of a call, as `va_arg` finds them: in the register save area and on
//! the stack of the x86-64 ABI. A read must stay within an argument that was passed there.
//! So `%s` for an int and `%f` for an integer are found, in the user's own functions too; an
//! integer read with fewer bytes than were passed is not.

use byway_base::FaultKind;
use byway_ir::VarArg;

use super::{Access, AccessError};

/// The place of an argument that was passed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PassedArgument {
    /// Its offset in the area.
    pub offset: u64,
    /// Its bytes. It fills whole words, but the rest of the last one is undefined.
    pub size: u64,
}

impl PassedArgument {
    /// The end of its last word.
    fn end(&self) -> u64 {
        self.offset + self.size.next_multiple_of(8)
    }
}

/// Checks an access to `len` bytes of the area.
pub fn check(
    passed: &[PassedArgument],
    offset: u64,
    len: u64,
    access: Access,
) -> Result<(), Box<AccessError>> {
    let (mut at, end) = (offset, offset.saturating_add(len));
    while at < end {
        let Some(argument) = passed.iter().find(|it| (it.offset..it.end()).contains(&at)) else {
            return Err(not_passed(offset));
        };
        // The padding of a structure may be copied along.
        let defined = match access {
            Access::Read => argument.offset + argument.size,
            Access::Write | Access::Copy => argument.end(),
        };
        if end <= defined {
            break;
        }
        // A structure in registers is several arguments, one on the stack is a single one.
        if defined < argument.end() || offset >= u64::from(VarArg::STACK) {
            return Err(too_small(len, argument.size));
        }
        at = argument.end();
    }
    Ok(())
}

#[cold]
fn not_passed(offset: u64) -> Box<AccessError> {
    let class = match offset {
        at if at < u64::from(VarArg::VECTORS) => "read of a variadic argument (integer or pointer)",
        at if at < u64::from(VarArg::STACK) => "read of a variadic argument (floating-point)",
        _ => "read of a variadic argument",
    };
    fault(format!("{class} that was not passed"))
}

#[cold]
fn too_small(len: u64, size: u64) -> Box<AccessError> {
    fault(format!("read of a variadic argument as one of {len} bytes; one of {size} was passed"))
}

fn fault(message: String) -> Box<AccessError> {
    Box::new(AccessError::Fault { kind: FaultKind::OutOfBounds, message, notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An int and a long in registers, a double, and a structure of 12 bytes on the stack.
    const PASSED: [PassedArgument; 4] = [
        PassedArgument { offset: 8, size: 4 },
        PassedArgument { offset: 16, size: 8 },
        PassedArgument { offset: 48, size: 8 },
        PassedArgument { offset: 192, size: 12 },
    ];

    fn legal(offset: u64, len: u64, access: Access) -> bool {
        check(&PASSED, offset, len, access).is_ok()
    }

    #[test]
    fn a_read_stays_within_its_argument() {
        assert!(legal(8, 4, Access::Read) && legal(16, 8, Access::Read));
        assert!(legal(16, 4, Access::Read), "of a long, the low half");
        assert!(!legal(8, 8, Access::Read), "an int is no pointer");
        assert!(!legal(0, 4, Access::Read) && !legal(24, 4, Access::Read));
        assert!(legal(48, 8, Access::Read) && !legal(64, 8, Access::Read));
    }

    #[test]
    fn a_copy_may_contain_padding() {
        assert!(legal(8, 16, Access::Copy), "a structure in two registers");
        assert!(!legal(16, 16, Access::Copy), "its second half was not passed");
        assert!(legal(192, 16, Access::Copy) && !legal(192, 24, Access::Copy));
        assert!(!legal(208, 8, Access::Copy));
    }
}
