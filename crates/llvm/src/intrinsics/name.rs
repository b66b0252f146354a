//! Parsing of intrinsic names.

/// The name without `llvm.` and without the types it is overloaded for:
/// `llvm.ctlz.v4i32` is `ctlz`.
pub fn base(name: &str) -> &str {
    let mut base = name.strip_prefix("llvm.").unwrap_or(name);
    base = base.split_once(':').map_or(base, |(before, _)| before);
    while let Some((rest, last)) = base.rsplit_once('.') {
        if !is_type(last) {
            break;
        }
        base = rest;
    }
    base
}

/// The predicate that follows the name of a constrained comparison.
pub(super) fn predicate(name: &str) -> Option<&str> {
    name.split_once(':').map(|(_, predicate)| predicate)
}

/// Whether a part of a name is a mangled type: `i32`, `v4f32`, `p0`, `bf16`, ...
fn is_type(part: &str) -> bool {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    let scalar =
        |s: &str| ["bf", "i", "f", "p"].iter().any(|kind| s.strip_prefix(kind).is_some_and(number));
    scalar(part)
        || part.strip_prefix('v').is_some_and(|lanes| {
            let digits = lanes.bytes().take_while(u8::is_ascii_digit).count();
            digits > 0 && scalar(&lanes[digits..])
        })
}

/// The function of libm that implements an intrinsic, to be called for each lane with the
/// intrinsic's arguments: `llvm.pow.v2f64` is `pow`, `llvm.sin.f80` is
/// `sinl`. `None` for every other intrinsic.
pub fn libm_function(name: &str) -> Option<String> {
    let base = base(name);
    let base = base.strip_prefix("experimental.constrained.").unwrap_or(base);
    let known = [
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
        "exp2", "exp10", "log", "log2", "log10", "pow", "ldexp",
    ];
    if !known.contains(&base) {
        return None;
    }
    let first_type = name.split('.').find(|part| is_type(part))?;
    let suffix = match first_type.rsplit_once('f')?.1 {
        "32" => "f",
        "64" => "",
        "80" => "l",
        _ => return None,
    };
    Some(format!("{base}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_suffixes_are_removed() {
        assert_eq!(base("llvm.ctlz.v4i32"), "ctlz");
        assert_eq!(base("llvm.masked.load.v8f32.p0"), "masked.load");
        assert_eq!(base("llvm.convert.to.fp16.f64"), "convert.to.fp16");
        assert_eq!(base("llvm.x86.sse2.packssdw.128"), "x86.sse2.packssdw.128");
        assert_eq!(base("llvm.x86.sse42.crc32.32.8"), "x86.sse42.crc32.32.8");
        assert_eq!(
            base("llvm.experimental.constrained.fcmp.f64:olt"),
            "experimental.constrained.fcmp"
        );
        assert_eq!(base("llvm.trap"), "trap");
        assert_eq!(base("llvm.fma.bf16"), "fma");
    }

    #[test]
    fn libm_names_carry_the_format() {
        assert_eq!(libm_function("llvm.pow.f64").as_deref(), Some("pow"));
        assert_eq!(libm_function("llvm.sin.v4f32").as_deref(), Some("sinf"));
        assert_eq!(libm_function("llvm.exp2.f80").as_deref(), Some("exp2l"));
        assert_eq!(libm_function("llvm.ldexp.f64.i32").as_deref(), Some("ldexp"));
        let constrained = "llvm.experimental.constrained.cos.f32";
        assert_eq!(libm_function(constrained).as_deref(), Some("cosf"));
        assert_eq!(libm_function("llvm.sqrt.f64"), None);
        assert_eq!(libm_function("llvm.sin.f128"), None);
    }
}
