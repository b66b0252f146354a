//! Rare features of programs: vectors, atomics, lists, tables of strings and of
//! rows, structures by value, functions of any number of arguments.

use super::types::{INTS, U32, constant};
use super::{Generator, Profile, SourceTree};

impl Generator {
    pub(super) fn assorted(&mut self, _: u32) -> SourceTree {
        match self.below(9) {
            0 | 1 => self.vector(),
            2 => self.atomic(),
            3 => self.list(),
            4 => self.words(),
            5 => self.rows(),
            6 => self.by_value(),
            7 => self.long_jump(),
            _ => self.variadic(),
        }
    }

    /// A vector of four numbers, one of which is read.
    fn vector(&mut self) -> SourceTree {
        // Arithmetic on vectors with a sign may overflow like any other.
        let known = if self.profile == Profile::Checked { &INTS[5..6] } else { &INTS[1..6] };
        let of = self.pick(known).unwrap_or(U32);
        let op = ["+", "-", "*", "&", "^", "<", "=="][self.below(7) as usize];
        let bytes = of.bits / 2;
        let fixed: Vec<_> = (0..2).map(|_| constant(&mut self.rng, of)).collect();
        let kids = vec![self.any_value(), self.any_value(), self.index(4, 2)];
        let (to, of) = (self.variable(), of.name);
        let text = format!(
            "{{\ntypedef {of} vector __attribute__((vector_size({bytes})));\n\
             vector a = {{({of})$0, ({of})$1, {}, ({of})$0}};\n\
             vector b = {{({of})$1, ({of})$1, {}, 1}};\n\
             vector c = (vector)(a {op} b);\n{to} = c[0] ^ c[3] ^ c[$2];\n}}",
            fixed[0], fixed[1]
        );
        SourceTree::statement(text, kids)
    }

    fn atomic(&mut self) -> SourceTree {
        let Some((name, of)) = self.pick(&self.scope.ints.clone()) else { return self.nothing() };
        let (to, of) = (self.variable(), of.name);
        let kids = vec![self.any_value(), self.any_value()];
        let text = match self.below(4) {
            0 => format!("{to} = __atomic_fetch_add(&{name}, $0, __ATOMIC_SEQ_CST);"),
            1 => format!("{to} = __atomic_exchange_n(&{name}, $0, __ATOMIC_RELAXED);"),
            2 => format!("{to} = __atomic_nand_fetch(&{name}, $0, __ATOMIC_SEQ_CST);"),
            // The compiler branches on its result.
            _ => format!(
                "{{\n{of} e = ({of})$0;\nint same = __atomic_compare_exchange_n(&{name}, &e, \
                 ({of})$1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);\nSEEN_ONE_OF(same);\n\
                 {to} = e + (u32)same;\n}}"
            ),
        };
        let kids = if text.contains("$1") { kids } else { kids.into_iter().take(1).collect() };
        SourceTree::statement(text, kids)
    }

    /// A sorted list on the heap.
    fn list(&mut self) -> SourceTree {
        let kids = vec![self.any_value(), self.any_value(), self.any_value()];
        let (to, of) = (self.variable(), ["u8", "i8", "i32"][self.below(3) as usize]);
        let text = format!(
            "{{\nstruct node {{ struct node *next; {of} key; }} *first = 0;\n\
             {of} keys[] = {{({of})$0, ({of})$1, ({of})$2}};\n\
             for (u32 i = 0; i < 3; i++) {{\n\
             struct node *n = malloc(sizeof *n), **at = &first;\n\
             while (BR(*at != 0) && BR((*at)->key < keys[i]))\nat = &(*at)->next;\n\
             n->key = keys[i];\nn->next = *at;\n*at = n;\n}}\n\
             {to} = first->key;\n{to} ^= first->next->next->key;\n}}"
        );
        SourceTree::statement(text, kids)
    }

