//! `--entry` and the bounds of the input that it makes.

use byway_engine::UnconstrainedOptions;
use clap::{Args, ValueEnum};

use crate::entry::EntryConfig;

#[derive(Args, Debug)]
pub struct EntryFlags {
    /// Start in this function instead of main: its parameters and the program's variables are
    /// symbolic, and pointers refer to objects made when they are used (docs/entry.md)
    #[arg(long, value_name = "FUNCTION", help_heading = "Testing one function")]
    pub entry: Option<String>,

    /// A function of the program that takes the parameters of --entry, or the first of them, and
    /// returns 0 for those that no caller passes
    #[arg(
        long,
        value_name = "FUNCTION",
        requires = "entry",
        help_heading = "Testing one function"
    )]
    pub assume: Option<String>,

    /// Pointers to follow from a parameter; those in the last objects are null
    #[arg(long, value_name = "N", requires = "entry", default_value_t = 3,
          help_heading = "Testing one function", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub entry_depth: u32,

    /// Elements that a pointer to a number or character refers to; words, for void *
    #[arg(long, value_name = "N", requires = "entry", default_value_t = 8,
          help_heading = "Testing one function", value_parser = clap::value_parser!(u64).range(1..=8192))]
    pub entry_elements: u64,

    /// Let arrays of characters not end with zero
    #[arg(long, requires = "entry", help_heading = "Testing one function")]
    pub entry_unterminated: bool,

    /// Let pointers of one type refer to one object
    #[arg(long, requires = "entry", help_heading = "Testing one function")]
    pub entry_aliasing: bool,

    /// The program's variables: any value (symbolic), or as they are when main starts (initial)
    #[arg(long, value_name = "VALUES", requires = "entry", value_enum,
          default_value_t = EntryGlobalsFlag::Symbolic, hide_possible_values = true,
          help_heading = "Testing one function")]
    pub entry_globals: EntryGlobalsFlag,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum EntryGlobalsFlag {
    Symbolic,
    Initial,
}

impl EntryFlags {
    /// The function to start in; `None` is `main`.
    pub fn resolve(self) -> Option<EntryConfig> {
        Some(EntryConfig {
            function: self.entry?,
            assume: self.assume,
            options: UnconstrainedOptions {
                depth: self.entry_depth,
                elements: self.entry_elements,
                terminated: !self.entry_unterminated,
                aliasing: self.entry_aliasing,
                globals: self.entry_globals == EntryGlobalsFlag::Symbolic,
            },
        })
    }
}
