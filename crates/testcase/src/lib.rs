//! Tests as files, and running them natively.