    /// A letter of one of several strings.
    fn words(&mut self) -> SourceTree {
        let words = ["\"byway\"", "\"a\"", "\"path\"", "\"\"", "\"of stones\""];
        let chosen: Vec<_> = (0..4).map(|_| self.below(5) as usize).collect();
        let table: Vec<_> = chosen.iter().map(|at| words[*at]).collect();
        let objects: Vec<_> = chosen.iter().map(|at| at.to_string()).collect();
        let kids = vec![self.index(4, 2), self.any_value()];
        let to = self.variable();
        let text = format!(
            "{{\nstatic const char *const words[] = {{{}}};\n\
             static const u8 objects[] = {{{}}};\nu32 k = $0;\nSEEN_ONE_OF(objects[k]);\n\
             const char *word = words[k];\nif (BR(word[0] != 0)) {{\n{to} = word[(u32)$1 & 1];\n\
             }}\n}}",
            table.join(", "),
            objects.join(", ")
        );
        SourceTree::statement(text, kids)
    }

    /// A table of two dimensions, read and written.
    fn rows(&mut self) -> SourceTree {
        let of = self.any_int();
        let row = |this: &mut Self| {
            let numbers: Vec<_> = (0..3).map(|_| constant(&mut this.rng, of)).collect();
            format!("{{{}}}", numbers.join(", "))
        };
        let rows: Vec<_> = (0..4).map(|_| row(self)).collect();
        let kids = vec![self.index(4, 2), self.index(3, 1), self.any_value(), self.index(4, 1)];
        let to = self.variable();
        let text = format!(
            "{{\n{} rows[4][3] = {{{}}};\nrows[$0][$1] = $2;\n{to} = rows[$3][1];\n}}",
            of.name,
            rows.join(", ")
        );
        SourceTree::statement(text, kids)
    }

    /// A structure passed to a function and returned from it.
    fn by_value(&mut self) -> SourceTree {
        let (name, to) = (self.name("turn"), self.variable());
        let define = format!(
            "struct {name} {{ u16 a; i64 b; u8 c[9]; }};\n\
             static struct {name} {name}(struct {name} s, u32 at)\n{{\ns.c[at % 9] += s.a;\n\
             s.b ^= s.c[4];\ns.a = (u16)s.b;\nreturn s;\n}}"
        );
        self.functions.push(SourceTree::fixed(define, vec![]));
        let kids = vec![self.any_value(), self.any_value(), self.any_value()];
        let text = format!(
            "{{\nstruct {name} s = {{(u16)$0, (i64)$1, {{1, 2, 3, 4, 5, 6, 7, 8, 9}}}};\n\
             s = {name}(s, (u32)$2);\n{to} = (u64)s.a + (u64)s.b + s.c[(u32)$2 % 9];\n}}"
        );
        SourceTree::statement(text, kids)
    }

    /// The sum of a few arguments, one of them wide.
    fn variadic(&mut self) -> SourceTree {
        let (name, to) = (self.name("sum"), self.variable());
        let define = format!(
            "static u64 {name}(u32 count, ...)\n{{\n__builtin_va_list list;\nu64 sum = 0;\n\
             __builtin_va_start(list, count);\nfor (u32 i = 0; i < count; i++)\n\
             sum = sum * 3 + (i == 1 ? __builtin_va_arg(list, u64) : \
             __builtin_va_arg(list, u32));\n__builtin_va_end(list);\nreturn sum;\n}}"
        );
        self.functions.push(SourceTree::fixed(define, vec![]));
        let kids = vec![self.any_value(), self.any_value(), self.any_value()];
        let text = format!("{to} = {name}(3, (u32)$0, (u64)$1, (u32)$2);");
        SourceTree::statement(text, kids)
    }

    /// Back to a place that is still open.
    fn long_jump(&mut self) -> SourceTree {
        let (to, kids) = (self.variable(), vec![self.any_condition()]);
        let text = format!(
            "{{\njmp_buf back;\nint came = setjmp(back);\nif (BR(came == 0)) {{\nif (BR($0)) {{\n\
             longjmp(back, 3);\n}}\n}}\n{to} = came;\n}}"
        );
        SourceTree::statement(text, kids)
    }
}
