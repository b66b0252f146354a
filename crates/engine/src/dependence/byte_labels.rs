//! The definitions of an object's bytes.

use rustc_hash::FxHashMap;

use super::label::Label;

/// The definition of a byte: its label and its time.
pub type ByteDefinition = (Label, u64);

/// Offsets below are kept in a list.
const NEAR: i64 = 4096;

/// The definitions of bytes, by offset. Most objects are small.
#[derive(Clone, Debug, Default)]
pub struct ByteLabels {
    near: Vec<Option<ByteDefinition>>,
    far: FxHashMap<i64, ByteDefinition>,
}

impl ByteLabels {
    /// Whether no byte has a definition.
    pub fn is_empty(&self) -> bool {
        self.near.is_empty() && self.far.is_empty()
    }

    /// The definition of a byte.
    pub fn get(&self, offset: i64) -> Option<ByteDefinition> {
        match (0..NEAR).contains(&offset) {
            true => self.near.get(offset as usize).copied().flatten(),
            false => self.far.get(&offset).copied(),
        }
    }

    /// Defines a byte.
    pub fn set(&mut self, offset: i64, definition: ByteDefinition) {
        if !(0..NEAR).contains(&offset) {
            self.far.insert(offset, definition);
            return;
        }
        let index = offset as usize;
        if self.near.len() <= index {
            self.near.resize(index + 1, None);
        }
        self.near[index] = Some(definition);
    }

    /// The offsets with a definition, ascending.
    pub fn offsets(&self) -> Vec<i64> {
        let near = self.near.iter().enumerate().filter(|(_, it)| it.is_some());
        let near = near.map(|(index, _)| index as i64);
        let mut all: Vec<i64> = near.chain(self.far.keys().copied()).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::label::LabelTable;
    use super::*;

    #[test]
    fn near_and_far_bytes_are_alike() {
        let mut labels = LabelTable::default();
        let mut bytes = ByteLabels::default();
        assert!(bytes.is_empty());
        let offsets = [NEAR, 3, -1, NEAR - 1];
        for (time, offset) in (1..).zip(offsets) {
            bytes.set(offset, (labels.of(time as u32), time));
        }
        bytes.set(3, (labels.of(9), 9));
        assert_eq!(bytes.get(NEAR), Some((labels.of(1), 1)));
        assert_eq!(bytes.get(3), Some((labels.of(9), 9)));
        assert_eq!(bytes.get(4), None);
        assert_eq!(bytes.offsets(), [-1, 3, NEAR - 1, NEAR]);
        assert!(!bytes.is_empty());
    }
}
