//! Native runs of the tests of a run, as replay, cover, minimize and mutate need them: which
//! tests there are, how the program is built, and the sandboxes it runs in.

mod program;
mod run_test;
mod sandboxes;

pub use program::{
    absolute, build_failure, build_spec, changed_files, environment, executable_path, path,
    require_main, text, visible_paths,
};
pub use run_test::{LoadedTest, RunTest, select_tests};
pub use sandboxes::{sandboxes, scratch_dir};
