//! KLEE's tests: objects of its own, and names that newer versions spell differently.

use byway_base::Input;

/// The last object of KLEE's model. Only KLEE's tests have it.
pub(super) const LAST: &str = "model_version";
/// The end of the names for results of `stat`.
pub(super) const STATUS: &str = "-stat";

/// Whether KLEE wrote a test with these inputs, with symbolic arguments or files.
pub(super) fn is_author(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| input.name == LAST)
}

/// Whether an input of KLEE's model has no counterpart in a program.
pub fn is_klees_own(name: &str) -> bool {
    name == LAST || name == "stdout" || name.ends_with(STATUS)
}

/// Gives the inputs of a test their names here: newer versions of KLEE write `A_data` for
/// `A-data`, and `A_data_stat` for `A-data-stat`. The inputs of other tests stay as they are.
pub fn with_own_names(mut inputs: Vec<Input>) -> Vec<Input> {
    if is_author(&inputs) {
        // Objects behind those of the model are the program's.
        let model = inputs.iter().position(|input| input.name == LAST).unwrap_or(0);
        for input in &mut inputs[..model] {
            if let Some(name) = own_name(&input.name) {
                input.name = name;
            }
        }
    }
    inputs
}

fn own_name(name: &str) -> Option<String> {
    let (object, status) = match name.strip_suffix("_stat") {
        Some(object) => (object, STATUS),
        None => (name, ""),
    };
    let object = match object.strip_suffix("_data") {
        Some(file) if file.len() == 1 && file.as_bytes()[0].is_ascii_uppercase() => {
            format!("{file}-data")
        }
        _ if matches!(object, "stdin" | "stdout") => object.to_string(),
        _ => return None,
    };
    Some(object + status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Vec<Input> {
        names.iter().map(|name| Input { name: name.to_string(), bytes: vec![1] }).collect()
    }

    #[test]
    fn both_spellings_are_read() {
        let new = named(&["A_data", "A_data_stat", "stdin", "stdin_stat", LAST, "B_data"]);
        let own = named(&["A-data", "A-data-stat", "stdin", "stdin-stat", LAST, "B_data"]);
        assert_eq!(with_own_names(new), own);
        assert_eq!(with_own_names(own.clone()), own);
        let programs = named(&["A_data", "x_stat"]);
        assert_eq!(with_own_names(programs.clone()), programs, "not KLEE's");
    }

    #[test]
    fn other_names_stay() {
        for name in ["AB_data", "a_data", "_data", "x_stat", "data", ""] {
            assert_eq!(own_name(name), None, "{name}");
        }
    }
}
