//! `--sym-args` and its kin: what of a program's world is input.
//!
//! Their order says which argument comes first, across options, so they are taken
//! from clap as one list of words.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// Options for symbolic input, in the order they were given.
#[derive(Debug)]
pub struct SymbolicFlags {
    /// Their words, each option followed by its values.
    pub words: Vec<Vec<u8>>,
}

struct Wish {
    name: &'static str,
    values: &'static [&'static str],
    help: &'static str,
}

const OPTIONS: [Wish; 10] = [
    Wish {
        name: "sym-arg",
        values: &["LEN"],
        help: "A symbolic argument of at most LEN bytes; may be repeated",
    },
    Wish {
        name: "sym-args",
        values: &["MIN", "MAX", "LEN"],
        help: "MIN to MAX symbolic arguments of at most LEN bytes each; may be repeated",
    },
    Wish {
        name: "sym-files",
        values: &["N", "SIZE"],
        help: "N symbolic files of SIZE bytes in the working directory: A, B, ...",
    },
    Wish { name: "sym-stdin", values: &["SIZE"], help: "Symbolic standard input of SIZE bytes" },
    Wish {
        name: "sym-stdout",
        values: &[],
        help: "Taken for KLEE's sake: output is never kept while exploring",
    },
    Wish {
        name: "sym-env",
        values: &["NAME", "LEN"],
        help: "A variable of the environment with a symbolic value of at most LEN bytes",
    },
    Wish {
        name: "sym-sizes",
        values: &[],
        help: "Symbolic files and standard input may also be shorter",
    },
    Wish {
        name: "sym-stat",
        values: &[],
        help: "What stat says of symbolic files (modes, owners, times) is symbolic, too",
    },
    Wish {
        name: "max-fail",
        values: &["N"],
        help: "Let up to N system calls (read, write, close, ftruncate, getcwd) fail",
    },
    Wish {
        name: "end-unmodelled",
        values: &[],
        help: "End a path at a system call that is not modelled (default: it fails with \
               ENOSYS, and is counted)",
    },
];

impl Args for SymbolicFlags {
    fn augment_args(command: Command) -> Command {
        OPTIONS.iter().fold(command, |command, option| {
            let arg = Arg::new(option.name).long(option.name).help(option.help);
            let arg = arg.help_heading("Symbolic input");
            command.arg(match option.values {
                // KLEE's users repeat themselves.
                [] => arg.action(ArgAction::SetTrue).overrides_with(option.name),
                values => arg
                    .value_names(values.iter().copied())
                    .num_args(values.len())
                    .action(ArgAction::Append),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        SymbolicFlags::augment_args(command)
    }
}

impl FromArgMatches for SymbolicFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        // Where each was given: the place of its first value, or its own.
        let mut found: Vec<(usize, Vec<Vec<u8>>)> = Vec::new();
        for option in &OPTIONS {
            let word = format!("--{}", option.name).into_bytes();
            let mut places = matches.indices_of(option.name).into_iter().flatten();
            if option.values.is_empty() {
                if matches.get_flag(option.name) {
                    found.push((places.next().unwrap_or(0), vec![word]));
                }
                continue;
            }
            for values in matches.get_occurrences::<String>(option.name).into_iter().flatten() {
                let values: Vec<_> = values.map(|value| value.clone().into_bytes()).collect();
                let place = places.by_ref().take(values.len()).min().unwrap_or(0);
                found.push((place, [vec![word.clone()], values].concat()));
            }
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(SymbolicFlags { words: found.into_iter().flat_map(|(_, words)| words).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SymbolicFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_testcase::symbolic::is_option;

    #[test]
    fn every_flag_is_a_word_that_is_understood() {
        for option in &OPTIONS {
            assert!(is_option(format!("--{}", option.name).as_bytes()), "{}", option.name);
        }
    }
}
