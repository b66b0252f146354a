//! A module laid out to run: every symbol has an address, memory holds the globals, and each
//! function is compiled when it is first called.

use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::UnsupportedFeature;
use byway_base::entity::{EntityRef, PrimaryMap, SecondaryMap};
use byway_ir::analysis::{CallGraph, ProgramPoint};
use byway_ir::{BlockId, Const, FuncId, GlobalId, Module, Origin, Reloc, Symbol, Terminator, Ty};
use rustc_hash::FxHashMap;

use crate::bytecode::access_log::AccessLog;
use crate::bytecode::observation::ObservationLog;
use crate::bytecode::value_log::{RecordedValues, ValueLog};
use crate::bytecode::{Code, CompileContext, Pc, compile};
use crate::coverage::{CoverageSite, sites_of};
use crate::intrinsic::Intrinsic;
use crate::memory::address::{CODE_LIMIT, FUNCTION_PREFIX, code_address, code_index};
use crate::memory::{Memory, MemoryAccount, ObjectKind};
use crate::underconstrained::{UnconstrainedOptions, callbacks};
use crate::watch::{Watch, WatchId, Watches};
use crate::{Checks, Config, LongDoubles, UnsetMemory};

/// The table of functions' types, which loading makes.
const FUNCTION_TYPES: &str = "__byway_function_types";

/// What a call of a function executes.
pub enum FunctionBody<'p> {
    /// The compiled function.
    Code(&'p Code),
    /// A function of the engine.
    Intrinsic(Intrinsic),
    /// Nothing: no input file defines the function.
    Missing,
}

/// A module laid out to run.
pub struct Program<'m> {
    /// The module laid out.
    pub module: &'m Module,
    /// How symbolic long doubles are handled.
    pub long_doubles: LongDoubles,
    /// What the user's code reads before it is set.
    pub unset_memory: UnsetMemory,
    /// The bounds of unconstrained input.
    pub unconstrained: UnconstrainedOptions,
    /// Whether stacks of faults have the values of arguments.
    pub stack_arguments: bool,
    /// Whether inputs are asserted to have the bytes of the seed that a path follows.
    pub pins_seeds: bool,
    /// Whether paths record the branches that they take.
    pub traces_branches: bool,
    replay_path: Option<Arc<[bool]>>,
    /// The functions that a pointer of the input can refer to, by their signatures.
    callbacks: OnceCell<FxHashMap<String, Vec<u64>>>,
    /// The numbers of the functions whose address is taken, as ranges.
    pointed: OnceCell<Vec<Range<u64>>>,
    checks: Checks,
    codes: CodeTable,
    /// The code after observation ended.
    unobserved: OnceCell<CodeTable>,
    intrinsics: SecondaryMap<FuncId, Option<Intrinsic>>,
    globals: SecondaryMap<GlobalId, u64>,
    /// The addresses of labels, after those of the functions.
    labels: FxHashMap<(FuncId, BlockId), u64>,
    /// The coverage sites of the user's code; empty if coverage is off.
    sites: Vec<CoverageSite>,
    first_sites: SecondaryMap<FuncId, Option<u32>>,
    /// Whether the code counts block executions.
    counting: bool,
    /// Executions of the coverage sites; empty if they are not counted.
    site_counters: Vec<Rc<Cell<u64>>>,
    watches: Watches,
    observation_log: Option<Rc<dyn ObservationLog>>,
    value_log: Option<Rc<ValueLog>>,
    memory: Memory,
    /// Objects of the runtime that the engine uses.
    pub runtime: RuntimeObjects,
}

/// The functions that were called so far.
type CodeTable = PrimaryMap<FuncId, OnceCell<Code>>;

fn code_table(module: &Module) -> CodeTable {
    module.funcs.values().map(|_| OnceCell::new()).collect()
}

/// Addresses of the runtime's objects that the engine reads or writes; `None` in a program
/// without the runtime.
#[derive(Copy, Clone, Debug, Default)]
pub struct RuntimeObjects {
    /// `errno`.
    pub errno: Option<u64>,
    /// `__byway_failing_allocations`.
    pub failing_allocations: Option<u64>,
}

/// The offset of `errno` in `__byway_thread`; `runtime/src/start.c` asserts it.
const ERRNO_OFFSET: u64 = 52;

