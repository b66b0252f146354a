//! The tables of the paper, from its programs and dependences: each program is given by the
//! nodes of its paths and the pairs of nodes that depend on each other.

use byway_ir::{BlockId, FuncId};

use super::*;
use crate::{Decision, Location, Site};

/// A line of a program; of a branch, its true side as `2T`, its false side as `2F`.
type Node = String;

/// A program of the paper.
struct PaperProgram {
    /// The nodes of the path that an input takes, `true` for the true sides of the branches.
    path: fn(&dyn Fn(u32) -> bool) -> Vec<Node>,
    /// Whether branches can take these sides together.
    is_feasible: fn(&[(u32, bool)]) -> bool,
    /// The dependences, as `from,to` separated by blanks.
    pairs: &'static str,
    /// The branches whose other sides are explored.
    observed: &'static [u32],
}

/// The branch and the side of a node, if it is one.
fn side(node: &str) -> Option<(u32, bool)> {
    let line = node.strip_suffix(['T', 'F'])?;
    Some((line.parse().expect("a line"), node.ends_with('T')))
}

fn condition((line, holds): (u32, bool)) -> ConditionId {
    line * 2 + u32::from(holds)
}

fn node((line, holds): (u32, bool)) -> Node {
    format!("{line}{}", if holds { 'T' } else { 'F' })
}

fn site(line: u32) -> Site {
    let location = Location { func: FuncId::from_u32(0), block: BlockId::from_u32(line) };
    Site { location, inst: None, decision: Decision::Branch }
}

