//! The shapes of defects: C with placeholders, read from `bench/defects/KIND.shapes`.
//!
//! A shape starts with `== name`. Lines before a line `--` stand at file level, the others in a
//! function with two bytes of input, `t` and `u`. Placeholders:
//!
//! | | |
//! |---|---|
//! | `$t` | a condition that holds for one value of `t` |
//! | `$[a\|b]` | `a` in the defective program, `b` in the repaired one |
//! | `$n` `$k` `$m` | numbers, with 0 < k < n < m; n is from 4 to 9 |
//! | `$T` `$I` | an integer type; a signed one as wide as `int` or wider |
//! | `$w` | a statement without defects |
//! | `$noinline` | at times an attribute that prevents inlining |
//! | `$i` | a number for names that occur once in a program |

use byway_base::Rng;

/// The kinds of defects and their shapes.
const KINDS: [(&str, &str); 27] = [
    ("uninitialised", include_str!("../../defects/uninitialised.shapes")),
    ("signed-overflow", include_str!("../../defects/signed-overflow.shapes")),
    ("shift", include_str!("../../defects/shift.shapes")),
    ("member-bounds", include_str!("../../defects/member-bounds.shapes")),
    ("heap-bounds", include_str!("../../defects/heap-bounds.shapes")),
    ("stack-bounds", include_str!("../../defects/stack-bounds.shapes")),
    ("global-bounds", include_str!("../../defects/global-bounds.shapes")),
    ("use-after-free", include_str!("../../defects/use-after-free.shapes")),
    ("use-after-return", include_str!("../../defects/use-after-return.shapes")),
    ("use-after-scope", include_str!("../../defects/use-after-scope.shapes")),
    ("double-free", include_str!("../../defects/double-free.shapes")),
    ("invalid-free", include_str!("../../defects/invalid-free.shapes")),
    ("leak", include_str!("../../defects/leak.shapes")),
    ("overlap", include_str!("../../defects/overlap.shapes")),
    ("function-type", include_str!("../../defects/function-type.shapes")),
    ("null", include_str!("../../defects/null.shapes")),
    ("misaligned", include_str!("../../defects/misaligned.shapes")),
    ("division", include_str!("../../defects/division.shapes")),
    ("float-cast", include_str!("../../defects/float-cast.shapes")),
    ("vla-bound", include_str!("../../defects/vla-bound.shapes")),
    ("unreachable", include_str!("../../defects/unreachable.shapes")),
    ("invalid-value", include_str!("../../defects/invalid-value.shapes")),
    ("pointer-overflow", include_str!("../../defects/pointer-overflow.shapes")),
    ("nonnull", include_str!("../../defects/nonnull.shapes")),
    ("builtin", include_str!("../../defects/builtin.shapes")),
    ("constant-write", include_str!("../../defects/constant-write.shapes")),
    ("wild-pointer", include_str!("../../defects/wild-pointer.shapes")),
];

/// Code without defects, of the same form.
const SURROUNDINGS: &str = include_str!("../../defects/surroundings.shapes");

/// A piece of C with placeholders.
#[derive(Copy, Clone, Debug)]
pub struct DefectShape {
    pub kind: &'static str,
    pub name: &'static str,
    /// What stands at file level; may be empty.
    pub file_level: &'static str,
    pub body: &'static str,
}

/// All shapes of defects: the first of each kind, then the second of each, and so on, so that a
/// prefix of the list has as many kinds as possible.
pub fn defects() -> Vec<DefectShape> {
    let kinds: Vec<Vec<DefectShape>> = KINDS.iter().map(|(kind, text)| parse(kind, text)).collect();
    let most = kinds.iter().map(Vec::len).max().unwrap_or(0);
    (0..most).flat_map(|at| kinds.iter().filter_map(move |kind| kind.get(at)).copied()).collect()
}

/// Code to surround a defect with.
pub fn surroundings() -> Vec<DefectShape> {
    parse("surroundings", SURROUNDINGS)
}

fn parse(kind: &'static str, text: &'static str) -> Vec<DefectShape> {
    let text = text.strip_prefix("== ").unwrap_or(text);
    let shape = |part: &'static str| {
        let (name, code) = part.split_once('\n').unwrap_or((part, ""));
        let (file_level, body) = code.split_once("--\n").unwrap_or(("", code));
        DefectShape { kind, name, file_level, body }
    };
    text.split("\n== ").map(shape).collect()
}

/// What the placeholders of one program stand for.
pub struct Choices {
    rng: Rng,
    /// The value of `t` for which `$t` holds.
    pub trigger: u8,
    n: u64,
    k: u64,
    m: u64,
    any_type: &'static str,
    signed_type: &'static str,
    /// The value of `$i`.
    pub index: usize,
}

