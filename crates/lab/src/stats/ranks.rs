//! Ranks: the place of each value among all, equal values sharing the mean of theirs. They are
//! kept doubled, so that they are whole numbers.

/// The doubled ranks of the values, in their order.
pub fn doubled(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&other| values[other] < values[group[0]]) + 1;
        // The sum of the first and the last is twice their mean.
        let doubled = 2 * first + group.len() - 1;
        group.iter().for_each(|&index| ranks[index] = doubled);
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
        assert_eq!(ties(&[2, 5, 5, 8]), 6.0);
        assert_eq!(ties(&[4, 4, 4]), 24.0);
    }
}
