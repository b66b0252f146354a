//! Options and help of `byway extract`.

use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity;
use clap::Args;

use crate::flags::ColorFlag;

pub const EXAMPLES: &str = "\
Examples:
  byway extract src/grep
      Writes src/grep.bc: the whole program, with its archives and with the shared libraries
      that were built the same way.
  byway extract -o all.bc src/grep
  byway extract libz.a
      Writes libz.bc.a: an archive is linked member by member, so it stays one.

'byway run' and the other commands take the executable itself; a file of its own is for other
tools, and for keeping. What could not be had as bitcode is listed: sources in assembly, or
compiled by another compiler, libraries that were not built with 'byway cc'. It matters only if
a path comes there, which then ends as unsupported, with the name of the function.

Exit codes:
  0    written
  2    bad input, bad option, or a file without bitcode
  101  a bug in Byway
  130  stopped by Ctrl-C";

#[derive(Args, Debug)]
pub struct ExtractFlags {
    /// An executable, shared library, object or archive that 'byway cc' built
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,

    /// Write to this file (default: PROGRAM.bc)
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Use the C library and headers in this directory
    #[arg(long, value_name = "DIR")]
    pub runtime: Option<PathBuf>,

    /// Neither read nor write the cache of loaded programs
    #[arg(long)]
    pub no_cache: bool,

    /// Time limit for linking
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = quantity::parse_time)]
    pub load_timeout: Duration,

    /// Colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
