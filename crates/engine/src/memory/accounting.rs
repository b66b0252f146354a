//! Memory accounting. All states of an exploration share a [`MemoryAccount`], to which each
//! object and each page is charged once per copy: states that share a copy share its charge.
//!
//! The account has an *allowance*: the total up to which it may grow before the exploration
//! looks at its memory limit. An operation that would exceed it asks for room before it changes
//! anything ([`MemoryAccount::need_room`]), which suspends it; the exploration makes room, lets an
//! allocation fail, or ends the path.

use std::cell::Cell;
use std::rc::Rc;

use super::{AccessError, RoomRequest};

/// Bytes charged for an object beyond its contents: its metadata, its entry in the table and
/// the allocator's overhead. A fixed number, the same on every machine; without it, a program
/// that allocates one byte at a time would never reach the memory limit.
pub const OBJECT_COST: u64 = 256;

/// Bytes charged for a freed object. They do not count against the program's memory limit.
pub const FREED_OBJECT_COST: u64 = 96;

/// A running total of bytes in use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryAccount(Rc<Balance>);

#[derive(PartialEq, Eq, Debug)]
struct Balance {
    total: Cell<u64>,
    /// The total up to which no operation asks for room.
    allowance: Cell<u64>,
    /// As `allowance`, for allocations that can fail.
    heap_allowance: Cell<u64>,
    /// The next allocation that can fail fails.
    refuses: Cell<bool>,
}

impl Default for Balance {
    fn default() -> Balance {
        Balance {
            total: Cell::new(0),
            allowance: Cell::new(u64::MAX),
            heap_allowance: Cell::new(u64::MAX),
            refuses: Cell::new(false),
        }
    }
}

impl MemoryAccount {
    /// Bytes charged and not yet released.
    pub fn total(&self) -> u64 {
        self.0.total.get()
    }

    /// Charges `bytes` until the result is dropped.
    pub fn charge(&self, bytes: u64) -> AccountedBytes {
        self.add(bytes);
        AccountedBytes { account: self.clone(), bytes }
    }

    /// Lets the total grow by `bytes` before an operation asks for room, and by `heap` before an
    /// allocation that can fail does.
    pub fn allow(&self, bytes: u64, heap: u64) {
        self.0.allowance.set(self.total().saturating_add(bytes));
        self.0.heap_allowance.set(self.total().saturating_add(heap));
    }

    /// Makes the next allocation that can fail fail: it was suspended, and there is no room.
    pub fn refuse_next(&self) {
        self.0.refuses.set(true);
    }

    /// Asks for room for `bytes` that an operation is about to use.
    #[inline]
    pub fn need_room(&self, bytes: u64) -> Result<(), Box<AccessError>> {
        match self.total().saturating_add(bytes) <= self.0.allowance.get() {
            true => Ok(()),
            false => Err(AccessError::no_room(RoomRequest { bytes, allocates: None })),
        }
    }

    /// As [`MemoryAccount::need_room`], for an allocation of `size` bytes that can fail; false if
    /// it does.
    pub fn asks_room(&self, bytes: u64, size: u64) -> Result<bool, Box<AccessError>> {
        if self.total().saturating_add(bytes.max(size)) <= self.0.heap_allowance.get() {
            return Ok(true);
        }
        match self.0.refuses.take() {
            true => Ok(false),
            false => Err(AccessError::no_room(RoomRequest { bytes, allocates: Some(size) })),
        }
    }

    fn add(&self, bytes: u64) {
        self.0.total.set(self.0.total.get().saturating_add(bytes));
    }

    fn subtract(&self, bytes: u64) {
        self.0.total.set(self.0.total.get().saturating_sub(bytes));
    }
}

/// A charge to an account, released on drop. A clone charges again.
#[derive(PartialEq, Eq, Debug)]
pub struct AccountedBytes {
    account: MemoryAccount,
    bytes: u64,
}

impl AccountedBytes {
    /// The bytes charged.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Changes the charge.
    pub fn set(&mut self, bytes: u64) {
        self.account.add(bytes);
        self.account.subtract(self.bytes);
        self.bytes = bytes;
    }
}

impl Clone for AccountedBytes {
    fn clone(&self) -> AccountedBytes {
        self.account.charge(self.bytes)
    }
}

impl Drop for AccountedBytes {
    fn drop(&mut self) {
        self.account.subtract(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_is_charged_again_and_a_drop_releases_the_charge() {
        let account = MemoryAccount::default();
        let one = account.charge(100);
        let two = one.clone();
        assert_eq!(account.total(), 200);
        let three = account.charge(50);
        assert_eq!(account.total(), 250);
        drop((one, two, three));
        assert_eq!(account.total(), 0);
        let mut one = account.charge(7);
        one.set(3);
        assert_eq!(account.total(), 3);
    }

    #[test]
    fn beyond_the_allowance_operations_ask_for_room() {
        let account = MemoryAccount::default();
        let charged = account.charge(100);
        assert!(account.need_room(u64::MAX).is_ok(), "there is no limit at first");
        account.allow(50, 50);
        assert!(account.need_room(50).is_ok());
        let asks = |bytes, allocates| AccessError::no_room(RoomRequest { bytes, allocates });
        assert_eq!(account.need_room(51), Err(asks(51, None)));
        assert_eq!(account.asks_room(1, 50), Ok(true));
        assert_eq!(account.asks_room(1, 51), Err(asks(1, Some(51))));
        account.refuse_next();
        assert_eq!(account.need_room(51), Err(asks(51, None)), "it cannot fail");
        assert_eq!(account.asks_room(1, 51), Ok(false));
        assert_eq!(account.asks_room(1, 51), Err(asks(1, Some(51))), "one allocation was refused");
        drop(charged);
        assert_eq!(account.asks_room(1, 51), Ok(true));
    }
}
