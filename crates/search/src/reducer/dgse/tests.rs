//! The tables of the paper, from its programs and dependences: each program is given by the
//! nodes of its paths and the pairs of nodes that depend on each other.

use byway_ir::{BlockId, FuncId};

use super::*;
use crate::reducer::{TraceCase, TraceDecision};
use crate::{Case, Decision, Location, Site};

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
    open: &'static [u32],
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
    /// The branches before `at` that a node depends on through other nodes of the path.
    fn depends_on(&self, path: &[Node], at: usize, node: &str) -> Vec<usize> {
        let branches: Vec<&Node> = path.iter().filter(|it| side(it).is_some()).collect();
        let depends = |from: &str, to: &str| {
            self.pairs.split_whitespace().any(|pair| pair == format!("{from},{to}"))
        };
        let (mut found, mut open) = (Vec::new(), vec![(at, node.to_owned())]);
        while let Some((at, to)) = open.pop() {
            for (index, from) in path[..at].iter().enumerate().filter(|(_, it)| depends(it, &to)) {
                match side(from) {
                    Some(_) => found.extend(branches.iter().position(|it| *it == from)),
                    None => open.push((index, from.clone())),
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn trace(&self, path: &[Node]) -> PathTrace {
        let case = |at: usize, it: (u32, bool)| TraceCase {
            case: if it.1 { Case::TRUE } else { Case::FALSE },
            condition: condition(it),
            depends_on: self.depends_on(path, at, &node(it)),
        };
        let branches = path.iter().enumerate().filter_map(|(at, it)| Some((at, side(it)?)));
        let decisions = branches.map(|(at, (line, holds))| TraceDecision {
            site: site(line),
            taken: case(at, (line, holds)),
            others: vec![case(at, (line, !holds))],
            is_open: self.open.contains(&line),
        });
        PathTrace { decisions: decisions.collect() }
    }

    /// Explores the program, newest task first. Each line is a path with the conditions of its
    /// task, in the order of exploration.
    fn explore(&self) -> Vec<String> {
        let mut dgse = Dgse::default();
        let mut tasks = vec![(Vec::<(u32, bool)>::new(), None)];
        let mut explored = Vec::new();
        while let Some((kept, goal)) = tasks.pop() {
            let from: Vec<Node> = kept.iter().map(|&it| node(it)).collect();
            if !(self.is_feasible)(&kept) {
                explored.push(format!("{}: infeasible", from.join(" ")));
                continue;
            }
            let takes = |line| kept.iter().find(|it| it.0 == line).is_none_or(|it| it.1);
            let path = (self.path)(&takes);
            let branches: Vec<(u32, bool)> = path.iter().filter_map(|it| side(it)).collect();
            let shown: Vec<Node> = branches.iter().map(|&it| node(it)).collect();
            explored.push(format!("{}: {}", from.join(" "), shown.join(" ")));
            for task in dgse.tasks(&self.trace(&path), goal) {
                let (line, holds) = branches[task.decision];
                let mut kept: Vec<_> = task.kept.iter().map(|&it| branches[it]).collect();
                kept.push((line, !holds));
                let goal = Goal { site: site(line), condition: condition((line, !holds)) };
                tasks.push((kept, Some(goal)));
            }
        }
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

/// Table 2, without and with its last row.
const TRADITIONAL: &str = "2T,3 4T,5 4F,7 8T,9 8F,11 1,12 1,13 1,14 3,12 3,13 3,14 5,12 5,13 7,12 7,13 \
                           9,14 11,14 12,13 2F,12 2F,13 2F,14";
const COMPLETE: &str = "2T,3 4T,5 4F,7 8T,9 8F,11 1,12 1,13 1,14 3,12 3,13 3,14 5,12 5,13 7,12 7,13 9,14 \
                        11,14 12,13 2F,12 2F,13 2F,14 1,2F 1,4T 1,4F 1,5 1,7 1,8T 1,8F 1,9 1,11 1,12 \
                        2F,4T 2F,4F 2F,5 2F,7 2F,8T 2F,8F 2F,9 2F,11 2F,12 3,4T 3,4F 3,5 3,7 3,8T 3,8F \
                        3,9 3,11 3,12 5,12 7,12";

#[test]
fn table_3_six_of_eight_paths() {
    let is_feasible = |_: &[(u32, bool)]| true;
    let program = PaperProgram { path: figure_2, is_feasible, pairs: COMPLETE, open: &[2, 4, 8] };
    let expected = [
        ": 2T 4T 8T",
        "2T 8F: 2T 4T 8F",
        "2T 4F: 2T 4F 8T",
        "2F: 2F 4T 8T",
        "2F 8F: 2F 4T 8F",
        "2F 4F: 2F 4F 8T",
    ];
    assert_eq!(program.explore(), expected);
}

#[test]
fn table_4_a_path_with_an_error_is_missed_without_interactive_dependence() {
    let is_feasible = |_: &[(u32, bool)]| true;
    let program =
        PaperProgram { path: figure_2, is_feasible, pairs: TRADITIONAL, open: &[2, 4, 8] };
    let expected = [": 2T 4T 8T", "8F: 2T 4T 8F", "4F: 2T 4F 8T", "2F: 2F 4T 8T"];
    assert_eq!(program.explore(), expected);
}

#[test]
fn figure_4_one_path_more_than_branches() {
    fn path(takes: &dyn Fn(u32) -> bool) -> Vec<Node> {
        (1..=12).map(|line| node((line, takes(line)))).collect()
    }
    let open = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    let program = PaperProgram { path, is_feasible: |_| true, pairs: "", open };
    assert_eq!(program.explore().len(), 13);
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
    let program = PaperProgram { path, is_feasible, pairs, open: &[3, 5] };
    assert_eq!(program.explore(), [": 3T 5T", "5F: 3F 5F", "3F: 3F 5T"]);
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
    let program = PaperProgram { path, is_feasible, pairs, open: &[3, 5, 14, 16] };
    let explored = program.explore();
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

#[test]
fn a_run_that_misses_its_goal_is_taken_for_a_first_one() {
    let program =
        PaperProgram { path: figure_2, is_feasible: |_| true, pairs: COMPLETE, open: &[2, 4, 8] };
    let trace = program.trace(&figure_2(&|_| true));
    let mut dgse = Dgse::default();
    let missed = Goal { site: site(99), condition: 1 };
    assert_eq!(dgse.tasks(&trace, Some(missed)).len(), 3);
    assert_eq!(dgse.tasks(&trace, None), []);
    let totals = dgse.totals();
    assert_eq!((totals.tasks, totals.redundant, totals.missed_goals), (3, 3, 1));
}
