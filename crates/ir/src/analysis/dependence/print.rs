//! Dependences as text and as a graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use byway_base::quantity::grouped;

use super::{
    DependenceKind, Dependences, LineDependences, LineNode, LinePlace, LineSources,
    MAX_VISITED_POINTS,
};
use crate::{FuncId, Module};

impl Dependences {
    /// What each line of a function depends on, for people to read.
    pub fn print_function(&self, module: &Module, func: FuncId) -> String {
        let body = &module.funcs[func];
        let Some(lines) = self.lines(module, func) else {
            let why = if body.is_declaration() { "it has no body" } else { "no call reaches it" };
            return format!("@{}: {why}\n", body.name);
        };
        let mut out = format!("@{}\n", body.name);
        for note in lines.notes() {
            let _ = writeln!(out, "  {note}");
        }
        for (names, dependences) in lines.grouped(module) {
            let text = dependence_text(module, func, dependences);
            let _ = writeln!(out, "  {}: {text}", names.join(", "));
        }
        out
    }

    /// The dependences of these functions in the language of Graphviz. An edge leads from a line
    /// to what depends on it.
    pub fn dot(&self, module: &Module, funcs: &[FuncId]) -> String {
        let functions: Vec<LineDependences> =
            funcs.iter().filter_map(|&func| self.lines(module, func)).collect();
        let mut nodes: BTreeMap<FuncId, BTreeSet<LineNode>> = BTreeMap::new();
        let mut edges = String::new();
        for lines in &functions {
            for (&to, dependences) in &lines.nodes {
                // Code without a line matters only as part of a dependence.
                if let LinePlace::Line(..) = to.place {
                    nodes.entry(to.func).or_default().insert(to);
                }
                for (kind, sources) in dependences {
                    for &from in sources {
                        nodes.entry(from.func).or_default().insert(from);
                        nodes.entry(to.func).or_default().insert(to);
                        let (from, to) = (node_id(module, from), node_id(module, to));
                        let _ = writeln!(edges, "  {from} -> {to} [{}];", kind.style());
                    }
                }
            }
        }
        let mut out = String::from("digraph dependences {\n  node [shape=box];\n");
        let _ = writeln!(out, "  label={}; labelloc=t; labeljust=l;", quoted(LEGEND));
        for (func, nodes) in nodes {
            let _ = writeln!(out, "  subgraph cluster_{} {{", func.as_u32());
            let mut title = vec![module.funcs[func].name.clone()];
            let lines = functions.iter().find(|lines| lines.func == func);
            title.extend(lines.into_iter().flat_map(LineDependences::notes));
            let _ = writeln!(out, "    label={};", quoted(&title.join("\n")));
            for node in nodes {
                let label = quoted(&node.name(module, func));
                let _ = writeln!(out, "    {} [label={label}];", node_id(module, node));
            }
            out += "  }\n";
        }
        out + &edges + "}\n"
    }
}

/// The meaning of the lines in the graph.
const LEGEND: &str = "An arrow leads to the line that depends on the other.\n\
    black: control, blue: data, red dashed: potential, grey dotted: interactive";

impl LineDependences {
    /// What a limit of the analysis left out or added.
    fn notes(&self) -> Vec<String> {
        let limit = grouped(MAX_VISITED_POINTS);
        let mut notes = Vec::new();
        if !self.has_interactive {
            notes.push(format!(
                "interactive dependences: not computed, the search visits more than {limit} points"
            ));
        }
        if self.has_approximate_potential {
            notes.push(format!(
                "potential dependences: some may not exist, the search visits more than {limit} points"
            ));
        }
        notes
    }

    /// The nodes' names with what they depend on. Sides of one line that depend on the same are
    /// together.
    fn grouped(&self, module: &Module) -> Vec<(Vec<String>, &LineSources)> {
        let mut groups: Vec<(LineNode, Vec<String>, &LineSources)> = Vec::new();
        for (node, dependences) in &self.nodes {
            let name = node.name(module, self.func);
            let same_line = |other: &LineNode| {
                node.side.is_some() && other.side.is_some() && other.place == node.place
            };
            match groups.last_mut() {
                Some((last, names, same)) if same_line(last) && *same == dependences => {
                    names.push(name);
                }
                _ => groups.push((*node, vec![name], dependences)),
            }
        }
        groups.into_iter().map(|(_, names, dependences)| (names, dependences)).collect()
    }
}

impl DependenceKind {
    fn name(self) -> &'static str {
        match self {
            DependenceKind::Control => "control",
            DependenceKind::Data => "data",
            DependenceKind::Potential => "potential",
            DependenceKind::Interactive => "interactive",
        }
    }

    fn style(self) -> &'static str {
        match self {
            DependenceKind::Control => "color=black",
            DependenceKind::Data => "color=blue",
            DependenceKind::Potential => "color=red, style=dashed",
            DependenceKind::Interactive => "color=gray40, style=dotted",
        }
    }
}

fn dependence_text(module: &Module, func: FuncId, dependences: &LineSources) -> String {
    let part = |(kind, sources): (&DependenceKind, &BTreeSet<LineNode>)| {
        // Lines of the function itself first.
        let (own, others): (Vec<&LineNode>, Vec<&LineNode>) =
            sources.iter().partition(|it| it.func == func);
        let names: Vec<String> =
            own.into_iter().chain(others).map(|it| it.name(module, func)).collect();
        format!("{} {}", kind.name(), names.join(", "))
    };
    let parts: Vec<String> = dependences.iter().map(part).collect();
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

/// A node's name in the graph: with that of its function, which makes it unique.
fn node_id(module: &Module, node: LineNode) -> String {
    let name = &module.funcs[node.func].name;
    quoted(&format!("{name}:{}", node.name(module, node.func)))
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
