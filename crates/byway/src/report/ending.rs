//! The exit code and the message for the outcome of `byway exec`.

use byway_base::Outcome;
use byway_engine::{Config, Stats};

use crate::console::Style;
use crate::exit;
use crate::report::fault;
use byway_base::quantity::{grouped, plural};

/// The exit code and the message for an outcome. The message is empty if the program exited.
pub fn render(outcome: &Outcome, stats: &Stats, config: &Config, style: Style) -> (u8, String) {
    let done = plural(stats.instructions, "instruction");
    match outcome {
        // A parent process sees the low eight bits.
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
        // The program excluded the path on purpose.
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
    fn exit_codes_are_truncated_to_eight_bits() {
        assert_eq!(ending(Outcome::Exit(7)), (7, String::new()));
        assert_eq!(ending(Outcome::Exit(256)), (0, String::new()));
        assert_eq!(ending(Outcome::Exit(-1)), (255, String::new()));
    }

    #[test]
    fn a_bug_of_byway_has_its_own_exit_code() {
        let kind = InternalErrorKind::SymbolicValue;
        let error = InternalError { kind, stack: Vec::new() };
        let (code, text) = ending(Outcome::InternalError(Box::new(error)));
        assert_eq!(code, 101);
        assert!(text.contains("please report it"), "{text}");
    }

    #[test]
    fn limits_and_interrupts_have_a_message() {
        let (code, text) = ending(Outcome::OutOfBudget);
        assert_eq!(code, 4);
        assert!(text.contains("limit of 2,000 (--max-instructions)"), "{text}");
        let (code, text) = ending(Outcome::Interrupted);
        assert_eq!(code, 130);
        assert!(text.contains("1,234 instructions"), "{text}");
    }
}
