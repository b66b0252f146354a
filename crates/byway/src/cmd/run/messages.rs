//! Messages of the program. Many paths send the same message: it is shown once, with its
//! count at the end of the run.

use std::collections::BTreeMap;

/// The number of distinct messages that are counted; later ones are shown each time.
const REMEMBERED: usize = 10_000;

/// The messages so far, with their counts.
#[derive(Debug, Default)]
pub struct Messages {
    counts: BTreeMap<String, u64>,
}

impl Messages {
    /// Counts the message; returns whether to show it.
    pub fn is_new(&mut self, text: &str) -> bool {
        if let Some(count) = self.counts.get_mut(text) {
            *count += 1;
            return false;
        }
        if self.counts.len() < REMEMBERED {
            self.counts.insert(text.to_string(), 1);
        }
        true
    }

    /// The messages that were sent more than once.
    pub fn repeated(&self) -> impl Iterator<Item = (&str, u64)> {
        let often = self.counts.iter().filter(|(_, count)| **count > 1);
        often.map(|(text, &count)| (text.as_str(), count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_counted() {
        let mut messages = Messages::default();
        let shown: Vec<bool> = ["a", "b", "a", "a"].map(|text| messages.is_new(text)).to_vec();
        assert_eq!(shown, [true, true, false, false]);
        assert_eq!(messages.repeated().collect::<Vec<_>>(), [("a", 3)]);
    }
}
