//! The program as a Markov chain, and where states of an exploration are in it.

use byway_ir::{Callee, FuncId, Inst, Module, Origin};
use byway_search::markov::{ChainSite, ChainState, ProgramChain};

use crate::coverage::CoverageSite;
use crate::underconstrained::ENTRY;

/// The chain of a program with these coverage sites.
pub fn program_chain(module: &Module, sites: &[CoverageSite]) -> ProgramChain {
    let site = |&CoverageSite { func, from, to }: &CoverageSite| ChainSite { func, from, to };
    ProgramChain::new(module, sites.iter().map(site).collect(), first_user_function(module))
}

/// The function of the user's code that a run calls first.
fn first_user_function(module: &Module) -> Option<FuncId> {
    let is_user = |&func: &FuncId| module.funcs[func].origin == Origin::User;
    let Some(wrapper) = module.func_by_name(ENTRY) else {
        return module.func_by_name("main").filter(is_user);
    };
    let mut called = module.funcs[wrapper].insts.values().filter_map(|inst| match inst {
        Inst::Call { callee: Callee::Direct(func), .. } => Some(*func),
        _ => None,
    });
    called.rfind(is_user)
}

/// The innermost state of the chain among program points, the innermost point first.
pub fn innermost_state(
    chain: &ProgramChain,
    mut points: impl Iterator<Item = byway_ir::analysis::ProgramPoint>,
) -> Option<ChainState> {
    points.find_map(|point| chain.state_at(point.func, point.block, point.inst))
}
