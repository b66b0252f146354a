//! The rewards of a greedy searcher, with the blocks of the program that they belong to.

use std::fmt;

use byway_base::SrcLoc;
use byway_ir::{BlockId, Module};
use byway_search::Location;
use byway_search::markov::{BlockReward, MarkovReport, ProgramChain};

/// What a greedy searcher knows at the end of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct MarkovRewards {
    /// Its figures.
    pub report: MarkovReport,
    /// The blocks with the highest rewards, the highest first.
    pub highest: Vec<LocatedReward>,
}

/// The reward of a block.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedReward {
    /// The block.
    pub block: NamedBlock,
    /// Its reward.
    pub reward: BlockReward,
    /// The successor that contributes most, with its probability.
    pub next: Option<(f64, NamedBlock)>,
}

/// A block as a user knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedBlock {
    /// The function that contains it.
    pub function: String,
    /// Its number in the function.
    pub block: BlockId,
    /// The first line of it, if the program has debug information.
    pub at: Option<SrcLoc>,
}

impl fmt::Display for NamedBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{} ({at})", self.function),
            None => write!(f, "{} {}", self.function, self.block),
        }
    }
}

impl NamedBlock {
    pub(super) fn new(module: &Module, at: Location) -> NamedBlock {
        let func = &module.funcs[at.func];
        let block = &func.blocks[at.block];
        let mut locs = block.inst_ids().map(|inst| func.loc(inst)).chain([block.term_loc]);
        let loc = locs.find_map(|loc| loc).map(|loc| module.src_loc(loc));
        NamedBlock { function: func.name.clone(), block: at.block, at: loc }
    }
}

impl MarkovRewards {
    /// Names the blocks of a report.
    pub(super) fn new(
        report: MarkovReport,
        chain: &ProgramChain,
        module: &Module,
    ) -> MarkovRewards {
        let name = |state| Some(NamedBlock::new(module, chain.location(state)?));
        let locate = |&reward: &BlockReward| {
            let next = reward.next.and_then(|(p, state)| Some((p, name(state)?)));
            Some(LocatedReward { block: name(reward.state)?, reward, next })
        };
        let highest = report.highest.iter().filter_map(locate).collect();
        MarkovRewards { report, highest }
    }
}