impl<'m> Program<'m> {
    /// Lays out the module.
    pub fn new(module: &'m Module, config: &Config) -> Result<Self, UnsupportedFeature> {
        let mut intrinsics = SecondaryMap::new();
        for (id, func) in &module.funcs {
            if func.is_declaration() {
                intrinsics[id] = Intrinsic::by_name(&func.name);
            }
        }
        let track_written =
            config.checks.uninitialised || config.unset_memory == UnsetMemory::Symbolic;
        let memory =
            Memory::new(config.max_memory, track_written).with_stack_limit(config.max_stack);
        let mut program = Program {
            module,
            long_doubles: config.long_doubles,
            unset_memory: config.unset_memory,
            unconstrained: config.unconstrained,
            stack_arguments: config.stack_arguments,
            pins_seeds: config.pin_seeds,
            traces_branches: config.trace_branches || config.replay_path.is_some(),
            replay_path: config.replay_path.clone(),
            callbacks: OnceCell::new(),
            pointed: OnceCell::new(),
            checks: config.checks,
            codes: code_table(module),
            unobserved: OnceCell::new(),
            intrinsics,
            globals: SecondaryMap::new(),
            labels: number_labels(module),
            sites: Vec::new(),
            first_sites: SecondaryMap::new(),
            counting: false,
            site_counters: Vec::new(),
            watches: Watches::default(),
            observation_log: None,
            value_log: config.record_values.then(Rc::default),
            memory: match config.forks {
                true => memory.with_forks(),
                false => memory,
            },
            runtime: RuntimeObjects::default(),
        };
        let codes = (module.funcs.len() + program.labels.len()) as u64;
        if codes > CODE_LIMIT {
            return Err(UnsupportedFeature::TooManyFunctions(codes));
        }
        program.place_globals()?;
        program.place_function_types();
        program.runtime = program.find_runtime_objects();
        if config.coverage {
            program.number_sites();
        }
        Ok(program)
    }

    /// Turns counting of block executions on or off. Call it before any function is compiled.
    pub fn count_executions(&mut self, counting: bool) {
        self.counting = counting;
    }

    /// Counts executions of coverage sites. Call it before any function is compiled.
    pub fn count_sites(&mut self) {
        self.site_counters = self.sites.iter().map(|_| Rc::default()).collect();
    }

    /// Executions of coverage sites since the last call, by their number. Those without any are
    /// omitted; none if they are not counted.
    pub fn take_site_executions(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let counts = self.site_counters.iter().map(|count| count.take());
        (0..).zip(counts).filter(|(_, count)| *count > 0)
    }

    /// Watches these points. Call it before any function is compiled.
    pub fn watch(&mut self, points: &[ProgramPoint]) {
        self.watches = Watches::new(points);
    }

    /// Records accesses. Call it before any function is compiled.
    pub fn log_accesses(&mut self) -> Rc<AccessLog> {
        let log = AccessLog::new(self.module);
        self.globals().for_each(|(id, address)| log.place_global(id, address));
        self.observe(Rc::clone(&log) as Rc<dyn ObservationLog>);
        log
    }

    /// Sends observations to a log. Call it before any function is compiled.
    pub fn observe(&mut self, log: Rc<dyn ObservationLog>) {
        self.observation_log = Some(log);
    }

    /// Ends all observation. Functions are compiled again, so no state may be left that has called
    /// one.
    pub fn stop_observing(&self) {
        self.unobserved.get_or_init(|| code_table(self.module));
    }

