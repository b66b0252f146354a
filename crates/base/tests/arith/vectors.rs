//! Results recorded from compiled C on x86-64: F80 by the x87 unit (`long double`
//! and its mathematical functions), F128 by the compiler's and C library's
//! quadruple precision functions. Each line is an operation, its operands and the
//! result, as patterns in hexadecimal.

use byway_base::float::{self, Format};

fn format(name: &str) -> Format {
    match name {
        "F32" => Format::F32,
        "F64" => Format::F64,
        "F80" => Format::F80,
        "F128" => Format::F128,
        _ => panic!("no format {name}"),
    }
}

fn compute(f: Format, operation: &str, operands: &[u128]) -> u128 {
    match (operation, operands) {
        ("add", &[a, b]) => float::add(f, a, b),
        ("sub", &[a, b]) => float::sub(f, a, b),
        ("mul", &[a, b]) => float::mul(f, a, b),
        ("div", &[a, b]) => float::div(f, a, b),
        ("rem", &[a, b]) => float::rem(f, a, b),
        ("fma", &[a, b, c]) => float::fma(f, a, b, c),
        ("sqrt", &[a]) => float::sqrt(f, a),
        ("floor", &[a]) => float::floor(f, a),
        ("ceil", &[a]) => float::ceil(f, a),
        ("trunc", &[a]) => float::trunc(f, a),
        ("round_even", &[a]) => float::round_even(f, a),
        ("round", &[a]) => float::round(f, a),
        (conversion, &[a]) => {
            let to = conversion.strip_prefix("to_").expect("a known operation");
            float::convert(f, format(to), a)
        }
        _ => panic!("{operation} of {} operands", operands.len()),
    }
}

#[test]
fn recorded_results() {
    let mut count = 0;
    for line in include_str!("recorded.txt").lines() {
        let (call, result) = line.split_once(" = ").expect("a result");
        let mut words = call.split(' ');
        let f = format(words.next().expect("a format"));
        let operation = words.next().expect("an operation");
        let pattern = |word| u128::from_str_radix(word, 16).expect("a pattern");
        let operands: Vec<u128> = words.map(pattern).collect();
        let got = compute(f, operation, &operands);
        assert_eq!(got, pattern(result), "{line}, but got {got:x}");
        count += 1;
    }
    assert!(count > 100);
}
