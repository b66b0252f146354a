//! Suggestions for misspelt names, by edit distance.

/// The name that was probably meant by a word, ignoring case; `None` if none is similar.
pub fn closest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let near = |name: &'a str| (distance(&word, &name.to_lowercase()), name);
    let (distance, closest) = names.into_iter().map(near).min()?;
    (distance <= closest.len() / 3).then_some(closest)
}

/// The number of letters to insert, delete, replace or swap with the next to turn one word
/// into the other.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let swapped =
                    i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                let swap = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
                changed.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1).min(swap)
            };
        }
    }
    table[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_recognised() {
        let names = ["search", "name", "options"];
        assert_eq!(closest("serach", names), Some("search"));
        assert_eq!(closest("option", names), Some("options"));
        assert_eq!(closest("NAME", names), Some("name"));
        assert_eq!(closest("budget", names), None);
        assert_eq!(closest("x", []), None);
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
