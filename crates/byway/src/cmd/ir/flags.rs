//! Options and help of `byway ir`.

use std::path::PathBuf;

use clap::Args;

use crate::load::LoadFlags;

pub const EXAMPLES: &str = "\
Examples:
  byway ir --function main hello.c
      One function; each line shows its source location.
  byway ir hello.bc --out hello.bwir
      The whole linked program as a file that 'byway exec' and 'byway run' accept.
  byway ir -O2 --user sort.c | less
      The program's own functions, without the C library.
  byway ir --points-to main list.c
      What the pointers of a function can point to, and what its loads and stores can access.
  byway ir --depends --function parse parser.c
      What each line of a function depends on: '2F' is the false side of the branch on line 2.
  byway ir --depends --dot parser.c | dot -Tsvg > parser.svg
      The dependences of all functions of the program as a picture.

Exit codes:
  0    printed
  2    bad input, bad option, no such function, or C that does not compile
  101  a bug in Byway
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct IrFlags {
    /// Print only this function; may be repeated
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,

    /// Print only the program's own functions, not the C library's
    #[arg(long, conflicts_with = "function")]
    pub user: bool,

    /// Print what the pointers of this function can point to; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["function", "user"])]
    pub points_to: Vec<String>,

    /// Print what each line depends on, for the program's own functions or those of --function
    #[arg(long, conflicts_with = "points_to")]
    pub depends: bool,

    /// Print dependences as a graph in Graphviz's language
    #[arg(long, requires = "depends")]
    pub dot: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub load: LoadFlags,
}
