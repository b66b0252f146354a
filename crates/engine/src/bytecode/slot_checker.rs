//! An independent checker for the sharing of slots.
//!
//! `slots.rs` computes liveness to let values share a slot. This checker does not: it executes
//! the finished code abstractly, over all paths. The technique is that of register-allocation
//! checkers (as in regalloc2), applied to frame slots:
//!
//! - The abstract content of a slot is the set of IR words (a value's low or high word, or a
//!   constant) that it is known to equal. The meet of two paths is the intersection.
//! - An instruction that defines `v` makes the written slot `{v}` and removes `v` from every
//!   other slot, where it would be the `v` of an earlier iteration.
//! - An edge applies its moves, which copy sets; then a slot that holds the argument also holds
//!   the block's parameter.
//! - Casts that keep the bits define no word: they are names of their source.
//!
//! The code is right if each operation reads only slots that hold an operand of its
//! instruction, every operand is read, and no instruction writes a slot that it reads: an
//! instruction suspended by a fork request starts again from its first operation.
//!
//! A frame may be re-entered behind a call of `setjmp` from any call of the function, so each
//! call has an edge to there.

use std::fmt;
use std::ops::Range;

use byway_base::entity::SecondaryMap;
use byway_ir::{
    BlockId, Callee, Const, Edge, Function, Inst, InstId, Operand, OperandKind, Terminator, Val,
};

use super::compile::keeps_bits;
use super::operands::{SlotUse, for_each_slot};
use super::{ByteOp, Code, CompileContext, Pc, Slot, Special};

/// One machine word of the IR.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum IrWord {
    Low(Val),
    High(Val),
    Bits(u64),
}

/// The words that each slot is known to equal.
type SlotContents = Vec<Vec<IrWord>>;

/// A use of a slot that holds the wrong value on some path.
#[derive(Debug)]
pub struct SlotError {
    pc: Pc,
    block: BlockId,
    message: String,
}

impl fmt::Display for SlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "operation {} of {}: {}", self.pc, self.block, self.message)
    }
}

/// Checks the code compiled for a function.
pub fn check(func: &Function, code: &Code, context: &dyn CompileContext) -> Result<(), SlotError> {
    let mut checker = SlotChecker::new(func, code, context);
    checker.enter(checker.entry_contents())?;
    while let Some(block) = checker.worklist.pop() {
        checker.block(block)?;
    }
    Ok(())
}

struct SlotChecker<'a> {
    func: &'a Function,
    code: &'a Code,
    context: &'a dyn CompileContext,
    /// The source of each bit-preserving cast.
    aliases: SecondaryMap<Val, Option<Operand>>,
    defined_by: SecondaryMap<Val, Option<InstId>>,
    /// The contents at the start of each block reached so far, and its first operation.
    at_start: SecondaryMap<BlockId, Option<(SlotContents, Pc)>>,
    /// Blocks that call `setjmp`.
    setjmp_blocks: Vec<BlockId>,
    /// The contents at all calls reached so far, met; for a function that calls `setjmp`.
    at_calls: Option<SlotContents>,
    worklist: Vec<BlockId>,
}

impl<'a> SlotChecker<'a> {
    fn new(func: &'a Function, code: &'a Code, context: &'a dyn CompileContext) -> Self {
        let mut aliases = SecondaryMap::new();
        let mut defined_by = SecondaryMap::new();
        for (id, inst) in &func.insts {
            inst.for_each_def(|val| defined_by[val] = Some(id));
            if let Some((dst, src)) = keeps_bits(func, inst) {
                aliases[dst] = Some(src);
            }
        }
        let calls_setjmp = |id: InstId| is_setjmp(&func.insts[id], context);
        let setjmp_blocks =
            func.blocks.iter().filter(|(_, block)| block.inst_ids().any(calls_setjmp));
        SlotChecker {
            func,
            code,
            context,
            aliases,
            defined_by,
            at_start: SecondaryMap::new(),
            setjmp_blocks: setjmp_blocks.map(|(id, _)| id).collect(),
            at_calls: None,
            worklist: Vec::new(),
        }
    }

    /// The frame of a call: parameters, and the template's constants.
    fn entry_contents(&self) -> SlotContents {
        let bits = |value: &crate::value::Value| vec![IrWord::Bits(value.bits)];
        let mut contents: SlotContents = self.code.template.iter().map(bits).collect();
        for (place, &param) in self.code.params.iter().zip(&self.func.params) {
            for (slot, word) in (place.slot..).zip(self.def_words(param)) {
                contents[slot as usize] = vec![word];
            }
        }
        contents
    }

    fn error<T>(&self, pc: Pc, message: String) -> Result<T, SlotError> {
        Err(SlotError { pc, block: self.code.block_at(pc), message })
    }

