//! How the run ended: the exit code, and the words on standard error.

use byway_base::Outcome;
use byway_engine::{Config, Stats};

use crate::console::Style;
use crate::exit;
use crate::report::fault;
use byway_base::quantity::{grouped, plural};

/// The exit code for an outcome, and what to say; nothing if the program ended by
/// itself.
pub fn render(outcome: &Outcome, stats: &Stats, config: &Config, style: Style) -> (u8, String) {
    let done = plural(stats.instructions, "instruction");
    match outcome {
        // As a process does: only the low byte is passed on.
        Outcome::Exit(code) => (*code as u8, String::new()),
        Outcome::Fault(it) => (exit::FAULT, fault::render(it, style)),
        Outcome::Unsupported(it) => (exit::UNSUPPORTED, fault::render_unsupported(it, style)),
        Outcome::InternalError(it) => (exit::BUG, fault::render_internal_error(it, style)),
        Outcome::OutOfBudget => {
            let budget = config.max_instructions.map_or(String::new(), |budget| {
                format!(" of {} (--max-instructions)", grouped(budget))
            });
            let text = format!("reached the instruction limit{budget}");
            (exit::OUT_OF_BUDGET, format!("{}: {text}\n", style.warning("byway: stopped")))
        }
        // A path that is not to count ends quietly, as its author wished.
        Outcome::Excluded | Outcome::Dropped(_) => (exit::SUCCESS, String::new()),
        Outcome::Interrupted => {
            let text = format!("interrupted after {done}");
            (exit::INTERRUPTED, format!("{}: {text}\n", style.warning("byway: stopped")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::{InternalError, InternalErrorKind};

    fn ending(outcome: Outcome) -> (u8, String) {
        let stats = Stats { instructions: 1234, ..Stats::default() };
        let config = Config { max_instructions: Some(2000), ..Config::default() };
        render(&outcome, &stats, &config, Style::new(false))
    }

    #[test]
    fn codes_are_passed_on_as_a_process_does() {
        assert_eq!(ending(Outcome::Exit(7)), (7, String::new()));
        assert_eq!(ending(Outcome::Exit(256)), (0, String::new()));
        assert_eq!(ending(Outcome::Exit(-1)), (255, String::new()));
    }

    #[test]
    fn a_bug_of_byway_has_a_code_of_its_own() {
        let kind = InternalErrorKind::SymbolicValue;
        let error = InternalError { kind, stack: Vec::new() };
        let (code, text) = ending(Outcome::InternalError(Box::new(error)));
        assert_eq!(code, 101);
        assert!(text.contains("please report it"), "{text}");
    }

    #[test]
    fn other_ends_say_why() {
        let (code, text) = ending(Outcome::OutOfBudget);
        assert_eq!(code, 4);
        assert!(text.contains("limit of 2,000 (--max-instructions)"), "{text}");
        let (code, text) = ending(Outcome::Interrupted);
        assert_eq!(code, 130);
        assert!(text.contains("1,234 instructions"), "{text}");
    }
}
