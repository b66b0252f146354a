//! KLEE's tests: objects of its own, and names that newer versions spell differently.

use std::collections::HashSet;

use byway_base::Input;

/// The last object of KLEE's model. Only KLEE's tests have it.
pub(super) const LAST: &str = "model_version";
/// The end of the names for results of `stat`.
pub(super) const STATUS: &str = "-stat";

/// The last object of KLEE's model, if KLEE or one of its tools wrote a test with these inputs,
/// with symbolic arguments or files. The tools that make tests end with a result of `stat`.
pub(super) fn last_of_model(inputs: &[Input]) -> Option<usize> {
    let is_status =
        |input: &Input| input.name.ends_with("_stat") && own_name(&input.name).is_some();
    let last = inputs.iter().position(|input| input.name == LAST);
    last.or_else(|| inputs.iter().rposition(is_status))
}

/// Whether an input of KLEE's model has no counterpart in a program.
pub fn is_klees_own(name: &str) -> bool {
    name == LAST || name == "stdout" || name.ends_with(STATUS)
}

/// Gives the inputs of a test their names here: newer versions of KLEE write `A_data` for
/// `A-data`, and `A_data_stat` for `A-data-stat`; all repeat a name that was used before. The
/// inputs of other tests stay as they are.
pub fn with_own_names(mut inputs: Vec<Input>) -> Vec<Input> {
    if let Some(last) = last_of_model(&inputs) {
        // Objects behind those of the model are the program's.
        for input in &mut inputs[..=last] {
            if let Some(name) = own_name(&input.name) {
                input.name = name;
            }
        }
    }
    number_repeated_names(&mut inputs);
    inputs
}

/// Gives a name that is in use the first free number, as the engine does.
fn number_repeated_names(inputs: &mut [Input]) {
    let mut used = HashSet::new();
    for input in inputs {
        if used.contains(&input.name) {
            let mut numbered = (1..).map(|number| format!("{}_{number}", input.name));
            input.name = numbered.find(|name| !used.contains(name)).unwrap_or_default();
        }
        used.insert(input.name.clone());
    }
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
        let generated = named(&["arg00", "A_data", "A_data_stat", "B_data"]);
        let own = named(&["arg00", "A-data", "A-data-stat", "B_data"]);
        assert_eq!(with_own_names(generated), own, "of KLEE's ktest-gen");
        let programs = named(&["A_data", "x_stat"]);
        assert_eq!(with_own_names(programs.clone()), programs, "not KLEE's");
    }

    #[test]
    fn repeated_names_are_numbered() {
        let repeated = named(&["x", "x", "x_1", "y", "x", "n_args", "n_args", LAST]);
        let own = named(&["x", "x_1", "x_1_1", "y", "x_2", "n_args", "n_args_1", LAST]);
        assert_eq!(with_own_names(repeated), own);
        assert_eq!(with_own_names(own.clone()), own);
    }

    #[test]
    fn other_names_stay() {
        for name in ["AB_data", "a_data", "_data", "x_stat", "data", ""] {
            assert_eq!(own_name(name), None, "{name}");
        }
    }
}
