//! The report: tables, rendered as Markdown, as HTML and in short for a terminal; and plots.

mod html;
mod markdown;
mod notes;
pub mod plot;
mod table;
mod tables;
mod terminal;

pub use html::render as html;
pub use markdown::render as markdown;
pub use notes::ReportNotes;
pub use terminal::render as terminal;
