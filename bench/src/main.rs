//! Byway.
fn main() {}
