//! From the IR to bytecode.

use byway_base::FaultKind;
use byway_base::entity::SecondaryMap;
use byway_ir::{
    BinOp, BlockId, Callee, CastOp, Const, ConstId, Edge, FBinOp, FuncId, Function, Icmp, Inst,
    LocId, Operand, OperandKind, Scaled, Terminator, Ty, Val,
};

use super::moves::sequence;
use super::{
    CallSite, Check, Code, General, Link, Op, Pc, Place, Slot, Special, SwitchTable, Target,
};
use crate::value::Value;

/// Compiles a function that has a body.
pub fn compile(id: FuncId, func: &Function, link: &dyn Link) -> Code {
    let mut compiler = Compiler::new(id, func, link);
    for block in func.blocks.keys() {
        compiler.block(block);
    }
    compiler.finish()
}

/// How the values of a function are used, to see what needs no operation of its own.
struct Uses {
    /// Uses of any kind.
    all: SecondaryMap<Val, u32>,
    /// Uses as the address of a load or store.
    address: SecondaryMap<Val, u32>,
    /// Uses as the condition of a branch.
    condition: SecondaryMap<Val, u32>,
}

impl Uses {
    fn of(func: &Function) -> Uses {
        let mut uses = Uses {
            all: SecondaryMap::new(),
            address: SecondaryMap::new(),
            condition: SecondaryMap::new(),
        };
        let bump = |map: &mut SecondaryMap<Val, u32>, op: Operand| {
            if let Some(val) = op.as_val() {
                map[val] += 1;
            }
        };
        for inst in func.insts.values() {
            inst.for_each_use(|op| bump(&mut uses.all, op));
            if let Inst::Load { addr, .. } | Inst::Store { addr, .. } = inst {
                bump(&mut uses.address, *addr);
            }
        }
        for block in func.blocks.values() {
            block.term.for_each_use(|op| bump(&mut uses.all, op));
            if let Terminator::Branch { cond, .. } = &block.term {
                bump(&mut uses.condition, *cond);
            }
        }
        uses
    }

    fn only_address(&self, val: Val) -> bool {
        self.all[val] == self.address[val]
    }

    fn only_condition(&self, val: Val) -> bool {
        self.all[val] == self.condition[val]
    }
}

/// A comparison that is made where its result is branched on.
#[derive(Copy, Clone)]
struct Fused {
    pred: Icmp,
    a: Operand,
    b: Operand,
}

/// A jump target that is not known yet.
enum Fixup {
    /// The target of a jump.
    Target(usize),
    Then(usize),
    Otherwise(usize),
    Dense(usize, usize),
    Sparse(usize, usize),
    Default(usize),
    Indirect(usize, usize),
}

struct Compiler<'a> {
    id: FuncId,
    func: &'a Function,
    link: &'a dyn Link,
    uses: Uses,
    code: Code,
    val_slots: SecondaryMap<Val, Slot>,
    const_slots: SecondaryMap<ConstId, Slot>,
    /// Addresses that are a slot and a constant, added where they are used.
    folded: SecondaryMap<Val, Option<(Slot, i32)>>,
    fused: SecondaryMap<Val, Option<Fused>>,
    starts: SecondaryMap<BlockId, Pc>,
    fixups: Vec<(Fixup, BlockId)>,
    /// Edges with moves that a branch takes: who jumps there, and the edge.
    stubs: Vec<(Fixup, &'a Edge)>,
    spare: Option<Slot>,
    /// IR instructions since the last operation that counted them.
    line: u16,
    loc: Option<LocId>,
}

const UNKNOWN: Pc = Pc::MAX;

