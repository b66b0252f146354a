//! Bitwuzla's terms, safely: owned, counted by references, and made only where
//! their sorts fit. Bitwuzla ends the process when they do not, so each
//! constructor here checks with debug assertions what its callers must guarantee.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::rc::Rc;

use byway_bitwuzla_sys as sys;
use rustc_hash::FxHashMap;

pub use sys::{Kind, RoundingMode};

/// Where terms live. TermFactory of one manager can be used in all instances made for it.
/// Clones are the same manager.
#[derive(Clone)]
pub struct TermFactory(Rc<Manager>);

struct Manager {
    raw: *mut sys::TermManager,
    /// Sorts of bit-vectors by their width.
    vectors: RefCell<FxHashMap<u32, sys::Sort>>,
}

impl Drop for Manager {
    fn drop(&mut self) {
        for &sort in self.vectors.borrow().values() {
            // SAFETY: the map owns one reference to each sort.
            unsafe { sys::bitwuzla_sort_release(sort) };
        }
        // SAFETY: every term holds on to the manager, so none is left.
        unsafe { sys::bitwuzla_term_manager_delete(self.raw) };
    }
}

/// A term.
pub struct SmtTerm {
    raw: sys::Term,
    manager: Rc<Manager>,
}

impl Clone for SmtTerm {
    fn clone(&self) -> SmtTerm {
        // SAFETY: the term is alive as long as `self` is.
        let raw = unsafe { sys::bitwuzla_term_copy(self.raw) };
        SmtTerm { raw, manager: self.manager.clone() }
    }
}

impl Drop for SmtTerm {
    fn drop(&mut self) {
        // SAFETY: `self` owns one reference, and its manager is still alive.
        unsafe { sys::bitwuzla_term_release(self.raw) };
    }
}

impl PartialEq for SmtTerm {
    fn eq(&self, other: &SmtTerm) -> bool {
        self.raw == other.raw
    }
}

impl Eq for SmtTerm {}

impl fmt::Debug for SmtTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the string is valid until the next call, and copied before.
        let text = unsafe { CStr::from_ptr(sys::bitwuzla_term_to_string(self.raw)) };
        f.write_str(&text.to_string_lossy())
    }
}

impl SmtTerm {
    pub(super) fn raw(&self) -> sys::Term {
        self.raw
    }

    /// Whether its sort is Bool.
    pub fn is_bool(&self) -> bool {
        // SAFETY: the term is alive.
        unsafe { sys::bitwuzla_term_is_bool(self.raw) }
    }

    /// Whether its sort is a float's.
    pub fn is_float(&self) -> bool {
        // SAFETY: the term is alive.
        unsafe { sys::bitwuzla_term_is_fp(self.raw) }
    }

    /// The width of a bit-vector; `None` for another sort.
    pub fn width(&self) -> Option<u32> {
        // SAFETY: the term is alive, and the size is asked of bit-vectors only.
        unsafe {
            sys::bitwuzla_term_is_bv(self.raw)
                .then(|| sys::bitwuzla_term_bv_get_size(self.raw) as u32)
        }
    }
}

/// Called by Bitwuzla when it was used wrongly, before it would leave the process.
extern "C" fn misused(message: *const c_char) {
    // SAFETY: Bitwuzla passes a string that outlives the call.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    // A panic does not leave an `extern "C"` function: it ends the process, with the
    // message and as a crash, not with an exit code that means something else.
    panic!("Bitwuzla was used wrongly: {message}");
}

impl Default for TermFactory {
    fn default() -> TermFactory {
        TermFactory::new()
    }
}

impl TermFactory {
    /// A manager without terms.
    pub fn new() -> TermFactory {
        // SAFETY: the callback is a function, and the manager is deleted once, on drop.
        let raw = unsafe {
            sys::bitwuzla_set_abort_callback(misused);
            sys::bitwuzla_term_manager_new()
        };
        TermFactory(Rc::new(Manager { raw, vectors: RefCell::default() }))
    }

    pub(super) fn raw(&self) -> *mut sys::TermManager {
        self.0.raw
    }

