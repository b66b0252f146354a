//! A program as a Markov chain.
//!
//! The states are the basic blocks of the user's code. A block is divided behind each call of
//! user code: the part before it continues at the entry of the callee, and what the callee
//! returns to is a state of its own, a *continuation*. So the chain is the inter-procedural
//! control-flow graph. It forgets the caller: a function returns to any of its calls, with the
//! frequencies in which these were executed. A call through a pointer continues at any function
//! whose address is taken; a call from a library, such as that of a comparison by `qsort`, is not
//! part of it.
//!
//! Only function entries and branch sides are counted ([`ProgramChain::sites`]). The executions
//! of all states follow from them ([`ProgramChain::executions`]).

use byway_base::entity::{EntityRef, SecondaryMap};
use byway_ir::analysis::CallGraph;
use byway_ir::{BlockId, Callee, FuncId, Inst, Module, Origin, Terminator};

use super::ChainState;
use crate::Location;

/// A counted transition: a function's entry, or a side of a branch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ChainSite {
    /// The function.
    pub func: FuncId,
    /// The block that branches; `None` for the entry of the function.
    pub from: Option<BlockId>,
    /// The block it leads to.
    pub to: BlockId,
}

/// A program as a Markov chain.
#[derive(Clone, Debug)]
pub struct ProgramChain {
    states: Vec<StateInfo>,
    /// The first state of each block, by function and block.
    blocks: SecondaryMap<FuncId, Vec<ChainState>>,
    sites: Vec<ChainSite>,
    start: Option<ChainState>,
}

#[derive(Clone, Debug)]
struct StateInfo {
    location: Location,
    /// Instructions of the block before this state; zero unless it is a continuation.
    first_inst: u32,
    successors: Vec<ChainState>,
    exit: StateExit,
}

/// How a state is left.
#[derive(Clone, PartialEq, Eq, Debug)]
enum StateExit {
    /// By a jump, a branch, or not at all.
    Block,
    /// By a call of any of its successors, which returns to the state behind this one.
    Call,
    /// By returning to any of its successors.
    Return,
}

impl ProgramChain {
    /// The chain of a module with these counted transitions. Executions start in `start`.
    pub fn new(module: &Module, sites: Vec<ChainSite>, start: Option<FuncId>) -> ProgramChain {
        let mut chain =
            ProgramChain { states: Vec::new(), blocks: SecondaryMap::new(), sites, start: None };
        let calls = CallGraph::new(module);
        let taken: Vec<FuncId> =
            calls.address_taken().iter().copied().filter(|&f| is_user(module, f)).collect();
        let mut called: Vec<(ChainState, Vec<FuncId>)> = Vec::new();
        let users = module.funcs.iter().filter(|&(id, _)| is_user(module, id));
        for (func, body) in users {
            for (block, data) in &body.blocks {
                let mut state = chain.add(Location { func, block }, 0);
                chain.blocks[func].push(state);
                for (number, inst) in data.inst_ids().enumerate() {
                    let Inst::Call { callee, .. } = &body.insts[inst] else { continue };
                    let callees = match callee {
                        Callee::Direct(callee) if is_user(module, *callee) => vec![*callee],
                        Callee::Indirect(_) => taken.clone(),
                        _ => continue,
                    };
                    if callees.is_empty() {
                        continue;
                    }
                    chain.states[state.index()].exit = StateExit::Call;
                    called.push((state, callees));
                    state = chain.add(Location { func, block }, number as u32 + 1);
                }
                if matches!(data.term, Terminator::Return(_)) {
                    chain.states[state.index()].exit = StateExit::Return;
                }
            }
        }
        chain.connect_blocks(module);
        chain.connect_calls(&called);
        chain.start = start.and_then(|func| chain.blocks[func].first().copied());
        chain
    }

    fn add(&mut self, location: Location, first_inst: u32) -> ChainState {
        let (successors, exit) = (Vec::new(), StateExit::Block);
        self.states.push(StateInfo { location, first_inst, successors, exit });
        ChainState::new(self.states.len() - 1)
    }

    fn connect_blocks(&mut self, module: &Module) {
        for at in 0..self.states.len() {
            let StateInfo { location: Location { func, block }, ref exit, .. } = self.states[at];
            if *exit != StateExit::Block {
                continue;
            }
            let mut targets = Vec::new();
            module.funcs[func].blocks[block].term.for_each_edge(|edge| targets.push(edge.block));
            let first = &self.blocks[func];
            let successors = targets.iter().filter_map(|to| first.get(to.index()).copied());
            self.states[at].successors = successors.collect();
        }
    }

