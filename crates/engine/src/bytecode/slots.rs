//! Assigns a slot of the frame to each value.
//!
//! A fork copies frames, so they should be small: values that are never live at once share a
//! slot. A slot is free after the last use of its value. In SSA form, one walk over the blocks
//! in an order that respects dominance is enough: at a definition, all values live there have
//! their slots already.
//!
//! The result of an instruction never shares a slot with its operands, even at their last use:
//! an instruction suspended by a fork request starts again from its first operation, and each
//! of several operations may read the operands.
//!
//! `slot_checker.rs` checks the result independently.

use byway_base::entity::SecondaryMap;
use byway_ir::analysis::Cfg;
use byway_ir::{Block, BlockId, Callee, Const, Inst, Operand, Origin, Val};

use super::compile::{FunctionCompiler, slots_of};
use super::{Slot, TypedSlot};

/// The last use of a value that is live after its block.
const AFTER_BLOCK: u32 = u32::MAX;

/// The most values live at block starts, summed over all blocks of a function. Beyond that
/// (thousands of values across thousands of blocks) sharing would take seconds to compute, and
/// every value gets its own slot.
const MOST_LIVE: usize = 4 << 20;

/// A definition or use of a value at a position of its block: parameters are defined at 0,
/// then come the instructions, then the terminator.
#[derive(Clone)]
pub(super) struct Event {
    at: u32,
    val: Val,
    defines: bool,
}

/// Computes the values live at the start of each block, from the events of all blocks; `None`
/// if there are more than the given number. A parameter of the compiler, so that a test can
/// supply a wrong one.
pub(super) type Liveness =
    fn(&Cfg, &SecondaryMap<BlockId, Vec<Event>>, usize) -> Option<SecondaryMap<BlockId, Vec<Val>>>;

