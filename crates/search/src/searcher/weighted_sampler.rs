//! Weighted random sampling of states: a binary tree whose leaves are weights and whose
//! inner nodes are the sums of their children.
//!
//! Inserting, removing and reweighting update the sums from one leaf to the root. Drawing
//! walks from the root to a leaf and chooses a child at each node with probability
//! proportional to its sum. All take logarithmic time. The leaves have no gaps, since the
//! last one fills the position of a removed one. Sums are recomputed from the children,
//! never adjusted by differences, so rounding errors do not accumulate.
//!
//! A weight can be below the smallest positive `f64` (2^-depth, thousands of forks deep), so
//! a [`ScaledWeight`] stores its exponent separately. If every weight is zero, all states
//! have the same probability.

use byway_base::Rng;
use rustc_hash::FxHashMap;

use crate::StateId;

/// A non-negative number with a 64-bit exponent.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct ScaledWeight {
    /// In `1.0..2.0`, or 0 for a weight of zero.
    mantissa: f64,
    /// The weight is `mantissa * 2^exponent`.
    exponent: i64,
}

impl ScaledWeight {
    /// Drawn only if every weight is zero.
    pub const ZERO: ScaledWeight = ScaledWeight { mantissa: 0.0, exponent: 0 };

    /// A weight from a number; zero if it is negative or not finite.
    pub fn new(number: f64) -> ScaledWeight {
        if !(number.is_finite() && number > 0.0) {
            return ScaledWeight::ZERO;
        }
        // Scale subnormal numbers up to get a full mantissa.
        let (number, lift) = match number.is_normal() {
            true => (number, 0),
            false => (number * 2f64.powi(64), 64),
        };
        let bits = number.to_bits();
        let exponent = (bits >> 52) as i64 - 1023 - lift;
        let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
        ScaledWeight { mantissa, exponent }
    }

    /// `2^-n`.
    pub fn halved(n: u32) -> ScaledWeight {
        ScaledWeight { mantissa: 1.0, exponent: -i64::from(n) }
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn plus(self, other: ScaledWeight) -> ScaledWeight {
        let (large, small) = match self.exponent >= other.exponent {
            true => (self, other),
            false => (other, self),
        };
        if small.is_zero() {
            return large;
        }
        if large.is_zero() {
            return small;
        }
        let sum = large.mantissa + small.times_two_to(small.exponent - large.exponent);
        match sum >= 2.0 {
            true => ScaledWeight { mantissa: sum / 2.0, exponent: large.exponent + 1 },
            false => ScaledWeight { mantissa: sum, exponent: large.exponent },
        }
    }

    /// `self / (self + other)`, or 0.5 if both are zero.
    fn fraction_with(self, other: ScaledWeight) -> f64 {
        let sum = self.plus(other);
        match sum.is_zero() {
            true => 0.5,
            false if self.is_zero() => 0.0,
            false => self.times_two_to(self.exponent - sum.exponent) / sum.mantissa,
        }
    }

    /// The mantissa times `2^power`; 0 if that is too small to change a sum.
    fn times_two_to(self, power: i64) -> f64 {
        match power {
            -1000..=0 => self.mantissa * f64::from_bits(((1023 + power) as u64) << 52),
            _ => 0.0,
        }
    }
}

/// States with weights, for drawing.
#[derive(Debug, Default)]
pub(super) struct WeightedSampler {
    /// Unordered.
    states: Vec<StateId>,
    positions: FxHashMap<StateId, usize>,
    /// The tree: node `n` is the sum of nodes `2n` and `2n + 1`, the root is 1, and the
    /// leaves are the second half. Leaves after the last state are zero.
    sums: Vec<ScaledWeight>,
}

impl WeightedSampler {
    pub fn contains(&self, state: StateId) -> bool {
        self.positions.contains_key(&state)
    }

    /// Inserts a state or changes its weight.
    pub fn put(&mut self, state: StateId, weight: ScaledWeight) {
        let end = self.states.len();
        let position = *self.positions.entry(state).or_insert(end);
        if position == end {
            self.states.push(state);
            if end == self.leaves() {
                self.grow();
            }
        }
        self.weigh(position, weight);
    }

    /// Removes a state, if it is there.
    pub fn remove(&mut self, state: StateId) {
        let Some(position) = self.positions.remove(&state) else { return };
        self.states.swap_remove(position);
        let last = self.states.len();
        if let Some(&moved) = self.states.get(position) {
            self.positions.insert(moved, position);
            self.weigh(position, self.sums[self.leaves() + last]);
        }
        self.weigh(last, ScaledWeight::ZERO);
    }

    /// Recomputes all weights, in linear time.
    pub fn weigh_all(&mut self, mut weight: impl FnMut(StateId) -> ScaledWeight) {
        let leaves = self.leaves();
        for (leaf, &state) in self.sums[leaves..].iter_mut().zip(&self.states) {
            *leaf = weight(state);
        }
        for node in (1..leaves).rev() {
            self.sums[node] = self.sums[2 * node].plus(self.sums[2 * node + 1]);
        }
    }

    /// A random state, each with probability proportional to its weight.
    pub fn draw(&self, rng: &mut Rng) -> Option<StateId> {
        let leaves = self.leaves();
        if self.sums.get(1).is_none_or(|all| all.is_zero()) {
            return rng.pick(&self.states).copied();
        }
        let mut node = 1;
        while node < leaves {
            let (left, right) = (self.sums[2 * node], self.sums[2 * node + 1]);
            let goes_left =
                right.is_zero() || !left.is_zero() && rng.chance(left.fraction_with(right));
            node = 2 * node + usize::from(!goes_left);
        }
        self.states.get(node - leaves).copied()
    }