impl PaperProgram {
    /// The branches before `at` that a node depends on, directly or through other nodes.
    fn depends_on(&self, path: &[Node], at: usize, node: &str) -> Vec<usize> {
        let branches: Vec<&Node> = path.iter().filter(|it| side(it).is_some()).collect();
        let depends = |from: &str, to: &str| {
            self.pairs.split_whitespace().any(|pair| pair == format!("{from},{to}"))
        };
        let (mut found, mut open) = (Vec::new(), vec![(at, node.to_owned())]);
        while let Some((at, to)) = open.pop() {
            for (index, from) in path[..at].iter().enumerate().filter(|(_, it)| depends(it, &to)) {
                found.extend(branches.iter().position(|it| *it == from));
                open.push((index, from.clone()));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn trace(&self, path: &[Node]) -> PathTrace {
        let lists: Vec<Vec<usize>> =
            path.iter().enumerate().map(|(at, node)| self.depends_on(path, at, node)).collect();
        let branches = path.iter().enumerate().filter_map(|(at, it)| Some((at, side(it)?)));
        let decisions = branches.map(|(at, (line, holds))| TraceDecision {
            site: site(line),
            taken: condition((line, holds)),
            others: vec![condition((line, !holds))],
            value_of: None,
            depends_on: lists[at].clone(),
            is_open: true,
            is_observed: self.observed.contains(&line),
            is_check: false,
        });
        PathTrace { decisions: decisions.collect(), dependences: lists, failure: None }
    }

    /// Explores the program, newest task first. Each line is a path with the conditions of its
    /// task, in the order of exploration.
    fn explore(&self, interactions: Interactions) -> Vec<String> {
        let mut dgse = Dgse::new(interactions);
        let mut tasks = vec![Task::default()];
        let mut explored = Vec::new();
        while let Some(task) = tasks.pop() {
            let Some(task) = dgse.update(task) else { continue };
            let all = task.kept.iter().copied().chain(task.goal.map(|goal| goal.condition));
            let mut kept: Vec<(u32, bool)> = all.map(|it| (it / 2, it % 2 == 1)).collect();
            kept.sort_unstable();
            let from: Vec<Node> = kept.iter().map(|&it| node(it)).collect();
            if !(self.is_feasible)(&kept) {
                explored.push(format!("{}: infeasible", from.join(" ")));
                continue;
            }
            let takes = |line| kept.iter().find(|it| it.0 == line).is_none_or(|it| it.1);
            let path = (self.path)(&takes);
            let shown: Vec<Node> = path.iter().filter(|it| side(it).is_some()).cloned().collect();
            explored.push(format!("{}: {}", from.join(" "), shown.join(" ")));
            tasks.extend(dgse.add_path(&self.trace(&path), &task));
        }
        assert_eq!(dgse.totals().missed_goals, 0);
        explored
    }
}

fn nodes(words: &str) -> impl Iterator<Item = Node> + '_ {
    words.split_whitespace().map(str::to_owned)
}

fn figure_2(takes: &dyn Fn(u32) -> bool) -> Vec<Node> {
    let mut path = vec!["1".to_owned()];
    path.extend(nodes(if takes(2) { "2T 3" } else { "2F" }));
    path.extend(nodes(if takes(4) { "4T 5" } else { "4F 7" }));
    path.extend(nodes(if takes(8) { "8T 9" } else { "8F 11" }));
    path.extend(nodes("12 13 14"));
    path
}

/// Table 2 without its last row, interactive dependence.
const TRADITIONAL: &str = "2T,3 4T,5 4F,7 8T,9 8F,11 1,12 1,13 1,14 3,12 3,13 3,14 5,12 5,13 7,12 7,13 \
                           9,14 11,14 12,13 2F,12 2F,13 2F,14";

#[test]
fn table_3_six_of_eight_paths() {
    let is_feasible = |_: &[(u32, bool)]| true;
    let program =
        PaperProgram { path: figure_2, is_feasible, pairs: TRADITIONAL, observed: &[2, 4, 8] };
    let expected = [
        ": 2T 4T 8T",
        "2T 8F: 2T 4T 8F",
        "2T 4F: 2T 4F 8T",
        "2F: 2F 4T 8T",
        "2F 8F: 2F 4T 8F",
        "2F 4F: 2F 4F 8T",
    ];
    assert_eq!(program.explore(Interactions::Considered), expected);
}

#[test]
fn table_4_a_path_with_an_error_is_missed_without_interactive_dependence() {
    let is_feasible = |_: &[(u32, bool)]| true;
    let program =
        PaperProgram { path: figure_2, is_feasible, pairs: TRADITIONAL, observed: &[2, 4, 8] };
    let expected = [": 2T 4T 8T", "8F: 2T 4T 8F", "4F: 2T 4F 8T", "2F: 2F 4T 8T"];
    assert_eq!(program.explore(Interactions::Ignored), expected);
}

#[test]
fn figure_4_one_path_more_than_branches() {
    fn path(takes: &dyn Fn(u32) -> bool) -> Vec<Node> {
        (1..=12).map(|line| node((line, takes(line)))).collect()
    }
    let observed = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    let program = PaperProgram { path, is_feasible: |_| true, pairs: "", observed };
    assert_eq!(program.explore(Interactions::Considered).len(), 13);
}

#[test]
fn table_9_no_infeasible_task() {
    fn path(takes: &dyn Fn(u32) -> bool) -> Vec<Node> {
        // 3: x > 1, 5: x > 0.
        let first = takes(3) && takes(5);
        let mut path: Vec<Node> = nodes(if first { "1 2 3T 4" } else { "1 2 3F" }).collect();
        path.extend(nodes(if takes(5) { "5T 6 7 8" } else { "5F 7 8" }));
        path
    }
    let is_feasible =
        |kept: &[(u32, bool)]| !(kept.contains(&(3, true)) && kept.contains(&(5, false)));
    let pairs = "3T,4 5T,6 1,7 4,7 2,8 6,8 3F,7 5F,8 1,3F 2,5F";
    let program = PaperProgram { path, is_feasible, pairs, observed: &[3, 5] };
    // The paper has a third path, 3F 5T: it runs every task that a path suggests. Each of its values
    // is on one of these two.
    assert_eq!(program.explore(Interactions::Considered), [": 3T 5T", "5F: 3F 5F"]);
}

#[test]
fn table_13_eight_of_24_paths_for_a_change_of_line_3() {
    fn path(takes: &dyn Fn(u32) -> bool) -> Vec<Node> {
        // 3: PedalPos == 0, 5: PedalPos == 1, 14: PedalCmd == 2, 16: PedalCmd == 3. PedalCmd is
        // increased by 1 on line 4, by 2 on line 6, and is PedalPos on line 8, which is not 2.
        let mut path: Vec<Node> = nodes(match (takes(3), takes(5)) {
            (true, _) => "3T 4",
            (false, true) => "3F 5T 6",
            (false, false) => "3F 5F 8",
        })
        .collect();
        path.extend(nodes("9"));
        path.extend(nodes(if takes(10) { "10T 11" } else { "10F 13" }));
        let is_never_two = path.contains(&"5F".to_owned());
        path.extend(nodes(match (takes(14) && !is_never_two, takes(16)) {
            (true, _) => "14T 15",
            (false, true) => "14F 16T 17",
            (false, false) => "14F 16F 19",
        }));
        path
    }
    let is_feasible =
        |kept: &[(u32, bool)]| !(kept.contains(&(5, false)) && kept.contains(&(14, true)));
    // Table 12.
    let pairs = "3T,4 3F,5T 3F,5F 5T,6 5F,8 14T,15 14F,16T 14F,16F 16T,17 16F,19 4,9 6,9 8,9 9,14T \
                 9,14F 9,16T 9,16F";
    let program = PaperProgram { path, is_feasible, pairs, observed: &[3, 5, 14, 16] };
    let explored = program.explore(Interactions::Considered);
    let expected = [
        ": 3T 10T 14T",
        "3T 14F: 3T 10T 14F 16T",
        "3T 14F 16F: 3T 10T 14F 16F",
        "3F: 3F 5T 10T 14T",
        "3F 5T 14F: 3F 5T 10T 14F 16T",
        "3F 5T 14F 16F: 3F 5T 10T 14F 16F",
        "3F 5F: 3F 5F 10T 14F 16T",
        "3F 5F 14F 16F: 3F 5F 10T 14F 16F",
        "3F 5F 14T: infeasible",
    ];
    assert_eq!(explored, expected);
}

/// A division whose divisor two independent branches determine: the branches interact only
/// where it fails.
#[test]
fn a_task_whose_path_fails_is_run_again_without_the_failure() {
    let branch = |line: u32, holds: bool, depends_on: &[usize], is_check: bool| TraceDecision {
        site: site(line),
        taken: condition((line, holds)),
        others: vec![condition((line, !holds))],
        value_of: None,
        depends_on: depends_on.to_vec(),
        is_open: true,
        is_observed: true,
        is_check,
    };
    let mut dgse = Dgse::default();
    let first = PathTrace {
        decisions: vec![branch(1, true, &[], false), branch(2, true, &[], true)],
        ..PathTrace::default()
    };
    let tasks = dgse.add_path(&first, &Task::default());
    let goals: Vec<_> = tasks.iter().map(|it| it.goal.expect("a goal").condition).collect();
    assert_eq!(goals, [condition((1, false)), condition((2, false))]);
    // The task of the other side of line 1 fails on line 2.
    let failed = PathTrace {
        decisions: vec![branch(1, false, &[], false), branch(2, false, &[], true)],
        failure: Some(vec![1]),
        ..PathTrace::default()
    };
    let again = dgse.add_path(&failed, &tasks[0]);
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].goal, tasks[0].goal);
    assert_eq!(again[0].excluded, [vec![condition((2, false))]]);
    // The failure itself was shown.
    assert_eq!(dgse.update(tasks[1].clone()), None);
}

