//! Reports of clang's undefined behaviour sanitizer (UBSan): the call of one of its handlers
//! becomes a fault, whose message decodes the handler's static data and arguments.
//!
//! The static data begins with a source location, followed by the types involved and a few small
//! numbers. An argument of a type up to 64 bits is the value, of a larger one its address. The
//! minimal runtime's handlers and traps have neither data nor arguments.

mod decode;

use byway_base::FaultKind;
use byway_base::ubsan::HandlerName;

pub use decode::HandlerData;

/// The check that a handler reports.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // named as the handlers
pub enum UbsanCheck {
    AddOverflow,
    SubOverflow,
    MulOverflow,
    NegateOverflow,
    DivremOverflow,
    ShiftOutOfBounds,
    OutOfBounds,
    LocalOutOfBounds,
    BoundsSafety,
    BuiltinUnreachable,
    MissingReturn,
    VlaBound,
    FloatCast,
    LoadInvalidValue,
    ObjcCast,
    ImplicitConversion,
    InvalidBuiltin,
    FunctionType,
    ControlFlow,
    NonnullReturn,
    NonnullArgument,
    PointerOverflow,
    TypeMismatch,
    AlignmentAssumption,
    DynamicType,
    /// A check that this version does not know.
    Unknown,
}

/// A handler that the program calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UbsanHandler {
    /// What it reports.
    pub check: UbsanCheck,
    /// It is called without data and arguments.
    pub minimal: bool,
}

impl UbsanHandler {
    /// The handler of this name.
    pub fn by_name(function: &str) -> Option<UbsanHandler> {
        let HandlerName { check, minimal } = HandlerName::parse(function)?;
        Some(UbsanHandler { check: UbsanCheck::by_name(check), minimal })
    }
}

impl UbsanCheck {
    fn by_name(name: &str) -> UbsanCheck {
        match name {
            "add_overflow" => UbsanCheck::AddOverflow,
            "sub_overflow" => UbsanCheck::SubOverflow,
            "mul_overflow" => UbsanCheck::MulOverflow,
            "negate_overflow" => UbsanCheck::NegateOverflow,
            "divrem_overflow" => UbsanCheck::DivremOverflow,
            "shift_out_of_bounds" => UbsanCheck::ShiftOutOfBounds,
            "out_of_bounds" => UbsanCheck::OutOfBounds,
            "local_out_of_bounds" => UbsanCheck::LocalOutOfBounds,
            "bounds_safety" => UbsanCheck::BoundsSafety,
            "builtin_unreachable" => UbsanCheck::BuiltinUnreachable,
            "missing_return" => UbsanCheck::MissingReturn,
            "vla_bound_not_positive" => UbsanCheck::VlaBound,
            "float_cast_overflow" => UbsanCheck::FloatCast,
            "load_invalid_value" => UbsanCheck::LoadInvalidValue,
            "invalid_objc_cast" => UbsanCheck::ObjcCast,
            "implicit_conversion" => UbsanCheck::ImplicitConversion,
            "invalid_builtin" => UbsanCheck::InvalidBuiltin,
            "function_type_mismatch" => UbsanCheck::FunctionType,
            "cfi_check_fail" | "cfi_bad_type" => UbsanCheck::ControlFlow,
            "nonnull_return" | "nullability_return" => UbsanCheck::NonnullReturn,
            "nonnull_arg" | "nullability_arg" => UbsanCheck::NonnullArgument,
            "pointer_overflow" => UbsanCheck::PointerOverflow,
            "type_mismatch" => UbsanCheck::TypeMismatch,
            "alignment_assumption" => UbsanCheck::AlignmentAssumption,
            "dynamic_type_cache_miss" => UbsanCheck::DynamicType,
            _ => UbsanCheck::Unknown,
        }
    }

    /// The fault, as far as the check alone tells.
    pub fn general_fault(self) -> (FaultKind, &'static str) {
        match self {
            UbsanCheck::AddOverflow => (FaultKind::SignedOverflow, "an addition overflowed"),
            UbsanCheck::SubOverflow => (FaultKind::SignedOverflow, "a subtraction overflowed"),
            UbsanCheck::MulOverflow => (FaultKind::SignedOverflow, "a multiplication overflowed"),
            UbsanCheck::NegateOverflow => (FaultKind::SignedOverflow, "a negation overflowed"),
            UbsanCheck::DivremOverflow => {
                (FaultKind::DivisionByZero, "division by zero, or its result overflowed")
            }
            UbsanCheck::ShiftOutOfBounds => {
                (FaultKind::InvalidShift, "an amount or the result of a shift is out of range")
            }
            UbsanCheck::OutOfBounds => (FaultKind::ArrayIndex, "an array index is out of bounds"),
            UbsanCheck::LocalOutOfBounds | UbsanCheck::BoundsSafety => {
                (FaultKind::OutOfBounds, "an access is out of the bounds of its object")
            }
            UbsanCheck::BuiltinUnreachable => {
                (FaultKind::Unreachable, "code marked as unreachable was reached")
            }
            UbsanCheck::MissingReturn => (
                FaultKind::MissingReturn,
                "a function that must return a value reached its end without returning one",
            ),
            UbsanCheck::VlaBound => {
                (FaultKind::VlaBound, "the length of a variable-length array is not positive")
            }
            UbsanCheck::FloatCast => (
                FaultKind::FloatCastOverflow,
                "a floating-point value is outside the range of the integer type",
            ),
            UbsanCheck::LoadInvalidValue | UbsanCheck::ObjcCast => {
                (FaultKind::InvalidValue, "the value loaded is none of its type")
            }
            UbsanCheck::ImplicitConversion => {
                (FaultKind::ImplicitConversion, "an implicit conversion changed a value")
            }
            UbsanCheck::InvalidBuiltin => {
                (FaultKind::InvalidBuiltin, "a builtin function was given an argument it excludes")
            }
            UbsanCheck::FunctionType => {
                (FaultKind::FunctionType, "a function was called through a pointer of another type")
            }
            UbsanCheck::ControlFlow => {
                (FaultKind::FunctionType, "a check of control-flow integrity failed")
            }
            UbsanCheck::NonnullReturn => {
                (FaultKind::UnexpectedNull, "a function that must not return null returned null")
            }
            UbsanCheck::NonnullArgument => {
                (FaultKind::UnexpectedNull, "an argument that must not be null is null")
            }
            UbsanCheck::PointerOverflow => {
                (FaultKind::PointerOverflow, "pointer arithmetic overflowed, or is on null")
            }
            UbsanCheck::TypeMismatch => (
                FaultKind::WildPointer,
                "a pointer that is null, misaligned, or at the end of its object was used",
            ),
            UbsanCheck::AlignmentAssumption => {
                (FaultKind::Misaligned, "a pointer is less aligned than the program assumes")
            }
            UbsanCheck::DynamicType => {
                (FaultKind::InvalidValue, "an object has another dynamic type")
            }
            UbsanCheck::Unknown => (FaultKind::Trap, "a check of the sanitizer failed"),
        }
    }
}
