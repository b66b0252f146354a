//! Options that limit the shares of single instructions.

use byway_engine::{Share, ShareLimits};
use clap::Args;

#[derive(Args, Debug)]
pub struct ShareFlags {
    /// The largest share of all forks at one instruction, such as 0.05; beyond it a state follows one
    /// case there, the others are dropped
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Limits")]
    pub max_fork_share: Option<Share>,

    /// The largest share of all solver effort at one instruction, likewise
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Limits")]
    pub max_solver_share: Option<Share>,

    /// The largest share of all forks in one function that is reached through the same calls
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Limits")]
    pub max_call_path_fork_share: Option<Share>,

    /// The largest share of all solver effort there
    #[arg(long, value_name = "SHARE", value_parser = parse_share, help_heading = "Limits")]
    pub max_call_path_solver_share: Option<Share>,

    /// The shares are limited after this many forks
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Limits")]
    pub share_check_delay: u64,
}

impl ShareFlags {
    /// The limits that are given.
    pub fn resolve(&self) -> ShareLimits {
        ShareLimits {
            forks: self.max_fork_share,
            solver: self.max_solver_share,
            call_path_forks: self.max_call_path_fork_share,
            call_path_solver: self.max_call_path_solver_share,
            after_forks: self.share_check_delay,
        }
    }
}

/// A share: a number from 0 to 1, or a percentage.
fn parse_share(text: &str) -> Result<Share, String> {
    let fraction: Option<f64> = match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok().map(|percent: f64| percent / 100.0),
        None => text.parse().ok(),
    };
    let share = fraction.and_then(Share::new);
    share.ok_or_else(|| "a share is a number from 0 to 1, such as 0.05, or 5%".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_fractions_or_percentages() {
        assert_eq!(parse_share("0.05"), parse_share("5%"));
        assert_eq!(parse_share("1"), parse_share("100%"));
        for bad in ["", "%", "1.5", "101%", "-1", "nan", "x"] {
            assert!(parse_share(bad).is_err(), "{bad}");
        }
    }
}
