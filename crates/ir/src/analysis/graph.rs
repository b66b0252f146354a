//! A directed graph over the nodes `0..n` as compact arrays, for the analyses of blocks and
//! of functions.

/// A directed graph. Edges keep their order, and duplicate edges are
/// allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digraph {
    /// The edges of node `n` are `targets[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Digraph {
    /// A graph of `nodes` nodes with these edges, as pairs of source and target.
    ///
    /// # Panics
    /// If an edge names a node that does not exist.
    pub fn new(nodes: usize, edges: &[(usize, usize)]) -> Self {
        let mut starts = vec![0u32; nodes + 1];
        for &(from, to) in edges {
            assert!(from < nodes && to < nodes, "edge {from} -> {to} in a graph of {nodes} nodes");
            starts[from + 1] += 1;
        }
        for n in 0..nodes {
            starts[n + 1] += starts[n];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from] as usize] = to as u32;
            next[from] += 1;
        }
        Digraph { starts, targets }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The targets of a node's edges.
    pub fn succs(&self, node: usize) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.targets_of(node).iter().map(|&t| t as usize)
    }

    fn targets_of(&self, node: usize) -> &[u32] {
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// All edges, ordered by their source.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(|n| self.succs(n).map(move |t| (n, t)))
    }

    /// The same graph with every edge reversed.
    pub fn reversed(&self) -> Digraph {
        let edges: Vec<_> = self.edges().map(|(from, to)| (to, from)).collect();
        Digraph::new(self.len(), &edges)
    }

    /// The nodes reachable from `root`, each after its successors
    /// (except for cycles); `root` comes last.
    pub fn post_order(&self, root: usize) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.len()];
        let mut stack = vec![(root, 0)];
        seen[root] = true;
        while let Some((node, next)) = stack.last_mut() {
            if let Some(&target) = self.targets_of(*node).get(*next) {
                *next += 1;
                let target = target as usize;
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push((target, 0));
                }
            } else {
                order.push(*node);
                stack.pop();
            }
        }
        order
    }

    /// The strongly connected components (Tarjan 1972), each after those its edges lead to.
    pub fn components(&self) -> Vec<Vec<usize>> {
        Tarjan::new(self).run()
    }
}

/// The state of Tarjan's algorithm, with its recursion as an explicit stack.
struct Tarjan<'a> {
    graph: &'a Digraph,
    /// The discovery order of each node, from one; zero if not yet discovered.
    index: Vec<u32>,
    /// The earliest node on the stack that is known to be reachable from each.
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    met: u32,
    components: Vec<Vec<usize>>,
}

impl<'a> Tarjan<'a> {
    fn new(graph: &'a Digraph) -> Self {
        let n = graph.len();
        Tarjan {
            graph,
            index: vec![0; n],
            low: vec![0; n],
            on_stack: vec![false; n],
            stack: Vec::new(),
            met: 0,
            components: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Vec<usize>> {
        for root in 0..self.graph.len() {
            if self.index[root] == 0 {
                self.visit(root);
            }
        }
        self.components
    }

    fn visit(&mut self, root: usize) {
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if let Some(&target) = self.graph.targets_of(node).get(*next) {
                *next += 1;
                let target = target as usize;
                if self.index[target] == 0 {
                    self.enter(target);
                    calls.push((target, 0));
                } else if self.on_stack[target] {
                    self.low[node] = self.low[node].min(self.index[target]);
                }
            } else {
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    self.low[caller] = self.low[caller].min(self.low[node]);
                }
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.met += 1;
        self.index[node] = self.met;
        self.low[node] = self.met;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    /// If the node is the first discovered of its component, the component is complete.
    fn leave(&mut self, node: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        let start = self.stack.iter().rposition(|&n| n == node).expect("entered, not yet left");
        let component = self.stack.split_off(start);
        for &n in &component {
            self.on_stack[n] = false;
        }
        self.components.push(component);
    }
}
