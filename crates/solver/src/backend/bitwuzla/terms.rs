//! Safe wrappers of Bitwuzla's terms: owned, reference-counted, well-sorted. Bitwuzla aborts
//! the process on an ill-sorted term, so each constructor states, and checks with debug
//! assertions, what its callers must guarantee.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::rc::Rc;

use byway_bitwuzla_sys as sys;
use rustc_hash::FxHashMap;

pub use sys::{Kind, RoundingMode};

/// Creates terms. A term can be used in all instances of its factory. Clones share one term
/// manager.
#[derive(Clone)]
pub struct TermFactory(Rc<SharedManager>);

struct SharedManager {
    raw: *mut sys::TermManager,
    /// Bit-vector sorts by width.
    vector_sorts: RefCell<FxHashMap<u32, sys::Sort>>,
}

impl Drop for SharedManager {
    fn drop(&mut self) {
        for &sort in self.vector_sorts.borrow().values() {
            // SAFETY: the map owns one reference to each sort.
            unsafe { sys::bitwuzla_sort_release(sort) };
        }
        // SAFETY: every term owns a reference to the manager, so none is left.
        unsafe { sys::bitwuzla_term_manager_delete(self.raw) };
    }
}

/// A reference-counted term.
pub struct SmtTerm {
    raw: sys::Term,
    manager: Rc<SharedManager>,
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
        // SAFETY: the string is valid until the next call, and copied before that.
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

    /// Whether its sort is a floating-point sort.
    pub fn is_float(&self) -> bool {
        // SAFETY: the term is alive.
        unsafe { sys::bitwuzla_term_is_fp(self.raw) }
    }

    /// The width of a bit-vector; `None` for any other sort.
    pub fn width(&self) -> Option<u32> {
        // SAFETY: the term is alive, and the size is queried for bit-vectors only.
        unsafe {
            sys::bitwuzla_term_is_bv(self.raw)
                .then(|| sys::bitwuzla_term_bv_get_size(self.raw) as u32)
        }
    }
}

/// No operator has more than four operands.
fn raw_operands(operands: &[&SmtTerm]) -> [sys::Term; 4] {
    let mut raw = [std::ptr::null_mut(); 4];
    for (raw, operand) in raw[..operands.len()].iter_mut().zip(operands) {
        *raw = operand.raw;
    }
    raw
}

/// Bitwuzla calls this on misuse, before it would exit the process.
extern "C" fn on_misuse(message: *const c_char) {
    // SAFETY: Bitwuzla passes a string that outlives the call.
    let message = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    // A panic in an `extern "C"` function aborts the process with the message, rather than
    // exiting with a code that means something else.
    panic!("Bitwuzla was used wrongly: {message}");
}

impl Default for TermFactory {
    fn default() -> TermFactory {
        TermFactory::new()
    }
}

impl TermFactory {
    /// A factory with a new term manager.
    pub fn new() -> TermFactory {
        // SAFETY: the callback is a function, and the manager is deleted once, on drop.
        let raw = unsafe {
            sys::bitwuzla_set_abort_callback(on_misuse);
            sys::bitwuzla_term_manager_new()
        };
        TermFactory(Rc::new(SharedManager { raw, vector_sorts: RefCell::default() }))
    }

    pub(super) fn raw(&self) -> *mut sys::TermManager {
        self.0.raw
    }

    pub(super) fn owned(&self, raw: sys::Term) -> SmtTerm {
        SmtTerm { raw, manager: self.0.clone() }
    }

    fn vector_sort(&self, width: u32) -> sys::Sort {
        *self.0.vector_sorts.borrow_mut().entry(width).or_insert_with(|| {
            // SAFETY: the manager is alive, and no width is zero.
            unsafe { sys::bitwuzla_mk_bv_sort(self.0.raw, u64::from(width)) }
        })
    }

    /// A Bool constant.
    pub fn boolean(&self, value: bool) -> SmtTerm {
        // SAFETY: the manager is alive.
        self.owned(unsafe {
            match value {
                true => sys::bitwuzla_mk_true(self.0.raw),
                false => sys::bitwuzla_mk_false(self.0.raw),
            }
        })
    }

    /// A bit-vector value, which must fit the width.
    pub fn value(&self, width: u32, value: u64) -> SmtTerm {
        debug_assert!(width >= 64 || value >> width == 0);
        let sort = self.vector_sort(width);
        // SAFETY: the sort is alive, and the value fits.
        self.owned(unsafe { sys::bitwuzla_mk_bv_value_uint64(self.0.raw, sort, value) })
    }

    /// A bit-vector value in hexadecimal, which must fit the width.
    pub fn wide_value(&self, width: u32, digits: &str) -> SmtTerm {
        let sort = self.vector_sort(width);
        let digits = CString::new(digits).expect("digits contain no NUL");
        // SAFETY: the sort is alive, and the string outlives the call.
        self.owned(unsafe { sys::bitwuzla_mk_bv_value(self.0.raw, sort, digits.as_ptr(), 16) })
    }

    /// A fresh bit-vector constant. Two constants of the same name are distinct.
    pub fn fresh_constant(&self, width: u32, name: &str) -> SmtTerm {
        let sort = self.vector_sort(width);
        let name = CString::new(name.replace('\0', "_")).expect("NULs were replaced");
        // SAFETY: the sort is alive, and the string outlives the call.
        self.owned(unsafe { sys::bitwuzla_mk_const(self.0.raw, sort, name.as_ptr()) })
    }

    /// A rounding mode value.
    pub fn rounding(&self, mode: RoundingMode) -> SmtTerm {
        // SAFETY: the manager is alive.
        self.owned(unsafe { sys::bitwuzla_mk_rm_value(self.0.raw, mode) })
    }

    /// Applies an operator to well-sorted operands.
    pub fn apply(&self, kind: Kind, operands: &[&SmtTerm]) -> SmtTerm {
        let raw = raw_operands(operands);
        // SAFETY: the operands are alive and belong to this manager; the caller
        // guarantees their sorts, which Bitwuzla checks itself.
        self.owned(unsafe {
            sys::bitwuzla_mk_term(self.0.raw, kind, operands.len() as u32, raw.as_ptr())
        })
    }

    /// Applies an operator with indices, such as the bounds of an extract.
    pub fn apply_indexed(&self, kind: Kind, operands: &[&SmtTerm], indices: &[u64]) -> SmtTerm {
        let raw = raw_operands(operands);
        // SAFETY: as for `apply`.
        self.owned(unsafe {
            sys::bitwuzla_mk_term_indexed(
                self.0.raw,
                kind,
                operands.len() as u32,
                raw.as_ptr(),
                indices.len() as u32,
                indices.as_ptr(),
            )
        })
    }

    /// The conjunction of Bool terms; true if there are none.
    pub fn all(&self, terms: &[SmtTerm]) -> SmtTerm {
        let mut terms = terms.iter();
        let first = terms.next().cloned().unwrap_or_else(|| self.boolean(true));
        terms.fold(first, |conjunction, term| self.apply(Kind::And, &[&conjunction, term]))
    }
}
