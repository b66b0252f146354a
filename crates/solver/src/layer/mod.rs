//! The layers above the backend. Each answers what it can, cheaply, or makes the
//! query smaller; `stack` puts them in order.

pub mod cache;
pub mod domain;
pub mod independence;
pub mod known;
pub mod witness;
