//! Functions.

use byway_base::entity::{EntityRef, PrimaryMap};
use rustc_hash::FxHashMap;

use super::{Parsed, Parser, Token};
use crate::{
    BinOp, Block, BlockId, Callee, CastOp, Const, ConstId, Edge, FBinOp, FUnOp, Fcmp, Function,
    Icmp, Inst, InstId, LocId, Operand, OverflowOp, Scaled, Terminator, Ty, UnOp, Val, VarArg,
};

/// What the parser knows about a value so far.
#[derive(Copy, Clone)]
enum ValueStatus {
    /// Neither used nor defined; only higher numbers occurred.
    Nothing,
    /// Used at this offset of the text, but not defined.
    Used(usize),
    /// Defined with this type.
    Defined(Ty),
}

/// The parts of a function that the text can list in any order.
#[derive(Default)]
struct BodyBuilder {
    vals: Vec<ValueStatus>,
    consts: PrimaryMap<ConstId, Const>,
    const_ids: FxHashMap<Const, ConstId>,
    blocks: Vec<Option<Block>>,
    insts: PrimaryMap<InstId, Inst>,
    locs: Vec<Option<LocId>>,
}

impl BodyBuilder {
    fn val(&mut self, val: Val) -> &mut ValueStatus {
        grow(&mut self.vals, val.index(), ValueStatus::Nothing)
    }

    fn constant(&mut self, c: Const) -> Operand {
        (*self.const_ids.entry(c).or_insert_with(|| self.consts.push(c))).into()
    }
}

/// The item at an index, after growing the vector with fillers if needed.
fn grow<T: Clone>(items: &mut Vec<T>, index: usize, filler: T) -> &mut T {
    if items.len() <= index {
        items.resize(index + 1, filler);
    }
    &mut items[index]
}

/// The values that an instruction defines, and their offset in the text.
struct ResultList {
    vals: Vec<Val>,
    start: usize,
}

impl<'s> Parser<'s> {
    pub(super) fn function(&mut self) -> Parsed<Function> {
        let start = self.start;
        self.word("func")?;
        let origin = self.origin()?;
        let name = self.name()?;
        let mut body = BodyBuilder::default();
        let (params, variadic) = self.params(|p| p.definition(&mut body))?;
        let mut rets = Vec::new();
        if self.eat("->")? {
            rets.push(self.ty()?);
            while self.eat(",")? {
                rets.push(self.ty()?);
            }
        }
        let optimised = self.eat_word("optimised")?;
        let scope = self.note("scope")?;
        let ty = self.note("type")?;
        if self.eat("{")? {
            while !self.eat("}")? {
                self.block(&mut body)?;
            }
        }
        let mut vals = PrimaryMap::new();
        for (i, known) in body.vals.iter().enumerate() {
            match known {
                ValueStatus::Defined(ty) => vals.push(*ty),
                ValueStatus::Used(at) => return self.error_at(*at, format!("v{i} is not defined")),
                ValueStatus::Nothing => return self.error_at(start, format!("v{i} is missing")),
            };
        }
        let mut blocks = PrimaryMap::new();
        for (i, block) in body.blocks.into_iter().enumerate() {
            match block {
                Some(block) => blocks.push(block),
                None => return self.error_at(start, format!("b{i} is missing")),
            };
        }
        let BodyBuilder { consts, insts, locs, .. } = body;
        Ok(Function {
            name,
            origin,
            params,
            rets,
            variadic,
            optimised,
            vals,
            consts,
            blocks,
            insts,
            locs,
            scope,
            ty,
        })
    }

    /// `v3:i32`, where the value is defined.
    fn definition(&mut self, body: &mut BodyBuilder) -> Parsed<Val> {
        let start = self.start;
        let val = self.id("v")?;
        self.mark(":")?;
        let ty = self.ty()?;
        let known = body.val(val);
        if let ValueStatus::Defined(_) = known {
            return self.error_at(start, format!("{val} is defined a second time"));
        }
        *known = ValueStatus::Defined(ty);
        Ok(val)
    }

