//! Arrays, structures, unions and pointers, at places that depend on input.

use super::types::{INTS, Int, U8, constant};
use super::{ArrayVariable, Generator, SourceTree};

/// The members of `struct S` that are no array.
const MEMBERS: [&str; 7] = ["a", "b", "c", "d", "e", "g", "h"];

const STRUCT: &str =
    "struct S { u8 a; i32 b; u16 c; i64 d; u32 e : 5; i32 g : 3; u32 h : 9; i8 k[3]; };";

const UNION: &str = "union U { u64 d; u32 w[2]; i32 s[2]; u16 h[4]; u8 b[8]; f32 f[2]; };";

/// Elements of an array of structures, a power of two.
const STRUCTS: u32 = 4;

impl Generator {
    fn array(&mut self, name: String, of: Int, constant: bool) -> (ArrayVariable, String) {
        let length = [2, 3, 4, 5, 8, 8, 16][self.below(7) as usize];
        let elements: Vec<_> =
            (0..length).map(|_| super::types::constant(&mut self.rng, of)).collect();
        let array = ArrayVariable { name, of, length, constant };
        (array, elements.join(", "))
    }

    /// Variables outside of functions.
    pub(super) fn global_memory(&mut self) {
        if self.wanted.arrays {
            for at in 0..1 + self.below(3) {
                let is_constant = self.rng.chance(0.4);
                let (of, name) = (self.array_type(), format!("g{at}"));
                let (array, elements) = self.array(name, of, is_constant);
                self.define_global(array, &elements);
            }
        }
        if self.wanted.structs {
            self.globals.push(SourceTree::fixed(STRUCT, vec![]));
            let row = |at: u32| format!("{{{at}, {}, 3, -{at}, 1, -2, 7, {{1, 2, 3}}}}", at * 900);
            let rows = (0..STRUCTS).map(row).collect::<Vec<_>>().join(", ");
            self.define_state("struct S", "ss", &format!("[{STRUCTS}]"), &rows);
            self.scope.structs = true;
        }
        if self.wanted.unions {
            self.globals.push(SourceTree::fixed(UNION, vec![]));
        }
    }

    fn array_type(&mut self) -> Int {
        // Bytes most often: they are what is put together to something else.
        if self.rng.chance(0.35) { U8 } else { INTS[self.below(8) as usize] }
    }

    fn define_global(&mut self, array: ArrayVariable, elements: &str) {
        let ArrayVariable { name, of, length, constant } = &array;
        let size = format!("[{length}]");
        if *constant {
            let text = format!("static const {} {name}{size} = {{{elements}}};", of.name);
            self.globals.push(SourceTree::fixed(text, vec![]));
        } else {
            self.define_state(of.name, name, &size, elements);
        }
        self.scope.arrays.push(array);
    }

    fn define_state(&mut self, of: &str, name: &str, size: &str, elements: &str) {
        let define = format!("STATE static {of} {name}{size} = {{{elements}}};");
        self.globals.push(SourceTree::fixed(define, vec![]));
    }

    /// Variables of a function.
    pub(super) fn local_memory(&mut self, list: &mut Vec<SourceTree>) {
        if self.wanted.arrays {
            for _ in 0..self.below(3) {
                let (of, name) = (self.array_type(), self.name("a"));
                let (array, elements) = self.array(name, of, false);
                let ArrayVariable { name, length, .. } = &array;
                let text = format!("{} {name}[{length}] = {{{elements}}};", of.name);
                list.push(SourceTree::fixed(text, vec![]));
                self.scope.arrays.push(array);
            }
        }
        if self.wanted.unions {
            list.push(SourceTree::fixed("union U un = {0x3ff0000000000000u};", vec![]));
            self.scope.union = true;
        }
    }

