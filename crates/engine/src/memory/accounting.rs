//! Memory accounting. All states of an exploration share a [`MemoryAccount`], to which each
//! object and each page is charged once per copy: states that share a copy share its charge.

use std::cell::Cell;
use std::rc::Rc;

/// Bytes charged for an object beyond its contents: its metadata, its entry in the table and
/// the allocator's overhead. A fixed number, the same on every machine; without it, a program
/// that allocates one byte at a time would never reach the memory limit.
pub const OBJECT_COST: u64 = 256;

/// Bytes charged for a freed object. They do not count against the program's memory limit.
pub const FREED_OBJECT_COST: u64 = 96;

/// A running total of bytes in use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryAccount(Rc<Cell<u64>>);

impl MemoryAccount {
    /// Bytes charged and not yet released.
    pub fn total(&self) -> u64 {
        self.0.get()
    }

    /// Charges `bytes` until the result is dropped.
    pub fn charge(&self, bytes: u64) -> AccountedBytes {
        self.0.set(self.0.get().saturating_add(bytes));
        AccountedBytes { account: self.clone(), bytes }
    }
}

/// A charge to an account, released on drop. A clone charges again.
#[derive(PartialEq, Eq, Debug)]
pub struct AccountedBytes {
    account: MemoryAccount,
    bytes: u64,
}

impl AccountedBytes {
    /// Another charge to the same account.
    pub fn charge(&self, bytes: u64) -> AccountedBytes {
        self.account.charge(bytes)
    }
}

impl Clone for AccountedBytes {
    fn clone(&self) -> AccountedBytes {
        self.charge(self.bytes)
    }
}

impl Drop for AccountedBytes {
    fn drop(&mut self) {
        self.account.0.set(self.account.0.get().saturating_sub(self.bytes));
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
        let three = two.charge(50);
        assert_eq!(account.total(), 250);
        drop((one, two, three));
        assert_eq!(account.total(), 0);
    }
}
