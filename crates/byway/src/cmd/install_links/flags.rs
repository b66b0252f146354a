//! Options and help of `byway install-links`.

use std::path::PathBuf;

use clap::Args;

pub const EXAMPLES: &str = "\
Examples:
  byway install-links ~/.local/bin
      Links named klee, ktest-tool, klee-stats, klee-replay, ktest-gen and ktest-randgen:
      scripts written for KLEE find Byway.
  byway install-links /usr/local/bin ktest-tool klee-stats
      Only these.

A file that is no link to byway is never replaced: then no link is made.

Exit codes:
  0    the links are there
  2    they could not be made";

#[derive(Args, Debug)]
pub struct InstallLinksFlags {
    /// The directory of the links; created if it is missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// The links to make (default: all)
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
}
