//! The layers above the backend. Each answers cheap queries or reduces the query; `stack`
//! defines their order.

pub mod cache;
pub mod domain;
pub mod independence;
pub mod known;
pub mod witness;
