//! Sets of points as bits: most sets are searched once and then asked often.

use byway_base::entity::EntityRef;

use super::flow::Point;

/// A set of points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointSet {
    /// The last word is not zero.
    words: Vec<u64>,
}

impl PointSet {
    pub fn contains(&self, point: Point) -> bool {
        let index = point.index();
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// Adds a point; false if it was there.
    pub fn insert(&mut self, point: Point) -> bool {
        let (word, bit) = (point.index() / 64, 1 << (point.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Adds all points of another set.
    pub fn add_all(&mut self, other: &PointSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Drops the points that another set does not have.
    pub fn keep_only(&mut self, other: &PointSet) {
        self.words.truncate(other.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// Whether no point is in both sets.
    pub fn is_disjoint(&self, other: &PointSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & other == 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The points, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| Point::new(index * 64 + bit))
        })
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::default();
        points.into_iter().for_each(|point| _ = set.insert(point));
        set
    }
}