    /// Connects calls with entries, and returns with what follows the calls.
    fn connect_calls(&mut self, called: &[(ChainState, Vec<FuncId>)]) {
        let mut returns: SecondaryMap<FuncId, Vec<ChainState>> = SecondaryMap::new();
        for (at, state) in self.states.iter().enumerate() {
            if state.exit == StateExit::Return {
                returns[state.location.func].push(ChainState::new(at));
            }
        }
        for (call, callees) in called {
            let behind = ChainState::new(call.index() + 1);
            for &callee in callees {
                let Some(&entry) = self.blocks[callee].first() else { continue };
                self.states[call.index()].successors.push(entry);
                for from in &returns[callee] {
                    self.states[from.index()].successors.push(behind);
                }
            }
        }
    }

    /// The successors of each state, for [`ExpectedRewards`](super::ExpectedRewards).
    pub fn successors(&self) -> Vec<Vec<ChainState>> {
        self.states.iter().map(|state| state.successors.clone()).collect()
    }

    /// The state in which executions start.
    pub fn start(&self) -> Option<ChainState> {
        self.start
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no user code.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The block of a state.
    pub fn location(&self, state: ChainState) -> Option<Location> {
        self.states.get(state.index()).map(|state| state.location)
    }

    /// Whether a state is the part of a block behind a call. Visiting it covers nothing new.
    pub fn is_continuation(&self, state: ChainState) -> bool {
        self.states.get(state.index()).is_some_and(|state| state.first_inst > 0)
    }

    /// The counted transitions.
    pub fn sites(&self) -> &[ChainSite] {
        &self.sites
    }

    /// The state of an instruction of a block; `None` outside of user code.
    pub fn state_at(&self, func: FuncId, block: BlockId, inst: u32) -> Option<ChainState> {
        let first = *self.blocks[func].get(block.index())?;
        let parts = self.states[first.index()..].iter();
        let parts = parts.take_while(|part| {
            part.location == Location { func, block } && part.first_inst <= inst
        });
        Some(ChainState::new(first.index() + parts.count().max(1) - 1))
    }

    /// The blocks that are executed in any case after a block: the states of itself, and of those
    /// that it jumps to.
    pub fn straight_from(&self, at: Location) -> Vec<ChainState> {
        let mut states = Vec::new();
        let mut next = self.state_at(at.func, at.block, 0);
        while let Some(first) = next.take().filter(|first| !states.contains(first)) {
            states.push(first);
            next = self.jump_target(first);
        }
        states
    }

    /// The state with the end of a block, by its first state.
    fn last_part(&self, first: ChainState) -> ChainState {
        let location = self.states[first.index()].location;
        let parts = self.states[first.index()..].iter();
        let count = parts.take_while(|part| part.location == location).count();
        ChainState::new(first.index() + count - 1)
    }

    /// The only block that follows another, if there is one.
    fn jump_target(&self, first: ChainState) -> Option<ChainState> {
        let last = &self.states[self.last_part(first).index()];
        match (&last.exit, &last.successors[..]) {
            (StateExit::Block, &[only]) => Some(only),
            _ => None,
        }
    }

    /// The executions of every state, from those of the counted transitions.
    pub fn executions(&self, counted: &[u64]) -> Vec<u64> {
        let mut own = vec![0u64; self.states.len()];
        for (site, &count) in self.sites.iter().zip(counted) {
            if let Some(&to) = self.blocks[site.func].get(site.to.index()) {
                own[to.index()] = own[to.index()].saturating_add(count);
            }
        }
        // What flows in at branch sides and entries also passes the jumps behind them.
        let mut all = own.clone();
        let mut path = Vec::new();
        for at in (0..self.states.len()).filter(|&at| own[at] > 0) {
            path.clear();
            let mut next = self.jump_target(ChainState::new(at));
            while let Some(to) = next.filter(|to| !path.contains(to)) {
                all[to.index()] = all[to.index()].saturating_add(own[at]);
                path.push(to);
                next = self.jump_target(to);
            }
        }
        for at in 1..self.states.len() {
            if self.states[at].first_inst > 0 {
                all[at] = all[at - 1];
            }
        }
        all
    }

    /// Calls `each` with every counted transition of the chain and its number of executions.
    /// Where a state has a single successor, nothing needs to be counted.
    pub fn transitions(&self, counted: &[u64], mut each: impl FnMut(ChainState, ChainState, u64)) {
        let executions = self.executions(counted);
        for (site, &count) in self.sites.iter().zip(counted).filter(|(_, count)| **count > 0) {
            let block = |block: BlockId| self.blocks[site.func].get(block.index()).copied();
            if let Some(from) = site.from.and_then(block)
                && let Some(to) = block(site.to)
            {
                each(self.last_part(from), to, count);
            }
        }
        // A call or a return goes to each of its successors as often as these are executed.
        let is_open =
            |state: &StateInfo| state.exit != StateExit::Block && state.successors.len() > 1;
        for (at, state) in self.states.iter().enumerate().filter(|(_, state)| is_open(state)) {
            for &to in &state.successors {
                match executions[to.index()] {
                    0 => {}
                    count => each(ChainState::new(at), to, count),
                }
            }
        }
    }
}

fn is_user(module: &Module, func: FuncId) -> bool {
    let func = &module.funcs[func];
    func.origin == Origin::User && !func.is_declaration()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `main` calls `twice` in two places and branches in between; `twice` branches and returns.
    const CALLS: &str = "\
bwir 1
module \"calls\"

func user @twice(v0:i32) -> i32 {
b0:
  v1:i1 = icmp eq v0, 1:i32
  br v1, b1, b2
b1:
  jump b2
b2:
  ret 0:i32
}

func user @main(v0:i32) -> i32 {
b0:
  v1:i32 = call @twice(v0)
  v2:i1 = icmp eq v1, 1:i32
  br v2, b1, b2
b1:
  v3:i32 = call @twice(v1)
  jump b2
b2:
  ret 0:i32
}
";

    fn calls() -> ProgramChain {
        let module = match byway_ir::text::parse(CALLS) {
            Ok(module) => module,
            Err(error) => panic!("{error}"),
        };
        let func = |name| module.func_by_name(name).expect("a function");
        let site = |name, from: Option<u32>, to| ChainSite {
            func: func(name),
            from: from.map(BlockId::from_u32),
            to: BlockId::from_u32(to),
        };
        let sites = vec![
            site("twice", None, 0),
            site("twice", Some(0), 1),
            site("twice", Some(0), 2),
            site("main", None, 0),
            site("main", Some(0), 1),
            site("main", Some(0), 2),
        ];
        ProgramChain::new(&module, sites, Some(func("main")))
    }

    fn numbers(states: &[ChainState]) -> Vec<usize> {
        states.iter().map(|state| state.index()).collect()
    }

    #[test]
    fn calls_and_returns_connect_functions() {
        // twice: 0, 1, 2. main: 3 calls, 4 behind it; 5 calls, 6 behind it; 7.
        let chain = calls();
        let successors: Vec<Vec<usize>> = chain.successors().iter().map(|it| numbers(it)).collect();
        let expected: [&[usize]; 8] = [&[1, 2], &[2], &[4, 6], &[0], &[5, 7], &[0], &[7], &[]];
        assert_eq!(successors, expected);
        assert_eq!(chain.start().map(EntityRef::index), Some(3));
        let parts: Vec<bool> =
            (0..8).map(|at| chain.is_continuation(ChainState::from_u32(at))).collect();
        assert_eq!(parts, [false, false, false, false, true, false, true, false]);
        let main = chain.location(ChainState::from_u32(3)).expect("a state");
        let at = |inst| chain.state_at(main.func, main.block, inst).map(EntityRef::index);
        assert_eq!([at(0), at(1), at(9)], [Some(3), Some(4), Some(4)]);
        assert_eq!(
            numbers(&chain.straight_from(Location { block: BlockId::from_u32(1), ..main })),
            [5, 7]
        );
    }

    #[test]
    fn executions_follow_from_sites() {
        // Ten runs; the second call happens in three of them, `twice` gets a 1 in five of 13.
        let (chain, counted) = (calls(), [13, 5, 8, 10, 3, 7]);
        assert_eq!(chain.executions(&counted), [13, 5, 13, 10, 10, 3, 3, 10]);
        let mut transitions = Vec::new();
        chain.transitions(&counted, |from, to, count| {
            transitions.push((from.index(), to.index(), count));
        });
        let expected = [(0, 1, 5), (0, 2, 8), (4, 5, 3), (4, 7, 7), (2, 4, 10), (2, 6, 3)];
        assert_eq!(transitions, expected);
    }
}
