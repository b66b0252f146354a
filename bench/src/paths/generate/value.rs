//! Numbers: arithmetic of every width, comparisons, casts, the compiler's builtins.
//!
//! A number never decides anything by itself and breaks no rule, whatever the input.

use super::types::{I32, I64, Int, U32, U64, WIDE, constant};
use super::{Generator, PathDirection, Profile, SourceTree};

impl Generator {
    /// A number, computed by at most `depth` nested operations.
    pub(super) fn value(&mut self, depth: u32) -> SourceTree {
        if depth == 0 || self.rng.chance(0.1) {
            return self.leaf();
        }
        let when = |wanted: bool, weight: u64| if wanted { weight } else { 0 };
        let ways: &[PathDirection] = &[
            (10, Self::arithmetic),
            (4, Self::bitwise),
            (4, Self::shift),
            (3, Self::division),
            (4, Self::comparison),
            (3, Self::cast),
            (2, Self::unary),
            (1, Self::choice),
            (when(self.wanted.builtins, 3), Self::builtin),
            (when(self.wanted.builtins, 1), Self::overflow_builtin),
            (when(self.wanted.wide, 2), Self::wide_product),
            (when(self.wanted.arrays, 4), Self::element),
            (when(self.scope.structs, 3), Self::member),
            (when(self.scope.union, 3), Self::union_part),
        ];
        self.one_of(ways, depth - 1)
    }

    /// A number that is there already.
    pub(super) fn leaf(&mut self) -> SourceTree {
        let of = self.any_int();
        let known = match self.below(10) {
            0..5 => self.pick(&self.scope.fixed.clone()),
            5..9 => self.pick(&self.scope.ints.clone()),
            _ => None,
        };
        match known {
            Some((name, of)) => SourceTree::value(of.name, name, vec![]),
            None => SourceTree::value(of.name, constant(&mut self.rng, of), vec![]),
        }
    }

    /// A type to compute in. Overflow of one with a sign is a fault where it is checked.
    pub(super) fn wide(&mut self) -> Int {
        let known = if self.profile == Profile::Checked { 2 } else { 4 };
        WIDE[self.below(known) as usize]
    }

    fn two(&mut self, depth: u32) -> Vec<SourceTree> {
        let first = self.value(depth);
        let second = if self.rng.chance(0.4) {
            let of = self.any_int();
            SourceTree::value(of.name, constant(&mut self.rng, of), vec![])
        } else {
            self.value(depth)
        };
        if self.rng.chance(0.2) { vec![second, first] } else { vec![first, second] }
    }

    fn arithmetic(&mut self, depth: u32) -> SourceTree {
        let op = ["+", "-", "*", "+", "-"][self.below(5) as usize];
        self.binary(op, depth)
    }

    fn bitwise(&mut self, depth: u32) -> SourceTree {
        let op = ["&", "|", "^"][self.below(3) as usize];
        self.binary(op, depth)
    }

    fn binary(&mut self, op: &str, depth: u32) -> SourceTree {
        let (of, wide) = (self.any_int(), self.wide());
        let kids = self.two(depth);
        // Without the inner casts C's promotions decide, which overflow too.
        let (of, wide) = (of.name, wide.name);
        let bare = self.profile != Profile::Checked && self.rng.chance(0.4);
        let text = match bare {
            true => format!("({of})($0 {op} $1)"),
            false => format!("({of})(({wide})$0 {op} ({wide})$1)"),
        };
        SourceTree::value(of, format!("({text})"), kids)
    }

    fn shift(&mut self, depth: u32) -> SourceTree {
        let (of, wide) = (self.any_int().name, WIDE[self.below(4) as usize]);
        let kids = self.two(depth);
        let op = if self.rng.chance(0.5) { "<<" } else { ">>" };
        let (name, most) = (wide.name, wide.bits - 1);
        SourceTree::value(of, format!("(({of})(({name})$0 {op} ((u32)$1 & {most})))"), kids)
    }

    /// A division that cannot fail: odd divisors, and no dividend whose negative has
    /// no place.
    fn division(&mut self, depth: u32) -> SourceTree {
        let (of, wide) = (self.any_int().name, WIDE[self.below(4) as usize]);
        let op = if self.rng.chance(0.5) { "/" } else { "%" };
        let kids = self.two(depth);
        let name = wide.name;
        let halve = if wide.signed { " >> 1" } else { "" };
        SourceTree::value(of, format!("(({of})((({name})$0{halve}) {op} (({name})$1 | 1)))"), kids)
    }

    fn comparison(&mut self, depth: u32) -> SourceTree {
        let op = ["<", "<=", ">", ">=", "==", "!="][self.below(6) as usize];
        let kids = self.two(depth);
        let of = self.any_int().name;
        let text = match self.below(3) {
            0 => format!("($0 {op} $1)"),
            _ => format!("(({of})$0 {op} ({of})$1)"),
        };
        SourceTree::value("int", text, kids)
    }

    fn cast(&mut self, depth: u32) -> SourceTree {
        let (of, through) = (self.any_int().name, self.any_int().name);
        let kids = vec![self.value(depth)];
        let text = match self.below(5) {
            0 => "((_Bool)$0)".to_owned(),
            1 | 2 => format!("(({of})({through})$0)"),
            _ => format!("(({of})$0)"),
        };
        SourceTree::value(of, text, kids)
    }

