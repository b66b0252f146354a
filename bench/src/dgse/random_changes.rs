//! `byway-bench dgse random-changes`: does the exploration of a change show all its effects?

use std::sync::Mutex;

use byway_base::Rng;
use byway_engine::ChangedCode;
use byway_ir::{BinOp, BlockId, FuncId, Icmp, Inst, InstId, Module, Origin, Terminator};

use super::exploration::{
    ExplorationPlan, Explored, Unexplored, affected, compile, explore_program, missed,
};
use super::{endings, generate};
use crate::checks::{self, CheckCase, CheckVerdict};
use crate::record;
use crate::setup::BenchSetup;

const ABOUT: &str = "\
Does an exploration of a change show all its effects?

Each seed makes a C program, and changes one of its instructions: an operator, a comparison, or the
sides of a branch. The old and the new program are explored exhaustively. Every fault, and every
value of an instruction, that only the new one shows must be shown by an exploration of the change
(`byway run --changed`) too. Every pair of different endings that inputs of the exhaustive explorations
show on both must be found by explorations of the change in both that are combined (`--against`).

The exit code is 1 if one is missed.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench dgse random-changes --count 500 --record
  ./dev bench dgse random-changes --only 1234";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct RandomChangesOptions {
    /// Changes to check
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: u64,

    /// The first seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Only the change of this seed
    #[arg(long, value_name = "SEED")]
    only: Option<u64>,

    /// Changes checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,

    /// Write the result to bench/results/DATE-dgse-random-changes.md
    #[arg(long)]
    record: bool,
}

/// Programs with more paths are made again, smaller.
const MOST_PATHS: u64 = 1000;

/// Changes tried until one has an effect.
const ATTEMPTS: u64 = 4;

/// Effects of one change that are listed.
const MISSED_LISTED: usize = 3;

struct RandomChangesBench {
    setup: BenchSetup,
    totals: Mutex<ChangeTotals>,
}

#[derive(Default)]
struct ChangeTotals {
    all_paths: u64,
    paths: u64,
    effects: u64,
    /// Pairs of different endings, of the old and of the new program.
    pairs: u64,
    /// Changes by tenths of the paths explored; the last counts those with all paths.
    shares: [u64; 11],
}

/// Runs the benchmark and returns whether nothing is missed.
pub fn main(options: RandomChangesOptions) -> Result<bool, String> {
    let bench = RandomChangesBench { setup: BenchSetup::in_memory()?, totals: Mutex::default() };
    let RandomChangesOptions { count, seed: first, only, jobs, .. } = options;
    let seeds = only.map_or(first..first + count, |seed| seed..seed + 1);
    let case = |seed| CheckCase {
        name: format!("seed {seed}"),
        check: Box::new({
            let bench = &bench;
            move || bench.check(seed)
        }),
    };
    let cases: Vec<CheckCase> = seeds.map(case).collect();
    let results = [("changes".to_owned(), checks::run_checks("changes", &cases, jobs))];
    drop(cases);
    let [(_, tally)] = &results;
    let report = checks::table(&results) + &bench.report() + &tally.differences();
    println!("{report}");
    if options.record {
        record::write("dgse-random-changes", "Explorations of random changes", &report)?;
    }
    Ok(tally.mismatches.is_empty())
}

impl RandomChangesBench {
    fn check(&self, seed: u64) -> CheckVerdict {
        let mut reason = "too many paths".to_owned();
        for size in (1..=4).rev() {
            match self.check_size(seed, size) {
                Ok(verdict) => return verdict,
                Err(Unexplored::TooLarge) => {}
                Err(Unexplored::Incomplete(why)) => reason = why,
            }
        }
        CheckVerdict::NotApplicable(reason.lines().next().unwrap_or_default().to_owned())
    }

    fn check_size(&self, seed: u64, size: u32) -> Result<CheckVerdict, Unexplored> {
        let incomplete = Unexplored::Incomplete;
        let program = generate::program(seed, size);
        let folder = self.setup.folder("dgse").map_err(incomplete)?;
        let file = folder.file("program.c");
        std::fs::write(&file, program.source())
            .map_err(|e| incomplete(format!("{}: {e}", file.display())))?;
        let old = compile(&self.setup, &file, program.level, folder.path()).map_err(incomplete)?;
        let before = explore_program(&old, ExplorationPlan::exhaustive(MOST_PATHS))?;
        for attempt in 0..ATTEMPTS {
            let mut rng = Rng::new(seed.wrapping_mul(ATTEMPTS) + attempt);
            let Some((new, change, what)) = random_change(&old, &mut rng) else { break };
            let after = explore_program(&new, ExplorationPlan::exhaustive(MOST_PATHS))?;
            let effects = affected(&before, &after);
            if effects.is_empty() {
                continue;
            }
            let plan =
                || ExplorationPlan { changed: Some(change.clone()), ..ExplorationPlan::reduced() };
            let shown = explore_program(&new, plan())?;
            let mut missed = missed(&new, &effects, &shown);
            let known = [&shown.inputs[..], &explore_program(&old, plan())?.inputs].concat();
            let combined = endings::combined(&old, &new, &change, known)?;
            let found = endings::shown(&old, &new, &combined);
            let all = [&before.inputs[..], &after.inputs].concat();
            let pairs = endings::shown(&old, &new, &all);
            let lost = pairs.difference(&found);
            missed.extend(lost.map(|(old, new)| format!("endings {old} → {new}")));
            self.count(&after, &shown, effects.len() as u64, pairs.len() as u64);
            if missed.is_empty() {
                return Ok(CheckVerdict::Agree);
            }
            let listed = missed[..missed.len().min(MISSED_LISTED)].join("; ");
            let (count, level) = (missed.len(), program.level.flag());
            let difference = format!("{what} (size {size}, {level}): {count} missed: {listed}");
            let reproduce = format!("./dev bench dgse random-changes --only {seed}");
            return Ok(CheckVerdict::Mismatch { difference, reproduce });
        }
        Err(incomplete("no change has an effect".to_owned()))
    }

