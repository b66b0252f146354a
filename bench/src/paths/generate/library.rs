//! Calls of the C library, and memory whose size depends on input: where the
//! exploration may fork although the program itself has no branch.

use super::{Generator, SourceTree};

impl Generator {
    pub(super) fn library(&mut self, _: u32) -> SourceTree {
        match self.below(10) {
            0 | 1 => self.sized_block(),
            2 => self.mathematics(),
            3 => self.counted_bytes(),
            4 => self.printed(),
            5 => self.sorted(),
            6 if self.rng.chance(0.3) => self.wide_division(),
            _ => self.string(),
        }
    }

    /// A string of a few characters, and the result of a library function on it.
    fn string(&mut self) -> SourceTree {
        const CALLS: [&str; 14] = [
            "strlen(s)",
            "strcmp(s, \"a\") < 0",
            "strncmp(s, \"ab\", 2) == 0",
            "memcmp(s, \"a1\", 2) > 0",
            "strchr(s, 'x') != 0",
            "strspn(s, \"abc123\")",
            "atoi(s)",
            "strtol(s, 0, 16)",
            "isdigit((u8)s[0]) != 0",
            "isalpha((u8)s[1]) != 0",
            "toupper((u8)s[0])",
            "isspace((u8)s[0]) * 2 + (ispunct((u8)s[1]) != 0)",
            "strcspn(s, \" ,\") + (strstr(s, \"0x\") != 0)",
            "(memchr(s, 0, sizeof s) == s + 1)",
        ];
        let call = CALLS[self.below(CALLS.len() as u32) as usize];
        let (to, last) = (self.variable(), if self.rng.chance(0.3) { "'7'" } else { "0" });
        let kids = vec![self.byte(), self.byte()];
        let text = match self.rng.chance(0.5) {
            true => format!("{{\nchar s[4] = {{$0, $1, {last}, 0}};\n{to} = {call};\n}}"),
            false => {
                format!(
                    "{{\nchar s[4] = {{$0, $1, {last}, 0}};\nif (BR({call})) {{\n{to} ^= 5;\n}}\n}}"
                )
            }
        };
        SourceTree::statement(text, kids)
    }

    /// A block as large as the input says, written and read within and without.
    fn sized_block(&mut self) -> SourceTree {
        let (to, most) = (self.variable(), 2 + self.below(8));
        let kids = vec![self.small(most), self.any_value()];
        let text = match self.below(3) {
            0 => format!(
                "{{\nu32 n = $0 + 1;\nu8 *p = malloc(n);\nmemset(p, 3, n);\np[n - 1] = (u8)$1;\n\
                 {to} = p[n / 2];\nfree(p);\n}}"
            ),
            1 => format!(
                "{{\nu32 n = $0 + 1;\nu8 *p = calloc(n, 2);\n{to} = p[AT((u8)$1 & 15, n * 2)];\n}}"
            ),
            _ => format!(
                "{{\nu32 n = $0 + 1;\nu8 p[n];\nmemset(p, 9, n);\n\
                 p[AT((u8)$1 & 7, n)] = 1;\n{to} = p[0];\n}}"
            ),
        };
        SourceTree::statement(text, kids)
    }

    /// Bytes filled and moved, as many as the input says.
    fn counted_bytes(&mut self) -> SourceTree {
        let to = self.variable();
        let kids = vec![self.small(8), self.any_value()];
        let text = format!(
            "{{\nu8 t[8] = {{1, 2, 3, 4, 5, 6, 7, 8}};\nu32 n = $0;\nmemset(t, (u8)$1, n);\n\
             memmove(t + 1, t, n);\n{to} = t[n] * 7 + t[3];\n}}"
        );
        SourceTree::statement(text, kids)
    }

    /// Functions of numbers.
    fn mathematics(&mut self) -> SourceTree {
        const CALLS: [&str; 8] = [
            "sqrt((f64)(u8)$0) * 4.0",
            "floor((f64)(i16)$0 / 3.0)",
            "ceil((f64)(i16)$0 / 8.0)",
            "fabs((f64)(i16)$0)",
            "trunc((f32)(i16)$0 * 0.3f)",
            "fmax((f64)(i8)$0, 3.5)",
            "abs((i32)(i16)$0)",
            "labs((i64)(i16)$0) % 5",
        ];
        let call = CALLS[self.below(CALLS.len() as u32) as usize];
        let (to, value) = (self.variable(), self.any_value());
        SourceTree::statement(format!("{to} = (i32)({call});"), vec![value])
    }

    /// A number as text, and back.
    fn printed(&mut self) -> SourceTree {
        let (to, value) = (self.variable(), self.any_value());
        let format = ["%d", "%x", "%03u", "%-4d|"][self.below(4) as usize];
        let narrow = ["u8", "i8"][self.below(2) as usize];
        let text = match self.rng.chance(0.6) {
            true => format!(
                "{{\nchar s[8];\nint n = snprintf(s, sizeof s, \"{format}\", (i32)({narrow})$0);\n\
                 {to} = n * 64 + s[0];\n}}"
            ),
            false => format!(
                "{{\nchar s[4] = {{(char)$0, '5', 0, 0}};\nint x = 0;\n\
                 int n = sscanf(s, \"{}\", &x);\n{to} = n + x * 3;\n}}",
                &format[..2].replace('0', "u").replace('-', "d")
            ),
        };
        SourceTree::statement(text, vec![value])
    }

    /// Numbers sorted by the library, then one of them found.
    fn sorted(&mut self) -> SourceTree {
        let (to, order) = (self.variable(), self.name("order"));
        let define = format!(
            "static int {order}(const void *a, const void *b)\n{{\n\
             return *(const u8 *)a - *(const u8 *)b;\n}}"
        );
        self.functions.push(SourceTree::fixed(define, vec![]));
        let kids = vec![self.byte(), self.any_value()];
        let text = format!(
            "{{\nu8 t[4] = {{$0, 40, (u8)$1, 200}}, key = 40;\nqsort(t, 4, 1, {order});\n\
             u8 *p = bsearch(&key, t, 4, 1, {order});\n{to} = t[1] * 4 + (p - t);\n}}"
        );
        SourceTree::statement(text, kids)
    }

    /// A division of 128 bits, for which the compiler calls a function.
    fn wide_division(&mut self) -> SourceTree {
        let op = if self.rng.chance(0.5) { "/" } else { "%" };
        let (to, kids) = (self.variable(), vec![self.any_value(), self.byte()]);
        let text = format!("{to} = (u64)(((u128)(u64)$0 << 20) {op} ((u128)$1 + 1));");
        SourceTree::statement(text, kids)
    }
}
