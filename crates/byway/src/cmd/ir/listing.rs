//! Functions of a program for people to read: the IR's text, with the place in
//! the source behind each line that has one.

use byway_ir::{Function, LocId, Module, text};

use crate::report::Sources;

/// Places begin in this column if the line leaves room.
const PLACE_COLUMN: usize = 48;

/// Prints the functions that are wanted.
pub fn print(module: &Module, wanted: impl Fn(&Function) -> bool) -> String {
    let sources = Sources::new();
    let chosen = module.funcs.values().filter(|func| wanted(func));
    let printed: Vec<String> = chosen
        .map(|func| {
            let text = text::print_function(module, func);
            text.lines().map(|line| with_location(module, &sources, line)).collect()
        })
        .collect();
    printed.join("\n")
}

/// The line with the place its `!locN` stands for as a comment in its stead: the
/// number says nothing where the table of places is not printed.
fn with_location(module: &Module, sources: &Sources, line: &str) -> String {
    let place = |(code, number): (_, &str)| {
        let loc = number.parse().ok().map(LocId::from_u32)?;
        let known = module.debug.locs.is_valid(loc);
        known.then(|| (code, sources.location(&module.src_loc(loc))))
    };
    match line.rsplit_once(" !loc").and_then(place) {
        Some((code, place)) => format!("{code:PLACE_COLUMN$} ; {place}\n"),
        None => format!("{line}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_known_place_stay_as_they_are() {
        let module = Module::default();
        let sources = Sources::new();
        for line in ["b0:", "  ret !loc7", "  v1:i32 = call @\"x !locus\"()", " !loc"] {
            assert_eq!(with_location(&module, &sources, line), format!("{line}\n"));
        }
    }
}
