//! Intrinsics.