    /// The addresses of the globals.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalId, u64)> + '_ {
        self.module.globals.keys().map(|id| (id, self.globals[id]))
    }

    /// The values recorded so far, if they are.
    pub fn recorded_values(&self) -> Option<RecordedValues> {
        self.value_log.as_ref().map(|log| log.recorded())
    }

    /// The watched points.
    pub fn watches(&self) -> &Watches {
        &self.watches
    }

    /// Executions of a block, if they are counted.
    pub fn executions(&self, func: FuncId, block: BlockId) -> u64 {
        let codes = [Some(&self.codes), self.unobserved.get()].into_iter().flatten();
        let codes = codes.filter_map(|codes| codes.get(func).and_then(OnceCell::get));
        let counts = codes.filter_map(|code| code.executions.get(block.index()));
        counts.map(|count| count.get()).sum()
    }

    fn number_sites(&mut self) {
        for (id, func) in &self.module.funcs {
            if func.origin == Origin::User && !func.is_declaration() {
                self.first_sites[id] = Some(self.sites.len() as u32);
                self.sites.extend(sites_of(id, func));
            }
        }
    }

    /// The coverage sites of the user's code; empty if coverage is off.
    pub fn sites(&self) -> &[CoverageSite] {
        &self.sites
    }

    fn find_runtime_objects(&self) -> RuntimeObjects {
        let find = |name: &str, size: u64| {
            let mut globals = self.module.globals.iter();
            let found = globals.find(|(_, it)| it.name == name && it.size >= size);
            found.map(|(id, _)| self.globals[id])
        };
        RuntimeObjects {
            errno: find("__byway_thread", ERRNO_OFFSET + 4).map(|base| base + ERRNO_OFFSET),
            failing_allocations: find("__byway_failing_allocations", 12),
        }
    }

    fn place_globals(&mut self) -> Result<(), UnsupportedFeature> {
        for (id, global) in &self.module.globals {
            let kind = ObjectKind::Global(Rc::from(global.name.as_str()));
            let at = self.memory.allocate(global.size, u64::from(global.align), kind, global.loc);
            self.globals[id] = at.ok_or_else(|| UnsupportedFeature::GlobalTooLarge {
                name: global.name.clone(),
                bytes: global.size,
            })?;
        }
        for (id, global) in &self.module.globals {
            let base = self.globals[id];
            let outside = |_| UnsupportedFeature::InitialiserTooLarge(global.name.clone());
            if let Some(init) = &global.init {
                self.memory.write_bytes(base, &init.bytes).map_err(outside)?;
                for reloc in &init.relocs {
                    let word = self.relocate(reloc).to_le_bytes();
                    let bytes = &word[..usize::from(reloc.width.min(8))];
                    self.memory.write_bytes(base + reloc.offset, bytes).map_err(outside)?;
                }
            }
            if global.constant {
                self.memory.make_constant(base);
            }
        }
        Ok(())
    }

    /// Places the types of functions before them, if the program reads them. They are in a table
    /// of entries of 16 bytes, whose first half is the function's address.
    fn place_function_types(&mut self) {
        let mut globals = self.module.globals.values();
        let table = globals.find(|global| global.name == FUNCTION_TYPES);
        let Some(table) = table.and_then(|global| global.init.as_ref()) else { return };
        let mut prefixes = vec![[0; FUNCTION_PREFIX as usize]; self.module.funcs.len()];
        for reloc in &table.relocs {
            let at = reloc.offset.saturating_add(8) as usize;
            if let Symbol::Func(func) = reloc.plus
                && let Some(prefix) = table.bytes.get(at..at.saturating_add(8))
                && let Some(own) = prefixes.get_mut(func.index())
            {
                own.copy_from_slice(prefix);
            }
        }
        self.memory.place_function_prefixes(&prefixes);
    }

    fn relocate(&self, reloc: &Reloc) -> u64 {
        let minus = reloc.minus.map_or(0, |symbol| self.symbol(symbol));
        self.symbol(reloc.plus).wrapping_sub(minus).wrapping_add(reloc.addend as u64)
    }

    fn symbol(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Global(id) => self.globals[id],
            Symbol::Func(id) => code_address(id.index() as u64),
            Symbol::Block(func, block) => self.label(func, block),
        }
    }

    /// The address of a function.
    pub fn func_address(&self, func: FuncId) -> u64 {
        code_address(func.index() as u64)
    }

    /// The function whose address this is.
    pub fn func_at(&self, address: u64) -> Option<FuncId> {
        let index = code_index(address)? as usize;
        (index < self.module.funcs.len()).then(|| FuncId::new(index))
    }

    /// The address of a global.
    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.globals[global]
    }

    /// The addresses of the functions of a signature whose address the user's code takes.
    pub fn functions_of(&self, signature: Option<&str>) -> &[u64] {
        let all = self.callbacks.get_or_init(|| {
            let mut all: FxHashMap<String, Vec<u64>> = FxHashMap::default();
            for (func, signature) in callbacks(self.module, self.unconstrained) {
                all.entry(signature).or_default().push(self.func_address(func));
            }
            all
        });
        signature.and_then(|signature| all.get(signature)).map_or(&[], |found| found)
    }

    /// The numbers of the functions whose address is taken anywhere, as ascending ranges.
    pub fn pointed_functions(&self) -> &[Range<u64>] {
        self.pointed.get_or_init(|| {
            let mut ranges: Vec<Range<u64>> = Vec::new();
            for func in CallGraph::new(self.module).address_taken() {
                let number = func.index() as u64;
                match ranges.last_mut() {
                    Some(last) if last.end == number => last.end += 1,
                    _ => ranges.push(number..number + 1),
                }
            }
            ranges
        })
    }

    /// The initial memory, with the globals.
    pub fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// The account of the memory of all states of the program; what they share counts once.
    pub fn account(&self) -> &MemoryAccount {
        self.memory.account()
    }

    /// What a call of a function executes.
    pub fn body(&self, id: FuncId) -> FunctionBody<'_> {
        let func = &self.module.funcs[id];
        if let Some(intrinsic) = self.intrinsics[id] {
            return FunctionBody::Intrinsic(intrinsic);
        }
        if func.is_declaration() {
            return FunctionBody::Missing;
        }
        FunctionBody::Code(self.code(id))
    }

    /// The code of a function that has a body.
    pub fn code(&self, id: FuncId) -> &Code {
        let codes = self.unobserved.get().unwrap_or(&self.codes);
        codes[id].get_or_init(|| compile(id, &self.module.funcs[id], self))
    }

    /// A position in the IR as one number; see [`Code::ir_position`].
    pub fn ir_position(&self, func: FuncId, pc: Pc) -> u64 {
        u64::from(func.as_u32()) << 32 | u64::from(self.code(func).ir_position(pc))
    }

    /// The side that a path must take at its branch of this number, if one is prescribed.
    pub fn prescribed_side(&self, branch: u64) -> Option<bool> {
        self.replay_path.as_ref()?.get(usize::try_from(branch).ok()?).copied()
    }

    /// Whether leaks are reported at the exit of the program.
    pub fn finds_leaks(&self) -> bool {
        self.checks.leak
    }

    /// Whether a function belongs to the user's code.
    pub fn is_user(&self, id: FuncId) -> bool {
        self.module.funcs[id].origin == Origin::User
    }
}

