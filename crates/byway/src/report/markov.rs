//! The blocks from which a greedy searcher expects most: `byway stats --markov`.

use byway_base::quantity::{grouped, plural};
use byway_rundir::{BlockRecord, BlockRewardRecord, MarkovRecord};

use super::visible;

/// The figures of a greedy searcher and its blocks.
pub fn render(record: &MarkovRecord) -> String {
    let mut text = format!(
        "The program as a Markov chain: {}, {} of them covered by no test\n\
         \x20 random test   expected reward {:.4}, mean cost {} ({} ran)\n\
         \x20 solved path   mean cost {} ({} solved)\n",
        plural(record.blocks, "block"),
        grouped(record.uncovered),
        record.start_reward,
        cost(record.test_cost),
        grouped(record.tests),
        cost(record.path_cost),
        grouped(record.solved),
    );
    if record.highest.is_empty() {
        return text + "\nNo block has an expected reward: what can be reached is covered.\n";
    }
    text += "\nReward: uncovered blocks that a random execution is expected to visit from a block. \
             Costs in instructions.\n\n";
    text += &format!("{:>9}  {:>12}  {:>12}  block\n", "reward", "executions", "path cost");
    record.highest.iter().for_each(|block| text += &line(block));
    text
}

fn line(block: &BlockRewardRecord) -> String {
    let path = block.path_cost.map_or("no path".into(), cost);
    let own = if block.covered { "" } else { ", uncovered" };
    let next = block.next.as_ref().map_or(String::new(), |next| {
        let percentage = 100.0 * next.probability;
        format!("; {percentage:.3} % to {}", name(&next.block))
    });
    let (reward, executions) = (block.reward, grouped(block.executions));
    format!("{reward:>9.4}  {executions:>12}  {path:>12}  {}{own}{next}\n", name(&block.block))
}

fn cost(instructions: f64) -> String {
    grouped(instructions.round() as u64)
}

/// The line of a block, or its number.
fn name(block: &BlockRecord) -> String {
    let function = visible(&block.function);
    match &block.at {
        Some(at) => format!("{function} b{} (line {})", block.number, at.line),
        None => format!("{function} b{}", block.number),
    }
}
