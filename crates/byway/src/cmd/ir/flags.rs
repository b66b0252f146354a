//! What `byway ir` can be told.

use std::path::PathBuf;

use clap::Args;

use crate::load::LoadFlags;

/// The lines below the options.
pub const EXAMPLES: &str = "\
Examples:
  byway ir --function main hello.c
      One function, each line with its place in the source.
  byway ir hello.bc --out hello.bwir
      The whole linked program into a file, which 'byway exec' runs too.
  byway ir -O2 --user sort.c | less
      Your own functions only, without the C library's.";

/// What `byway ir` can be told.
#[derive(Args, Debug)]
pub struct IrFlags {
    /// Print this function only; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Printing")]
    pub function: Vec<String>,

    /// Print the functions of the program itself, not the C library's
    #[arg(long, conflicts_with = "function", help_heading = "Printing")]
    pub user: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Printing")]
    pub out: Option<PathBuf>,

    /// How to come by the program.
    #[command(flatten)]
    pub load: LoadFlags,
}