impl<'a> Compiler<'a> {
    fn new(id: FuncId, func: &'a Function, link: &'a dyn Link) -> Self {
        let code = Code {
            ops: Vec::with_capacity(func.insts.len() + func.blocks.len()),
            template: Vec::new(),
            params: Vec::new(),
            moves: Vec::new(),
            general: Vec::new(),
            special: Vec::new(),
            checks: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            switches: Vec::new(),
            locs: Vec::new(),
        };
        let mut this = Compiler {
            id,
            func,
            link,
            uses: Uses::of(func),
            code,
            val_slots: SecondaryMap::new(),
            const_slots: SecondaryMap::new(),
            folded: SecondaryMap::new(),
            fused: SecondaryMap::new(),
            starts: SecondaryMap::new(),
            fixups: Vec::new(),
            stubs: Vec::new(),
            spare: None,
            line: 0,
            loc: None,
        };
        this.assign_slots();
        this.find_folded();
        this
    }

    fn new_slot(&mut self, ty: Ty) -> Slot {
        let slot = self.code.template.len() as Slot;
        self.code.template.push(Value::word(0));
        if ty.is_wide() {
            self.code.template.push(Value::word(0));
        }
        slot
    }

    /// Parameters, then constants, then everything else; casts that keep the bits
    /// share their operand's slot.
    fn assign_slots(&mut self) {
        for &param in &self.func.params {
            let ty = self.func.vals[param];
            let slot = self.new_slot(ty);
            self.val_slots[param] = slot;
            self.code.params.push(Place { ty, slot });
        }
        for (id, constant) in &self.func.consts {
            let slot = self.new_slot(constant.ty());
            self.const_slots[id] = slot;
            match constant {
                Const::Bits { ty, bits } => {
                    self.code.template[slot as usize].bits = *bits as u64;
                    if ty.is_wide() {
                        self.code.template[slot as usize + 1].bits = (*bits >> 64) as u64;
                    }
                }
                Const::Address { .. } => {
                    self.code.template[slot as usize].bits = self.link.address(constant);
                }
            }
        }
        let mut same: SecondaryMap<Val, Option<Operand>> = SecondaryMap::new();
        for inst in self.func.insts.values() {
            if let Some((dst, src)) = self.keeps_bits(inst) {
                same[dst] = Some(src);
            }
        }
        for (val, &ty) in self.func.vals.iter().skip(self.func.params.len()) {
            if same[val].is_none() {
                self.val_slots[val] = self.new_slot(ty);
            }
        }
        for val in self.func.vals.keys() {
            let Some(mut source) = same[val] else { continue };
            // A chain longer than there are values is a cycle, which only code that
            // cannot be reached contains.
            let mut fuel = self.func.vals.len();
            self.val_slots[val] = loop {
                match source.kind() {
                    OperandKind::Const(c) => break self.const_slots[c],
                    OperandKind::Val(v) => match same[v] {
                        Some(next) if fuel > 0 => source = next,
                        Some(_) => break self.new_slot(self.func.vals[val]),
                        None => break self.val_slots[v],
                    },
                }
                fuel -= 1;
            };
        }
    }

    /// The result and the operand of an instruction whose result has the same bits
    /// in as many slots.
    fn keeps_bits(&self, inst: &Inst) -> Option<(Val, Operand)> {
        match *inst {
            Inst::Cast { op, dst, src } => {
                let (from, to) = (self.func.operand_ty(src), self.func.vals[dst]);
                let keeps = match op {
                    CastOp::Bitcast => true,
                    CastOp::Zext | CastOp::IntToPtr | CastOp::PtrToInt => {
                        from.bits() <= to.bits() && from.is_wide() == to.is_wide()
                    }
                    CastOp::Trunc => from.is_wide() && to.bits() == 64,
                    _ => false,
                };
                keeps.then_some((dst, src))
            }
            Inst::PtrAdd { dst, base, offset: 0, scaled: None, .. } => Some((dst, base)),
            _ => None,
        }
    }

