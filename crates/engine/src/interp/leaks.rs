//! Leaks: objects that the program allocated and that nothing points to when it exits.
//!
//! As in LeakSanitizer, an object is reachable if a global, a local variable or register of an
//! open call, or a reachable object holds an address inside it, in an aligned word. A symbolic
//! word counts as every address that its term contains. `exit` calls the check after the
//! functions registered with `atexit`: `main` has returned, or its frame is open if it called
//! `exit` itself. What the C library and the modelled system keep for themselves is never a leak.

use byway_base::{ExprId, FaultKind};
use byway_expr::{Pool, WalkScope};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Execution;
use crate::memory::{CallPath, FaultNote, Memory, Object, ObjectKind};
use crate::state::position_of;
use crate::stop::{ExecResult, Stop};
use crate::value::Value;

/// The most calls recorded of an allocation, innermost first.
const MOST_CALLS: usize = 32;

/// Leaked objects that were allocated at one location.
struct LeakSite<'a> {
    first: &'a Object,
    objects: u64,
    bytes: u64,
}

/// The most locations that a report names.
const MOST_NOTES: usize = 8;

impl Execution<'_, '_, '_> {
    /// Records the open calls as the origin of an object, if leaks are searched for.
    pub(super) fn record_allocation(&mut self, base: u64) {
        if !self.program.finds_leaks() {
            return;
        }
        let innermost = self.state.stack.iter().rev().take(MOST_CALLS);
        let calls: Vec<u64> = innermost.map(|frame| position_of(frame, frame.pc - 1)).collect();
        let path = match self.machine.allocation_paths.get(calls.as_slice()) {
            Some(path) => path.clone(),
            None => {
                let path: CallPath = calls.into();
                self.machine.allocation_paths.insert(path.clone());
                path
            }
        };
        if let Some(object) = self.state.memory.live_mut(base) {
            object.allocated_by = Some(path);
        }
    }

    /// Reports the objects that are reachable from nothing.
    pub(super) fn check_leaks(&mut self) -> ExecResult<()> {
        if !self.program.finds_leaks() {
            return Ok(());
        }
        let mut search = Search::new(&self.state.memory, &self.machine.pool);
        let objects = self.state.memory.live_objects();
        for object in objects.iter().filter(|object| !is_candidate(object)) {
            search.object(object);
        }
        for frame in &self.state.stack {
            // Values that are not used any more count, too: the variable of the source may still
            // be in scope. In the user's functions, no two values share a slot then.
            frame.regs.iter().for_each(|&value| search.value(value));
        }
        search.finish();
        let leaked: Vec<&Object> = objects
            .into_iter()
            .filter(|object| is_candidate(object) && !search.reached.contains(&object.base))
            .collect();
        match leaked.is_empty() {
            true => Ok(()),
            false => Err(report(&search, &leaked)),
        }
    }
}

/// Whether an object is a leak if nothing reaches it.
fn is_candidate(object: &Object) -> bool {
    object.kind == ObjectKind::Heap && object.allocated_by.is_some()
}

/// The fault: at the allocation of the objects that not even other leaked ones point to, if
/// there are any. Notes name the other allocations.
fn report(search: &Search<'_>, leaked: &[&Object]) -> Box<Stop> {
    let mut inner = Search::new(search.memory, search.pool);
    for object in leaked {
        let was_reached = inner.reached.contains(&object.base);
        inner.object(object);
        // A pointer to itself does not count.
        if !was_reached {
            inner.reached.remove(&object.base);
        }
    }
    let direct = |object: &&&Object| !inner.reached.contains(&object.base);
    let mut sites: Vec<LeakSite> = Vec::new();
    let mut indices = FxHashMap::default();
    let (first, later): (Vec<&&Object>, Vec<&&Object>) = leaked.iter().partition(direct);
    for object in first.into_iter().chain(later) {
        let index = *indices.entry(object.allocated_at).or_insert(sites.len());
        if index == sites.len() {
            sites.push(LeakSite { first: object, objects: 0, bytes: 0 });
        }
        sites[index].objects += 1;
        sites[index].bytes += object.size();
    }
    let amount = |objects: u64, bytes: u64| match objects {
        1 => format!("an object of {bytes} bytes"),
        _ => format!("{objects} objects of {bytes} bytes"),
    };
    let mut message =
        format!("{} allocated here and never freed", amount(sites[0].objects, sites[0].bytes));
    if sites.len() > 1 {
        let bytes = leaked.iter().map(|object| object.size()).sum();
        message += &format!("; {} in all", amount(leaked.len() as u64, bytes));
    }
    let note = |site: &LeakSite| FaultNote {
        message: format!("{} allocated here", amount(site.objects, site.bytes)).into(),
        at: site.first.allocated_at,
    };
    let notes = sites[1..].iter().take(MOST_NOTES).map(note).collect();
    let stack = sites[0].first.allocated_by.clone();
    Box::new(Stop::Fault { kind: FaultKind::Leak, message, notes, stack })
}

/// A search for reachable objects.
struct Search<'a> {
    memory: &'a Memory,
    pool: &'a Pool,
    /// The bases of reachable objects that can leak.
    reached: FxHashSet<u64>,
    /// Those whose contents have not been searched.
    pending: Vec<u64>,
    terms: FxHashSet<ExprId>,
}

impl<'a> Search<'a> {
    fn new(memory: &'a Memory, pool: &'a Pool) -> Search<'a> {
        let (reached, pending, terms) = Default::default();
        Search { memory, pool, reached, pending, terms }
    }

    /// Marks the object that an address points into.
    fn address(&mut self, address: u64) {
        if let Some(object) = self.memory.live(address)
            && address.wrapping_sub(object.base) < object.size().max(1)
            && is_candidate(object)
            && self.reached.insert(object.base)
        {
            self.pending.push(object.base);
        }
    }

    fn value(&mut self, value: Value) {
        match value.expr {
            Some(term) => self.term(term),
            None => self.address(value.bits),
        }
    }

    /// Marks every address in a term.
    fn term(&mut self, term: ExprId) {
        let pool = self.pool;
        let mut found = Vec::new();
        pool.walk(
            term,
            WalkScope::Memory,
            &mut self.terms,
            |seen, e| seen.contains(&e),
            |seen, e| {
                seen.insert(e);
                found.extend(pool.value(e).map(|value| value as u64));
            },
        );
        found.into_iter().for_each(|address| self.address(address));
    }

    /// Marks what an object points to.
    fn object(&mut self, object: &Object) {
        let whole = object.size() / 8 * 8;
        for word in object.bytes(0..whole).chunks_exact(8) {
            self.address(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        object.fragments(0..object.size()).for_each(|(_, fragment)| self.term(fragment.expr));
        if let Some(version) = object.version() {
            let mut terms = Vec::new();
            self.pool.each_in_version(version.value, |term| terms.push(term));
            terms.into_iter().for_each(|term| self.term(term));
        }
    }

    /// Searches the contents of all reachable objects.
    fn finish(&mut self) {
        while let Some(base) = self.pending.pop() {
            if let Some(object) = self.memory.live(base) {
                self.object(object);
            }
        }
    }
}