    fn def_words(&self, val: Val) -> Vec<IrWord> {
        let wide = self.func.vals[val].is_wide();
        [IrWord::Low(val)].into_iter().chain(wide.then_some(IrWord::High(val))).collect()
    }

    /// The words of an operand, low word first.
    fn words(&self, operand: Operand) -> Vec<IrWord> {
        let mut source = operand;
        while let Some(next) = source.as_val().and_then(|val| self.aliases[val]) {
            source = next;
        }
        let mut words = match source.kind() {
            OperandKind::Val(val) => self.def_words(val),
            OperandKind::Const(id) => match &self.func.consts[id] {
                Const::Bits { bits, .. } => {
                    vec![IrWord::Bits(*bits as u64), IrWord::Bits((bits >> 64) as u64)]
                }
                address => vec![IrWord::Bits(self.context.address(address))],
            },
        };
        words.truncate(1 + usize::from(self.func.operand_ty(operand).is_wide()));
        words
    }

    /// Interprets a block from its first operation to its terminator.
    fn block(&mut self, id: BlockId) -> Result<(), SlotError> {
        let Some((mut contents, mut pc)) = self.at_start[id].clone() else { return Ok(()) };
        loop {
            let Some(inst) = self.code.insts[pc as usize] else {
                if self.is_no_instruction(pc) {
                    pc += 1;
                    continue;
                }
                return self.terminator(&self.func.blocks[id].term, contents, pc);
            };
            let rest = &self.code.insts[pc as usize..];
            let count = rest.iter().take_while(|&&of| of == Some(inst)).count() as Pc;
            if !self.instruction(inst, &mut contents, pc..pc + count)? {
                return Ok(());
            }
            pc += count;
        }
    }

    /// Interprets the operations of one instruction; returns whether execution continues.
    fn instruction(
        &mut self,
        id: InstId,
        contents: &mut SlotContents,
        range: Range<Pc>,
    ) -> Result<bool, SlotError> {
        let inst = &self.func.insts[id];
        let (mut read, mut written, mut defined) = (Vec::new(), Vec::new(), Vec::new());
        for pc in range.clone() {
            if self.ends_path(pc) {
                return Ok(false);
            }
            let before = written.len();
            for_each_slot(self.code, pc, |usage, slot| match usage {
                SlotUse::Read if written.contains(&slot) => {}
                SlotUse::Read => read.push(slot),
                SlotUse::Write => written.push(slot),
            });
            if written.len() > before {
                defined = written[before..].to_vec();
            }
        }
        let expected = self.expected(inst, range.clone())?;
        self.check_reads(contents, range.start, &read, &expected)?;
        if let Some(slot) = written.iter().find(|slot| read.contains(slot)) {
            return self.error(range.start, format!("writes slot {slot}, which it reads"));
        }
        self.meet_second_return(inst, contents);
        let mut results = Vec::new();
        inst.for_each_def(|val| results.extend(self.def_words(val)));
        if results.is_empty() {
            defined.clear();
        }
        if !defined.is_empty() && defined.len() != results.len() {
            return self.error(range.start, format!("writes {defined:?} for {results:?}"));
        }
        for set in contents.iter_mut() {
            set.retain(|word| !results.contains(word));
        }
        written.iter().for_each(|&slot| contents[slot as usize].clear());
        for (slot, word) in defined.into_iter().zip(results) {
            contents[slot as usize] = vec![word];
        }
        Ok(true)
    }

    /// A call may return to any earlier call of `setjmp`: records the contents at calls, and
    /// meets them with the contents behind `setjmp`.
    fn meet_second_return(&mut self, inst: &Inst, contents: &mut SlotContents) {
        if self.setjmp_blocks.is_empty() || !matches!(inst, Inst::Call { .. }) {
            return;
        }
        let at_calls = self.at_calls.get_or_insert_with(|| contents.clone());
        if meet(at_calls, contents) {
            self.worklist.extend(&self.setjmp_blocks);
        }
        if is_setjmp(inst, self.context) {
            meet(contents, at_calls);
        }
    }

    /// Whether an operation within a block only counts or reports.
    fn is_no_instruction(&self, pc: Pc) -> bool {
        match self.code.ops[pc as usize] {
            ByteOp::Count { .. } => true,
            ByteOp::Special { index } => {
                matches!(
                    self.code.special[index as usize],
                    Special::Watch { .. } | Special::Observe { .. } | Special::RecordValue { .. }
                )
            }
            _ => false,
        }
    }

    fn ends_path(&self, pc: Pc) -> bool {
        let ByteOp::Special { index } = self.code.ops[pc as usize] else { return false };
        let special = &self.code.special[index as usize];
        matches!(special, Special::Fail { .. } | Special::Unsupported { .. })
    }

