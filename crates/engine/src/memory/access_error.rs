//! Why an access to memory failed, with a message for the author of the program.

use std::borrow::Cow;

use byway_base::FaultKind;
use byway_ir::LocId;

use super::address::{WINDOW, is_code, number_of};
use super::{FreedObject, Memory, Object, ObjectEntry, ObjectKind};

/// Why an access failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// The access is a defect of the program.
    Fault {
        /// The rule broken.
        kind: FaultKind,
        /// One sentence with sizes and offsets.
        message: String,
        /// Related locations, such as the allocation.
        notes: Vec<FaultNote>,
    },
    /// The bytes are symbolic and need the expression pool.
    Symbolic,
    /// The operation must wait for room, and then starts again.
    NoRoom(RoomRequest),
    /// The contents of the unconstrained object at this address must be made first, and then
    /// the operation starts again.
    Unmade(u64),
}

/// A request for room in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RoomRequest {
    /// About the bytes that the operation will use.
    pub bytes: u64,
    /// The size of the object, if the operation is an allocation that can fail. The object may
    /// take its bytes later, as it is written.
    pub allocates: Option<u64>,
}

impl AccessError {
    /// A boxed [`AccessError::Symbolic`].
    #[cold]
    pub fn symbolic() -> Box<AccessError> {
        Box::new(AccessError::Symbolic)
    }

    /// A boxed [`AccessError::NoRoom`].
    #[cold]
    pub fn no_room(request: RoomRequest) -> Box<AccessError> {
        Box::new(AccessError::NoRoom(request))
    }
}

/// A note on a related location, such as the allocation of the object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultNote {
    /// For example "allocated here".
    pub message: Cow<'static, str>,
    /// The location.
    pub at: Option<LocId>,
}

/// The kind of access attempted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// The value is used: its bytes must be initialised.
    Read,
    /// The object must not be constant.
    Write,
    /// A read that only copies the bytes, initialised or not.
    Copy,
}

impl Access {
    fn noun(self) -> &'static str {
        match self {
            Access::Read | Access::Copy => "read",
            Access::Write => "write",
        }
    }
}

fn fault(kind: FaultKind, message: String, notes: Vec<FaultNote>) -> Box<AccessError> {
    Box::new(AccessError::Fault { kind, message, notes })
}

pub(super) fn code_error(access_name: &str, addr: u64) -> Box<AccessError> {
    let message = format!("{access_name} of a function's code, at address {addr:#x}");
    fault(FaultKind::WildPointer, message, Vec::new())
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".into() } else { format!("{n} bytes") }
}

/// "the 40-byte local variable 'buf'"
fn describe(kind: &ObjectKind, size: u64) -> String {
    match kind {
        ObjectKind::Heap => format!("a heap object of {}", bytes(size)),
        ObjectKind::Stack(name) if name.is_empty() => format!("a local object of {}", bytes(size)),
        ObjectKind::Stack(name) => format!("the local variable '{name}' of {}", bytes(size)),
        ObjectKind::Global(name) if name.starts_with('.') => {
            format!("a constant of {}", bytes(size))
        }
        ObjectKind::Global(name) => format!("the global variable '{name}' of {}", bytes(size)),
        ObjectKind::Variadic(_) => "the variadic arguments".into(),
        ObjectKind::Arguments => "the program's arguments and environment".into(),
        ObjectKind::Mapping => format!("a mapping of {}", bytes(size)),
        ObjectKind::Code => "the program's code".into(),
    }
}

/// "at offset 40 of", "4 bytes before", "8 bytes past the end of"
fn position(offset: i64, size: u64) -> String {
    if offset < 0 {
        format!("{} before", bytes(offset.unsigned_abs()))
    } else if offset as u64 > size {
        format!("{} past the end of", bytes(offset as u64 - size))
    } else {
        format!("at offset {offset} of")
    }
}

fn allocation_note(kind: &ObjectKind, at: Option<LocId>) -> Vec<FaultNote> {
    let message = match kind {
        ObjectKind::Heap | ObjectKind::Mapping => "allocated here",
        _ => "declared here",
    };
    at.map(|loc| FaultNote { message: message.into(), at: Some(loc) }).into_iter().collect()
}

impl FreedObject {
    fn notes(&self) -> Vec<FaultNote> {
        let mut notes = allocation_note(&self.kind, self.allocated_at);
        if let Some(loc) = self.freed_at {
            notes.push(FaultNote { message: "freed here".into(), at: Some(loc) });
        }
        notes
    }
}

