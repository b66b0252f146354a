//! Random modules that verify, with every instruction and odd names among them.
//!
//! The same seed and size give the same module. Which block dominates which is
//! computed from the definition, so that the verifier's dominators are tested, too.

use byway_base::entity::EntityRef;
use byway_ir::{
    BinOp, BlockId, Callee, CastOp, Const, Ctor, DebugInfo, DebugMember, DebugTy, DebugTyId, Edge,
    FBinOp, FUnOp, Fcmp, FuncId, Function, FunctionBuilder, Global, GlobalId, Icmp, Init, Inst,
    Loc, LocId, Module, Operand, Origin, OverflowOp, Reloc, Scaled, Scope, ScopeId, SourceFile,
    SourceFileId, Symbol, Terminator, Ty, UnOp, VarArg,
};

/// A small generator of random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.chance(50) { Some(value(self)) } else { None }
    }

    fn wide(&mut self) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        match self.below(4) {
            0 => any % 10,
            1 => u128::MAX - any % 10,
            2 => 1 << self.below(128),
            _ => any,
        }
    }

    fn offset(&mut self) -> i64 {
        match self.below(3) {
            0 => 0,
            1 => self.below(100) as i64 - 50,
            _ => self.next() as i64,
        }
    }

    fn string(&mut self) -> String {
        let letters =
            ["a", "Z", "_", ".", "$", "0", " ", "\"", "\\", "\n", "é", ";", "@", "\0", "-"];
        (0..self.below(6)).map(|_| self.pick(&letters)).collect()
    }

    fn ty(&mut self) -> Ty {
        match self.below(4) {
            0 => Ty::Ptr,
            1 => self.float(),
            _ => self.int(),
        }
    }

    fn int(&mut self) -> Ty {
        Ty::Int(self.pick(&[1, 2, 7, 8, 16, 31, 32, 33, 48, 64, 65, 96, 127, 128]))
    }

    fn float(&mut self) -> Ty {
        self.pick(&[Ty::F16, Ty::Bf16, Ty::F32, Ty::F64, Ty::F80, Ty::F128])
    }

    fn tys(&mut self, most: usize) -> Vec<Ty> {
        (0..self.below(most + 1)).map(|_| self.ty()).collect()
    }

    fn align(&mut self) -> u32 {
        1 << self.below(8)
    }

    fn origin(&mut self) -> Origin {
        self.pick(Origin::ALL)
    }
}

/// The number of entities of each kind, fixed before the module is filled, so that
/// everything can refer to everything.
struct Plan {
    /// The number of blocks of each function; none for a declaration.
    blocks: Vec<usize>,
    globals: usize,
    locs: usize,
    types: usize,
    scopes: usize,
}

impl Plan {
    fn symbol(&self, r: &mut Random) -> Symbol {
        let func = r.below(self.blocks.len());
        match r.below(3) {
            0 if self.globals > 0 => Symbol::Global(GlobalId::new(r.below(self.globals))),
            1 if self.blocks[func] > 0 => {
                Symbol::Block(FuncId::new(func), BlockId::new(r.below(self.blocks[func])))
            }
            _ => Symbol::Func(FuncId::new(func)),
        }
    }

    fn loc(&self, r: &mut Random) -> Option<LocId> {
        r.maybe(|r| r.below(self.locs)).map(LocId::new)
    }

    fn debug_ty(&self, r: &mut Random) -> Option<DebugTyId> {
        r.maybe(|r| r.below(self.types)).map(DebugTyId::new)
    }
}

/// A module that verifies, with about `size` instructions.
pub fn module(seed: u64, size: usize) -> Module {
    let r = &mut Random::new(seed);
    let funcs = 1 + r.below(4);
    let most_blocks = 1 + size / 8;
    let plan = Plan {
        blocks: (0..funcs).map(|_| r.below(most_blocks + 1)).collect(),
        globals: r.below(4),
        locs: 1 + r.below(4),
        types: 1 + r.below(8),
        scopes: 1 + r.below(2),
    };
    let mut module = Module { name: r.string(), ..Module::default() };
    for i in 0..plan.globals {
        let global = global(r, &plan, i);
        module.globals.push(global);
    }
    for i in 0..funcs {
        // The number makes names unique; the unusual part comes first.
        let name = format!("{}f{i}", r.string());
        let (params, rets) = (r.tys(3), r.tys(2));
        let mut func = Function::declare(name, r.origin(), &params, &rets, r.chance(30));
        func.optimised = r.chance(30);
        func.scope = r.maybe(|r| ScopeId::new(r.below(plan.scopes)));
        func.ty = plan.debug_ty(r);
        if plan.blocks[i] > 0 {
            func = Body::new(r, &plan, func, plan.blocks[i]).fill(size / plan.blocks[i]);
        }
        module.funcs.push(func);
    }
    let mut priority = 0;
    for _ in 0..r.below(3) {
        priority += r.below(2) as u32;
        module.ctors.push(Ctor { priority, func: FuncId::new(r.below(funcs)) });
        module.dtors.push(Ctor { priority, func: FuncId::new(r.below(funcs)) });
    }
    module.debug = debug(r, &plan);
    module
}

