//! Ranks: the position of each value in sorted order; equal values share their mean position.
//! Ranks are stored doubled, which makes them integers.

/// Values at most this far apart are equal, such as 0.3 - 0.2 and 0.2 - 0.1 after rounding.
/// Different fractions of a program's lines are much further apart.
pub const EQUAL: f64 = 1e-12;

/// The doubled ranks of the values, in their order.
pub fn doubled(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&a, &b| values[b] - values[a] <= EQUAL) {
        // The sum of the first place and the last is twice their mean.
        let doubled = 2 * (before + 1) + group.len() - 1;
        group.iter().for_each(|&index| ranks[index] = doubled);
        before += group.len();
    }
    ranks
}

/// The sum of t³ - t over groups of t equal ranks, by which ties lessen the variance.
pub fn ties(ranks: &[usize]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let weight = |group: &[usize]| (group.len() as f64).powi(3) - group.len() as f64;
    sorted.chunk_by(|a, b| a == b).map(weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_their_ranks() {
        assert_eq!(doubled(&[30.0, 10.0, 20.0]), [6, 2, 4]);
        assert_eq!(doubled(&[1.0, 2.0, 2.0, 3.0]), [2, 5, 5, 8]);
        assert_eq!(doubled(&[7.0, 7.0, 7.0]), [4, 4, 4]);
        assert_eq!(doubled(&[0.3 - 0.2, 0.5, 0.2 - 0.1]), [3, 6, 3], "equal but for rounding");
        assert_eq!(ties(&[2, 5, 5, 8]), 6.0);
        assert_eq!(ties(&[4, 4, 4]), 24.0);
    }
}
