//! The contents of objects.
//!
//! An object consists of words of eight bytes. A pointer that is stored anywhere in a word, or
//! across two, belongs to these words; so does every part of a pointer. An access at one known
//! offset concerns one or two words; one at offsets in steps (`array[i].field`) concerns a
//! class of words. A cell is a word or a class. Each has two nodes: what was stored there, and
//! what a load there can see, which is what was stored in every cell that overlaps.

use byway_base::entity::SecondaryMap;
use rustc_hash::FxHashMap;

use super::graph::{ConstraintNode, Graph};
use super::object::{AbstractLocation, AbstractObject, ObjectId, Offsets};

/// The bytes of a word.
const WORD: i64 = 8;
/// The cell of the whole object.
const ALL: Offsets = Offsets { start: 0, stride: WORD as u64 };
/// The most classes of words of one object, and the most words of one access, that are kept
/// apart. Beyond that, the class of all words is used.
const MOST_CLASSES: usize = 24;
/// The most cells of an object of unknown size that are kept apart once the whole object is
/// accessed at unknown offsets.
const MOST_CELLS: usize = 12;
const MOST_WORDS: u64 = 4;

/// The two nodes of a cell.
#[derive(Copy, Clone, Debug)]
pub struct ObjectCell {
    /// What was stored.
    pub stored: ConstraintNode,
    /// What a load can see.
    pub seen: ConstraintNode,
}

/// The cells of one object.
#[derive(Clone, Default)]
struct ObjectCells {
    words: FxHashMap<i64, ObjectCell>,
    /// In the order of their creation.
    word_list: Vec<(i64, ObjectCell)>,
    classes: Vec<(Offsets, ObjectCell)>,
    /// The cell of the whole object, once its words are no longer told apart.
    whole: Option<ObjectCell>,
}

/// The cells of all objects.
#[derive(Default)]
pub struct Cells {
    objects: SecondaryMap<ObjectId, ObjectCells>,
    /// Whether each object has one cell.
    whole: bool,
}

impl Cells {
    /// No cells. `fields` is whether the fields of objects are told apart.
    pub fn new(fields: bool) -> Cells {
        Cells { objects: SecondaryMap::new(), whole: !fields }
    }

    /// Calls `f` with the cells that an access of `len` bytes concerns; `None` means all bytes
    /// from there on.
    pub fn for_each(
        &mut self,
        graph: &mut Graph,
        object: &AbstractObject,
        at: AbstractLocation,
        len: Option<u64>,
        mut f: impl FnMut(&mut Graph, ObjectCell),
    ) {
        let cells = &mut self.objects[at.object];
        if self.whole && cells.whole.is_none() {
            let node = graph.node();
            cells.whole = Some(ObjectCell { stored: node, seen: node });
        }
        if let Some(whole) = cells.whole {
            return f(graph, whole);
        }
        for word in words(object, at.offsets, len) {
            let cell = match word.stride {
                0 => cells.word(graph, word.start),
                _ => cells.class(graph, word),
            };
            f(graph, cell);
        }
        if object.size.is_none() && cells.words.len() + cells.classes.len() > MOST_CELLS {
            cells.join(graph);
        }
    }
}

impl ObjectCells {
    /// Makes all cells one, if some pointer is to all of them anyway: a large object of unknown
    /// size, such as what a general allocator returns, stands for many different ones.
    fn join(&mut self, graph: &mut Graph) {
        let Some(&(_, whole)) = self.classes.iter().find(|(class, _)| *class == ALL) else {
            return;
        };
        let words = self.word_list.iter().map(|&(_, cell)| cell);
        for cell in words.chain(self.classes.iter().map(|&(_, cell)| cell)) {
            graph.copy(cell.stored, whole.stored);
            graph.copy(whole.stored, cell.stored);
            graph.copy(whole.seen, cell.seen);
            graph.copy(cell.seen, whole.seen);
        }
        graph.copy(whole.seen, whole.stored);
        self.whole = Some(whole);
    }

    fn word(&mut self, graph: &mut Graph, at: i64) -> ObjectCell {
        if let Some(&cell) = self.words.get(&at) {
            return cell;
        }
        let cell = new_cell(graph);
        for (class, other) in &self.classes {
            if class.contains(at) {
                link(graph, cell, *other);
            }
        }
        self.words.insert(at, cell);
        self.word_list.push((at, cell));
        cell
    }

    fn class(&mut self, graph: &mut Graph, class: Offsets) -> ObjectCell {
        let known = |cells: &ObjectCells, class| {
            cells.classes.iter().find(|(it, _)| *it == class).map(|&(_, cell)| cell)
        };
        if let Some(cell) = known(self, class) {
            return cell;
        }
        let class = if self.classes.len() >= MOST_CLASSES { ALL } else { class };
        if let Some(cell) = known(self, class) {
            return cell;
        }
        let cell = new_cell(graph);
        let size = Some(WORD as u64);
        for &(other_class, other) in &self.classes {
            if class.overlaps(size, other_class, size) {
                link(graph, cell, other);
            }
        }
        for &(at, other) in &self.word_list {
            if class.contains(at) {
                link(graph, cell, other);
            }
        }
        self.classes.push((class, cell));
        cell
    }
}

fn new_cell(graph: &mut Graph) -> ObjectCell {
    let cell = ObjectCell { stored: graph.node(), seen: graph.node() };
    graph.copy(cell.stored, cell.seen);
    cell
}

/// Each of two overlapping cells sees what is stored in the other.
fn link(graph: &mut Graph, a: ObjectCell, b: ObjectCell) {
    graph.copy(a.stored, b.seen);
    graph.copy(b.stored, a.seen);
}

/// The words and classes of words that an access concerns, without duplicates. Words outside of
/// an object of known size are left out: accesses there are faults.
fn words(object: &AbstractObject, at: Offsets, len: Option<u64>) -> Vec<Offsets> {
    let Some(len) = len.filter(|&len| len <= MOST_WORDS * WORD as u64) else { return vec![ALL] };
    if len == 0 {
        return Vec::new();
    }
    let last = at.start.saturating_add(len as i64 - 1);
    let first_word = at.start.div_euclid(WORD);
    let all = (first_word..=last.div_euclid(WORD)).map(|word| word.saturating_mul(WORD));
    match at.stride {
        0 => {
            let size = object.size.map_or(i64::MAX, |size| i64::try_from(size).unwrap_or(i64::MAX));
            all.filter(|&word| word >= 0 && word < size).map(Offsets::exactly).collect()
        }
        stride if stride % WORD as u64 == 0 => {
            let mut classes: Vec<_> = all.map(|word| Offsets::every(word, stride)).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        }
        _ => vec![ALL],
    }
}
