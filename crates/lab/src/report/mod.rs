//! The report: tables that are built once and shown as Markdown, as HTML and, in short, on a
//! terminal; and plots.

mod facts;
mod html;
mod markdown;
mod plot;
mod table;
mod tables;
mod terminal;

pub use facts::Facts;
pub use html::render as html;
pub use markdown::render as markdown;
pub use terminal::render as terminal;