    fn count(&self, all: &Explored, shown: &Explored, effects: u64, pairs: u64) {
        let Ok(mut totals) = self.totals.lock() else { return };
        totals.all_paths += all.paths;
        totals.paths += shown.paths;
        totals.effects += effects;
        totals.pairs += pairs;
        let tenth = (10 * shown.paths).checked_div(all.paths).unwrap_or(10).min(10);
        totals.shares[tenth as usize] += 1;
    }

    fn report(&self) -> String {
        let totals = self.totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut text = format!(
            "\n{} effects, {} pairs of different endings. {} of {} paths explored. Changes by the share of the paths:\n\n\
             | share | changes |\n| --- | --- |\n",
            totals.effects, totals.pairs, totals.paths, totals.all_paths
        );
        text.push_str(&super::shares_table(&totals.shares));
        text
    }
}

/// An instruction to change, or the branch at the end of a block.
#[derive(Copy, Clone)]
enum ChangeSite {
    Inst(FuncId, InstId),
    Branch(FuncId, BlockId),
}

/// Changes one instruction of the user's code; returns the new program, the change, and what it is.
fn random_change(old: &Module, rng: &mut Rng) -> Option<(Module, ChangedCode, String)> {
    let mut sites = Vec::new();
    for (id, func) in old.funcs.iter().filter(|(_, func)| func.origin == Origin::User) {
        for (block_id, block) in &func.blocks {
            let insts = block.inst_ids().filter(|&inst| changed(&func.insts[inst]).is_some());
            sites.extend(insts.map(|inst| ChangeSite::Inst(id, inst)));
            if matches!(block.term, Terminator::Branch { .. }) {
                sites.push(ChangeSite::Branch(id, block_id));
            }
        }
    }
    if sites.is_empty() {
        return None;
    }
    let mut new = old.clone();
    let site = sites[rng.below(sites.len() as u64) as usize];
    match site {
        ChangeSite::Inst(func, inst) => {
            let body = &mut new.funcs[func];
            body.insts[inst] = changed(&body.insts[inst])?;
            let what = format!("{} {inst} on {}", body.name, line(old, body.loc(inst)));
            Some((new, ChangedCode::of_inst(func, inst), what))
        }
        ChangeSite::Branch(func, block) => {
            let body = &mut new.funcs[func];
            let Terminator::Branch { then, otherwise, .. } = &mut body.blocks[block].term else {
                return None;
            };
            std::mem::swap(then, otherwise);
            let at = line(old, body.blocks[block].term_loc);
            let what = format!("{} branch of {block} on {at}", body.name);
            Some((new, ChangedCode::of_branch(func, block), what))
        }
    }
}

fn line(module: &Module, loc: Option<byway_ir::LocId>) -> String {
    loc.map_or_else(|| "no line".to_owned(), |loc| format!("line {}", module.src_loc(loc).line))
}

/// An instruction with another operator or predicate, if it has one.
fn changed(inst: &Inst) -> Option<Inst> {
    let mut inst = inst.clone();
    match &mut inst {
        Inst::Bin { op, .. } => {
            *op = match op {
                BinOp::Add => BinOp::Sub,
                BinOp::Sub | BinOp::Xor => BinOp::Add,
                BinOp::Mul => BinOp::Xor,
                BinOp::And => BinOp::Or,
                BinOp::Or => BinOp::And,
                _ => return None,
            }
        }
        Inst::Icmp { pred, .. } => {
            *pred = match pred {
                Icmp::Eq => Icmp::Ule,
                Icmp::Ne => Icmp::Ugt,
                Icmp::Ult => Icmp::Ule,
                Icmp::Ule => Icmp::Ult,
                Icmp::Ugt => Icmp::Uge,
                Icmp::Uge => Icmp::Ugt,
                Icmp::Slt => Icmp::Sle,
                Icmp::Sle => Icmp::Slt,
                Icmp::Sgt => Icmp::Sge,
                Icmp::Sge => Icmp::Sgt,
            }
        }
        _ => return None,
    }
    Some(inst)
}
