//! Integer and float arithmetic against independent definitions: Rust's
//! own integers and floats, a naive definition for odd widths, another soft float
//! library, and results recorded from x86-64 hardware.

mod int;
mod native;
mod random;
mod soft;
mod vectors;
