//! Scopes of local variables: an object is allocated for the whole call, but exists only while
//! its scope is active. Its room on the stack stays taken.

use std::rc::Rc;

use super::accounting::FREED_OBJECT_COST;
use super::address::number_of;
use super::{FreedObject, Memory, Object, ObjectEntry};

impl Memory {
    /// Begins the scope of the local variable at `base`: its contents are undefined.
    pub fn begin_scope(&mut self, base: u64) {
        let number = number_of(base) as u32;
        match self.table.get(u64::from(number)) {
            Some(ObjectEntry::Live(object)) if self.config.track_written && !object.is_unset() => {
                let size = object.size();
                self.live_mut(base).expect("it is live").unset(0..size);
            }
            Some(ObjectEntry::Freed(freed)) if freed.out_of_scope => {
                let object = Object::new(
                    base,
                    freed.size,
                    freed.kind.clone(),
                    freed.allocated_at,
                    self.config.track_written,
                    self.config.forks,
                    &self.config.account,
                );
                self.table.set(number, ObjectEntry::Live(Rc::new(object)));
            }
            _ => {}
        }
    }

    /// Ends the scope of the local variable at `base`: access is a fault until it begins again.
    pub fn end_scope(&mut self, base: u64) {
        let number = number_of(base) as u32;
        let Some(ObjectEntry::Live(object)) = self.table.get(u64::from(number)) else { return };
        let freed = self.freed_object(object, None, true);
        self.table.set(number, ObjectEntry::Freed(Rc::new(freed)));
    }

    /// A variable whose scope ended, now that its function returns.
    pub(super) fn without_scope(&self, ended: &FreedObject) -> FreedObject {
        FreedObject {
            base: ended.base,
            size: ended.size,
            kind: ended.kind.clone(),
            allocated_at: ended.allocated_at,
            freed_at: ended.freed_at,
            out_of_scope: false,
            _accounted: self.config.account.charge(FREED_OBJECT_COST),
        }
    }
}