    /// Finds comparisons that only branches ask for, and constant offsets that
    /// only loads and stores add. Done before any block is compiled: in layout
    /// order a use can come before its definition.
    fn find_folded(&mut self) {
        // The check of an alignment wants the whole address in one slot.
        let fold_offsets = !self.link.checks().alignment;
        for inst in self.func.insts.values() {
            match *inst {
                Inst::Icmp { pred, dst, a, b }
                    if self.uses.only_condition(dst) && !self.func.operand_ty(a).is_wide() =>
                {
                    self.fused[dst] = Some(Fused { pred, a, b });
                }
                Inst::PtrAdd { dst, base, offset, scaled, .. }
                    if fold_offsets && offset != 0 && self.uses.only_address(dst) =>
                {
                    if let Ok(offset) = i32::try_from(offset) {
                        let base = match scaled {
                            Some(_) => self.val_slots[dst],
                            None => self.slot(base),
                        };
                        self.folded[dst] = Some((base, offset));
                    }
                }
                _ => {}
            }
        }
    }

    fn slot(&self, op: Operand) -> Slot {
        match op.kind() {
            OperandKind::Val(v) => self.val_slots[v],
            OperandKind::Const(c) => self.const_slots[c],
        }
    }

    fn place(&self, op: Operand) -> Place {
        Place { ty: self.func.operand_ty(op), slot: self.slot(op) }
    }

    fn places(&self, ops: &[Operand]) -> Box<[Place]> {
        ops.iter().map(|&op| self.place(op)).collect()
    }

    fn dst(&self, val: Val) -> Place {
        Place { ty: self.func.vals[val], slot: self.val_slots[val] }
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.locs.push(self.loc);
    }

    fn general(&mut self, general: General) {
        let index = self.code.general.len() as u32;
        self.code.general.push(general);
        self.emit(Op::General { index });
    }

    fn special(&mut self, special: Special) {
        let index = self.code.special.len() as u32;
        self.code.special.push(special);
        self.emit(Op::Special { index });
    }

    fn check(&mut self, check: Check) {
        let index = self.code.checks.len() as u32;
        self.code.checks.push(check);
        self.emit(Op::Check { index });
    }

    /// The `n` of an operation that ends a straight line.
    fn take_line(&mut self) -> u16 {
        std::mem::take(&mut self.line)
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.func.blocks[id];
        self.starts[id] = self.code.ops.len() as Pc;
        for inst in block.inst_ids() {
            self.loc = self.func.loc(inst);
            self.line += 1;
            self.inst(&self.func.insts[inst]);
            if self.line == u16::MAX - 1 {
                let n = self.take_line();
                self.emit(Op::Count { n });
            }
        }
        self.loc = block.term_loc;
        self.line += 1;
        self.terminator(&block.term);
    }

    fn inst(&mut self, inst: &'a Inst) {
        if self.keeps_bits(inst).is_some() {
            return;
        }
        match inst {
            Inst::Bin { op, dst, a, b, nsw } => self.bin(*op, *dst, *a, *b, *nsw),
            Inst::Icmp { pred, dst, a, b } => self.icmp(*pred, *dst, *a, *b),
            Inst::FBin { op, dst, a, b } => self.fbin(*op, *dst, *a, *b),
            Inst::Cast { op, dst, src } => self.cast(*op, *dst, *src),
            Inst::PtrAdd { dst, base, offset, scaled, .. } => {
                self.ptr_add(*dst, *base, *offset, *scaled);
            }
            Inst::Load { dst, addr, align, .. } => self.load(*dst, *addr, *align),
            Inst::Store { addr, value, align, .. } => self.store(*addr, *value, *align),
            Inst::Call { callee, args, varargs, dsts } => {
                let site = CallSite {
                    callee: match *callee {
                        Callee::Direct(func) => Target::Direct(func),
                        Callee::Indirect(op) => Target::Indirect(self.slot(op)),
                    },
                    args: self.places(args),
                    exact: self.exact_args(callee, args),
                    varargs: varargs.clone(),
                    dsts: dsts.iter().map(|&v| self.dst(v)).collect(),
                };
                let index = self.code.calls.len() as u32;
                self.code.calls.push(site);
                let n = self.take_line();
                self.emit(Op::Call { n, index });
            }
            Inst::Select { dst, cond, a, b } => {
                let (d, c) = (self.dst(*dst), self.slot(*cond));
                let (a, b) = (self.place(*a), self.place(*b));
                if d.ty.is_wide() {
                    self.general(General::Select { d, c, a, b });
                } else {
                    self.emit(Op::Select { d: d.slot, c, a: a.slot, b: b.slot });
                }
            }
            _ => match self.rare(inst) {
                Rare::General(general) => self.general(general),
                Rare::Special(special) => self.special(special),
            },
        }
    }