const TYPES: [&str; 10] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
];

impl Choices {
    pub fn new(mut rng: Rng) -> Choices {
        let n = 4 + rng.below(6);
        Choices {
            // A printable character, so that it can be part of an argument.
            trigger: b'A' + rng.below(50) as u8,
            n,
            k: 1 + rng.below(3),
            m: 10 + rng.below(10),
            any_type: rng.pick(&TYPES).copied().unwrap_or("int"),
            signed_type: rng.pick(&["int", "long", "long long"]).copied().unwrap_or("int"),
            index: 0,
            rng,
        }
    }

    /// A number below `n`, for choices outside of shapes.
    pub fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    /// Replaces all placeholders except the alternatives.
    pub fn expand(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            rest = after;
            if let Some(after) = rest.strip_prefix("noinline") {
                rest = after;
                out.push_str(if self.below(2) == 0 { "__attribute__((noinline))" } else { "" });
                continue;
            }
            let mut letters = rest.chars();
            match letters.next() {
                Some('t') => out.push_str(&self.condition()),
                Some('w') => out.push_str(&self.statement()),
                Some('n') => out.push_str(&self.n.to_string()),
                Some('k') => out.push_str(&self.k.to_string()),
                Some('m') => out.push_str(&self.m.to_string()),
                Some('i') => out.push_str(&self.index.to_string()),
                Some('T') => out.push_str(self.any_type),
                Some('I') => out.push_str(self.signed_type),
                other => {
                    out.push('$');
                    out.extend(other);
                }
            }
            rest = letters.as_str();
        }
        out + rest
    }

    /// A condition that holds if `t` is the trigger. It contains none of the characters that
    /// delimit alternatives.
    fn condition(&mut self) -> String {
        let value = u32::from(self.trigger);
        let other = 1 + self.rng.below(60) as u32;
        match self.below(6) {
            0 => format!("((t ^ {other}) == {})", value ^ other),
            1 => format!("(t > {} && t < {})", value - 1, value + 1),
            2 => format!("(t * 3 == {})", value * 3),
            3 => format!("((t & 15) == {} && t >> 4 == {})", value & 15, value >> 4),
            4 => format!("(t + {other} == {})", value + other),
            _ => format!("(t == {value})"),
        }
    }

    fn statement(&mut self) -> String {
        let (k, n) = (self.k, self.n);
        match self.below(6) {
            0 => format!("total = total * 31u + {n}u;"),
            1 => format!("for (unsigned i = 0; i < {n}; i++) total ^= i << {k};"),
            2 => format!("total += (total >> {k}) & 7u;"),
            3 => format!("if (total & {n}u) total += {k}u;"),
            4 => "total += table_of_bytes[total & 15u];".to_owned(),
            _ => ";".to_owned(),
        }
    }
}

/// Replaces alternatives `$[defective|repaired]` by one of their sides.
pub fn resolve(text: &str, repaired: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("$[") {
        out.push_str(before);
        let end = closing_bracket(after);
        let (defective, correct) = after[..end].split_once('|').unwrap_or((&after[..end], ""));
        out.push_str(if repaired { correct } else { defective });
        rest = after.get(end + 1..).unwrap_or("");
    }
    out + rest
}

/// The position of the bracket that closes one opened before `text`.
fn closing_bracket(text: &str) -> usize {
    let mut open = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_first_shapes_are_of_different_kinds() {
        let shapes = defects();
        let first: BTreeSet<&str> = shapes.iter().take(KINDS.len()).map(|it| it.kind).collect();
        assert_eq!(first.len(), KINDS.len());
        assert!(shapes.len() > 150 && shapes.iter().all(|it| !it.body.is_empty()));
        let names: BTreeSet<(&str, &str)> = shapes.iter().map(|it| (it.kind, it.name)).collect();
        assert_eq!(names.len(), shapes.len(), "two shapes have the same name");
    }

    #[test]
    fn every_shape_differs_from_its_repair() {
        for shape in defects() {
            let text =
                Choices::new(Rng::new(1)).expand(&format!("{}{}", shape.file_level, shape.body));
            let [defective, repaired] = [false, true].map(|repaired| resolve(&text, repaired));
            assert!(defective != repaired, "{}: {}", shape.kind, shape.name);
            assert!(!defective.contains('$') && !repaired.contains('$'), "{defective}");
        }
    }

    #[test]
    fn alternatives_nest_brackets() {
        assert_eq!(resolve("p$[++|[0]++];", false), "p++;");
        assert_eq!(resolve("p$[++|[0]++];", true), "p[0]++;");
        assert_eq!(resolve("a$[| || 1]b", false), "ab");
        assert_eq!(resolve("a$[| || 1]b", true), "a || 1b");
    }
}