    pub(super) fn owned(&self, raw: sys::Term) -> SmtTerm {
        SmtTerm { raw, manager: self.0.clone() }
    }

    fn vector_sort(&self, width: u32) -> sys::Sort {
        *self.0.vectors.borrow_mut().entry(width).or_insert_with(|| {
            // SAFETY: the manager is alive, and no width is zero.
            unsafe { sys::bitwuzla_mk_bv_sort(self.0.raw, u64::from(width)) }
        })
    }

    /// True or false.
    pub fn boolean(&self, value: bool) -> SmtTerm {
        // SAFETY: the manager is alive.
        self.owned(unsafe {
            match value {
                true => sys::bitwuzla_mk_true(self.0.raw),
                false => sys::bitwuzla_mk_false(self.0.raw),
            }
        })
    }

    /// A number that fits the width.
    pub fn number(&self, width: u32, value: u64) -> SmtTerm {
        debug_assert!(width >= 64 || value >> width == 0);
        let sort = self.vector_sort(width);
        // SAFETY: the sort is alive, and the value fits.
        self.owned(unsafe { sys::bitwuzla_mk_bv_value_uint64(self.0.raw, sort, value) })
    }

    /// A number that fits the width, from its hexadecimal digits.
    pub fn wide_number(&self, width: u32, digits: &str) -> SmtTerm {
        let sort = self.vector_sort(width);
        let digits = CString::new(digits).expect("digits are not NUL");
        // SAFETY: the sort is alive, and the string outlives the call.
        self.owned(unsafe { sys::bitwuzla_mk_bv_value(self.0.raw, sort, digits.as_ptr(), 16) })
    }

    /// A fresh unknown of a width. Two of the same name differ.
    pub fn unknown(&self, width: u32, name: &str) -> SmtTerm {
        let sort = self.vector_sort(width);
        let name = CString::new(name.replace('\0', "_")).expect("NULs were replaced");
        // SAFETY: the sort is alive, and the string outlives the call.
        self.owned(unsafe { sys::bitwuzla_mk_const(self.0.raw, sort, name.as_ptr()) })
    }

    /// A rounding mode.
    pub fn rounding(&self, mode: RoundingMode) -> SmtTerm {
        // SAFETY: the manager is alive.
        self.owned(unsafe { sys::bitwuzla_mk_rm_value(self.0.raw, mode) })
    }

    /// An operator applied to terms of fitting sorts.
    pub fn apply(&self, kind: Kind, operands: &[&SmtTerm]) -> SmtTerm {
        let mut raw = [std::ptr::null_mut(); 4];
        let raw = &mut raw[..operands.len()];
        for (raw, operand) in raw.iter_mut().zip(operands) {
            *raw = operand.raw;
        }
        // SAFETY: the operands are alive and of this manager; their sorts are the
        // caller's promise, and Bitwuzla checks them itself.
        self.owned(unsafe {
            sys::bitwuzla_mk_term(self.0.raw, kind, raw.len() as u32, raw.as_ptr())
        })
    }

    /// An operator with numbers behind it, such as extract's bits.
    pub fn apply_indexed(&self, kind: Kind, operands: &[&SmtTerm], indices: &[u64]) -> SmtTerm {
        let mut raw = [std::ptr::null_mut(); 4];
        let raw = &mut raw[..operands.len()];
        for (raw, operand) in raw.iter_mut().zip(operands) {
            *raw = operand.raw;
        }
        // SAFETY: as for `apply`.
        self.owned(unsafe {
            sys::bitwuzla_mk_term_indexed(
                self.0.raw,
                kind,
                raw.len() as u32,
                raw.as_ptr(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        })
    }

    /// The conjunction of Bool terms.
    pub fn all(&self, terms: &[SmtTerm]) -> SmtTerm {
        let mut terms = terms.iter();
        let first = terms.next().cloned().unwrap_or_else(|| self.boolean(true));
        terms.fold(first, |all, term| self.apply(Kind::And, &[&all, term]))
    }
}