    fn unary(&mut self, depth: u32) -> SourceTree {
        let wide = self.wide().name;
        let kids = vec![self.value(depth)];
        let text = match self.below(3) {
            0 => format!("(~({wide})$0)"),
            1 => format!("(-({wide})$0)"),
            _ => "(!$0)".to_owned(),
        };
        SourceTree::value("i64", text, kids)
    }

    /// One of two constants: the compiler makes no branch of it, unless it is all that
    /// a branch asks for, whence the cast.
    fn choice(&mut self, depth: u32) -> SourceTree {
        let kids = vec![self.value(depth)];
        let (a, b) = (constant(&mut self.rng, I32), constant(&mut self.rng, I32));
        SourceTree::value("i32", format!("((i32)($0 ? {a} : {b}))"), kids)
    }

    fn builtin(&mut self, depth: u32) -> SourceTree {
        const BUILTINS: [&str; 19] = [
            "__builtin_clz((u32)$0 | 1)",
            "__builtin_clzll((u64)$0 | 1)",
            "__builtin_ctz((u32)$0 | 0x80000000u)",
            "__builtin_ctzll((u64)$0 | 0x8000000000000000u)",
            "__builtin_popcount((u32)$0)",
            "__builtin_popcountll((u64)$0)",
            "__builtin_parity((u32)$0)",
            "__builtin_ffs((i32)$0)",
            "__builtin_bswap16((u16)$0)",
            "__builtin_bswap32((u32)$0)",
            "__builtin_bswap64((u64)$0)",
            "__builtin_bitreverse8((u8)$0)",
            "__builtin_bitreverse32((u32)$0)",
            "__builtin_rotateleft8((u8)$0, (u8)$1)",
            "__builtin_rotateleft32((u32)$0, (u32)$1)",
            "__builtin_rotateright64((u64)$0, (u64)$1)",
            "__builtin_elementwise_add_sat((i8)$0, (i8)$1)",
            "__builtin_elementwise_sub_sat((u16)$0, (u16)$1)",
            "__builtin_elementwise_max((i32)$0, (i32)$1)",
        ];
        let of = self.any_int().name;
        let call = BUILTINS[self.below(BUILTINS.len() as u32) as usize];
        let mut kids = self.two(depth);
        if !call.contains("$1") {
            kids.truncate(1);
        }
        SourceTree::value(of, format!("(({of}){call})"), kids)
    }

    /// The wrapped result of an operation and whether it wrapped, as one number.
    fn overflow_builtin(&mut self, depth: u32) -> SourceTree {
        let op = ["add", "sub", "mul"][self.below(3) as usize];
        let (a, b, to) = (self.any_int().name, self.any_int().name, self.any_int().name);
        let kids = self.two(depth);
        let text = format!(
            "({{ {to} to_; u64 over_ = __builtin_{op}_overflow(({a})$0, ({b})$1, &to_); \
             (u64)to_ * 2 + over_; }})"
        );
        SourceTree::value("u64", text, kids)
    }

    /// The upper half of a product of 128 bits.
    fn wide_product(&mut self, depth: u32) -> SourceTree {
        let kids = self.two(depth);
        let far = 1 + self.below(120);
        let text = match self.below(3) {
            0 => "((u64)((u128)(u64)$0 * (u64)$1 >> 64))".to_owned(),
            1 => format!("((u64)((u128)(__int128)(i64)$0 >> {far}) + (u64)$1)"),
            _ => format!("((u64)(((u128)(u64)$0 << {far} | (u64)$1) >> {}))", far / 2),
        };
        SourceTree::value("u64", text, kids)
    }

    /// A number below `n`.
    pub(super) fn index(&mut self, n: u32, depth: u32) -> SourceTree {
        let kids = vec![self.value(depth)];
        let text = match n.is_power_of_two() && self.rng.chance(0.8) {
            true => format!("((u32)$0 & {})", n - 1),
            false => format!("((u32)$0 % {n})"),
        };
        SourceTree::fixed(text, kids)
    }

    /// A condition that often can go either way.
    pub(super) fn condition(&mut self, depth: u32) -> SourceTree {
        if self.wanted.floats && self.rng.chance(0.3) {
            return self.float_comparison();
        }
        let op = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        let mask = [1, 3, 7, 15, 0x30, 0xf0, 31][self.below(7) as usize];
        let most = self.below(mask + 1);
        let kid = self.value(depth);
        let text = match self.below(8) {
            0..3 => format!("(((u32)$0 & {mask}) {op} {most})"),
            3 => format!("((u32)$0 % {} {op} {})", mask + 2, most),
            4 => format!("((i8)$0 {op} {})", most as i32 - 20),
            5 => return SourceTree::value("int", "$0", vec![kid]),
            _ => return self.comparison(depth),
        };
        SourceTree::value("int", text, vec![kid])
    }

    /// A product of types no overflow check looks at.
    pub(super) fn unsigned(&mut self) -> Int {
        if self.rng.chance(0.5) { U32 } else { U64 }
    }

    /// A type with a sign that arithmetic is done in.
    pub(super) fn signed(&mut self) -> Int {
        if self.rng.chance(0.6) { I32 } else { I64 }
    }
}