#[test]
fn values_are_enumerated_under_the_same_conditions() {
    let value = |value: u32| TraceDecision {
        site: site(1),
        taken: 2 * value,
        others: vec![2 * value + 1],
        value_of: Some(7),
        depends_on: Vec::new(),
        is_open: true,
        is_observed: true,
        is_check: false,
    };
    let path = |it: u32| PathTrace { decisions: vec![value(it)], ..PathTrace::default() };
    let mut dgse = Dgse::default();
    let tasks = dgse.add_path(&path(10), &Task::default());
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0].excluded, [vec![20]]);
    let more = dgse.add_path(&path(11), &tasks[0]);
    assert_eq!(more.len(), 1);
    assert_eq!(more[0].excluded, [vec![20], vec![22]]);
}

/// A path chose a value and failed behind it, for another reason: under other conditions the
/// value has still shown nothing.
#[test]
fn the_value_of_a_failed_path_is_chosen_again() {
    let decision = |line: u32, taken: ConditionId, value_of: Option<u32>| TraceDecision {
        site: site(line),
        taken,
        others: vec![taken + 1],
        value_of,
        depends_on: Vec::new(),
        is_open: true,
        is_observed: true,
        is_check: false,
    };
    let value = |value: u32| decision(1, 100 + 2 * value, Some(7));
    let side = |holds: bool| TraceDecision {
        others: vec![condition((2, !holds))],
        ..decision(2, condition((2, holds)), None)
    };
    let check = |holds: bool| TraceDecision {
        others: vec![condition((3, !holds))],
        is_check: true,
        ..decision(3, condition((3, holds)), None)
    };
    let mut dgse = Dgse::default();
    // Something depends on the side and on the value, in this order.
    let path = |value, holds: bool| PathTrace {
        decisions: vec![value, side(holds), check(true)],
        dependences: vec![vec![1, 0]],
        failure: None,
    };
    dgse.add_path(&path(value(10), true), &Task::default());
    let failed = PathTrace {
        decisions: vec![value(11), side(true), check(false)],
        dependences: Vec::new(),
        failure: Some(vec![2]),
    };
    let goal = Goal { site: site(1), condition: 121, value_of: Some(7) };
    let kept = vec![condition((2, true))];
    let task = Task { kept: kept.clone(), goal: Some(goal), ..Task::default() };
    dgse.add_path(&failed, &Task { kept: Vec::new(), ..task.clone() });
    let left = dgse.update(task).expect("a task");
    assert_eq!(left.excluded, [vec![condition((3, false)), 122], vec![120]]);
    assert_eq!(left.kept, kept);
}

/// All paths fail behind a value, whatever it is: what the others lead to before the failure is
/// still to be shown.
#[test]
fn other_values_are_explored_if_every_path_fails_behind_them() {
    let failed = |value: ConditionId| PathTrace {
        decisions: vec![TraceDecision {
            site: site(1),
            taken: value,
            others: vec![1000],
            value_of: Some(7),
            depends_on: Vec::new(),
            is_open: true,
            is_observed: true,
            is_check: false,
        }],
        dependences: Vec::new(),
        failure: Some(Vec::new()),
    };
    let mut dgse = Dgse::default();
    let tasks = dgse.add_path(&failed(10), &Task::default());
    let [task] = &tasks[..] else { panic!("{tasks:?}") };
    assert_eq!(task.excluded, [[10]]);
    let tasks = dgse.add_path(&failed(11), task);
    let excluded: Vec<_> = tasks.iter().map(|task| task.excluded.clone()).collect();
    assert!(excluded.contains(&vec![vec![10], vec![11]]), "{excluded:?}");
}