    /// The observation of memory other than arrays at the end.
    pub(super) fn memory_result(&self) -> Vec<SourceTree> {
        let mut list = Vec::new();
        if self.scope.structs {
            let members: Vec<_> = MEMBERS.iter().map(|m| format!("(u64)ss[i].{m}")).collect();
            let sum = members.join(" * 3 + ");
            let text = format!("for (int i = 0; i < {STRUCTS}; i++) r = r * 31 + {sum};");
            list.push(SourceTree::fixed(text, vec![]));
        }
        if self.scope.union {
            list.push(SourceTree::fixed("r = r * 31 + un.d;", vec![]));
        }
        list
    }

    fn any_array(&mut self) -> Option<ArrayVariable> {
        self.pick(&self.scope.arrays.clone())
    }

    fn array_to_write(&mut self) -> Option<ArrayVariable> {
        let known: Vec<_> = self.scope.arrays.iter().filter(|a| !a.constant).cloned().collect();
        self.pick(&known)
    }

    pub(super) fn element(&mut self, depth: u32) -> SourceTree {
        let Some(array) = self.any_array() else { return self.leaf() };
        let index = self.index(array.length, depth);
        SourceTree::value(array.of.name, format!("{}[$0]", array.name), vec![index])
    }

    pub(super) fn set_element(&mut self, _: u32) -> SourceTree {
        let Some(array) = self.array_to_write() else { return self.nothing() };
        let steps = self.steps();
        let kids = vec![self.index(array.length, steps), self.any_value()];
        SourceTree::statement(format!("{}[$0] = $1;", array.name), kids)
    }

    /// An access that may lie outside.
    pub(super) fn unsafe_access(&mut self) -> SourceTree {
        let (Some(read), written) = (self.any_array(), self.array_to_write()) else {
            return self.nothing();
        };
        let value = self.any_value();
        let (array, reads) = match written {
            Some(array) if self.rng.chance(0.5) => (array, false),
            _ => (read, true),
        };
        let length = array.length;
        let index = match self.below(4) {
            0 => format!("(u32)$0 & {}", length.next_power_of_two() * 2 - 1),
            1 => "(u8)$0".to_owned(),
            2 => format!("(i32)((u32)$0 % {}) - 1", length + 1),
            _ => "(i32)$0".to_owned(),
        };
        let name = &array.name;
        let (to, other) = (self.variable(), self.any_value());
        match reads {
            true => {
                SourceTree::statement(format!("{to} = {name}[AT({index}, {length})];"), vec![value])
            }
            false => SourceTree::statement(
                format!("{name}[AT({index}, {length})] = $1;"),
                vec![value, other],
            ),
        }
    }

    /// Copies bytes within an array, from and to places that depend on input.
    pub(super) fn move_bytes(&mut self, _: u32) -> SourceTree {
        let Some(array) = self.array_to_write().filter(|array| array.length > 2) else {
            return self.nothing();
        };
        let count = 1 + self.below(array.length - 2);
        let room = array.length - count + 1;
        let kids = vec![self.index(room, 2), self.index(room, 2)];
        let (name, of) = (&array.name, array.of.name);
        let text = format!("memmove({name} + $0, {name} + $1, {count} * sizeof({of}));");
        SourceTree::statement(text, kids)
    }

    /// Reads or writes bytes as a number of another size, wherever it lies.
    pub(super) fn pun(&mut self, _: u32) -> SourceTree {
        let Some(array) = self.array_to_write() else { return self.nothing() };
        let bytes = array.length * array.of.bits / 8;
        let of = INTS[self.below(8) as usize];
        let size = of.bits / 8;
        if bytes < size {
            return self.nothing();
        }
        let (name, of) = (&array.name, of.name);
        let index = self.index(bytes - size + 1, 2);
        if self.rng.chance(0.5) {
            let to = self.variable();
            let text =
                format!("{{\n{of} t;\nmemcpy(&t, (u8 *){name} + $0, {size});\n{to} = t;\n}}");
            return SourceTree::statement(text, vec![index]);
        }
        let value = self.any_value();
        let text = format!("{{\n{of} t = $1;\nmemcpy((u8 *){name} + $0, &t, {size});\n}}");
        SourceTree::statement(text, vec![index, value])
    }

