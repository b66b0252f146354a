//! Counts the blocks of a run on the engine.
//!
//! The engine has no counters. The program gets them here: a call of a function of the
//! environment at the start of every block, which writes no bytes to a descriptor that is the
//! number of the block.

use byway_base::Outcome;
use byway_base::entity::{EntityRef, PrimaryMap};
use byway_engine::{ClockKind, Config, Env, Invocation, Runner};
use byway_ir::{
    BlockId, Callee, Const, FuncId, Function, Inst, InstId, Module, Operand, Origin, Ty,
};

const WRITE: &str = "__byway_write";
/// The descriptor of the first block; the next ones have those below.
const FIRST: i32 = -2;
/// The most instructions of a run.
const MOST_INSTRUCTIONS: u64 = 100_000_000;

/// A block of the user's code.
pub type UserBlock = (FuncId, BlockId);

/// A program whose blocks report their execution.
pub struct CountedModule {
    module: Module,
    blocks: Vec<UserBlock>,
}

impl CountedModule {
    /// Adds the calls to a program.
    pub fn new(module: &Module) -> CountedModule {
        let mut module = module.clone();
        let write = module.func_by_name(WRITE).unwrap_or_else(|| {
            let (params, rets) = ([Ty::Int(32), Ty::Ptr, Ty::Int(64)], [Ty::Int(64)]);
            let function = Function::declare(WRITE.into(), Origin::Runtime, &params, &rets, false);
            module.funcs.push(function)
        });
        let mut blocks = Vec::new();
        for (id, function) in module.funcs.iter_mut().filter(|(_, f)| f.origin == Origin::User) {
            report_blocks(id, function, write, &mut blocks);
        }
        CountedModule { module, blocks }
    }

    /// A runner for the program.
    pub fn runner(&self) -> Runner<'_> {
        let config = Config { max_instructions: Some(MOST_INSTRUCTIONS), ..Config::default() };
        Runner::new(&self.module, config)
    }

    /// Runs an input; returns the outcome and the executions of each block that was executed.
    pub fn run(
        &self,
        runner: &Runner<'_>,
        call: &Invocation,
        input: &[u8],
    ) -> (Outcome, Vec<(UserBlock, u64)>) {
        let mut env = CountingEnv { counts: vec![0; self.blocks.len()], input };
        let outcome = runner.run(call, &mut env).outcome;
        let counted = self.blocks.iter().copied().zip(env.counts);
        (outcome, counted.filter(|(_, count)| *count != 0).collect())
    }
}

fn report_blocks(id: FuncId, function: &mut Function, write: FuncId, blocks: &mut Vec<UserBlock>) {
    let old = std::mem::take(&mut function.insts);
    let (mut insts, mut locs) = (PrimaryMap::<InstId, Inst>::new(), Vec::new());
    for block in function.layout() {
        let number = FIRST - blocks.len() as i32;
        blocks.push((id, block));
        let mut constant =
            |ty, bits| -> Operand { function.consts.push(Const::Bits { ty, bits }).into() };
        let args = [
            constant(Ty::Int(32), u128::from(number as u32)),
            constant(Ty::Ptr, 0),
            constant(Ty::Int(64), 0),
        ];
        let result = function.vals.push(Ty::Int(64));
        let first = insts.push(Inst::Call {
            callee: Callee::Direct(write),
            args: args.into(),
            varargs: Box::default(),
            dsts: [result].into(),
            tail: false,
        });
        locs.push(None);
        for inst in function.blocks[block].inst_ids() {
            insts.push(old[inst].clone());
            locs.push(function.locs.get(inst.index()).copied().flatten());
        }
        let block = &mut function.blocks[block];
        (block.first, block.end) = (first, InstId::new(insts.len()));
    }
    (function.insts, function.locs) = (insts, locs);
}

/// The environment of explored programs, with a fixed input.
struct CountingEnv<'a> {
    counts: Vec<u64>,
    input: &'a [u8],
}

impl Env for CountingEnv<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        let block = i64::from(FIRST) - i64::from(fd);
        if let Some(count) = usize::try_from(block).ok().and_then(|at| self.counts.get_mut(at)) {
            *count += 1;
        }
        Ok(bytes.len())
    }

    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, i32> {
        Ok(0)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        match clock {
            ClockKind::Real => (1_600_000_000, 0),
            ClockKind::Monotonic => (1, 0),
        }
    }

    fn input(&mut self, _name: &str, size: u64) -> Option<Vec<u8>> {
        let count = usize::try_from(size).ok()?;
        let (given, rest) = self.input.split_at(count.min(self.input.len()));
        self.input = rest;
        let mut bytes = given.to_vec();
        bytes.resize(count, 0);
        Some(bytes)
    }
}