    /// The number of leaves: a power of two, or zero.
    fn leaves(&self) -> usize {
        self.sums.len() / 2
    }

    fn weigh(&mut self, position: usize, weight: ScaledWeight) {
        let mut node = self.leaves() + position;
        self.sums[node] = weight;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node].plus(self.sums[2 * node + 1]);
        }
    }

    /// Doubles the number of leaves.
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.sums);
        let leaves = (old.len()).max(2);
        self.sums = vec![ScaledWeight::ZERO; 2 * leaves];
        let kept = &old[old.len() / 2..];
        self.sums[leaves..leaves + kept.len()].copy_from_slice(kept);
        for node in (1..leaves).rev() {
            self.sums[node] = self.sums[2 * node].plus(self.sums[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    //! Compares the tree with a plain map of weights after random operations.

    use std::collections::BTreeMap;

    use super::*;
    use crate::StateIds;

    impl WeightedSampler {
        /// The probability of every state: the product along its path from the root.
        fn chances(&self) -> BTreeMap<StateId, f64> {
            let chance = |(i, &state): (usize, &StateId)| {
                let (mut node, mut chance) = (self.leaves() + i, 1.0);
                while node > 1 {
                    chance *= self.sums[node].fraction_with(self.sums[node ^ 1]);
                    node /= 2;
                }
                (state, chance)
            };
            self.states.iter().enumerate().map(chance).collect()
        }
    }

    #[test]
    fn probabilities_are_proportional_to_weights() {
        for seed in 0..30 {
            let mut rng = Rng::new(seed);
            let mut ids = StateIds::default();
            let mut sampler = WeightedSampler::default();
            let mut plain: BTreeMap<StateId, f64> = BTreeMap::new();
            for _ in 0..200 {
                let any = plain.keys().nth(rng.below(plain.len().max(1) as u64) as usize).copied();
                let weight = rng.below(1000) as f64 / 7.0;
                match (rng.below(4), any) {
                    (0, Some(state)) => {
                        sampler.remove(state);
                        sampler.remove(state);
                        plain.remove(&state);
                    }
                    (1, Some(state)) => {
                        sampler.put(state, ScaledWeight::new(weight));
                        plain.insert(state, weight);
                    }
                    (2, _) if rng.chance(0.1) => {
                        plain.values_mut().for_each(|w| *w = w.sqrt() + 1.0);
                        sampler.weigh_all(|state| ScaledWeight::new(plain[&state]));
                    }
                    _ => {
                        let state = ids.fresh();
                        sampler.put(state, ScaledWeight::new(weight));
                        plain.insert(state, weight);
                    }
                }
                let total: f64 = plain.values().sum();
                let chances = sampler.chances();
                assert!(chances.keys().eq(plain.keys()));
                assert!(plain.keys().all(|&state| sampler.contains(state)));
                for (state, weight) in plain.iter().filter(|_| total > 0.0) {
                    let (got, want) = (chances[state], weight / total);
                    assert!((got - want).abs() < 1e-12, "{state}: {got}, not {want}");
                }
                let drawn = sampler.draw(&mut rng);
                assert_eq!(drawn.is_some(), !plain.is_empty());
                assert!(drawn.is_none_or(|state| plain[&state] > 0.0 || total == 0.0));
            }
        }
    }

    #[test]
    fn weights_of_any_size_keep_their_proportions() {
        let mut ids = StateIds::default();
        let [a, b, c, d] = std::array::from_fn(|_| ids.fresh());
        let mut sampler = WeightedSampler::default();
        for base in [0, 1000, 1074, 5000, u32::MAX - 2] {
            sampler.put(a, ScaledWeight::halved(base));
            sampler.put(b, ScaledWeight::halved(base + 1));
            sampler.put(c, ScaledWeight::halved(base + 2));
            sampler.put(d, ScaledWeight::halved(base + 2));
            let chances: Vec<f64> = sampler.chances().into_values().collect();
            assert_eq!(chances, [0.5, 0.25, 0.125, 0.125], "2^-{base}");
        }
        // A weight of 1 dominates the others, but does not destroy them.
        sampler.put(a, ScaledWeight::new(1.0));
        assert_eq!(sampler.chances()[&a], 1.0);
        sampler.remove(a);
        assert_eq!(sampler.chances()[&b], 0.5);
    }

    #[test]
    fn weights_represent_numbers_exactly() {
        for number in [1.0, 2.0, 0.3, 1e300, 1e-300, f64::MIN_POSITIVE, 3e-320, f64::from_bits(1)] {
            let weight = ScaledWeight::new(number);
            assert!((1.0..2.0).contains(&weight.mantissa), "{number}");
            let back = weight.mantissa * 2f64.powi((weight.exponent + 100) as i32);
            assert_eq!(back, number * 2f64.powi(100), "{number}");
        }
        for nothing in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(ScaledWeight::new(nothing), ScaledWeight::ZERO);
        }
    }

    #[test]
    fn zero_weights_give_equal_probabilities() {
        let mut ids = StateIds::default();
        let mut sampler = WeightedSampler::default();
        let states: Vec<StateId> = (0..5).map(|_| ids.fresh()).collect();
        states.iter().for_each(|&state| sampler.put(state, ScaledWeight::ZERO));
        let mut rng = Rng::new(3);
        let mut counts: BTreeMap<StateId, u32> = BTreeMap::new();
        for _ in 0..5000 {
            *counts.entry(sampler.draw(&mut rng).unwrap()).or_default() += 1;
        }
        assert!(counts.len() == 5 && counts.values().all(|n| n.abs_diff(1000) < 150), "{counts:?}");
        sampler.put(states[2], ScaledWeight::halved(9000));
        assert!((0..100).all(|_| sampler.draw(&mut rng) == Some(states[2])));
    }
}
