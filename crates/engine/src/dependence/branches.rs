//! Blocks and branches: which regions a path is in, and what the sides of a branch leave.

use std::rc::Rc;

use byway_ir::analysis::points_to::Offsets;
use byway_ir::{BlockId, FuncId, Origin, Terminator};

use super::effects::{PossibleWrite, Side};
use super::label::Label;
use super::regions::{BranchRegion, KnownWrite};
use super::result::GiveUpReason;
use super::tracker::{DependenceTracker, KnownPointer, Walk, WalkedCall};

impl DependenceTracker<'_> {
    /// A block begins: of a function that is called, or behind the block at hand.
    pub(super) fn enter_block(&mut self, func: FuncId, block: BlockId) -> Walk<()> {
        let body = &self.module.funcs[func];
        let next = body.blocks[block].first;
        let is_call = self.pending.as_ref().is_some_and(|pending| pending.call.is_some());
        if is_call || self.frames.is_empty() {
            if body.entry() != Some(block) {
                return Err(GiveUpReason::Jump);
            }
            let passed = self.passed_pointers();
            let (args, variadic) = self.pass_arguments(func)?;
            let mut values = vec![Label::NONE; body.vals.len()];
            for (&param, label) in body.params.iter().zip(args) {
                values[param.as_u32() as usize] = label;
            }
            let params: Vec<Label> =
                body.params.iter().map(|param| values[param.as_u32() as usize]).collect();
            let is_user = body.origin == Origin::User;
            self.observes = self.code.block(func, block, &body.params);
            let mut pointers = vec![None; body.vals.len()];
            for (&param, known) in body.params.iter().zip(passed) {
                pointers[param.as_u32() as usize] = known;
            }
            let frame = WalkedCall { func, block, next, values, pointers, variadic, is_user };
            self.frames.push(frame);
            params.into_iter().for_each(|label| self.depend(label));
            return Ok(());
        }
        self.arrive_at_end()?;
        let (from_func, from) = (self.top()?.func, self.top()?.block);
        if from_func != func {
            return Err(GiveUpReason::Jump);
        }
        let branch = self.branch(func, from, block);
        let depth = self.frames.len();
        let args = self.arguments_of_edge(&body.blocks[from].term, block, branch);
        let pointers = self.pointers_of_edge(&body.blocks[from].term, block);
        let closed = self.regions.close_at(depth, block);
        let met = closed.first().map_or(Label::NONE, |region| region.label);
        closed.iter().for_each(|region| self.meet(region));
        let params = &body.blocks[block].params;
        self.observes = self.code.block(func, block, params);
        for ((&param, arg), pointer) in params.iter().zip(args).zip(pointers) {
            let label = self.labels.join(met, arg);
            self.set(param, label);
            self.set_pointer(param, pointer);
            self.depend(label);
        }
        // A block without instructions is executed as well.
        self.depend(Label::NONE);
        let frame = self.top_mut()?;
        (frame.block, frame.next) = (block, next);
        Ok(())
    }

    /// The path takes a side of the branch at the end of a block; returns what decided it.
    fn branch(&mut self, func: FuncId, from: BlockId, to: BlockId) -> Label {
        let term = &self.module.funcs[func].blocks[from].term;
        let condition = self.label_of_term(term);
        let decisions = std::mem::take(&mut self.term_decisions);
        let own = self.labels.join(condition, decisions);
        if own.is_none() {
            return own;
        }
        self.observes = self.code.branch(&self.effects, func, from);
        self.depend(own);
        let mut succs: Vec<BlockId> = Vec::new();
        term.for_each_edge(|edge| {
            if !succs.contains(&edge.block) {
                succs.push(edge.block);
            }
        });
        let is_taken_fatal = self.effects.side(func, from, to).is_fatal;
        let sides = succs.iter().map(|&succ| self.effects.side(func, from, succ));
        let sides: Vec<Rc<Side>> = sides.filter(|side| !side.is_fatal).collect();
        if sides.len() < 2 && !is_taken_fatal {
            // A check: it decides nothing for those who pass.
            let passed = self.labels.decisions(decisions).to_vec();
            passed.into_iter().for_each(|it| self.checks[it as usize] = succs.len() > 1);
            return own;
        }
        let control = self.control();
        let label = self.labels.join(control, own);
        let meet = self.effects.meeting_point(func, from).filter(|_| !is_taken_fatal);
        let (writes, possible) = self.writes_through(&sides);
        let depth = self.frames.len();
        let region = BranchRegion { depth, meet, label, sides, writes, possible };
        self.regions.open(region, &mut self.labels);
        own
    }

    /// What the sides of a branch write through pointers that exist already: to known objects,
    /// and what is possible through a pointer that another decision could change.
    fn writes_through(&self, sides: &[Rc<Side>]) -> (Vec<KnownWrite>, Vec<Rc<[PossibleWrite]>>) {
        let (mut known, mut possible) = (Vec::new(), Vec::new());
        for (write, most) in sides.iter().flat_map(|side| &side.through) {
            match self.pointer(write.pointer) {
                Some((base, offset)) => {
                    let offsets = Offsets::exactly(offset).plus(write.distance);
                    known.push(KnownWrite { base, offsets, len: write.len });
                }
                None => possible.push(Rc::clone(most)),
            }
        }
        (known, possible)
    }

    /// The labels of a block's parameters. If two edges lead there, the branch decides between
    /// their arguments.
    fn arguments_of_edge(&mut self, term: &Terminator, to: BlockId, branch: Label) -> Vec<Label> {
        let mut args: Vec<Label> = Vec::new();
        let mut edges = Vec::new();
        term.for_each_edge(|edge| {
            if edge.block == to && !edges.contains(&edge) {
                edges.push(edge);
            }
        });
        for edge in &edges {
            args.resize(edge.args.len(), Label::NONE);
            for (own, &arg) in args.iter_mut().zip(&edge.args) {
                let label = self.label_of(arg);
                *own = self.labels.join(*own, label);
            }
        }
        if edges.len() > 1 {
            args.iter_mut().for_each(|it| *it = self.labels.join(branch, *it));
        }
        args
    }

    /// What the arguments of an edge point to, if it is the only one to its block.
    fn pointers_of_edge(&self, term: &Terminator, to: BlockId) -> Vec<Option<KnownPointer>> {
        let mut pointers = Vec::new();
        let mut edges = 0;
        term.for_each_edge(|edge| {
            if edge.block == to {
                edges += 1;
                pointers = edge.args.iter().map(|&arg| self.pointer_of(arg)).collect();
            }
        });
        if edges > 1 {
            pointers.fill(None);
        }
        pointers
    }

    /// The sides of a branch meet: what any of them could have defined depends on it. That holds
    /// for the side taken too, or a path would ask for other decisions than one on the other side.
    pub(super) fn meet(&mut self, region: &BranchRegion) {
        for side in &region.sides {
            let effect = &side.effect;
            effect.writes.iter().for_each(|write| self.may_define(write, region.label));
            if effect.changes_world {
                self.world = self.labels.join(region.label, self.world);
            }
            if effect.writes_output {
                self.output = self.labels.join(region.label, self.output);
            }
            for &val in &side.values {
                let label = self.label_of(val.into());
                let label = self.labels.join(region.label, label);
                self.set(val, label);
            }
        }
        for write in region.possible.iter().flat_map(|all| all.iter()) {
            self.may_define(write, region.label);
        }
        for &KnownWrite { base, offsets, len } in &region.writes {
            self.memory.may_define_in(base, offsets, len, region.label);
        }
    }

    fn may_define(&mut self, write: &PossibleWrite, label: Label) {
        match self.effects.is_anywhere(write) {
            true => self.memory.may_define_anything(label),
            false => self.memory.may_define(write.of, write.offsets, write.len, label),
        }
    }
}