    /// Instructions that have no operation of their own.
    fn rare(&self, inst: &Inst) -> Rare {
        let general = match *inst {
            Inst::Un { op, dst, a } => General::Un { op, d: self.dst(dst), a: self.place(a) },
            Inst::Overflow { op, dst, overflow, a, b } => General::Overflow {
                op,
                d: self.dst(dst),
                overflow: self.val_slots[overflow],
                a: self.place(a),
                b: self.place(b),
            },
            Inst::Funnel { left, dst, a, b, amount } => General::Funnel {
                left,
                d: self.dst(dst),
                a: self.place(a),
                b: self.place(b),
                amount: self.place(amount),
            },
            Inst::FUn { op, dst, a } => General::FUn { op, d: self.dst(dst), a: self.place(a) },
            Inst::Fma { dst, a, b, c } => General::Fma {
                d: self.dst(dst),
                a: self.place(a),
                b: self.place(b),
                c: self.place(c),
            },
            Inst::Fcmp { pred, dst, a, b } => General::Fcmp {
                pred,
                d: self.val_slots[dst],
                a: self.place(a),
                b: self.place(b),
            },
            Inst::FpClass { dst, a, mask } => {
                General::FpClass { d: self.val_slots[dst], a: self.place(a), mask }
            }
            _ => return Rare::Special(self.rare_special(inst)),
        };
        Rare::General(general)
    }

    fn rare_special(&self, inst: &Inst) -> Special {
        match inst {
            Inst::Alloca { dst, size, count, align, name } => Special::Alloca {
                d: self.val_slots[*dst],
                size: *size,
                count: self.place(*count),
                align: *align,
                name: name.as_ref().into(),
            },
            Inst::StackSave { dst } => Special::StackSave { d: self.val_slots[*dst] },
            Inst::StackRestore { mark } => Special::StackRestore { mark: self.slot(*mark) },
            Inst::MemCopy { dst, src, len, .. } => Special::MemCopy {
                dst: self.slot(*dst),
                src: self.slot(*src),
                len: self.place(*len),
            },
            Inst::MemSet { dst, byte, len } => Special::MemSet {
                dst: self.slot(*dst),
                byte: self.slot(*byte),
                len: self.place(*len),
            },
            Inst::VaStart { list } => Special::VaStart { list: self.slot(*list) },
            Inst::Trap => {
                Special::Fail { kind: FaultKind::Trap, message: "the program trapped" }
            }
            Inst::Unsupported { what, .. } => Special::Unsupported { what: what.clone() },
            other => Special::Unsupported { what: format!("instruction {other:?}").into() },
        }
    }

    /// The arguments' slots where the callee's parameters have the same types.
    fn exact_args(&self, callee: &Callee, args: &[Operand]) -> Option<Box<[Slot]>> {
        let &Callee::Direct(func) = callee else { return None };
        let params = self.link.signature(func)?;
        let fits = params.len() == args.len()
            && params.iter().zip(args).all(|(ty, &op)| ty.bits() == self.func.operand_ty(op).bits());
        fits.then(|| args.iter().flat_map(|&op| slots_of(self.place(op))).collect())
    }

