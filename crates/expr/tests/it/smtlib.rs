//! The form of SMT-LIB text. The solver crate tests that solvers read it as intended.

use byway_base::ExprId;
use byway_base::float::Format;
use byway_expr::{Pool, smtlib};

use crate::generate::{OperatorSet, Rng, build_terms, recipe};

fn byte(pool: &mut Pool, name: &str, i: u32) -> ExprId {
    let input = pool.input(name, 16);
    pool.input_byte(input, i)
}

#[test]
fn a_query_is_printed() {
    let mut pool = Pool::new();
    let (a, b) = (byte(&mut pool, "arg 0", 0), byte(&mut pool, "arg 0", 1));
    let (x, y) = (pool.zext(a, 32), pool.zext(b, 32));
    let product = pool.mul(x, y);
    let limit = pool.constant(32, 1000);
    let less = pool.ult(product, limit);
    let text = smtlib::query(&mut pool, &[less]).expect("no reads");
    let expected = "\
(set-logic QF_BV)
(declare-const |arg 0[0]| (_ BitVec 8))
(declare-const |arg 0[1]| (_ BitVec 8))
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("((_ zero_extend 8) |arg 0["), "{text}");
    assert!(text.contains("bvmul"), "{text}");
    assert!(text.ends_with("(check-sat)\n"), "{text}");
}

#[test]
fn objects_of_the_same_name_are_distinguished() {
    let mut pool = Pool::new();
    // The third name equals the second once it is printed as a valid symbol.
    let objects = [("f|le", 4), ("f|le", 8), ("f\nle", 8), ("f#1", 8)];
    let objects = objects.map(|(name, size)| pool.input(name, size));
    let bytes = objects.map(|object| pool.input_byte(object, 0));
    let sum = bytes.into_iter().reduce(|a, b| pool.add(a, b)).expect("there are some");
    let odd = pool.extract(sum, 0, 1);
    let text = smtlib::query(&mut pool, &[odd]).expect("no reads");
    for name in ["|f_le#0[0]|", "|f_le#1[0]|", "|f_le#2[0]|", "|f_1[0]|"] {
        let declaration = format!("(declare-const {name} ");
        assert_eq!(text.matches(&declaration).count(), 1, "{name}: {text}");
    }
}

#[test]
fn floats_used_only_as_floats_declare_no_bits() {
    let mut pool = Pool::new();
    let bytes: Vec<ExprId> = (0..8).map(|i| byte(&mut pool, "x", i)).collect();
    let x = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    let square = pool.fmul(Format::F64, x, x).expect("a term");
    let target = pool.constant(64, 2.25f64.to_bits().into());
    let hit = pool.feq(Format::F64, square, target).expect("a term");
    let text = smtlib::query(&mut pool, &[hit]).expect("no reads");
    assert!(text.starts_with("(set-logic QF_BVFP)"), "{text}");
    assert!(text.contains("fp.mul RNE") && !text.contains("fp.isNaN"), "{text}");
    // Bits are needed: they are declared and constrained.
    let sign = pool.sign(square);
    let text = smtlib::query(&mut pool, &[sign]).expect("no reads");
    assert!(text.contains("fp.isNaN"), "{text}");
}

#[test]
fn parentheses_balance_and_names_are_defined_before_use() {
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        for operators in [OperatorSet::WithMemory, OperatorSet::WithFloats] {
            let mut pool = Pool::raw();
            let terms = build_terms(&mut pool, operators, &recipe(&mut rng, 40));
            let bits: Vec<ExprId> = terms.iter().map(|&e| pool.is_nonzero(e)).collect();
            let text = smtlib::query(&mut pool, &bits).expect("few leaves");
            let mut defined = std::collections::BTreeSet::new();
            for line in text.lines() {
                let count = |c| line.chars().filter(|&x| x == c).count();
                assert_eq!(count('('), count(')'), "{line}");
                let words: Vec<&str> =
                    line.split(['(', ')', ' ']).filter(|word| !word.is_empty()).collect();
                let introduces = words[0].starts_with("de");
                for word in &words[if introduces { 2 } else { 1 }..] {
                    let ours = word.len() > 1
                        && "tbfp".contains(&word[..1])
                        && word[1..].bytes().all(|b| b.is_ascii_digit());
                    assert!(!ours || defined.contains(*word), "{word} in {line}");
                }
                if introduces {
                    assert!(defined.insert(words[1]), "{} twice", words[1]);
                }
            }
        }
    }
}
