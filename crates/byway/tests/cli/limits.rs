//! `byway run` at its limits: large programs, and runs that are stopped.

use crate::setup::TestDir;

/// Every call makes an input with a name of its own.
const INPUTS: &str = r#"
int __VERIFIER_nondet_int(void);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20000; i++)
        sum ^= __VERIFIER_nondet_int();
    return sum == 7;
}
"#;

/// When every name was compared with all others, this took hours.
#[test]
fn thousands_of_inputs_take_no_longer_each_than_a_few() {
    let lab = TestDir::new();
    lab.file("a.c", INPUTS);
    let run = lab.byway(&["run", "--max-time", "60s", "a.c"]);
    run.says("explored completely");
}