impl FunctionCompiler<'_> {
    /// Assigns slots to parameters, then computed values, then constants, which keep theirs.
    /// The result of a bit-preserving cast has the slot of its operand.
    pub(super) fn assign_slots(&mut self, liveness: Liveness) {
        let func = self.func;
        let mut given: SecondaryMap<Val, bool> = SecondaryMap::new();
        for &param in &func.params {
            let ty = func.vals[param];
            let slot = self.new_slot(ty);
            self.val_slots[param] = slot;
            self.code.params.push(TypedSlot { ty, slot });
            given[param] = true;
        }
        // A search for leaks takes the values of the user's open calls for their variables.
        let keeps_values = self.context.checks().leak && func.origin == Origin::User;
        if !self.returns_twice() && !keeps_values {
            self.share_slots(&mut given, liveness);
        }
        // Values of unreachable code.
        for (val, &ty) in &func.vals {
            if self.has_slot(val) && !given[val] {
                self.val_slots[val] = self.new_slot(ty);
            }
        }
        for (id, constant) in &func.consts {
            self.const_slots[id] = self.constant_slot(constant);
        }
        for val in func.vals.keys() {
            if let Some(source) = self.same[val] {
                self.val_slots[val] = self.slot(source);
            }
        }
    }

    fn constant_slot(&mut self, constant: &Const) -> Slot {
        let slot = self.new_slot(constant.ty());
        let at = slot as usize;
        match constant {
            Const::Bits { ty, bits } => {
                self.code.template[at].bits = *bits as u64;
                if ty.is_wide() {
                    self.code.template[at + 1].bits = (*bits >> 64) as u64;
                }
            }
            Const::Address { .. } => self.code.template[at].bits = self.context.address(constant),
        }
        slot
    }

    /// Whether a call may return a second time, by `longjmp`. No edge of the IR shows what is
    /// live then, so every value gets its own slot.
    fn returns_twice(&self) -> bool {
        let twice = |inst: &Inst| match inst {
            Inst::Call { callee: Callee::Direct(func), .. } => self.context.returns_twice(*func),
            _ => false,
        };
        self.func.insts.values().any(twice)
    }

    /// Whether a value has a slot of its own. Results of bit-preserving casts and values that
    /// are computed by their users have none.
    fn has_slot(&self, val: Val) -> bool {
        let folded = self.folded[val].is_some_and(|(base, _)| base.as_val() != Some(val));
        self.same[val].is_none() && self.fused[val].is_none() && !folded
    }

    /// The values whose slots a use of an operand reads.
    fn for_each_needed(&self, op: Operand, f: &mut impl FnMut(Val)) {
        let Some(val) = op.as_val() else { return };
        if self.has_slot(val) {
            f(val);
        } else if let Some(source) = self.same[val] {
            self.for_each_needed(source, f);
        } else if let Some((base, _)) = self.folded[val] {
            self.for_each_needed(base, f);
        } else if let Some(fused) = self.fused[val] {
            self.for_each_needed(fused.a, f);
            self.for_each_needed(fused.b, f);
        }
    }

    /// The events of a block in order; definitions come first at each position.
    fn events(&self, block: &Block) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        events.extend(block.params.iter().map(|&val| Event { at: 0, val, defines: true }));
        let mut at = 0;
        for inst in block.inst_ids() {
            at += 1;
            let inst = &self.func.insts[inst];
            inst.for_each_def(|val| {
                if self.has_slot(val) {
                    events.push(Event { at, val, defines: true });
                }
            });
            let mut need = |val| events.push(Event { at, val, defines: false });
            inst.for_each_use(|op| self.for_each_needed(op, &mut need));
        }
        let mut need = |val| events.push(Event { at: at + 1, val, defines: false });
        block.term.for_each_use(|op| self.for_each_needed(op, &mut need));
        events
    }

    /// Assigns slots to the values defined in reachable blocks.
    fn share_slots(&mut self, given: &mut SecondaryMap<Val, bool>, liveness: Liveness) {
        let func = self.func;
        let cfg = Cfg::new(func);
        let mut events: SecondaryMap<BlockId, Vec<Event>> = SecondaryMap::new();
        for (id, block) in &func.blocks {
            events[id] = self.events(block);
        }
        let Some(live) = liveness(&cfg, &events, MOST_LIVE) else { return };
        let mut last: SecondaryMap<Val, u32> = SecondaryMap::new();
        for &id in cfg.reverse_post_order() {
            events[id].iter().for_each(|event| last[event.val] = event.at);
            cfg.succs(id).flat_map(|next| &live[next]).for_each(|&val| last[val] = AFTER_BLOCK);
            let mut taken = vec![false; self.code.template.len()];
            let known = |val: &Val| given[*val];
            for place in live[id].iter().copied().filter(known).map(|val| self.dst(val)) {
                slots_of(place).for_each(|slot| taken[slot as usize] = true);
            }
            for step in events[id].chunk_by(|a, b| a.at == b.at) {
                for val in step.iter().filter(|event| event.defines).map(|event| event.val) {
                    self.val_slots[val] = self.take_slot(val, &mut taken);
                    given[val] = true;
                }
                let done = step.iter().filter(|event| last[event.val] == event.at);
                for event in done.filter(|event| given[event.val]) {
                    slots_of(self.dst(event.val)).for_each(|slot| taken[slot as usize] = false);
                }
            }
        }
    }

    /// The first free slot, or the first two adjacent ones for a wide value, or new ones.
    fn take_slot(&mut self, val: Val, taken: &mut Vec<bool>) -> Slot {
        let ty = self.func.vals[val];
        let slots = 1 + usize::from(ty.is_wide());
        let free = taken.windows(slots).position(|window| !window.contains(&true));
        let slot = free.map_or_else(|| self.new_slot(ty), |at| at as Slot);
        taken.resize(self.code.template.len(), false);
        taken[slot as usize..][..slots].fill(true);
        slot
    }
}