fn global(r: &mut Random, plan: &Plan, number: usize) -> Global {
    let size = r.below(200) as u64;
    let mut init = Init::default();
    for _ in 0..r.below(size as usize + 1) {
        init.bytes.push(if r.chance(50) { b'a' } else { r.next() as u8 });
    }
    let mut offset = 0;
    loop {
        offset += r.below(20) as u64;
        let width = 1 + r.below(8) as u8;
        if offset + u64::from(width) > size {
            break;
        }
        let minus = r.maybe(|r| plan.symbol(r));
        let addend = r.offset();
        init.relocs.push(Reloc { offset, width, plus: plan.symbol(r), minus, addend });
        offset += u64::from(width);
    }
    Global {
        name: format!("{}g{number}", r.string()),
        origin: r.origin(),
        size,
        align: r.align(),
        constant: r.chance(50),
        init: r.maybe(|_| init),
        ty: plan.debug_ty(r),
        loc: plan.loc(r),
    }
}

fn debug(r: &mut Random, plan: &Plan) -> DebugInfo {
    let mut debug = DebugInfo::default();
    for _ in 0..2 {
        let (directory, name) = (r.string(), r.string());
        debug.files.push(SourceFile { directory, name, md5: r.maybe(Random::string) });
    }
    for _ in 0..plan.scopes {
        let file = SourceFileId::new(r.below(2));
        let params = (0..r.below(3)).map(|_| r.string()).collect();
        debug.scopes.push(Scope { name: r.string(), file, line: r.next() as u32, params });
    }
    for i in 0..plan.locs {
        debug.locs.push(Loc {
            file: SourceFileId::new(r.below(2)),
            line: r.next() as u32,
            column: r.below(100) as u32,
            scope: ScopeId::new(r.below(plan.scopes)),
            inlined_at: if i > 0 { r.maybe(|r| LocId::new(r.below(i))) } else { None },
        });
    }
    for _ in 0..plan.types {
        let ty = debug_ty(r, plan);
        debug.types.push(ty);
    }
    debug
}

fn debug_ty(r: &mut Random, plan: &Plan) -> DebugTy {
    let name = r.string();
    let bits = r.below(129) as u32;
    match r.below(8) {
        0 => DebugTy::Unknown,
        1 => DebugTy::Base { name, bits, signed: r.chance(50), float: r.chance(50) },
        2 => DebugTy::Pointer(plan.debug_ty(r)),
        3 => DebugTy::Struct {
            name,
            size: r.next(),
            union: r.chance(50),
            members: (0..r.below(3))
                .map(|_| DebugMember {
                    name: r.string(),
                    offset_bits: r.next(),
                    bits: r.next(),
                    ty: plan.debug_ty(r),
                })
                .collect(),
        },
        4 => DebugTy::Array {
            element: DebugTyId::new(r.below(plan.types)),
            count: r.maybe(Random::next),
        },
        5 => {
            let values = (0..r.below(3)).map(|_| (r.string(), r.next() as i64)).collect();
            DebugTy::Enum { name, bits, values }
        }
        6 => DebugTy::Typedef { name, of: plan.debug_ty(r) },
        _ => DebugTy::Function {
            result: plan.debug_ty(r),
            params: (0..r.below(3)).map(|_| plan.debug_ty(r)).collect(),
            variadic: r.chance(50),
        },
    }
}

/// A function under construction.
struct Body<'a> {
    r: &'a mut Random,
    plan: &'a Plan,
    builder: FunctionBuilder,
    blocks: Vec<BlockId>,
    /// The targets of the edges of each block.
    targets: Vec<Vec<usize>>,
    /// The parameter types of each block.
    params: Vec<Vec<Ty>>,
    /// The values that each block defines so far.
    defined: Vec<Vec<Operand>>,
    /// The current block.
    current: usize,
}

