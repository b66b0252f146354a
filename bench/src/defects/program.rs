//! A C program with one planted defect, and its repaired twin.
//!
//! The number of a program decides everything about it: its shape, what surrounds it, how it
//! reads its input and at which level it is compiled. One value of the first input byte triggers
//! the defect.

use byway_base::Rng;

use super::shapes::{self, Choices, DefectShape};
use crate::toolchain::Level;

/// How a program reads its two bytes of input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Channel {
    Stdin,
    Argument,
}

/// A program and its twin.
#[derive(Clone)]
pub struct DefectProgram {
    pub number: usize,
    pub shape: DefectShape,
    pub level: Level,
    pub channel: Channel,
    /// The input that reaches the defect.
    pub trigger: [u8; 2],
    /// An input that does not.
    pub clean: [u8; 2],
    pub defective: String,
    pub repaired: String,
}

const HEADERS: &str = "\
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char table_of_bytes[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
";

const READERS: [(Channel, &str); 4] = [
    (
        Channel::Stdin,
        "unsigned char in[2];\nif (read(0, in, 2) != 2) return 0;\nt = in[0], u = in[1];\n",
    ),
    (
        Channel::Stdin,
        "int a = getchar(), b = getchar();\nif (a == EOF || b == EOF) return 0;\nt = (unsigned char)a, u = (unsigned char)b;\n",
    ),
    (
        Channel::Stdin,
        "struct { unsigned char t, u; } in;\nif (fread(&in, 1, sizeof in, stdin) != 2) return 0;\nt = in.t, u = in.u;\n",
    ),
    (
        Channel::Argument,
        "if (argc < 2 || !argv[1][0]) return 0;\nt = (unsigned char)argv[1][0], u = (unsigned char)argv[1][1];\n",
    ),
];

/// How `main` calls the function with the defect: file level and statement.
const CALLERS: [(&str, &str); 6] = [
    ("", "defect(t, u);\n"),
    ("", "for (int i = 0; i < 3; i++)\n    if (i == 1) defect(t, u);\n"),
    ("static void (*const through)(unsigned char, unsigned char) = defect;\n", "through(t, u);\n"),
    (
        "static void deeper(int n, unsigned char t, unsigned char u) {\n    if (n) deeper(n - 1, t, u);\n    else defect(t, u);\n}\n",
        "deeper(3, t, u);\n",
    ),
    (
        "struct both { unsigned char t, u; };\nstatic void unpack(const struct both *b) {\n    defect(b->t, b->u);\n}\n",
        "struct both both = {t, u};\nunpack(&both);\n",
    ),
    (
        "",
        "switch (u & 1) {\ncase 0: total += 2; defect(t, u); break;\ndefault: defect(t, u); total ^= 9;\n}\n",
    ),
];

const ENDINGS: [&str; 5] = [
    "return total > 100u;\n",
    "return (int)(total & 63u);\n",
    "putchar((int)(total & 127u));\nreturn 0;\n",
    "printf(\"%u\\n\", total);\nreturn 0;\n",
    "if (write(1, &total, sizeof total) < 0) return 1;\nreturn 0;\n",
];

/// Most programs are not optimised: there sanitizers see most.
const LEVELS: [Level; 5] = [Level::O0, Level::O0, Level::O0, Level::O1, Level::O2];

impl DefectProgram {
    /// The program of this number. `shapes` is the list of all.
    pub fn new(number: usize, shapes: &[DefectShape]) -> DefectProgram {
        let shape = shapes[number % shapes.len()];
        let mut choices = Choices::new(Rng::new(number as u64));
        let level = LEVELS[choices.below(LEVELS.len())];
        let (channel, reader) = READERS[choices.below(READERS.len())];
        let text = assemble(&mut choices, shape, reader);
        let second = b'a' + choices.below(20) as u8;
        DefectProgram {
            number,
            shape,
            level,
            channel,
            trigger: [choices.trigger, second],
            clean: [choices.trigger + 1 + choices.below(9) as u8, second],
            defective: shapes::resolve(&text, false),
            repaired: shapes::resolve(&text, true),
        }
    }

    /// Its name in reports.
    pub fn name(&self) -> String {
        let DefectShape { kind, name, .. } = self.shape;
        format!("{} {kind}: {name} {}", self.number, self.level.flag())
    }
}

/// The whole program, with alternatives.
fn assemble(choices: &mut Choices, shape: DefectShape, reader: &str) -> String {
    let (file_level, [before, after]) = surroundings(choices);
    let (caller, call) = CALLERS[choices.below(CALLERS.len())];
    let ending = ENDINGS[choices.below(ENDINGS.len())];
    let start = choices.below(100);
    let defect = choices.expand(&format!(
        "{}\nstatic $noinline void defect(unsigned char t, unsigned char u) {{\n{}}}\n\n",
        shape.file_level,
        indented(shape.body)
    ));
    let main = [reader, &before, call, &after, ending].concat();
    format!(
        "{HEADERS}static unsigned total = {start}u;\n\n{file_level}{defect}{caller}\n\
         int main(int argc, char **argv) {{\n    unsigned char t, u;\n{}}}\n",
        indented(&main)
    )
}

/// Up to four pieces without defects: their file level, and statements for before and after the
/// defect.
fn surroundings(choices: &mut Choices) -> (String, [String; 2]) {
    let pieces = shapes::surroundings();
    let mut file_level = String::new();
    let mut statements = [String::new(), String::new()];
    for index in 0..choices.below(5) {
        let piece = pieces[choices.below(pieces.len())];
        choices.index = index;
        file_level.push_str(&choices.expand(piece.file_level));
        let statement = choices.expand(piece.body.trim_end()) + "\n";
        statements[choices.below(2)].push_str(&statement);
    }
    (file_level, statements)
}

fn indented(code: &str) -> String {
    code.lines().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_decides_a_program() {
        let shapes = shapes::defects();
        let source = |number| DefectProgram::new(number, &shapes).defective;
        assert_eq!(source(7), source(7));
        // The next program of the same shape has other surroundings.
        assert!(source(7) != source(7 + shapes.len()));
    }

    #[test]
    fn twins_differ_in_few_lines() {
        let shapes = shapes::defects();
        for number in 0..2 * shapes.len() {
            let program = DefectProgram::new(number, &shapes);
            let [a, b] = [&program.defective, &program.repaired];
            assert_eq!(a.lines().count(), b.lines().count(), "{}", program.name());
            let differing = a.lines().zip(b.lines()).filter(|(a, b)| a != b).count();
            assert!((1..=3).contains(&differing), "{}: {differing}", program.name());
            assert!(program.trigger != program.clean);
        }
    }
}
