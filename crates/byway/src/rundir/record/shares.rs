//! How searchers shared the work of a run.

use byway_search::PortfolioShares;
use serde::{Deserialize, Serialize};

/// How the members of one searcher shared the work, slice by slice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SharesRecord {
    /// What they are called together, as `--search` takes it.
    pub search: String,
    /// The members, as `--search` takes them.
    pub members: Vec<String>,
    /// How much work a slice is wide; with several jobs, of each of them.
    pub width: u64,
    /// The slices.
    pub slices: Vec<SliceRecord>,
}

/// What each member had and gained in a slice, in the order of the members.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SliceRecord {
    /// Its work.
    pub work: Vec<u64>,
    /// Sides of branches and functions of the user's code that it was the first to come to.
    pub gained: Vec<u64>,
}

impl From<&PortfolioShares> for SharesRecord {
    fn from(ledger: &PortfolioShares) -> SharesRecord {
        let slice = |shares: &Vec<byway_search::MemberShare>| SliceRecord {
            work: shares.iter().map(|share| share.work.0).collect(),
            gained: shares.iter().map(|share| share.gained).collect(),
        };
        SharesRecord {
            search: ledger.name.clone(),
            members: ledger.members.clone(),
            width: ledger.width.0,
            slices: ledger.slices.iter().map(slice).collect(),
        }
    }
}