impl<'a> Body<'a> {
    fn new(r: &'a mut Random, plan: &'a Plan, func: Function, count: usize) -> Self {
        let mut builder = FunctionBuilder::new(func);
        let blocks: Vec<_> = (0..count).map(|_| builder.create_block()).collect();
        let mut targets = vec![Vec::new(); count];
        for list in &mut targets {
            for _ in 0..r.below(4) {
                if count > 1 {
                    list.push(1 + r.below(count - 1));
                }
            }
        }
        let mut params = vec![Vec::new(); count];
        params[1..].fill_with(|| r.tys(2));
        let mut defined = vec![Vec::new(); count];
        for i in 0..count {
            for &ty in &params[i] {
                let param = builder.block_param(blocks[i], ty);
                defined[i].push(param);
            }
        }
        Body { r, plan, builder, blocks, targets, params, defined, current: 0 }
    }

    fn fill(mut self, insts_per_block: usize) -> Function {
        // In any order: the layout of blocks need not be that of their numbers.
        let mut order: Vec<_> = (0..self.blocks.len()).collect();
        if self.r.chance(50) {
            for i in (1..order.len()).rev() {
                order.swap(i, self.r.below(i + 1));
            }
        }
        for block in order {
            if block > 0 && self.targets.iter().all(|t| !t.contains(&block)) && self.r.chance(20) {
                continue; // stays empty, as blocks that are never filled do
            }
            self.current = block;
            self.builder.switch_to(self.blocks[block]);
            for _ in 0..self.r.below(insts_per_block * 2 + 1) {
                let loc = self.plan.loc(self.r);
                self.builder.set_loc(loc);
                self.inst();
            }
            let loc = self.plan.loc(self.r);
            self.builder.set_loc(loc);
            let term = self.terminator();
            self.builder.terminate(term);
        }
        self.builder.finish()
    }

    fn dominates(&self, a: usize, b: usize) -> bool {
        let mut seen = vec![false; self.blocks.len()];
        let mut work = if a == 0 { vec![] } else { vec![0] };
        while let Some(n) = work.pop() {
            if n != a && !std::mem::replace(&mut seen[n], true) {
                work.extend(&self.targets[n]);
            }
        }
        !seen[b]
    }

    fn operand(&mut self, ty: Ty) -> Operand {
        let mut candidates: Vec<Operand> =
            self.builder.func().params.iter().map(|&v| v.into()).collect();
        for block in 0..self.blocks.len() {
            if block == self.current || self.dominates(block, self.current) {
                candidates.extend(&self.defined[block]);
            }
        }
        candidates.retain(|&op| self.builder.ty(op) == ty);
        if !candidates.is_empty() && self.r.chance(70) {
            return self.r.pick(&candidates);
        }
        if ty == Ty::Ptr && self.r.chance(70) {
            let symbol = self.plan.symbol(self.r);
            let offset = self.r.offset();
            return self.builder.constant(Const::Address { symbol, offset });
        }
        let bits = self.r.wide();
        self.builder.bits(ty, bits)
    }

    fn int_operand(&mut self) -> Operand {
        let ty = self.r.int();
        self.operand(ty)
    }

    fn operands(&mut self, most: usize) -> Vec<Operand> {
        self.r.tys(most).into_iter().map(|ty| self.operand(ty)).collect()
    }

    /// Pushes an instruction that defines values of these types.
    fn push(&mut self, tys: &[Ty], inst: impl FnOnce(&[byway_ir::Val]) -> Inst) {
        let dsts: Vec<_> = tys.iter().map(|&ty| self.builder.new_val(ty)).collect();
        self.builder.push(inst(&dsts));
        self.defined[self.current].extend(dsts.iter().map(|&v| Operand::from(v)));
    }

