//! The names of the handlers that clang's undefined behaviour sanitizer (UBSan) calls.

/// What every handler's name begins with.
const PREFIX: &str = "__ubsan_handle_";

/// The checks that trap instead of calling a handler, by the number that they pass to
/// `llvm.ubsantrap`. The order is clang's and only grows at the end.
const TRAPS: [&str; 26] = [
    "add_overflow",
    "builtin_unreachable",
    "cfi_check_fail",
    "divrem_overflow",
    "dynamic_type_cache_miss",
    "float_cast_overflow",
    "function_type_mismatch",
    "implicit_conversion",
    "invalid_builtin",
    "invalid_objc_cast",
    "load_invalid_value",
    "missing_return",
    "mul_overflow",
    "negate_overflow",
    "nullability_arg",
    "nullability_return",
    "nonnull_arg",
    "nonnull_return",
    "out_of_bounds",
    "pointer_overflow",
    "shift_out_of_bounds",
    "sub_overflow",
    "type_mismatch",
    "alignment_assumption",
    "vla_bound_not_positive",
    "bounds_safety",
];

/// The handler without arguments that reports what a trap of this number means.
pub fn trap_handler(number: u64) -> Option<String> {
    let check = TRAPS.get(usize::try_from(number).ok()?)?;
    Some(format!("{PREFIX}{check}_minimal_abort"))
}

/// The names of all handlers that this version knows.
pub fn handlers() -> impl Iterator<Item = String> {
    let forms = ["", "_abort", "_v1", "_v1_abort", "_minimal", "_minimal_abort"];
    let checks = TRAPS.into_iter().chain(["local_out_of_bounds"]);
    checks.flat_map(move |check| forms.map(|form| format!("{PREFIX}{check}{form}")))
}

/// A handler's check and form, by its name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HandlerName<'a> {
    /// The check, such as `add_overflow`.
    pub check: &'a str,
    /// Of the minimal runtime, which passes no description of the defect.
    pub minimal: bool,
}

impl<'a> HandlerName<'a> {
    /// Parses a function's name; `None` if it is no handler's.
    pub fn parse(function: &'a str) -> Option<HandlerName<'a>> {
        let mut check = function.strip_prefix(PREFIX)?;
        let mut minimal = false;
        // Whether the program could go on after the report makes no difference here, nor does
        // which registers the handler preserves.
        for suffix in ["_abort", "_preserve", "_abort", "_minimal", "_v1"] {
            if let Some(rest) = check.strip_suffix(suffix) {
                check = rest;
                minimal |= suffix == "_minimal";
            }
        }
        Some(HandlerName { check, minimal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_name_is_parsed() {
        fn parsed(name: &str) -> Option<(&str, bool)> {
            HandlerName::parse(name).map(|it| (it.check, it.minimal))
        }
        for form in ["", "_abort"] {
            let full = format!("__ubsan_handle_type_mismatch_v1{form}");
            assert_eq!(parsed(&full), Some(("type_mismatch", false)));
            let minimal = format!("__ubsan_handle_type_mismatch_minimal{form}");
            assert_eq!(parsed(&minimal), Some(("type_mismatch", true)));
            let preserving = format!("__ubsan_handle_type_mismatch_minimal{form}_preserve");
            assert_eq!(parsed(&preserving), Some(("type_mismatch", true)));
        }
        assert_eq!(parsed("__ubsan_get_current_report_data"), None);
        assert_eq!(parsed("add_overflow"), None);
    }

    #[test]
    fn traps_are_numbered_as_by_clang() {
        assert_eq!(trap_handler(0).as_deref(), Some("__ubsan_handle_add_overflow_minimal_abort"));
        assert_eq!(trap_handler(18).as_deref(), Some("__ubsan_handle_out_of_bounds_minimal_abort"));
        let last = "__ubsan_handle_vla_bound_not_positive_minimal_abort";
        assert_eq!(trap_handler(24).as_deref(), Some(last));
        assert_eq!(trap_handler(200), None);
        assert!(handlers().all(|name| HandlerName::parse(&name).is_some()));
        assert!(handlers().any(|name| name == "__ubsan_handle_nonnull_return_v1_abort"));
    }
}