/// The values live at the start of each block; `None` if there are more than `most` in all.
pub(super) fn live_at_start(
    cfg: &Cfg,
    events: &SecondaryMap<BlockId, Vec<Event>>,
    most: usize,
) -> Option<SecondaryMap<BlockId, Vec<Val>>> {
    let mut defined_in: SecondaryMap<Val, Option<BlockId>> = SecondaryMap::new();
    let mut needed: Vec<(Val, BlockId)> = Vec::new();
    for (id, events) in events.iter() {
        for event in events {
            match event.defines {
                true => defined_in[event.val] = Some(id),
                false => needed.push((event.val, id)),
            }
        }
    }
    needed.sort_unstable();
    needed.dedup();
    let mut live: SecondaryMap<BlockId, Vec<Val>> = SecondaryMap::new();
    let mut above = Vec::new();
    let mut found = 0;
    for (val, id) in needed {
        // From the use, backwards to the definition.
        above.push(id);
        while let Some(id) = above.pop() {
            if defined_in[val] != Some(id) && live[id].last() != Some(&val) {
                live[id].push(val);
                above.extend(cfg.preds(id));
                found += 1;
            }
        }
        if found > most {
            return None;
        }
    }
    Some(live)
}

#[cfg(test)]
mod tests {
    use super::MOST_LIVE;
    use crate::Config;
    use crate::program::Program;

    /// The number of slots of a function.
    fn slots(body: &str) -> usize {
        let text =
            format!("bwir 1\nmodule \"test\"\nfunc user @main(v0:i32) -> i32 {{\n{body}}}\n");
        let module = byway_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let program = Program::new(&module, &Config::default()).expect("the module fits");
        program.code(module.func_by_name("main").expect("main is defined")).template.len()
    }

    #[test]
    fn a_long_line_takes_two_slots_and_its_constants() {
        let sums: String =
            (1..100).map(|i| format!("  v{i}:i32 = add v{}, 1:i32\n", i - 1)).collect();
        // The parameter's slot is the second.
        assert_eq!(slots(&format!("b0:\n{sums}  ret v99\n")), 2 + 1);
        let more = sums.replace(", 1:i32", ", v0");
        // Here the parameter is live throughout.
        assert_eq!(slots(&format!("b0:\n{more}  ret v99\n")), 3);
    }

    #[test]
    fn values_live_at_once_have_different_slots() {
        let sums: String = (1..50).map(|i| format!("  v{i}:i32 = add v0, {i}:i32\n")).collect();
        let all: String = (50..98)
            .map(|i| {
                format!("  v{i}:i32 = xor v{}, v{}\n", i - 49, if i == 50 { 49 } else { i - 1 })
            })
            .collect();
        // Forty-nine values at once, the result of the first two, and as many constants.
        assert_eq!(slots(&format!("b0:\n{sums}{all}  ret v97\n")), 49 + 1 + 49);
    }

    #[test]
    fn sides_of_a_branch_share_slots() {
        let side = |first: usize| -> String {
            let line = (0..20).map(|i| {
                let from = if i == 0 { 0 } else { first + i - 1 };
                format!("  v{}:i32 = mul v{from}, 3:i32\n", first + i)
            });
            line.collect::<String>() + &format!("  jump b3(v{})\n", first + 19)
        };
        let text = format!(
            "b0:\n  v1:i1 = icmp eq v0, 3:i32\n  br v1, b1, b2\nb1:\n{}b2:\n{}b3(v2:i32):\n  ret v2\n",
            side(3),
            side(23)
        );
        assert_eq!(slots(&text), 2 + 1);
    }

    #[test]
    fn slots_are_not_shared_beyond_the_limit_of_live_values() {
        /// `count` values live across `count` blocks, followed by `count` results.
        fn crowded(count: usize) -> usize {
            let sums: String = (1..=count).map(|i| format!("  v{i}:i32 = add v0, v0\n")).collect();
            let blocks: String =
                (1..count).map(|i| format!("b{i}:\n  jump b{}\n", i + 1)).collect();
            let uses: String = (1..=count)
                .map(|i| format!("  v{}:i32 = xor v{i}, v{}\n", count + i, count + i - 1))
                .collect();
            let last = format!("b{count}:\n{uses}  ret v{}\n", 2 * count);
            slots(&format!("b0:\n{sums}  jump b1\n{blocks}{last}"))
        }
        // The results reuse the slot of the parameter, then that of each last operand.
        assert_eq!(crowded(1000), 1 + 1000);
        let count = MOST_LIVE.isqrt() + 1;
        assert_eq!(crowded(count), 1 + 2 * count);
    }
}