    fn inst(&mut self) {
        let ty = self.r.ty();
        let int = self.r.int();
        let float = self.r.float();
        let align = self.r.align();
        let flag = self.r.chance(50);
        match self.r.below(28) {
            0 => {
                let (op, a, b) = (self.r.pick(BinOp::ALL), self.operand(int), self.operand(int));
                self.push(&[int], |d| Inst::Bin { op, dst: d[0], a, b, nsw: flag });
            }
            1 => {
                let op = self.r.pick(UnOp::ALL);
                let int =
                    if op == UnOp::Bswap { self.r.pick(&[Ty::Int(16), Ty::Int(48)]) } else { int };
                let a = self.operand(int);
                self.push(&[int], |d| Inst::Un { op, dst: d[0], a });
            }
            2 => {
                let op = self.r.pick(OverflowOp::ALL);
                let (a, b) = (self.operand(int), self.operand(int));
                self.push(&[int, Ty::BOOL], |d| Inst::Overflow {
                    op,
                    dst: d[0],
                    overflow: d[1],
                    a,
                    b,
                });
            }
            3 => {
                let (a, b, amount) = (self.operand(int), self.operand(int), self.operand(int));
                self.push(&[int], |d| Inst::Funnel { left: flag, dst: d[0], a, b, amount });
            }
            4 => {
                let ty = if flag { Ty::Ptr } else { int };
                let (pred, a, b) = (self.r.pick(Icmp::ALL), self.operand(ty), self.operand(ty));
                self.push(&[Ty::BOOL], |d| Inst::Icmp { pred, dst: d[0], a, b });
            }
            5 => {
                let (op, a, b) =
                    (self.r.pick(FBinOp::ALL), self.operand(float), self.operand(float));
                self.push(&[float], |d| Inst::FBin { op, dst: d[0], a, b });
            }
            6 => {
                let (op, a) = (self.r.pick(FUnOp::ALL), self.operand(float));
                self.push(&[float], |d| Inst::FUn { op, dst: d[0], a });
            }
            7 => {
                let (a, b, c) = (self.operand(float), self.operand(float), self.operand(float));
                self.push(&[float], |d| Inst::Fma { dst: d[0], a, b, c });
            }
            8 => {
                let (pred, a, b) =
                    (self.r.pick(Fcmp::ALL), self.operand(float), self.operand(float));
                self.push(&[Ty::BOOL], |d| Inst::Fcmp { pred, dst: d[0], a, b });
            }
            9 => {
                let (a, mask) = (self.operand(float), self.r.below(1 << 10) as u16);
                self.push(&[Ty::BOOL], |d| Inst::FpClass { dst: d[0], a, mask });
            }
            10..=12 => self.cast(),
            13 => {
                let (cond, a, b) = (self.operand(Ty::BOOL), self.operand(ty), self.operand(ty));
                self.push(&[ty], |d| Inst::Select { dst: d[0], cond, a, b });
            }
            14 => {
                let base = self.operand(Ty::Ptr);
                let offset = self.r.offset();
                let scaled = if self.r.chance(50) {
                    Some(Scaled { index: self.int_operand(), scale: self.r.offset() })
                } else {
                    None
                };
                self.push(&[Ty::Ptr], |d| Inst::PtrAdd {
                    dst: d[0],
                    base,
                    offset,
                    scaled,
                    inbounds: flag,
                });
            }
            15 => {
                let addr = self.operand(Ty::Ptr);
                self.push(&[ty], |d| Inst::Load { dst: d[0], addr, align, volatile: flag });
            }
            16 => {
                let (addr, value) = (self.operand(Ty::Ptr), self.operand(ty));
                self.push(&[], |_| Inst::Store { addr, value, align, volatile: flag });
            }
            17 => {
                let (size, count) = (self.r.next(), self.int_operand());
                let name = self.r.string().into();
                self.push(&[Ty::Ptr], |d| Inst::Alloca { dst: d[0], size, count, align, name });
            }
            18 => self.push(&[Ty::Ptr], |d| Inst::StackSave { dst: d[0] }),
            19 => {
                let mark = self.operand(Ty::Ptr);
                self.push(&[], |_| Inst::StackRestore { mark });
            }
            20 => {
                let (dst, src, len) =
                    (self.operand(Ty::Ptr), self.operand(Ty::Ptr), self.int_operand());
                self.push(&[], |_| Inst::MemCopy { dst, src, len, overlap: flag });
            }
            21 => {
                let (dst, byte, len) =
                    (self.operand(Ty::Ptr), self.operand(Ty::Int(8)), self.int_operand());
                self.push(&[], |_| Inst::MemSet { dst, byte, len });
            }
            22 => {
                let dsts = self.r.tys(2);
                self.call(&dsts, false);
            }
            23 => {
                let list = self.operand(Ty::Ptr);
                let (general, vector) = (self.r.below(7) as u8, self.r.below(9) as u8);
                let stack = 8 * self.r.below(9) as u32;
                if self.builder.func().variadic {
                    self.push(&[], |_| Inst::VaStart { list, general, vector, stack });
                }
            }
            24 => self.push(&[], |_| if flag { Inst::Trap } else { Inst::Line }),
            25 => {
                let name = self.r.string().into();
                self.push(&[ty], |d| Inst::Undefined { dst: d[0], name });
            }
            26 => {
                let addr = self.operand(Ty::Ptr);
                self.push(&[], |_| Inst::Lifetime { addr, begins: flag });
            }
            _ => {
                let (what, dsts) = (self.r.string().into(), self.r.tys(2));
                self.push(&dsts, |d| Inst::Unsupported { what, dsts: d.into() });
            }
        }
    }

