//! Why memory refused an access, in words for the person who wrote the program.

use byway_base::FaultKind;
use byway_ir::LocId;

use super::address::{WINDOW, is_code, number_of};
use super::{Entry, Memory, Object, ObjectKind, Tomb};

/// Why an access was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The program is at fault.
    Fault {
        /// Which rule it broke.
        kind: FaultKind,
        /// The particulars.
        message: String,
        /// What a reader needs beside it.
        remarks: Vec<Remark>,
    },
    /// The bytes are symbolic in a way memory alone cannot answer.
    Symbolic,
}

impl Refusal {
    /// The bytes are symbolic.
    #[cold]
    pub fn symbolic() -> Box<Refusal> {
        Box::new(Refusal::Symbolic)
    }
}

/// A remark and the place it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The remark.
    pub message: &'static str,
    /// The place.
    pub at: Option<LocId>,
}

/// What was tried.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Access {
    /// A read.
    Read,
    /// A write.
    Write,
    /// A read whose bytes only move elsewhere.
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

fn fault(kind: FaultKind, message: String, remarks: Vec<Remark>) -> Box<Refusal> {
    Box::new(Refusal::Fault { kind, message, remarks })
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
        ObjectKind::Variadic => "the variadic arguments".into(),
        ObjectKind::Arguments => "the program's arguments and environment".into(),
        ObjectKind::Mapping => format!("a mapping of {}", bytes(size)),
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

fn made(kind: &ObjectKind, at: Option<LocId>) -> Vec<Remark> {
    let message = match kind {
        ObjectKind::Heap | ObjectKind::Mapping => "allocated here",
        _ => "declared here",
    };
    at.map(|loc| Remark { message, at: Some(loc) }).into_iter().collect()
}

impl Tomb {
    fn remarks(&self) -> Vec<Remark> {
        let mut remarks = made(&self.kind, self.made_at);
        if let Some(loc) = self.died_at {
            remarks.push(Remark { message: "freed here", at: Some(loc) });
        }
        remarks
    }
}

impl Memory {
    fn tomb(&self, addr: u64) -> Option<&Tomb> {
        let tomb = |number: u64| match self.table.get(number) {
            Some(Entry::Dead(tomb)) => Some(&**tomb),
            _ => None,
        };
        match self.table.get(number_of(addr)) {
            Some(Entry::Part(head)) => tomb(u64::from(*head)),
            _ => tomb(number_of(addr)),
        }
    }

    /// Why an access of `len` bytes is refused; called once it is clear that it is.
    #[cold]
    pub fn refuse(&self, addr: u64, len: u64, access: Access) -> Box<Refusal> {
        let what = format!("{} of {}", access.noun(), bytes(len));
        if addr < WINDOW {
            let place = if addr == 0 {
                "through a null pointer".into()
            } else {
                format!("at address {addr:#x}, near null")
            };
            return fault(FaultKind::NullDereference, format!("{what} {place}"), Vec::new());
        }
        if let Some(object) = self.live(addr) {
            let offset = addr.wrapping_sub(object.base);
            return self.refuse_in(object, object.size(), offset, len, access);
        }
        if let Some(tomb) = self.tomb(addr) {
            let place = position(addr.wrapping_sub(tomb.base) as i64, tomb.size);
            let whom = describe(&tomb.kind, tomb.size);
            let (kind, fate) = match tomb.kind {
                ObjectKind::Stack(_) | ObjectKind::Variadic => {
                    (FaultKind::UseAfterReturn, "whose function has returned")
                }
                _ => (FaultKind::UseAfterFree, "which was freed"),
            };
            return fault(kind, format!("{what} {place} {whom}, {fate}"), tomb.remarks());
        }
        if is_code(addr) {
            let message = format!("{what} of a function's code, at address {addr:#x}");
            return fault(FaultKind::WildPointer, message, Vec::new());
        }
        let message = format!("{what} at address {addr:#x}, where no object is");
        fault(FaultKind::WildPointer, message, Vec::new())
    }

    /// Why an access at this offset of an object, of which the program asked for so
    /// many bytes, is refused.
    #[cold]
    pub fn refuse_in(
        &self,
        object: &Object,
        size: u64,
        offset: u64,
        len: u64,
        access: Access,
    ) -> Box<Refusal> {
        let what = format!("{} of {}", access.noun(), bytes(len));
        let whom = describe(&object.kind, size);
        let remarks = made(&object.kind, object.made_at);
        if object.contains(offset, len) && object.constant && access == Access::Write {
            let message = format!("{what} at offset {offset} of {whom}, which is constant");
            return fault(FaultKind::WriteToConstant, message, remarks);
        }
        let message = format!("{what} {} {whom}", position(offset as i64, size));
        fault(FaultKind::OutOfBounds, message, remarks)
    }

    /// Why a read of a byte never written is refused.
    #[cold]
    pub fn refuse_unwritten(&self, object: &Object, at: u64) -> Box<Refusal> {
        if object.kind == ObjectKind::Variadic {
            let message = "read of a variadic argument that was not passed".into();
            return fault(FaultKind::OutOfBounds, message, Vec::new());
        }
        let whom = describe(&object.kind, object.size());
        let message = format!("read of the byte at offset {at} of {whom}, never written");
        fault(FaultKind::UninitialisedRead, message, made(&object.kind, object.made_at))
    }

    #[cold]
    pub(super) fn refuse_free(&self, addr: u64) -> Box<Refusal> {
        if let Some(object) = self.live(addr) {
            let whom = describe(&object.kind, object.size());
            let remarks = made(&object.kind, object.made_at);
            let message = if object.kind == ObjectKind::Heap {
                let offset = addr.wrapping_sub(object.base) as i64;
                format!("free of a pointer {} {whom}", position(offset, object.size()))
            } else {
                format!("free of {whom}")
            };
            return fault(FaultKind::InvalidFree, message, remarks);
        }
        if let Some(tomb) = self.tomb(addr) {
            let whom = describe(&tomb.kind, tomb.size);
            let message = format!("free of {whom}, which is no more");
            let heap = tomb.kind == ObjectKind::Heap;
            let kind = if heap && tomb.base == addr {
                FaultKind::DoubleFree
            } else {
                FaultKind::InvalidFree
            };
            return fault(kind, message, tomb.remarks());
        }
        let message = format!("free of address {addr:#x}, where no object is");
        fault(FaultKind::InvalidFree, message, Vec::new())
    }
}
