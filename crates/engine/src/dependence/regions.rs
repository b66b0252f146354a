//! Regions: branches of a path whose sides have not met yet. All that is executed meanwhile
//! depends on them.

use std::rc::Rc;

use byway_ir::BlockId;
use byway_ir::analysis::points_to::Offsets;

use super::effects::{PossibleWrite, Side};
use super::label::{Label, LabelTable};

/// A branch whose sides have not met yet.
#[derive(Clone, Debug)]
pub struct BranchRegion {
    /// The number of calls around it, its function's included.
    pub depth: usize,
    /// Where they meet; `None` where the function returns.
    pub meet: Option<BlockId>,
    /// The decisions that led into it: those around it, and its own.
    pub label: Label,
    /// Its sides, those not taken included.
    pub sides: Vec<Rc<Side>>,
    /// What the sides write through pointers that are known.
    pub writes: Vec<KnownWrite>,
    /// What they may write through other pointers.
    pub possible: Vec<Rc<[PossibleWrite]>>,
}

/// A write to an object at a known address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KnownWrite {
    pub base: u64,
    pub offsets: Offsets,
    pub len: Option<u64>,
}

/// The open regions of a path.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    open: Vec<BranchRegion>,
    /// Decisions one side of which can end the program: all that follows depends on them.
    lasting: Label,
}

impl Regions {
    /// What the instruction at hand depends on by control.
    pub fn control(&self, labels: &mut LabelTable) -> Label {
        let inner = self.open.last().map_or(Label::NONE, |region| region.label);
        labels.join(self.lasting, inner)
    }

    /// Opens a region.
    pub fn open(&mut self, region: BranchRegion, labels: &mut LabelTable) {
        if region.sides.iter().any(|side| side.effect.leaves) {
            self.lasting = labels.join(self.lasting, region.label);
        }
        self.open.push(region);
    }

    /// Closes the regions that meet at a block of the function at a depth, the inner ones first.
    pub fn close_at(&mut self, depth: usize, block: BlockId) -> Vec<BranchRegion> {
        self.close(|region| region.depth == depth && region.meet == Some(block), depth)
    }

    /// Closes the regions of a function that returns, the inner ones first.
    pub fn close_function(&mut self, depth: usize) -> Vec<BranchRegion> {
        self.close(|region| region.depth == depth, depth)
    }

    fn close(
        &mut self,
        is_closed: impl Fn(&BranchRegion) -> bool,
        depth: usize,
    ) -> Vec<BranchRegion> {
        let first = self.open.partition_point(|region| region.depth < depth);
        if !self.open[first..].iter().any(&is_closed) {
            return Vec::new();
        }
        let (mut closed, kept): (Vec<_>, Vec<_>) = self.open.drain(first..).partition(is_closed);
        self.open.extend(kept);
        closed.reverse();
        closed
    }
}