    fn cast(&mut self) {
        let op = self.r.pick(CastOp::ALL);
        let narrow = Ty::Int(1 + self.r.below(60) as u8);
        let wide = Ty::Int(61 + self.r.below(68) as u8);
        let (float, other_float) =
            self.r.pick(&[(Ty::F32, Ty::F64), (Ty::F80, Ty::F16), (Ty::F128, Ty::Bf16)]);
        let (from, to) = match op {
            CastOp::Trunc => (wide, narrow),
            CastOp::Zext | CastOp::Sext => (narrow, wide),
            CastOp::FpToSi | CastOp::FpToUi | CastOp::FpToSiSat | CastOp::FpToUiSat => {
                (float, wide)
            }
            CastOp::SiToFp | CastOp::UiToFp => (narrow, float),
            CastOp::FpConvert => (float, other_float),
            CastOp::PtrToInt => (Ty::Ptr, narrow),
            CastOp::IntToPtr => (wide, Ty::Ptr),
            CastOp::Bitcast => (Ty::Int(80), Ty::F80),
            CastOp::Freeze => (Ty::F64, Ty::F64),
        };
        let src = self.operand(from);
        self.push(&[to], |d| Inst::Cast { op, dst: d[0], src });
    }

    fn call(&mut self, dsts: &[Ty], tail: bool) {
        let callee = if self.r.chance(50) {
            Callee::Direct(FuncId::new(self.r.below(self.plan.blocks.len())))
        } else {
            Callee::Indirect(self.operand(Ty::Ptr))
        };
        let mut args = self.operands(3);
        let mut varargs = Vec::new();
        for _ in 0..self.r.below(3) {
            let offset = 8 * self.r.below(40) as u32;
            if self.r.chance(30) {
                args.push(self.operand(Ty::Ptr));
                varargs.push(VarArg { offset, operands: 1, by_value: Some(self.r.next()) });
            } else {
                let ty = self.r.ty();
                let operands = 1 + self.r.below(3) as u32;
                for _ in 0..operands {
                    args.push(self.operand(ty));
                }
                varargs.push(VarArg { offset, operands, by_value: None });
            }
        }
        self.push(dsts, |d| Inst::Call {
            callee,
            args: args.into(),
            varargs: varargs.into(),
            dsts: d.into(),
            tail,
        });
    }

    fn edge(&mut self, target: usize) -> Edge {
        let args = self.params[target].clone().into_iter().map(|ty| self.operand(ty)).collect();
        Edge { block: self.blocks[target], args }
    }

    fn terminator(&mut self) -> Terminator {
        let targets = self.targets[self.current].clone();
        match targets[..] {
            [] if self.r.chance(20) => {
                let rets = self.builder.func().rets.clone();
                self.call(&rets, true);
                let defined = &self.defined[self.current];
                Terminator::Return(defined[defined.len() - rets.len()..].into())
            }
            [] if self.r.chance(50) => {
                let rets = self.builder.func().rets.clone();
                Terminator::Return(rets.into_iter().map(|ty| self.operand(ty)).collect())
            }
            [] => Terminator::Unreachable,
            [only] => Terminator::Jump(self.edge(only)),
            [then, otherwise] if self.r.chance(50) => {
                let cond = self.operand(Ty::BOOL);
                Terminator::Branch { cond, then: self.edge(then), otherwise: self.edge(otherwise) }
            }
            _ if self.r.chance(50) => {
                let addr = self.operand(Ty::Ptr);
                let targets = targets.into_iter().map(|t| self.edge(t)).collect();
                Terminator::IndirectJump { addr, targets }
            }
            [ref cases @ .., default] => {
                let ty = Ty::Int(self.r.pick(&[8, 64, 128]));
                let value = self.operand(ty);
                let mut case = self.r.below(100) as u128;
                let cases = cases
                    .iter()
                    .map(|&t| {
                        case += 1 + self.r.below(20) as u128;
                        (case, self.edge(t))
                    })
                    .collect();
                Terminator::Switch { value, cases, default: self.edge(default) }
            }
        }
    }
}
