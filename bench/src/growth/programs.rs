//! The programs whose text grows with the size. Those of bench/growth take it as a macro.

use std::fmt::Write as _;

/// Small functions, each called once.
pub fn functions(count: u64) -> String {
    let mut text = "volatile unsigned sink;\n".to_owned();
    for i in 0..count {
        let (least, flipped) = (i + 5, 7 * i + 1);
        let _ = writeln!(
            text,
            "static unsigned f{i}(unsigned x) {{\n  x = x * {i}u + 1;\n  if (x > {least}u)\n    \
             x ^= {flipped}u;\n  sink = x;\n  return x;\n}}"
        );
    }
    text.push_str("int main(void) {\n  unsigned x = 1;\n");
    (0..count).for_each(|i| text.push_str(&format!("  x = f{i}(x);\n")));
    text + "  return x == 7;\n}\n"
}

/// One function of many statements, without a branch.
pub fn statements(count: u64) -> String {
    let mut text = "unsigned x = 1;\nint main(void) {\n".to_owned();
    (0..count).for_each(|i| text.push_str(&format!("  x = x * {}u + {i}u;\n", 2 * i + 1)));
    text + "  return x == 7;\n}\n"
}

/// One function of many branches, all on a concrete value.
pub fn branches(count: u64) -> String {
    let mut text = "unsigned x = 1;\nint main(void) {\n".to_owned();
    (0..count).for_each(|i| {
        let _ = writeln!(text, "  if (x % {} == 0)\n    x += {i}u;\n  x++;", i % 7 + 2);
    });
    text + "  return x == 7;\n}\n"
}

/// Global variables, each referred to by a table and read once.
pub fn globals(count: u64) -> String {
    let mut text = String::new();
    (0..count).for_each(|i| text.push_str(&format!("unsigned g{i} = {};\n", i + 1)));
    text.push_str("unsigned *all[] = {\n");
    (0..count).for_each(|i| text.push_str(&format!("  &g{i},\n")));
    let _ = write!(
        text,
        "}};\nint main(void) {{\n  unsigned sum = 0;\n  \
         for (unsigned i = 0; i < {count}; i++)\n    sum += *all[i];\n  return sum == 7;\n}}\n"
    );
    text
}

/// A switch on symbolic input: a path for each case, and one for the default.
pub fn switch_cases(count: u64) -> String {
    let mut text = "#include <klee/klee.h>\nint main(void) {\n  unsigned x;\n  \
                    klee_make_symbolic(&x, sizeof x, \"x\");\n  switch (x) {\n"
        .to_owned();
    (0..count).for_each(|i| text.push_str(&format!("  case {}: return {};\n", 3 * i, i % 50)));
    text + "  }\n  return 99;\n}\n"
}
