//! The declared numbers are the library's.

use std::ffi::CStr;

use byway_bitwuzla_sys::*;

#[test]
fn the_version_matches_the_declarations() {
    // SAFETY: returns a string that lives as long as the library.
    let version = unsafe { CStr::from_ptr(bitwuzla_version()) };
    assert_eq!(version.to_str(), Ok("0.9.1"));
}

#[test]
fn kinds_have_the_librarys_numbers() {
    use Kind::*;
    let kinds = [
        And,
        Equal,
        Not,
        Or,
        Xor,
        Ite,
        BvAdd,
        BvAnd,
        BvAshr,
        BvConcat,
        BvMul,
        BvNeg,
        BvNot,
        BvOr,
        BvSdiv,
        BvShl,
        BvShr,
        BvSle,
        BvSlt,
        BvSrem,
        BvSub,
        BvUdiv,
        BvUle,
        BvUlt,
        BvUrem,
        BvXor,
        BvExtract,
        BvSignExtend,
        BvZeroExtend,
        FpAbs,
        FpAdd,
        FpDiv,
        FpEqual,
        FpFma,
        FpIsNan,
        FpIsNeg,
        FpLeq,
        FpLt,
        FpMul,
        FpNeg,
        FpRem,
        FpRti,
        FpSqrt,
        FpSub,
        FpToFpFromBv,
        FpToFpFromFp,
        FpToFpFromSbv,
        FpToFpFromUbv,
        FpToSbv,
    ];
    for kind in kinds {
        // SAFETY: returns a string valid until the next call.
        let name = unsafe { CStr::from_ptr(bitwuzla_kind_to_string(kind)) };
        let name = name.to_str().unwrap().trim_start_matches("BITWUZLA_KIND");
        assert_eq!(name.replace('_', ""), format!("{kind:?}").to_uppercase());
    }
}

#[test]
fn options_have_the_librarys_numbers() {
    // SAFETY: the options live until they are deleted.
    unsafe {
        let options = bitwuzla_options_new();
        let defaults = [
            (BitwuzlaOption::ProduceModels, 0),
            (BitwuzlaOption::ProduceUnsatCores, 0),
            (BitwuzlaOption::Seed, 27644437),
            (BitwuzlaOption::RewriteLevel, 2),
            (BitwuzlaOption::Preprocess, 1),
        ];
        for (option, default) in defaults {
            assert_eq!(bitwuzla_get_option(options, option), default, "{option:?}");
        }
        bitwuzla_options_delete(options);
    }
}
