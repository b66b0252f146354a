//! `--sym-args` and the like: which parts of the program's environment are symbolic.
//!
//! The order of the options determines the order of the arguments, so clap's matches are
//! turned back into one list of words.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// Options for symbolic input, in the order of the command line.
#[derive(Debug)]
pub struct SymbolicFlags {
    /// Each option followed by its values.
    pub words: Vec<Vec<u8>>,
}

struct SymbolicFlag {
    name: &'static str,
    values: &'static [&'static str],
    help: &'static str,
}

const OPTIONS: [SymbolicFlag; 13] = [
    SymbolicFlag {
        name: "sym-arg",
        values: &["LEN"],
        help: "A symbolic argument of up to LEN bytes; may be repeated",
    },
    SymbolicFlag {
        name: "sym-args",
        values: &["MIN", "MAX", "LEN"],
        help: "MIN to MAX symbolic arguments of up to LEN bytes each; may be repeated",
    },
    SymbolicFlag {
        name: "sym-files",
        values: &["N", "SIZE"],
        help: "N symbolic files of SIZE bytes in the working directory: A, B, ...",
    },
    SymbolicFlag {
        name: "sym-stdin",
        values: &["SIZE"],
        help: "Symbolic standard input of SIZE bytes",
    },
    SymbolicFlag {
        name: "sym-stdout",
        values: &[],
        help: "Accepted for compatibility with KLEE; has no effect",
    },
    SymbolicFlag {
        name: "sym-env",
        values: &["NAME", "LEN"],
        help: "An environment variable with a symbolic value of up to LEN bytes",
    },
    SymbolicFlag {
        name: "sym-sizes",
        values: &[],
        help: "Also explore shorter symbolic files and standard input",
    },
    SymbolicFlag {
        name: "sym-stat",
        values: &[],
        help: "Make the stat fields of symbolic files (mode, owner, times) symbolic",
    },
    SymbolicFlag {
        name: "sym-access",
        values: &[],
        help: "As --sym-stat, and the symbolic mode and owner decide which accesses are permitted",
    },
    SymbolicFlag {
        name: "stream-type",
        values: &["STREAM", "TYPE"],
        help: "What a standard stream is: stdin, stdout, stderr or all; pipe (the default), file, \
               tty, or any of these; may be repeated",
    },
    SymbolicFlag {
        name: "max-fail",
        values: &["N"],
        help: "Explore failures of up to N system calls (read, write, close, ftruncate, getcwd)",
    },
    SymbolicFlag {
        name: "alloc-failures",
        values: &["N"],
        help: "Explore failures of up to N allocations on a path (malloc, calloc, realloc, ...)",
    },
    SymbolicFlag {
        name: "end-unmodelled",
        values: &[],
        help: "End a path at an unmodelled call, such as fork (default: the call fails and is \
               counted)",
    },
];

impl Args for SymbolicFlags {
    fn augment_args(command: Command) -> Command {
        OPTIONS.iter().fold(command, |command, option| {
            let arg = Arg::new(option.name).long(option.name).help(option.help);
            let arg = arg.help_heading("Symbolic input");
            command.arg(match option.values {
                // KLEE accepts repetitions, so command lines contain them.
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
        // Each option with its position on the command line.
        let mut found: Vec<(usize, Vec<Vec<u8>>)> = Vec::new();
        for option in &OPTIONS {
            let word = format!("--{}", option.name).into_bytes();
            let mut positions = matches.indices_of(option.name).into_iter().flatten();
            if option.values.is_empty() {
                if matches.get_flag(option.name) {
                    found.push((positions.next().unwrap_or(0), vec![word]));
                }
                continue;
            }
            for values in matches.get_occurrences::<String>(option.name).into_iter().flatten() {
                let values: Vec<_> = values.map(|value| value.clone().into_bytes()).collect();
                let position = positions.by_ref().take(values.len()).min().unwrap_or(0);
                found.push((position, [vec![word.clone()], values].concat()));
            }
        }
        found.sort_by_key(|(position, _)| *position);
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
    fn every_option_is_known_to_the_test_format() {
        for option in &OPTIONS {
            assert!(is_option(format!("--{}", option.name).as_bytes()), "{}", option.name);
        }
    }
}
