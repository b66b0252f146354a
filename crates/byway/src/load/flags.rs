//! What can be typed about the program to load; the same for every command.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::flags::ColorFlag;

/// The variables that loading looks at.
pub const VARIABLES: &str = "\
Environment:
  BYWAY_CLANG        the C compiler to call (default: clang-22)
  BYWAY_LLVM         the bitcode reader (default: byway-llvm beside byway)
  BYWAY_RUNTIME_DIR  the C library as bitcode (default: byway-runtime beside byway)
  BYWAY_CACHE        where loaded programs are kept (default: ~/.cache/byway)
  NO_COLOR           no colours, whatever it is set to but nothing";

/// How to come by the program; the same for every command.
#[derive(Args, Debug)]
pub struct LoadFlags {
    /// The program: C sources, bitcode, or both
    #[arg(required = true, value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Search this directory for the headers of C sources
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling C")]
    pub include: Vec<OsString>,

    /// Define a macro for C sources
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiling C")]
    pub define: Vec<OsString>,

    /// Optimise C sources
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", help_heading = "Compiling C",
          value_parser = ["0", "1", "2"])]
    pub optimise: String,

    /// Give clang these options, e.g. '-std=c99 -Wall'; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = "Compiling C")]
    pub cflags: Vec<String>,

    /// Use the C library and headers in this directory
    #[arg(long, value_name = "DIR", help_heading = "Loading")]
    pub runtime: Option<PathBuf>,

    /// Neither look in the cache nor add to it
    #[arg(long, help_heading = "Loading")]
    pub no_cache: bool,

    /// Give up on compiling or loading after this long
    #[arg(long, value_name = "SECONDS", default_value_t = 300, help_heading = "Loading",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub load_timeout: u64,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}
