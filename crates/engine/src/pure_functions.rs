//! Functions of the host that compute a number from numbers.
//!
//! Real C libraries have some that Byway's lacks, such as `nextup` and `fmaximum` of glibc. They depend
//! on nothing but their arguments and change nothing, so the environment may call them on the host
//! ([`Env::call_pure`](crate::Env::call_pure)), and the result is the same in every run. No other
//! function of the host is ever called.

use byway_ir::Ty;

/// Whether functions without a body are called on the host. Only pure ones are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum ExternalCalls {
    /// Their paths end as unsupported.
    #[default]
    None,
    /// With concrete arguments. A symbolic argument ends the path.
    Concrete,
    /// Symbolic arguments are fixed to their value under the witness, and counted.
    All,
}

/// A pure function and its signature. Numbers are passed as their bits.
#[derive(PartialEq, Eq, Debug)]
pub struct PureFunction {
    /// Its name in the C library.
    pub name: &'static str,
    /// The types of its parameters: `F32` and `F64`.
    pub params: &'static [Ty],
    /// The type of its result: `F32`, `F64` or a 64-bit integer.
    pub result: Ty,
}

/// Calls a pure function of the host; `None` if there is none, or the call failed.
pub type PureCall = fn(&PureFunction, &[u64]) -> Option<u64>;

/// Begins the message of the first call of each function; its arguments follow as unsigned numbers.
pub const CALLING_EXTERNAL: &str = "calling external: ";

const LONG: Ty = Ty::Int(64);

const fn pure(name: &'static str, params: &'static [Ty], result: Ty) -> PureFunction {
    PureFunction { name, params, result }
}

/// The functions of one and two floats, by the name for doubles and that for floats.
macro_rules! both_precisions {
    ([$($one:literal, $one_f:literal;)*], [$($two:literal, $two_f:literal;)*]) => {
        &[
            $(pure($one, &[Ty::F64], Ty::F64), pure($one_f, &[Ty::F32], Ty::F32),)*
            $(
                pure($two, &[Ty::F64, Ty::F64], Ty::F64),
                pure($two_f, &[Ty::F32, Ty::F32], Ty::F32),
            )*
            pure("llogb", &[Ty::F64], LONG),
            pure("llogbf", &[Ty::F32], LONG),
            pure("fsqrt", &[Ty::F64], Ty::F32),
            pure("fadd", &[Ty::F64, Ty::F64], Ty::F32),
            pure("fsub", &[Ty::F64, Ty::F64], Ty::F32),
            pure("fmul", &[Ty::F64, Ty::F64], Ty::F32),
            pure("fdiv", &[Ty::F64, Ty::F64], Ty::F32),
            pure("ffma", &[Ty::F64, Ty::F64, Ty::F64], Ty::F32),
        ]
    };
}

static PURE_FUNCTIONS: &[PureFunction] = both_precisions!(
    [
        "nextup", "nextupf";
        "nextdown", "nextdownf";
        "roundeven", "roundevenf";
        "exp10", "exp10f";
    ],
    [
        "fmaximum", "fmaximumf";
        "fmaximum_num", "fmaximum_numf";
        "fmaximum_mag", "fmaximum_magf";
        "fmaximum_mag_num", "fmaximum_mag_numf";
        "fminimum", "fminimumf";
        "fminimum_num", "fminimum_numf";
        "fminimum_mag", "fminimum_magf";
        "fminimum_mag_num", "fminimum_mag_numf";
        "fmaxmag", "fmaxmagf";
        "fminmag", "fminmagf";
    ]
);

/// The pure function with this name.
pub fn pure_function(name: &str) -> Option<&'static PureFunction> {
    PURE_FUNCTIONS.iter().find(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_distinct_and_found() {
        let names: BTreeSet<&str> = PURE_FUNCTIONS.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), PURE_FUNCTIONS.len());
        assert_eq!(pure_function("nextupf").map(|it| it.params), Some(&[Ty::F32][..]));
        assert_eq!(pure_function("system"), None);
    }
}