impl CompileContext for Program<'_> {
    fn address(&self, constant: &Const) -> u64 {
        match *constant {
            Const::Bits { bits, .. } => bits as u64,
            Const::Address { symbol, offset } => self.symbol(symbol).wrapping_add(offset as u64),
        }
    }

    fn signature(&self, id: FuncId) -> Option<Vec<Ty>> {
        let func = &self.module.funcs[id];
        (!func.is_declaration() && !func.variadic)
            .then(|| func.params.iter().map(|&v| func.vals[v]).collect())
    }

    fn returns_twice(&self, func: FuncId) -> bool {
        self.intrinsics[func] == Some(Intrinsic::Setjmp)
    }

    fn is_sanitizer_handler(&self, func: FuncId) -> bool {
        matches!(self.intrinsics[func], Some(Intrinsic::Ubsan(_)))
    }

    fn label(&self, func: FuncId, block: BlockId) -> u64 {
        self.labels.get(&(func, block)).copied().unwrap_or(0)
    }

    fn first_site(&self, func: FuncId) -> Option<u32> {
        self.first_sites[func]
    }

    fn counts_executions(&self) -> bool {
        self.counting
    }

    fn site_counter(&self, site: u32) -> Option<&Rc<Cell<u64>>> {
        self.site_counters.get(site as usize)
    }

    fn watches(&self, func: FuncId) -> &[(WatchId, Watch)] {
        self.watches.of(func)
    }

    fn observation_log(&self) -> Option<&Rc<dyn ObservationLog>> {
        self.observation_log.as_ref().filter(|_| self.unobserved.get().is_none())
    }

    fn value_log(&self, func: FuncId) -> Option<&Rc<ValueLog>> {
        self.value_log.as_ref().filter(|_| self.is_user(func))
    }

    fn traces_branches(&self) -> bool {
        self.traces_branches
    }

    fn checks(&self) -> Checks {
        self.checks
    }
}

/// Assigns an address after those of the functions to every label whose address is taken.
fn number_labels(module: &Module) -> FxHashMap<(FuncId, BlockId), u64> {
    let mut labels = FxHashMap::default();
    let mut number = |func, block| {
        let next = (module.funcs.len() + labels.len()) as u64;
        labels.entry((func, block)).or_insert_with(|| code_address(next));
    };
    for (id, func) in &module.funcs {
        for constant in func.consts.values() {
            if let Const::Address { symbol: Symbol::Block(func, block), .. } = *constant {
                number(func, block);
            }
        }
        for block in func.blocks.values() {
            if let Terminator::IndirectJump { targets, .. } = &block.term {
                targets.iter().for_each(|edge| number(id, edge.block));
            }
        }
    }
    for init in module.globals.values().filter_map(|g| g.init.as_ref()) {
        for symbol in init.relocs.iter().flat_map(|r| [Some(r.plus), r.minus]).flatten() {
            if let Symbol::Block(func, block) = symbol {
                number(func, block);
            }
        }
    }
    labels
}
