//! Random chains, as the paper generates them.
//!
//! The states are in an order; transitions lead forward, as in a program whose loops are
//! unrolled to a bound. A state branches with probability one half. The other choices are ours,
//! since the paper leaves them open: each state but the first follows a random earlier one that
//! has a successor to give, further successors are random later states, costs are uniform.

use byway_base::Rng;

use super::chain::{ChainError, ChainModel, ChainTransition};

/// The probability that a state has two successors.
const BRANCH: f64 = 0.5;
/// The greatest cost of a transition.
const MAX_COST: u64 = 1000;
/// Probabilities are multiples of `1 / STEPS`, so that no transition is rarer.
const STEPS: u64 = 10_000;
/// A rare transition has at most this many steps.
const RARE_STEPS: u64 = 10;
/// The most states of a chain that has rare transitions at most branches.
const FEW_STATES: usize = 5;

/// A random chain with this many states.
pub fn random_chain(states: usize, rng: &mut Rng) -> Result<ChainModel, ChainError> {
    let targets = random_targets(states, rng);
    let rare_chance = if states <= FEW_STATES { 0.8 } else { 0.2 };
    let transitions = targets.iter().map(|targets| weigh(targets, rare_chance, rng)).collect();
    let names = (1..=states).map(|number| number.to_string()).collect();
    ChainModel::new(names, transitions, 1.0)
}

fn random_targets(states: usize, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); states];
    let wanted: Vec<usize> = (0..states).map(|_| 1 + usize::from(rng.chance(BRANCH))).collect();
    for state in 1..states {
        let open: Vec<usize> =
            (0..state).filter(|&earlier| targets[earlier].len() < wanted[earlier]).collect();
        if let Some(&earlier) = rng.pick(&open) {
            targets[earlier].push(state);
        }
    }
    for (state, targets) in targets.iter_mut().enumerate() {
        while targets.len() < wanted[state] {
            let later: Vec<usize> =
                (state + 1..states).filter(|other| !targets.contains(other)).collect();
            match rng.pick(&later) {
                Some(&other) => targets.push(other),
                None => break,
            }
        }
        // Otherwise the first side of a branch would be the nearer one more often.
        if rng.chance(0.5) {
            targets.reverse();
        }
    }
    targets
}

fn weigh(targets: &[usize], rare_chance: f64, rng: &mut Rng) -> Vec<ChainTransition> {
    let first = match targets.len() {
        1 => 1.0,
        _ => {
            let is_rare = rng.chance(rare_chance);
            let steps = 1 + rng.below(if is_rare { RARE_STEPS } else { STEPS - 1 });
            steps as f64 / STEPS as f64
        }
    };
    let probabilities = [first, 1.0 - first];
    let swapped = rng.chance(0.5);
    let mut transitions: Vec<ChainTransition> = targets
        .iter()
        .zip(probabilities)
        .map(|(&to, probability)| ChainTransition {
            to,
            probability,
            cost: (1 + rng.below(MAX_COST)) as f64,
        })
        .collect();
    if let ([a, b], true) = (&mut transitions[..], swapped) {
        std::mem::swap(&mut a.probability, &mut b.probability);
    }
    transitions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_valid_and_repeat() {
        for states in 1..=64 {
            for seed in 0..20 {
                let chain = random_chain(states, &mut Rng::new(seed)).expect("a valid chain");
                assert_eq!(Ok(&chain), random_chain(states, &mut Rng::new(seed)).as_ref());
                assert_eq!(chain.states().len(), states);
                assert_eq!(chain.states().filter(|&state| chain.ends(state)).count(), 1);
            }
        }
    }

    #[test]
    fn half_of_the_states_branch_and_some_sides_are_rare() {
        for (states, rare_chance) in [(5, 0.8), (20, 0.2)] {
            let (mut branches, mut rare, mut all) = (0, 0, 0);
            for seed in 0..400 {
                let chain = random_chain(states, &mut Rng::new(seed)).expect("a valid chain");
                // The last two states have no two later ones to choose from.
                all += states - 2;
                for state in chain.states() {
                    let sides = chain.transitions(state);
                    branches += usize::from(sides.len() == 2);
                    rare += usize::from(sides.iter().any(|side| side.probability <= 0.001));
                    assert!(sides.iter().all(|side| side.probability >= 0.9999e-4));
                    assert!(sides.iter().all(|side| (1.0..=1000.0).contains(&side.cost)));
                }
            }
            let share = |part: usize, whole: usize| part as f64 / whole as f64;
            assert!((share(branches, all) - BRANCH).abs() < 0.05, "{branches} of {all}");
            assert!((share(rare, branches) - rare_chance).abs() < 0.05, "{rare} of {branches}");
        }
    }
}