    fn block(&mut self, body: &mut BodyBuilder) -> Parsed<()> {
        let start = self.start;
        let id: BlockId = self.id("b")?;
        let params = if self.token == Token::Mark("(") {
            self.list("(", ")", |p| p.definition(body))?
        } else {
            Vec::new()
        };
        self.mark(":")?;
        let first = body.insts.next_key();
        let term = loop {
            if let Some(term) = self.terminator(body)? {
                break term;
            }
            let inst = self.inst(body)?;
            body.insts.push(inst);
            body.locs.push(self.note("loc")?);
        };
        let block =
            Block { params, first, end: body.insts.next_key(), term, term_loc: self.note("loc")? };
        if grow(&mut body.blocks, id.index(), None).replace(block).is_some() {
            return self.error_at(start, format!("{id} is defined a second time"));
        }
        Ok(())
    }

    fn operand(&mut self, body: &mut BodyBuilder) -> Parsed<Operand> {
        match self.token {
            Token::Word(_) => {
                let start = self.start;
                let val = self.id("v")?;
                let known = body.val(val);
                if let ValueStatus::Nothing = known {
                    *known = ValueStatus::Used(start);
                }
                Ok(val.into())
            }
            Token::Number(_) | Token::Mark("-") => {
                let c = self.bits()?;
                Ok(body.constant(c))
            }
            Token::Name(_) => {
                let symbol = self.symbol()?;
                let offset = self.addend()?;
                Ok(body.constant(Const::Address { symbol, offset }))
            }
            _ => self.expected("a value or a constant"),
        }
    }

    /// `7:i32` or `-7:i32`.
    fn bits(&mut self) -> Parsed<Const> {
        let start = self.start;
        let negative = self.eat("-")?;
        let magnitude: u128 = self.number()?;
        self.mark(":")?;
        let ty = self.ty()?;
        let mask = u128::MAX >> (128 - ty.bits());
        let largest = if negative { mask / 2 + 1 } else { mask };
        if magnitude > largest {
            return self.error_at(start, format!("the number does not fit into {ty}"));
        }
        let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
        Ok(Const::Bits { ty, bits: bits & mask })
    }

    /// The operands after a mnemonic, with commas between them.
    fn operands<const N: usize>(&mut self, body: &mut BodyBuilder) -> Parsed<[Operand; N]> {
        let mut operands = [Operand::from(ConstId::from_u32(0)); N];
        for (i, op) in operands.iter_mut().enumerate() {
            if i > 0 {
                self.mark(",")?;
            }
            *op = self.operand(body)?;
        }
        Ok(operands)
    }

    fn edge(&mut self, body: &mut BodyBuilder) -> Parsed<Edge> {
        let block = self.id("b")?;
        let args = if self.token == Token::Mark("(") {
            self.list("(", ")", |p| p.operand(body))?
        } else {
            Vec::new()
        };
        Ok(Edge { block, args: args.into() })
    }

