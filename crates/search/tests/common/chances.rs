//! Statistical checks of pick probabilities.

use std::collections::BTreeMap;

use byway_base::Rng;
use byway_search::{Action, Searcher, StateId, View};

/// Counts how often each state is picked.
pub fn sample(
    searcher: &mut dyn Searcher,
    view: &dyn View,
    picks: u32,
    seed: u64,
) -> BTreeMap<StateId, u32> {
    let mut rng = Rng::new(seed);
    let mut counts = BTreeMap::new();
    for _ in 0..picks {
        let Action::Run { state, .. } = searcher.pick(view, &mut rng) else { panic!("stopped") };
        *counts.entry(state).or_default() += 1;
    }
    counts
}

/// The chi-square statistic of the counts against the expected probabilities.
pub fn chi_square(counts: &BTreeMap<StateId, u32>, expected: &[(StateId, f64)]) -> f64 {
    let total = f64::from(counts.values().sum::<u32>());
    assert!(counts.keys().all(|state| expected.iter().any(|(s, _)| s == state)));
    let term = |(state, chance): &(StateId, f64)| {
        let (seen, want) = (f64::from(*counts.get(state).unwrap_or(&0)), chance * total);
        (seen - want).powi(2) / want
    };
    expected.iter().map(term).sum()
}

/// The 0.999 quantiles of the chi-square distribution, by degrees of freedom from 1 on.
pub const LIMIT: [f64; 9] = [10.83, 13.82, 16.27, 18.47, 20.52, 22.46, 24.32, 26.12, 27.88];

/// Asserts that a searcher picks states with the expected probabilities.
pub fn assert_chances(searcher: &mut dyn Searcher, view: &dyn View, expected: &[(StateId, f64)]) {
    let counts = sample(searcher, view, 20_000, 42);
    let statistic = chi_square(&counts, expected);
    assert!(statistic < LIMIT[expected.len() - 2], "{statistic}: {counts:?}, not {expected:?}");
}