    /// The operands that the operations of an instruction read. The address of an access is
    /// its base if the operations add a constant offset themselves.
    fn expected(&self, inst: &Inst, range: Range<Pc>) -> Result<Vec<Vec<IrWord>>, SlotError> {
        let mut expected = Vec::new();
        inst.for_each_use(|operand| expected.push(self.words(operand)));
        let offset = range.clone().find_map(|pc| match self.code.ops[pc as usize] {
            ByteOp::Load8 { offset, .. }
            | ByteOp::Load16 { offset, .. }
            | ByteOp::Load32 { offset, .. }
            | ByteOp::Load64 { offset, .. }
            | ByteOp::Store8 { offset, .. }
            | ByteOp::Store16 { offset, .. }
            | ByteOp::Store32 { offset, .. }
            | ByteOp::Store64 { offset, .. }
            | ByteOp::PtrOffset { offset, .. } => (offset != 0).then_some(i64::from(offset)),
            _ => None,
        });
        match inst {
            Inst::Load { addr, .. } | Inst::Store { addr, .. } if offset.is_some() => {
                let definition = addr.as_val().and_then(|val| self.defined_by[val]);
                let base = match definition.map(|id| &self.func.insts[id]) {
                    Some(&Inst::PtrAdd { base, offset: added, scaled, .. })
                        if Some(added) == offset =>
                    {
                        if scaled.is_some() {
                            *addr
                        } else {
                            base
                        }
                    }
                    _ => return self.error(range.start, "adds a wrong offset".into()),
                };
                let whole = self.words(*addr);
                let position = expected.iter().position(|words| *words == whole);
                expected[position.expect("the address is an operand")] = self.words(base);
            }
            // A large offset is a constant of the code alone.
            Inst::PtrAdd { offset, .. } if i32::try_from(*offset).is_err() => {
                expected.push(vec![IrWord::Bits(*offset as u64)]);
            }
            _ => {}
        }
        Ok(expected)
    }

    /// Checks that the slots read hold operands, and that no operand is left out. An operation
    /// may ignore the high word of a wide operand.
    fn check_reads(
        &self,
        contents: &SlotContents,
        pc: Pc,
        read: &[Slot],
        expected: &[Vec<IrWord>],
    ) -> Result<(), SlotError> {
        let holds = |slot: Slot, word: &IrWord| contents[slot as usize].contains(word);
        for &slot in read {
            if !expected.iter().flatten().any(|word| holds(slot, word)) {
                let content = &contents[slot as usize];
                let message = format!("slot {slot} holds {content:?}, not one of {expected:?}");
                return self.error(pc, message);
            }
        }
        for words in expected.iter().filter(|_| !read.is_empty()) {
            if !read.iter().any(|&slot| holds(slot, &words[0])) {
                return self.error(pc, format!("no slot of {read:?} holds {words:?}"));
            }
        }
        Ok(())
    }

    fn terminator(
        &mut self,
        term: &'a Terminator,
        mut contents: SlotContents,
        pc: Pc,
    ) -> Result<(), SlotError> {
        let op = self.code.ops[pc as usize];
        let mut read = Vec::new();
        for_each_slot(self.code, pc, |_, slot| read.push(slot));
        let operands: Vec<Operand> = match term {
            Terminator::Branch { cond, .. } if matches!(op, ByteOp::Branch { .. }) => vec![*cond],
            // A comparison fused with its branch.
            Terminator::Branch { cond, .. } => {
                let definition = cond.as_val().and_then(|val| self.defined_by[val]);
                match definition.map(|id| &self.func.insts[id]) {
                    Some(Inst::Icmp { a, b, .. }) => vec![*a, *b],
                    _ => return self.error(pc, "compares for no comparison".into()),
                }
            }
            Terminator::Switch { value: operand, .. }
            | Terminator::IndirectJump { addr: operand, .. } => vec![*operand],
            Terminator::Return(values) => values.to_vec(),
            Terminator::Jump(_) | Terminator::Unreachable => Vec::new(),
        };
        let expected: Vec<_> = operands.into_iter().map(|operand| self.words(operand)).collect();
        self.check_reads(&contents, pc, &read, &expected)?;
        match (term, op) {
            (Terminator::Jump(edge), ByteOp::Jump { target, .. }) => {
                self.edge(contents, target, edge)
            }
            (Terminator::Jump(edge), ByteOp::MoveJump { target, first, count, .. }) => {
                self.apply_moves(&mut contents, first, count);
                self.edge(contents, target, edge)
            }
            (
                Terminator::Branch { then: yes, otherwise: no, .. },
                ByteOp::Branch { then, otherwise, .. }
                | ByteOp::BranchEq { then, otherwise, .. }
                | ByteOp::BranchUlt { then, otherwise, .. }
                | ByteOp::BranchSlt { then, otherwise, .. },
            ) => {
                let swapped = self.code.swapped.contains(&pc);
                let (yes, no) = if swapped { (no, yes) } else { (yes, no) };
                self.edge(contents.clone(), then, yes)?;
                self.edge(contents, otherwise, no)
            }
            (Terminator::Switch { cases, default, .. }, ByteOp::Switch { index, .. }) => {
                let code = self.code;
                let table = &code.switches[index as usize];
                for (value, edge) in cases {
                    let target = table.lookup(*value as u64, (value >> 64) as u64);
                    self.edge(contents.clone(), target, edge)?;
                }
                self.edge(contents, table.default, default)
            }
            (Terminator::IndirectJump { targets, .. }, ByteOp::Special { index }) => {
                let code = self.code;
                let Special::IndirectJump { targets: pcs, .. } = &code.special[index as usize]
                else {
                    return self.error(pc, "is no indirect jump".into());
                };
                for (edge, &(_, target)) in targets.iter().zip(pcs) {
                    self.edge(contents.clone(), target, edge)?;
                }
                Ok(())
            }
            (Terminator::Return(_), ByteOp::Return { .. }) | (Terminator::Unreachable, _) => Ok(()),
            (term, op) => self.error(pc, format!("{op:?} for {term:?}")),
        }
    }