    /// A terminator, if there is one.
    fn terminator(&mut self, body: &mut BodyBuilder) -> Parsed<Option<Terminator>> {
        let Token::Word(word) = self.token else { return Ok(None) };
        if !matches!(word, "jump" | "br" | "switch" | "indirectjump" | "ret" | "unreachable") {
            return Ok(None);
        }
        self.advance()?;
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.edge(body)?),
            "br" => {
                let cond = self.operand(body)?;
                self.mark(",")?;
                let then = self.edge(body)?;
                self.mark(",")?;
                Terminator::Branch { cond, then, otherwise: self.edge(body)? }
            }
            "switch" => {
                let value = self.operand(body)?;
                let cases = self.list("[", "]", |p| {
                    let case = p.number()?;
                    p.mark(":")?;
                    Ok((case, p.edge(body)?))
                })?;
                self.word("else")?;
                Terminator::Switch { value, cases: cases.into(), default: self.edge(body)? }
            }
            "indirectjump" => {
                let addr = self.operand(body)?;
                let targets = self.list("[", "]", |p| p.edge(body))?;
                Terminator::IndirectJump { addr, targets: targets.into() }
            }
            "ret" => {
                let mut values = Vec::new();
                if self.is_operand() {
                    values.push(self.operand(body)?);
                    while self.eat(",")? {
                        values.push(self.operand(body)?);
                    }
                }
                Terminator::Return(values.into())
            }
            _ => Terminator::Unreachable,
        }))
    }

    /// Whether an operand begins here, rather than a block or a mnemonic.
    fn is_operand(&self) -> bool {
        match &self.token {
            Token::Word(word) => matches!(word.as_bytes(), [b'v', b'0'..=b'9', ..]),
            Token::Number(_) | Token::Name(_) | Token::Mark("-") => true,
            _ => false,
        }
    }

    fn inst(&mut self, body: &mut BodyBuilder) -> Parsed<Inst> {
        let mut results = ResultList { vals: Vec::new(), start: self.start };
        if self.is_operand() {
            results.vals.push(self.definition(body)?);
            while self.eat(",")? {
                results.vals.push(self.definition(body)?);
            }
            self.mark("=")?;
        }
        let Token::Word(word) = self.token else { return self.expected("an instruction") };
        let start = self.start;
        self.advance()?;
        if let Some(inst) = self.operation(word, &results, body)? {
            return Ok(inst);
        }
        if let Some(inst) = self.other_inst(word, results, body)? {
            return Ok(inst);
        }
        self.error_at(start, format!("unknown instruction `{word}`"))
    }

    /// The instructions that compute something from their operands alone.
    fn operation(
        &mut self,
        word: &'s str,
        results: &ResultList,
        body: &mut BodyBuilder,
    ) -> Parsed<Option<Inst>> {
        Ok(Some(if let Some(op) = BinOp::from_mnemonic(word) {
            let [dst] = self.results(word, results)?;
            let nsw = self.eat_word("nsw")?;
            let [a, b] = self.operands(body)?;
            Inst::Bin { op, dst, a, b, nsw }
        } else if let Some(op) = UnOp::from_mnemonic(word) {
            let [dst] = self.results(word, results)?;
            Inst::Un { op, dst, a: self.operand(body)? }
        } else if let Some(op) = CastOp::from_mnemonic(word) {
            let [dst] = self.results(word, results)?;
            Inst::Cast { op, dst, src: self.operand(body)? }
        } else if let Some(op) = FBinOp::from_mnemonic(word) {
            let [dst] = self.results(word, results)?;
            let [a, b] = self.operands(body)?;
            Inst::FBin { op, dst, a, b }
        } else if let Some(op) = FUnOp::from_mnemonic(word) {
            let [dst] = self.results(word, results)?;
            Inst::FUn { op, dst, a: self.operand(body)? }
        } else if let Some(op) = OverflowOp::from_mnemonic(word) {
            let [dst, overflow] = self.results(word, results)?;
            let [a, b] = self.operands(body)?;
            Inst::Overflow { op, dst, overflow, a, b }
        } else {
            return Ok(None);
        }))
    }

    fn other_inst(
        &mut self,
        word: &'s str,
        results: ResultList,
        body: &mut BodyBuilder,
    ) -> Parsed<Option<Inst>> {
        let found = match word {
            "call" => return self.call(results, body).map(Some),
            "unsupported" => {
                let what = self.string()?.into();
                return Ok(Some(Inst::Unsupported { what, dsts: results.vals.into() }));
            }
            "store" => {
                let [] = self.results(word, &results)?;
                let volatile = self.eat_word("volatile")?;
                let [addr, value] = self.operands(body)?;
                Inst::Store { addr, value, align: self.align()?, volatile }
            }
            "memcpy" | "memmove" => {
                let [] = self.results(word, &results)?;
                let [dst, src, len] = self.operands(body)?;
                Inst::MemCopy { dst, src, len, overlap: word == "memmove" }
            }
            "memset" => {
                let [] = self.results(word, &results)?;
                let [dst, byte, len] = self.operands(body)?;
                Inst::MemSet { dst, byte, len }
            }
            "scope.begin" | "scope.end" => {
                let [] = self.results(word, &results)?;
                Inst::Lifetime { addr: self.operand(body)?, begins: word == "scope.begin" }
            }
            "stackrestore" => {
                let [] = self.results(word, &results)?;
                Inst::StackRestore { mark: self.operand(body)? }
            }
            "vastart" => {
                let [] = self.results(word, &results)?;
                let list = self.operand(body)?;
                self.mark(",")?;
                self.word("general")?;
                let general = self.number()?;
                self.mark(",")?;
                self.word("vector")?;
                let vector = self.number()?;
                self.mark(",")?;
                self.word("stack")?;
                Inst::VaStart { list, general, vector, stack: self.number()? }
            }
            "trap" => {
                let [] = self.results(word, &results)?;
                Inst::Trap
            }
            "line" => {
                let [] = self.results(word, &results)?;
                Inst::Line
            }
            _ => return self.defining_inst(word, &results, body),
        };
        Ok(Some(found))
    }

    /// The instructions that define one value.
    fn defining_inst(
        &mut self,
        word: &'s str,
        results: &ResultList,
        body: &mut BodyBuilder,
    ) -> Parsed<Option<Inst>> {
        Ok(Some(match word {
            "fshl" | "fshr" => {
                let [dst] = self.results(word, results)?;
                let [a, b, amount] = self.operands(body)?;
                Inst::Funnel { left: word == "fshl", dst, a, b, amount }
            }
            "icmp" => {
                let [dst] = self.results(word, results)?;
                let pred = self.one_of("an integer comparison", Icmp::from_mnemonic)?;
                let [a, b] = self.operands(body)?;
                Inst::Icmp { pred, dst, a, b }
            }
            "fcmp" => {
                let [dst] = self.results(word, results)?;
                let pred = self.one_of("a float comparison", Fcmp::from_mnemonic)?;
                let [a, b] = self.operands(body)?;
                Inst::Fcmp { pred, dst, a, b }
            }
            "fma" => {
                let [dst] = self.results(word, results)?;
                let [a, b, c] = self.operands(body)?;
                Inst::Fma { dst, a, b, c }
            }
            "fpclass" => {
                let [dst] = self.results(word, results)?;
                let a = self.operand(body)?;
                self.mark(",")?;
                Inst::FpClass { dst, a, mask: self.number()? }
            }
            "select" => {
                let [dst] = self.results(word, results)?;
                let [cond, a, b] = self.operands(body)?;
                Inst::Select { dst, cond, a, b }
            }
            "ptradd" => {
                let [dst] = self.results(word, results)?;
                self.ptr_add(dst, body)?
            }
            "load" => {
                let [dst] = self.results(word, results)?;
                let volatile = self.eat_word("volatile")?;
                let addr = self.operand(body)?;
                Inst::Load { dst, addr, align: self.align()?, volatile }
            }
            "alloca" => {
                let [dst] = self.results(word, results)?;
                let size = self.number()?;
                self.word("x")?;
                let count = self.operand(body)?;
                let align = self.align()?;
                let name = if self.eat(",")? { self.string()?.into() } else { Box::default() };
                Inst::Alloca { dst, size, count, align, name }
            }
            "undefined" => {
                let [dst] = self.results(word, results)?;
                Inst::Undefined { dst, name: self.string()?.into() }
            }
            "stacksave" => {
                let [dst] = self.results(word, results)?;
                Inst::StackSave { dst }
            }
            _ => return Ok(None),
        }))
    }

    /// The results as an array; an error if their number is not `N`.
    fn results<const N: usize>(&self, word: &str, results: &ResultList) -> Parsed<[Val; N]> {
        let found = results.vals.len();
        <[Val; N]>::try_from(results.vals.as_slice()).or_else(|_| {
            let message = format!("`{word}` defines {N} values, not {found}");
            self.error_at(results.start, message)
        })
    }

    fn align(&mut self) -> Parsed<u32> {
        self.mark(",")?;
        self.word("align")?;
        self.number()
    }

    fn ptr_add(&mut self, dst: Val, body: &mut BodyBuilder) -> Parsed<Inst> {
        let inbounds = self.eat_word("inbounds")?;
        let base = self.operand(body)?;
        self.mark(",")?;
        let offset = self.signed()?;
        let scaled = if self.eat(",")? {
            let index = self.operand(body)?;
            self.mark("*")?;
            Some(Scaled { index, scale: self.signed()? })
        } else {
            None
        };
        Ok(Inst::PtrAdd { dst, base, offset, scaled, inbounds })
    }

    fn call(&mut self, results: ResultList, body: &mut BodyBuilder) -> Parsed<Inst> {
        let tail = self.eat_word("tail")?;
        let callee = if self.eat("*")? {
            Callee::Indirect(self.operand(body)?)
        } else {
            Callee::Direct(self.func_id()?)
        };
        let args = self.list("(", ")", |p| p.operand(body))?;
        let varargs =
            if self.eat("...")? { self.list("[", "]", Parser::vararg)? } else { Vec::new() };
        Ok(Inst::Call {
            callee,
            args: args.into(),
            varargs: varargs.into(),
            dsts: results.vals.into(),
            tail,
        })
    }

    fn vararg(&mut self) -> Parsed<VarArg> {
        self.word("at")?;
        let offset = self.number()?;
        let operands = if self.eat_word("x")? { self.number()? } else { 1 };
        let by_value = if self.eat_word("byval")? { Some(self.number()?) } else { None };
        Ok(VarArg { offset, operands, by_value })
    }
}