    fn bin(&mut self, op: BinOp, dst: Val, a: Operand, b: Operand, nsw: bool) {
        let (d, pa, pb) = (self.dst(dst), self.place(a), self.place(b));
        let checks = self.link.checks();
        if nsw && checks.signed_overflow {
            self.check(Check::SignedOverflow { op, a: pa, b: pb });
        }
        if checks.shift && matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            self.check(Check::Shift { amount: pb, width: d.ty.bits() });
        }
        if d.ty.is_wide() {
            return self.general(General::Bin { op, d, a: pa, b: pb });
        }
        let w = d.ty.bits() as u8;
        let (d, a, b) = (d.slot, pa.slot, pb.slot);
        self.emit(match op {
            BinOp::Add => Op::Add { w, d, a, b },
            BinOp::Sub => Op::Sub { w, d, a, b },
            BinOp::Mul => Op::Mul { w, d, a, b },
            BinOp::And => Op::And { d, a, b },
            BinOp::Or => Op::Or { d, a, b },
            BinOp::Xor => Op::Xor { d, a, b },
            BinOp::Shl => Op::Shl { w, d, a, b },
            BinOp::LShr => Op::LShr { w, d, a, b },
            BinOp::AShr => Op::AShr { w, d, a, b },
            BinOp::UDiv => Op::UDiv { d, a, b },
            BinOp::URem => Op::URem { d, a, b },
            BinOp::SDiv => Op::SDiv { w, d, a, b },
            BinOp::SRem => Op::SRem { w, d, a, b },
            _ => return self.general(General::Bin { op, d: self.dst(dst), a: pa, b: pb }),
        });
    }

    fn icmp(&mut self, pred: Icmp, dst: Val, a: Operand, b: Operand) {
        if self.fused[dst].is_some() {
            return;
        }
        let (d, pa, pb) = (self.val_slots[dst], self.place(a), self.place(b));
        if pa.ty.is_wide() {
            return self.general(General::Icmp { pred, d, a: pa, b: pb });
        }
        let w = pa.ty.bits() as u8;
        let (a, b) = (pa.slot, pb.slot);
        self.emit(match pred {
            Icmp::Eq => Op::Eq { d, a, b },
            Icmp::Ne => Op::Ne { d, a, b },
            Icmp::Ult => Op::Ult { d, a, b },
            Icmp::Ule => Op::Ule { d, a, b },
            Icmp::Ugt => Op::Ult { d, a: b, b: a },
            Icmp::Uge => Op::Ule { d, a: b, b: a },
            Icmp::Slt => Op::Slt { w, d, a, b },
            Icmp::Sle => Op::Sle { w, d, a, b },
            Icmp::Sgt => Op::Slt { w, d, a: b, b: a },
            Icmp::Sge => Op::Sle { w, d, a: b, b: a },
        });
    }

    fn fbin(&mut self, op: FBinOp, dst: Val, a: Operand, b: Operand) {
        let (d, pa, pb) = (self.dst(dst), self.place(a), self.place(b));
        if d.ty == Ty::F64 {
            let (d, a, b) = (d.slot, pa.slot, pb.slot);
            match op {
                FBinOp::Add => return self.emit(Op::FAdd { d, a, b }),
                FBinOp::Sub => return self.emit(Op::FSub { d, a, b }),
                FBinOp::Mul => return self.emit(Op::FMul { d, a, b }),
                FBinOp::Div => return self.emit(Op::FDiv { d, a, b }),
                _ => {}
            }
        }
        self.general(General::FBin { op, d, a: pa, b: pb });
    }

    fn cast(&mut self, op: CastOp, dst: Val, src: Operand) {
        let (d, a) = (self.dst(dst), self.place(src));
        match op {
            CastOp::Trunc | CastOp::PtrToInt if d.ty.bits() < 64 => {
                self.emit(Op::Trunc { w: d.ty.bits() as u8, d: d.slot, a: a.slot });
            }
            CastOp::Sext if !d.ty.is_wide() => {
                let (from, to) = (a.ty.bits() as u8, d.ty.bits() as u8);
                self.emit(Op::Sext { from, to, d: d.slot, a: a.slot });
            }
            _ => self.general(General::Cast { op, d, a }),
        }
    }

    fn ptr_add(&mut self, dst: Val, base: Operand, offset: i64, scaled: Option<Scaled>) {
        let d = self.val_slots[dst];
        let mut base = self.slot(base);
        if let Some(Scaled { index, scale }) = scaled {
            let index = self.place(index);
            match i32::try_from(scale) {
                Ok(scale) if !index.ty.is_wide() => {
                    let w = index.ty.bits() as u8;
                    self.emit(Op::PtrIndex { w, d, base, index: index.slot, scale });
                }
                _ => self.general(General::PtrIndex { d, base, index, scale }),
            }
            base = d;
        }
        if offset == 0 || self.folded[dst].is_some() {
            return;
        }
        match i32::try_from(offset) {
            Ok(offset) => self.emit(Op::PtrOffset { d, base, offset }),
            Err(_) => {
                let b = self.new_slot(Ty::Ptr);
                self.code.template[b as usize].bits = offset as u64;
                self.emit(Op::Add { w: 64, d, a: base, b });
            }
        }
    }

    /// An address as a slot and an offset.
    fn address(&self, addr: Operand) -> (Slot, i32) {
        let folded = addr.as_val().and_then(|val| self.folded[val]);
        folded.unwrap_or_else(|| (self.slot(addr), 0))
    }

    fn check_alignment(&mut self, addr: Operand, align: u32) {
        if self.link.checks().alignment && align > 1 {
            self.check(Check::Aligned { addr: self.slot(addr), align });
        }
    }

    /// The address in one slot, for operations that take no offset.
    fn whole_address(&mut self, addr: Operand) -> Slot {
        let (base, offset) = self.address(addr);
        if offset == 0 {
            return base;
        }
        let d = self.new_slot(Ty::Ptr);
        self.emit(Op::PtrOffset { d, base, offset });
        d
    }

    fn load(&mut self, dst: Val, addr: Operand, align: u32) {
        self.check_alignment(addr, align);
        let place = self.dst(dst);
        let d = place.slot;
        let (at, offset) = self.address(addr);
        match place.ty.bits() {
            8 => self.emit(Op::Load8 { d, addr: at, offset }),
            16 => self.emit(Op::Load16 { d, addr: at, offset }),
            32 => self.emit(Op::Load32 { d, addr: at, offset }),
            64 => self.emit(Op::Load64 { d, addr: at, offset }),
            _ => {
                let addr = self.whole_address(addr);
                self.special(Special::Load { d: place, addr });
            }
        }
    }

    fn store(&mut self, addr: Operand, value: Operand, align: u32) {
        self.check_alignment(addr, align);
        let place = self.place(value);
        let value = place.slot;
        let (at, offset) = self.address(addr);
        match place.ty.bits() {
            8 => self.emit(Op::Store8 { addr: at, value, offset }),
            16 => self.emit(Op::Store16 { addr: at, value, offset }),
            32 => self.emit(Op::Store32 { addr: at, value, offset }),
            64 => self.emit(Op::Store64 { addr: at, value, offset }),
            _ => {
                let addr = self.whole_address(addr);
                self.special(Special::Store { addr, value: place });
            }
        }
    }

    fn terminator(&mut self, term: &'a Terminator) {
        let at = self.code.ops.len();
        match term {
            Terminator::Jump(edge) => {
                let n = self.take_line();
                self.jump(edge, n);
            }
            Terminator::Branch { cond, then, otherwise } => {
                let n = self.take_line();
                let fused = cond.as_val().and_then(|val| self.fused[val]);
                let swapped = match fused {
                    Some(fused) => self.fused_branch(n, fused),
                    None => {
                        let c = self.slot(*cond);
                        self.emit(Op::Branch { n, c, then: UNKNOWN, otherwise: UNKNOWN });
                        false
                    }
                };
                let (then, otherwise) = if swapped { (otherwise, then) } else { (then, otherwise) };
                self.edge(Fixup::Then(at), then);
                self.edge(Fixup::Otherwise(at), otherwise);
            }
            Terminator::Switch { value, cases, default } => self.switch(*value, cases, default),
            Terminator::IndirectJump { addr, targets } => {
                let n = self.take_line();
                self.emit(Op::Count { n });
                let labels = targets.iter().map(|e| (self.link.label(self.id, e.block), UNKNOWN));
                let special = Special::IndirectJump {
                    addr: self.slot(*addr),
                    targets: labels.collect(),
                };
                let index = self.code.special.len();
                self.special(special);
                for (i, edge) in targets.iter().enumerate() {
                    self.edge(Fixup::Indirect(index, i), edge);
                }
            }
            Terminator::Return(values) => {
                let index = self.code.returns.len() as u32;
                let places = self.places(values);
                self.code.returns.push(places);
                let n = self.take_line();
                self.emit(Op::Return { n, index });
            }
            Terminator::Unreachable => {
                self.take_line();
                let message = "code that the compiler takes to be unreachable was reached";
                self.special(Special::Fail { kind: FaultKind::Unreachable, message });
            }
        }
    }

    /// Emits a comparing branch; tells whether its sides are swapped.
    fn fused_branch(&mut self, n: u16, fused: Fused) -> bool {
        let (a, b) = (self.place(fused.a), self.place(fused.b));
        let w = a.ty.bits() as u8;
        let (a, b) = (a.slot, b.slot);
        let (then, otherwise) = (UNKNOWN, UNKNOWN);
        let (op, swapped) = match fused.pred {
            Icmp::Eq => (Op::BranchEq { n, a, b, then, otherwise }, false),
            Icmp::Ne => (Op::BranchEq { n, a, b, then, otherwise }, true),
            Icmp::Ult => (Op::BranchUlt { n, a, b, then, otherwise }, false),
            Icmp::Uge => (Op::BranchUlt { n, a, b, then, otherwise }, true),
            Icmp::Ugt => (Op::BranchUlt { n, a: b, b: a, then, otherwise }, false),
            Icmp::Ule => (Op::BranchUlt { n, a: b, b: a, then, otherwise }, true),
            Icmp::Slt => (Op::BranchSlt { n, w, a, b, then, otherwise }, false),
            Icmp::Sge => (Op::BranchSlt { n, w, a, b, then, otherwise }, true),
            Icmp::Sgt => (Op::BranchSlt { n, w, a: b, b: a, then, otherwise }, false),
            Icmp::Sle => (Op::BranchSlt { n, w, a: b, b: a, then, otherwise }, true),
        };
        self.emit(op);
        swapped
    }

    fn switch(&mut self, value: Operand, cases: &'a [(u128, Edge)], default: &'a Edge) {
        let place = self.place(value);
        let index = self.code.switches.len();
        let least = cases.iter().map(|c| c.0).min().unwrap_or(0);
        let most = cases.iter().map(|c| c.0).max().unwrap_or(0);
        let dense = !place.ty.is_wide() && most - least < 4 * cases.len() as u128 + 8;
        let mut table = SwitchTable {
            ty: place.ty,
            least: least as u64,
            dense: Box::default(),
            sparse: Box::default(),
            default: UNKNOWN,
        };
        let n = self.take_line();
        if dense {
            table.dense = vec![UNKNOWN; (most - least) as usize + 1].into();
        } else {
            let mut values: Vec<_> = cases.iter().map(|c| (c.0, UNKNOWN)).collect();
            values.sort_unstable();
            table.sparse = values.into();
        }
        self.code.switches.push(table);
        self.emit(Op::Switch { n, value: place.slot, index: index as u32 });
        for (value, edge) in cases {
            let fixup = if dense {
                Fixup::Dense(index, (value - least) as usize)
            } else {
                let sparse = &self.code.switches[index].sparse;
                Fixup::Sparse(index, sparse.partition_point(|c| c.0 < *value))
            };
            self.edge(fixup, edge);
        }
        // Gaps in a dense table lead where the default does.
        let mut gaps = vec![true; self.code.switches[index].dense.len()];
        cases.iter().filter(|_| dense).for_each(|c| gaps[(c.0 - least) as usize] = false);
        for (gap, _) in gaps.iter().enumerate().filter(|(_, is_gap)| **is_gap) {
            self.edge(Fixup::Dense(index, gap), default);
        }
        self.edge(Fixup::Default(index), default);
    }

    fn moves(&mut self, edge: &Edge) -> (u32, u32) {
        let params = &self.func.blocks[edge.block].params;
        let parallel: Vec<(Slot, Slot)> = params
            .iter()
            .zip(&edge.args)
            .flat_map(|(&to, &from)| {
                let (to, from) = (self.dst(to), self.place(from));
                slots_of(to).zip(slots_of(from)).collect::<Vec<_>>()
            })
            .collect();
        let spare = self.spare.unwrap_or(self.code.template.len() as Slot);
        let (moves, used_spare) = sequence(&parallel, spare);
        if used_spare && self.spare.is_none() {
            self.spare = Some(self.new_slot(Ty::Ptr));
        }
        let first = self.code.moves.len() as u32;
        self.code.moves.extend(&moves);
        (first, moves.len() as u32)
    }

    /// A jump with its moves.
    fn jump(&mut self, edge: &Edge, n: u16) {
        let at = self.code.ops.len();
        let (first, count) = self.moves(edge);
        self.emit(if count == 0 {
            Op::Jump { n, target: UNKNOWN }
        } else {
            Op::MoveJump { n, target: UNKNOWN, first, count }
        });
        self.fixups.push((Fixup::Target(at), edge.block));
    }

    /// An edge some operation jumps along: straight to its block, or to a stub
    /// that makes its moves.
    fn edge(&mut self, fixup: Fixup, edge: &'a Edge) {
        if edge.args.is_empty() {
            self.fixups.push((fixup, edge.block));
        } else {
            self.stubs.push((fixup, edge));
        }
    }

    fn finish(mut self) -> Code {
        for (fixup, edge) in std::mem::take(&mut self.stubs) {
            let here = self.code.ops.len() as Pc;
            self.patch(&fixup, here);
            self.jump(edge, 0);
        }
        for (fixup, block) in std::mem::take(&mut self.fixups) {
            let target = self.starts[block];
            self.patch(&fixup, target);
        }
        self.code
    }

    fn patch(&mut self, fixup: &Fixup, to: Pc) {
        let code = &mut self.code;
        match *fixup {
            Fixup::Target(at) => {
                if let Op::Jump { target, .. } | Op::MoveJump { target, .. } = &mut code.ops[at] {
                    *target = to;
                }
            }
            Fixup::Then(at) => {
                if let Op::Branch { then, .. }
                | Op::BranchEq { then, .. }
                | Op::BranchUlt { then, .. }
                | Op::BranchSlt { then, .. } = &mut code.ops[at]
                {
                    *then = to;
                }
            }
            Fixup::Otherwise(at) => {
                if let Op::Branch { otherwise, .. }
                | Op::BranchEq { otherwise, .. }
                | Op::BranchUlt { otherwise, .. }
                | Op::BranchSlt { otherwise, .. } = &mut code.ops[at]
                {
                    *otherwise = to;
                }
            }
            Fixup::Dense(index, i) => code.switches[index].dense[i] = to,
            Fixup::Sparse(index, i) => code.switches[index].sparse[i].1 = to,
            Fixup::Default(index) => code.switches[index].default = to,
            Fixup::Indirect(index, i) => {
                if let Special::IndirectJump { targets, .. } = &mut code.special[index] {
                    targets[i].1 = to;
                }
            }
        }
    }
}

enum Rare {
    General(General),
    Special(Special),
}

/// The one or two slots of a place.
fn slots_of(place: Place) -> impl Iterator<Item = Slot> {
    place.slot..place.slot + 1 + Slot::from(place.ty.is_wide())
}