    fn apply_moves(&self, contents: &mut SlotContents, first: u32, count: u32) {
        for &(to, from) in &self.code.moves[first as usize..][..count as usize] {
            contents[to as usize] = contents[from as usize].clone();
        }
    }

    /// Follows the operations of an edge, which count no instruction, to the body of a block.
    fn follow(&self, contents: &mut SlotContents, mut pc: Pc) -> Pc {
        loop {
            match self.code.ops[pc as usize] {
                ByteOp::Cover { target, .. } | ByteOp::Jump { n: 0, target } => pc = target,
                ByteOp::TakeSide { .. } => pc += 1,
                ByteOp::MoveJump { n: 0, target, first, count } => {
                    self.apply_moves(contents, first, count);
                    pc = target;
                }
                ByteOp::Special { index }
                    if matches!(self.code.special[index as usize], Special::Execution { .. }) =>
                {
                    pc += 1;
                }
                _ => return pc,
            }
        }
    }

    /// Enters the function.
    fn enter(&mut self, mut contents: SlotContents) -> Result<(), SlotError> {
        let pc = self.follow(&mut contents, self.code.start);
        match self.func.entry() {
            Some(entry) => self.reach(entry, contents, pc),
            None => Ok(()),
        }
    }

    /// Takes an edge: its moves, then its arguments become the parameters of its block.
    fn edge(&mut self, mut contents: SlotContents, pc: Pc, edge: &Edge) -> Result<(), SlotError> {
        let pc = self.follow(&mut contents, pc);
        let params = &self.func.blocks[edge.block].params;
        let pairs: Vec<(IrWord, IrWord)> = params
            .iter()
            .zip(&edge.args)
            .flat_map(|(&param, &arg)| self.def_words(param).into_iter().zip(self.words(arg)))
            .collect();
        for set in &mut contents {
            let held = pairs.iter().filter(|(_, arg)| set.contains(arg));
            let added: Vec<IrWord> = held.map(|&(param, _)| param).collect();
            set.retain(|word| !pairs.iter().any(|(param, _)| param == word));
            set.extend(added);
        }
        self.reach(edge.block, contents, pc)
    }

    /// Meets contents with those at the start of a block.
    fn reach(&mut self, block: BlockId, contents: SlotContents, pc: Pc) -> Result<(), SlotError> {
        if self.code.block_at(pc) != block {
            return self.error(pc, format!("is reached instead of {block}"));
        }
        match &mut self.at_start[block] {
            Some((known, _)) => {
                if meet(known, &contents) {
                    self.worklist.push(block);
                }
            }
            unknown => {
                *unknown = Some((contents, pc));
                self.worklist.push(block);
            }
        }
        Ok(())
    }
}

fn is_setjmp(inst: &Inst, context: &dyn CompileContext) -> bool {
    matches!(inst, Inst::Call { callee: Callee::Direct(func), .. } if context.returns_twice(*func))
}

/// Keeps what both hold; returns whether anything changed.
fn meet(known: &mut SlotContents, other: &SlotContents) -> bool {
    let mut changed = false;
    for (set, other) in known.iter_mut().zip(other) {
        let before = set.len();
        set.retain(|word| other.contains(word));
        changed |= set.len() != before;
    }
    changed
}

#[cfg(test)]
mod tests;