    fn place_in_struct(&mut self, depth: u32) -> SourceTree {
        let index = self.index(STRUCTS, depth);
        if self.rng.chance(0.15) {
            let inner = self.index(3, depth);
            return SourceTree::fixed("ss[$0].k[$1]", vec![index, inner]);
        }
        let member = MEMBERS[self.below(MEMBERS.len() as u32) as usize];
        SourceTree::fixed(format!("ss[$0].{member}"), vec![index])
    }

    pub(super) fn member(&mut self, depth: u32) -> SourceTree {
        let place = self.place_in_struct(depth);
        SourceTree::value("i64", "((i64)$0)", vec![place])
    }

    pub(super) fn set_member(&mut self, _: u32) -> SourceTree {
        if self.rng.chance(0.25) {
            let kids = vec![self.index(STRUCTS, 2), self.index(STRUCTS, 2)];
            return SourceTree::statement("ss[$0] = ss[$1];", kids);
        }
        let kids = vec![self.place_in_struct(2), self.any_value()];
        SourceTree::statement("$0 = $1;", kids)
    }

    fn place_in_union(&mut self, depth: u32) -> SourceTree {
        let (part, length) = [("w", 2), ("s", 2), ("h", 4), ("b", 8)][self.below(4) as usize];
        if self.rng.chance(0.2) {
            return SourceTree::fixed("un.d", vec![]);
        }
        let index = self.index(length, depth);
        SourceTree::fixed(format!("un.{part}[$0]"), vec![index])
    }

    pub(super) fn union_part(&mut self, depth: u32) -> SourceTree {
        let place = self.place_in_union(depth);
        SourceTree::value("u64", "((u64)$0)", vec![place])
    }

    pub(super) fn set_union_part(&mut self, _: u32) -> SourceTree {
        let kids = vec![self.place_in_union(2), self.any_value()];
        SourceTree::statement("$0 = $1;", kids)
    }

    /// A trivial statement, where the requested kind is not available.
    pub(super) fn nothing(&mut self) -> SourceTree {
        let name = self.variable();
        SourceTree::statement(format!("{name} ^= 1;"), vec![])
    }

    /// An access through a pointer with several possible targets.
    pub(super) fn pointer(&mut self, _: u32) -> SourceTree {
        match self.below(4) {
            0 => self.pointer_by_branch(),
            1 => self.pointer_within(),
            _ => self.pointer_by_table(),
        }
    }

    /// Things of one type by address, with the object each lies in.
    fn targets(&mut self, of: Int) -> Vec<(String, String)> {
        let ints = self.scope.ints.iter().filter(|(_, other)| *other == of);
        let mut targets: Vec<_> =
            ints.map(|(name, _)| (format!("&{name}"), name.clone())).collect();
        for array in self.scope.arrays.clone() {
            if array.of == of && !array.constant {
                for _ in 0..2 {
                    let at = self.below(array.length);
                    targets.push((format!("&{}[{at}]", array.name), array.name.clone()));
                }
            }
        }
        targets
    }

    fn target_type(&mut self) -> Int {
        let known: Vec<_> = self.scope.ints.iter().map(|(_, of)| *of).collect();
        self.pick(&known).unwrap_or(U8)
    }

    /// The branch decides; each path knows where it points.
    fn pointer_by_branch(&mut self) -> SourceTree {
        let of = self.target_type();
        let targets = self.targets(of);
        let (Some((first, _)), Some((second, _))) = (self.pick(&targets), self.pick(&targets))
        else {
            return self.nothing();
        };
        let first = if self.wanted.faults && self.rng.chance(0.3) { "0".to_owned() } else { first };
        let kids = vec![self.any_condition(), self.any_value()];
        let text = format!(
            "{{\n{} *p = {first};\nif (BR($0))\np = {second};\n*NONNULL(p) = $1;\n}}",
            of.name
        );
        SourceTree::statement(text, kids)
    }

