//! The options of a run of a campaign: those of the command line, and its own.

use std::ffi::OsString;

use clap::Parser;

use crate::cmd::run::flags::RunCommandFlags;
use crate::flags::clap_message;

/// A command line of which the later of two equal options holds.
#[derive(Parser)]
#[command(name = "byway run", args_override_self = true)]
struct RunWords {
    #[command(flatten)]
    flags: RunCommandFlags,
}

/// Parses the words after `byway run`; the error is a message for the user.
pub fn parse(words: Vec<OsString>) -> Result<RunCommandFlags, String> {
    let words = [OsString::from("byway run")].into_iter().chain(words);
    let parsed = RunWords::try_parse_from(words).map_err(|error| clap_message(&error))?;
    Ok(parsed.flags)
}

/// Checks the values of options.
pub fn check(words: &[String]) -> Result<(), String> {
    let program = [OsString::from("program")];
    parse(words.iter().map(OsString::from).chain(program).collect()).map(drop)
}
