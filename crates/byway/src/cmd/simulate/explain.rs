//! One run of the greedy strategy, step by step.

use std::fmt::Write;

use byway_base::Rng;
use byway_base::quantity::{grouped, plural};
use byway_search::markov::simulate::chain_file::{ChainFile, ScriptStep};
use byway_search::markov::simulate::{
    ChainModel, GreedyStrategy, MAX_TESTS, OptimalAction, OptimalPolicy, StateSet, TestingRun,
};
use byway_search::markov::{Estimator, GreedyChoice};

/// The run, and what the optimal policy does.
pub fn explain(file: &ChainFile, estimator: Estimator, seed: u64) -> String {
    let chain = &file.chain;
    let mut explanation = Explanation {
        chain,
        greedy: GreedyStrategy::new(chain, estimator),
        run: TestingRun::new(chain, Rng::new(seed)),
        tests: 0,
        out: String::new(),
    };
    explanation.decision();
    for step in &file.script {
        match step {
            ScriptStep::Tests(count, path) => explanation.replay(*count, path),
            ScriptStep::Covered(states) => explanation.cover(*states),
        }
    }
    while !explanation.run.is_over() {
        explanation.step();
    }
    explanation.end();
    explanation.out + &optimum(chain)
}

/// A run, and what was written about it.
struct Explanation<'a> {
    chain: &'a ChainModel,
    greedy: GreedyStrategy,
    run: TestingRun<'a>,
    tests: u64,
    out: String,
}

// Writing into a string cannot fail.
impl Explanation<'_> {
    /// Writes the rewards, and how they compare by cost.
    fn decision(&mut self) {
        if self.greedy.uncovered() == 0 {
            return;
        }
        let rewards = self.chain.states().map(|state| {
            format!("{} {}", self.chain.name(state), figure(self.greedy.reward(state)))
        });
        let rewards: Vec<String> = rewards.collect();
        let _ = writeln!(self.out, "  expected rewards  {}", rewards.join("   "));
        let random = self.greedy.reward(0);
        let cost = self.chain.test_cost();
        let mut values = vec![(Vec::new(), random, cost)];
        let candidates = self.greedy.candidates().map(|(path, cost)| {
            let reward = path.last().map_or(0.0, |&last| self.greedy.reward(last));
            (path.to_vec(), reward, cost)
        });
        values.extend(candidates);
        for (path, reward, cost) in values {
            let action = match &path[..] {
                [] => "random test".into(),
                path => format!("solve {}", self.chain.path_name(path)),
            };
            let (value, reward) = (figure(reward / cost), figure(reward));
            let _ = writeln!(self.out, "  {action:17} {reward} / {cost} = {value}");
        }
        let choice = self.greedy.choose(self.chain);
        let _ = writeln!(self.out, "  best: {}\n", self.name(choice));
    }

    fn name(&self, choice: GreedyChoice) -> String {
        match choice {
            GreedyChoice::RandomTest { .. } => "a random test".into(),
            GreedyChoice::Solve { candidate, .. } => {
                format!("solve {}", self.chain.path_name(self.greedy.path(candidate)))
            }
        }
    }

    /// Runs tests that the file prescribes.
    fn replay(&mut self, count: u64, path: &[usize]) {
        let (first, before) = (self.tests + 1, self.run.covered());
        for _ in 0..count {
            self.run.replay(path);
            self.greedy.learn(&self.run);
            self.tests += 1;
        }
        let name = self.chain.path_name(self.run.path());
        let heading = format!("{}, given: {name}", numbers(first, self.tests));
        self.outcome(&heading, before);
        self.decision();
    }

    fn cover(&mut self, states: StateSet) {
        let covered = self.run.covered() | states;
        self.run.cover(states);
        self.greedy.cover(self.chain, covered);
        let _ = writeln!(self.out, "given: {} covered", self.states(states));
        self.decision();
    }

    /// Makes the greedy choice, and the same again as long as nothing changes.
    fn step(&mut self) {
        let (first, before) = (self.tests + 1, self.run.covered());
        let choice = self.greedy.choose(self.chain);
        let is_random = |choice| matches!(choice, GreedyChoice::RandomTest { .. });
        let name = self.name(choice);
        let mut next = choice;
        while {
            self.greedy.act(next, &mut self.run);
            self.tests += 1;
            next = self.greedy.choose(self.chain);
            is_random(choice)
                && is_random(next)
                && self.run.covered() == before
                && !self.run.is_over()
        } {}
        let path = self.chain.path_name(self.run.path());
        let heading = match self.tests - first {
            0 => format!("{}: {name}, runs {path}", numbers(first, self.tests)),
            _ => format!("{}: random tests, the last runs {path}", numbers(first, self.tests)),
        };
        self.outcome(&heading, before);
        self.decision();
    }

    fn outcome(&mut self, heading: &str, before: StateSet) {
        let new = self.run.covered() & !before;
        let new = match new {
            0 => "nothing new".to_string(),
            new => format!("covers {}", self.states(new)),
        };
        let _ = writeln!(self.out, "{heading}: {new}");
    }

    fn states(&self, set: StateSet) -> String {
        let states = self.chain.states().filter(|state| set >> state & 1 == 1);
        self.chain.path_name(&states.collect::<Vec<_>>())
    }

    fn end(&mut self) {
        let cost = self.run.cost();
        let tests = plural(self.tests, "test");
        let _ = match self.run.is_complete() {
            true => writeln!(self.out, "everything is covered after {tests}, at a cost of {cost}"),
            false => writeln!(
                self.out,
                "stopped after {} tests, at a cost of {cost}; not covered: {}",
                grouped(MAX_TESTS),
                self.states(self.chain.all() & !self.run.covered())
            ),
        };
    }
}

fn numbers(first: u64, last: u64) -> String {
    if first == last { format!("test {first}") } else { format!("tests {first} to {last}") }
}

/// Four digits after the point, without trailing zeros.
fn figure(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// What the optimal policy expects, and begins with.
fn optimum(chain: &ChainModel) -> String {
    let Ok(policy) = OptimalPolicy::new(chain) else {
        return "the optimal policy is too large to compute\n".into();
    };
    let action = match policy.action(0) {
        Some((OptimalAction::Solve(path), _)) => format!("solves {}", chain.path_name(&path)),
        _ => "runs a random test".into(),
    };
    format!("the optimal policy expects a cost of {}, and first {action}\n", figure(policy.cost()))
}