    /// A table of pointers read at a place that depends on input.
    fn pointer_by_table(&mut self) -> SourceTree {
        let of = self.target_type();
        let targets = self.targets(of);
        let mut names = Vec::new();
        let mut table = Vec::new();
        let mut objects = Vec::new();
        for _ in 0..4 {
            let Some((mut target, mut object)) = self.pick(&targets) else { return self.nothing() };
            if self.wanted.faults && self.rng.chance(0.1) {
                (target, object) = ("0".to_owned(), String::new());
            }
            let number = names.iter().position(|name| *name == object).unwrap_or_else(|| {
                names.push(object);
                names.len() - 1
            });
            table.push(target);
            objects.push(number.to_string());
        }
        let (table, objects, of) = (table.join(", "), objects.join(", "), of.name);
        let (index, value) = (self.index(4, 2), self.any_value());
        let head = format!(
            "{{\n{of} *const table[] = {{{table}}};\nstatic const u8 objects[] = {{{objects}}};\n\
             u32 k = $0;\nSEEN_ONE_OF(objects[k]);\n"
        );
        if self.rng.chance(0.5) {
            let to = self.variable();
            return SourceTree::statement(
                format!("{head}{to} = *NONNULL(table[k]);\n}}"),
                vec![index],
            );
        }
        SourceTree::statement(format!("{head}*NONNULL(table[k]) = $1;\n}}"), vec![index, value])
    }

    /// Arithmetic on pointers into one array.
    fn pointer_within(&mut self) -> SourceTree {
        let Some(array) = self.any_array() else { return self.nothing() };
        let ArrayVariable { name, of, length, .. } = array;
        let kids = vec![self.index(length, 2), self.index(length, 2)];
        let (to, of) = (self.variable(), of.name);
        let tail = match self.below(3) {
            0 => format!("{to} = p - q;"),
            1 => format!("if (BR(p < q)) {{\n{to} = p[q - p];\n}}"),
            _ => format!("{to} = (u64)*q + (p == q);"),
        };
        let text = format!("{{\nconst {of} *p = {name} + $0, *q = &{name}[$1];\n{tail}\n}}");
        SourceTree::statement(text, kids)
    }

    /// A block of constant size from the heap, given back early on some paths.
    pub(super) fn heap(&mut self, _: u32) -> SourceTree {
        let size = 1 + self.below(12);
        let to = self.variable();
        let filled = constant(&mut self.rng, U8);
        let begin = format!(
            "{{\nu8 *p = malloc({size});\nint live = 1;\n(void)live;\nmemset(p, {filled}, {size});\n"
        );
        let faulty = self.wanted.faults;
        let text = match self.below(if faulty { 5 } else { 2 }) {
            0 => format!(
                "{begin}p[(u32)$0 % {size}] = $1;\n{to} = p[(u32)$1 % {size}];\nfree(p);\n}}"
            ),
            1 => format!("{begin}if (BR($0)) {{\np[(u32)$1 % {size}] += 3;\n}}\n{to} = p[0];\n}}"),
            2 => format!(
                "{begin}if (BR($0)) {{\nFREE(p, live);\n}}\n{to} = p[LIVE(live, $1, {size})];\n}}"
            ),
            3 => format!(
                "{begin}if (BR($0)) {{\nFREE(p, live);\n}}\nif (BR($1)) {{\nFREE(p, live);\n}}\n}}"
            ),
            _ => format!("{begin}p[AT((u8)$0, {size})] = (u8)$1;\n{to} = p[{}];\n}}", size - 1),
        };
        // An index through LIVE must fit a pointer; a byte always does.
        let kids = match text.contains("LIVE(") {
            true => {
                vec![
                    self.any_condition(),
                    SourceTree::value("u8", "((u8)$0)", vec![self.any_value()]),
                ]
            }
            false if text.contains("BR($1)") => vec![self.any_condition(), self.any_condition()],
            false => vec![self.any_value(), self.any_value()],
        };
        SourceTree::statement(text, kids)
    }
}