impl Memory {
    fn freed(&self, addr: u64) -> Option<&FreedObject> {
        let freed = |number: u64| match self.table.get(number) {
            Some(ObjectEntry::Freed(freed)) => Some(&**freed),
            _ => None,
        };
        match self.table.get(number_of(addr)) {
            Some(ObjectEntry::Part(head)) => freed(u64::from(*head)),
            _ => freed(number_of(addr)),
        }
    }

    /// Why an access of `len` bytes fails. Call it only for one that does.
    #[cold]
    pub fn access_error(&self, addr: u64, len: u64, access: Access) -> Box<AccessError> {
        let access_name = format!("{} of {}", access.noun(), bytes(len));
        if addr < WINDOW {
            let position = if addr == 0 {
                "through a null pointer".into()
            } else {
                format!("at address {addr:#x}, near null")
            };
            return fault(
                FaultKind::NullDereference,
                format!("{access_name} {position}"),
                Vec::new(),
            );
        }
        if is_code(addr) {
            return code_error(&access_name, addr);
        }
        if let Some(object) = self.live(addr) {
            let offset = addr.wrapping_sub(object.base);
            return self.access_error_in(object, object.size(), offset, len, access);
        }
        if let Some(freed) = self.freed(addr) {
            let position = position(addr.wrapping_sub(freed.base) as i64, freed.size);
            let object_name = describe(&freed.kind, freed.size);
            let (kind, reason) = match freed.kind {
                ObjectKind::Stack(_) if freed.out_of_scope => {
                    (FaultKind::UseAfterScope, "whose scope has ended")
                }
                ObjectKind::Stack(_) | ObjectKind::Variadic(_) => {
                    (FaultKind::UseAfterReturn, "whose function has returned")
                }
                _ => (FaultKind::UseAfterFree, "which was freed"),
            };
            return fault(
                kind,
                format!("{access_name} {position} {object_name}, {reason}"),
                freed.notes(),
            );
        }
        let message = format!("{access_name} at address {addr:#x}, where no object is");
        fault(FaultKind::WildPointer, message, Vec::new())
    }

    /// Why an access at this offset of `object` fails; `size` is the size that the program
    /// requested.
    #[cold]
    pub fn access_error_in(
        &self,
        object: &Object,
        size: u64,
        offset: u64,
        len: u64,
        access: Access,
    ) -> Box<AccessError> {
        let access_name = format!("{} of {}", access.noun(), bytes(len));
        if object.kind == ObjectKind::Code {
            return code_error(&access_name, object.base.wrapping_add(offset));
        }
        let object_name = describe(&object.kind, size);
        let notes = allocation_note(&object.kind, object.allocated_at);
        if object.contains(offset, len) && object.constant && access == Access::Write {
            let message =
                format!("{access_name} at offset {offset} of {object_name}, which is constant");
            return fault(FaultKind::WriteToConstant, message, notes);
        }
        let message = format!("{access_name} {} {object_name}", position(offset as i64, size));
        fault(FaultKind::OutOfBounds, message, notes)
    }

    /// What the object with a number is, live or freed, with the location of its allocation.
    pub fn describe_number(&self, number: u64) -> Option<(String, Vec<FaultNote>)> {
        match self.table.get(number)? {
            ObjectEntry::Live(object) => {
                let notes = allocation_note(&object.kind, object.allocated_at);
                Some((describe(&object.kind, object.size()), notes))
            }
            ObjectEntry::Freed(freed) => {
                let notes = allocation_note(&freed.kind, freed.allocated_at);
                Some((describe(&freed.kind, freed.size), notes))
            }
            _ => None,
        }
    }

    /// Why an address cannot be freed. Call it only for one that cannot.
    #[cold]
    pub fn free_error(&self, addr: u64) -> Box<AccessError> {
        if let Some(object) = self.live(addr) {
            let object_name = describe(&object.kind, object.size());
            let notes = allocation_note(&object.kind, object.allocated_at);
            let message = if object.kind == ObjectKind::Heap {
                let offset = addr.wrapping_sub(object.base) as i64;
                format!("free of a pointer {} {object_name}", position(offset, object.size()))
            } else {
                format!("free of {object_name}")
            };
            return fault(FaultKind::InvalidFree, message, notes);
        }
        if let Some(freed) = self.freed(addr) {
            let object_name = describe(&freed.kind, freed.size);
            let message = format!("free of {object_name}, which is no more");
            let heap = freed.kind == ObjectKind::Heap;
            let kind = if heap && freed.base == addr {
                FaultKind::DoubleFree
            } else {
                FaultKind::InvalidFree
            };
            return fault(kind, message, freed.notes());
        }
        let message = format!("free of address {addr:#x}, where no object is");
        fault(FaultKind::InvalidFree, message, Vec::new())
    }
}
