//! Byte strings with keys, in one buffer: a million of them are two allocations.

/// Byte strings, each with a key, in the order they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeyedBytes {
    /// The key of each, and where its bytes end.
    ends: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

impl KeyedBytes {
    /// Adds a byte string.
    pub fn push(&mut self, key: u64, bytes: &[u8]) {
        self.push_with(key, |out| out.extend_from_slice(bytes));
    }

    /// Adds what `write` appends.
    pub fn push_with(&mut self, key: u64, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push((key, self.bytes.len()));
    }

    /// Moves all of another to the end of this one.
    pub fn append(&mut self, other: &mut KeyedBytes) {
        let start = self.bytes.len();
        self.bytes.append(&mut other.bytes);
        self.ends.extend(other.ends.drain(..).map(|(key, end)| (key, start + end)));
    }

    /// The number of byte strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of all together.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Each key with its bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |&(key, end)| {
            let bytes = &self.bytes[start..end];
            start = end;
            (key, bytes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(all: &KeyedBytes) -> Vec<(u64, &[u8])> {
        all.iter().collect()
    }

    #[test]
    fn bytes_stay_with_their_keys() {
        let mut all = KeyedBytes::default();
        all.push(7, b"seven");
        all.push(1, b"");
        let mut more = KeyedBytes::default();
        more.push_with(7, |out| out.extend(b"again"));
        all.append(&mut more);
        assert_eq!(items(&all), [(7, &b"seven"[..]), (1, b""), (7, b"again")]);
        assert_eq!((all.len(), all.size(), more.len(), more.size()), (3, 10, 0, 0));
        assert!(more.is_empty() && !all.is_empty());
    }
}
