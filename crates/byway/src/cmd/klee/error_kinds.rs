//! Faults in KLEE's terms: types, messages and file extensions.

use byway_base::FaultKind;

/// A type of error, by the names that `--exit-on-error-type` takes, with the extension of its
/// files.
struct ErrorType {
    name: &'static str,
    extension: &'static str,
    kinds: &'static [FaultKind],
}

const fn error_type(
    name: &'static str,
    extension: &'static str,
    kinds: &'static [FaultKind],
) -> ErrorType {
    ErrorType { name, extension, kinds }
}

use FaultKind::*;

/// KLEE's types; behind them those of kinds that KLEE does not detect.
const TYPES: [ErrorType; 23] = [
    error_type("Abort", "abort", &[Abort, Trap, KilledBySignal]),
    error_type("Assert", "assert", &[AssertFailed]),
    error_type("BadVectorAccess", "bad_vector_access", &[]),
    error_type("Div", "div", &[DivisionByZero]),
    error_type("Free", "free", &[DoubleFree, InvalidFree]),
    error_type("Model", "model", &[]),
    error_type(
        "Overflow",
        "overflow",
        &[DivisionOverflow, SignedOverflow, UnsignedOverflow, PointerOverflow, FloatCastOverflow],
    ),
    error_type("Overshift", "overshift", &[InvalidShift]),
    error_type(
        "Ptr",
        "ptr",
        &[
            OutOfBounds,
            UseAfterFree,
            UseAfterReturn,
            UseAfterScope,
            NullDereference,
            WildPointer,
            Overlap,
            Misaligned,
            ArrayIndex,
        ],
    ),
    error_type("ReadOnly", "read_only", &[WriteToConstant]),
    error_type("ReportError", "report_error", &[Reported]),
    error_type("InvalidBuiltin", "invalid_builtin_use", &[InvalidBuiltin]),
    error_type("ImplicitTruncation", "implicit_truncation", &[]),
    error_type("ImplicitConversion", "implicit_conversion", &[ImplicitConversion]),
    error_type("UnreachableCall", "unreachable_call", &[Unreachable]),
    error_type("MissingReturn", "missing_return", &[MissingReturn]),
    error_type("InvalidLoad", "invalid_load", &[InvalidValue]),
    error_type("NullableAttribute", "nullable_attribute", &[UnexpectedNull]),
    error_type("User", "user", &[]),
    error_type("Execution", "exec", &[BadFunctionPointer, BadJump, FunctionType, VlaBound]),
    error_type("Memory", "memory", &[StackExhausted, OutOfMemory]),
    error_type("Uninitialised", "uninitialised", &[UninitialisedRead]),
    error_type("Leak", "leak", &[Leak]),
];

/// The kinds of a type.
pub fn of_type(name: &str) -> Option<&'static [FaultKind]> {
    TYPES.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.kinds)
}

/// The names of all types.
pub fn types() -> impl Iterator<Item = &'static str> {
    TYPES.iter().map(|it| it.name)
}

/// The extension of the files of this kind, before `.err`.
pub fn extension(kind: FaultKind) -> &'static str {
    TYPES.iter().find(|it| it.kinds.contains(&kind)).map_or("exec", |it| it.extension)
}

/// KLEE's message for a fault.
pub fn message(kind: FaultKind, own: &str) -> String {
    let message = match kind {
        OutOfBounds | UseAfterFree | UseAfterReturn | UseAfterScope | NullDereference
        | WildPointer => "memory error: out of bound pointer",
        WriteToConstant => "memory error: object read only",
        DoubleFree | InvalidFree => "memory error: invalid pointer: free",
        DivisionByZero => "divide by zero",
        DivisionOverflow => "overflow on division or remainder",
        InvalidShift => "overshift error",
        Abort => "abort failure",
        AssertFailed => return format!("ASSERTION FAIL: {}", condition(own)),
        _ => return own.to_string(),
    };
    message.to_string()
}

/// The condition in the message of a failed assertion.
fn condition(own: &str) -> &str {
    own.split_once(": ").map_or(own, |(_, condition)| condition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_type() {
        for kind in FaultKind::ALL {
            let types = TYPES.iter().filter(|it| it.kinds.contains(&kind)).count();
            assert_eq!(types, 1, "{}", kind.name());
        }
        assert_eq!(extension(OutOfBounds), "ptr");
        assert_eq!(of_type("assert"), Some(&[AssertFailed][..]));
        assert!(of_type("Sometype").is_none());
    }

    #[test]
    fn messages_are_klees_where_it_has_one() {
        assert_eq!(message(DivisionByZero, "x"), "divide by zero");
        assert_eq!(message(AssertFailed, "assertion failed in f: x > 3"), "ASSERTION FAIL: x > 3");
        assert_eq!(message(Leak, "8 bytes are lost"), "8 bytes are lost");
    }
}
