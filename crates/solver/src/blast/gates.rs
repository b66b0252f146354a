//! Gates: the small functions that circuits are made of, as clauses.
//!
//! What can be seen to be constant, or the same as something else, makes no gate, and
//! the same gate is made once. A gate's variable and its inputs are remembered, so
//! that the part of a circuit that something depends on can be found.

use rustc_hash::FxHashMap;

use super::sat::{Lit, SatSolver, Var};

/// The gates that are looked up before one is made.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum GateKind {
    And,
    Xor,
    Xor3,
    Mux,
    Majority,
}

/// An instance and the gates it defines.
pub struct Gates {
    /// The instance.
    pub sat: SatSolver,
    known: FxHashMap<(GateKind, [Lit; 3]), Lit>,
    /// Where the inputs of each variable begin.
    starts: Vec<u32>,
    inputs: Vec<Var>,
}

impl Gates {
    /// An instance without gates.
    pub fn new() -> Gates {
        let sat = SatSolver::new();
        let starts = vec![0; sat.vars()];
        Gates { sat, known: FxHashMap::default(), starts, inputs: Vec::new() }
    }

    /// The inputs of a variable's gate.
    pub fn inputs(&self, var: Var) -> &[Var] {
        let end = self.starts.get(var.index() + 1).map_or(self.inputs.len(), |&end| end as usize);
        &self.inputs[self.starts[var.index()] as usize..end]
    }

    /// A variable that nothing defines.
    pub fn unknown(&mut self) -> Lit {
        self.new_gate(&[])
    }

    /// A new gate's output. It is relevant from the start: the term that it is made
    /// for is.
    fn new_gate(&mut self, inputs: &[Lit]) -> Lit {
        let var = self.sat.new_var();
        self.starts.push(self.inputs.len() as u32);
        self.inputs.extend(inputs.iter().map(|lit| lit.var()));
        self.sat.include(var);
        var.is(true)
    }

    fn gate(&mut self, kind: GateKind, inputs: [Lit; 3], clauses: &[&[i8]]) -> Lit {
        if let Some(&known) = self.known.get(&(kind, inputs)) {
            return known;
        }
        let used = inputs.iter().position(|&lit| lit == Lit::TRUE).unwrap_or(inputs.len());
        let output = self.new_gate(&inputs[..used]);
        // By number: 1 to 3 are the inputs, 4 the output, less than zero their negations.
        let lits = [inputs[0], inputs[1], inputs[2], output];
        for clause in clauses {
            let mut clause_lits = [Lit::TRUE; 4];
            for (lit, &number) in clause_lits.iter_mut().zip(*clause) {
                *lit = lits[number.unsigned_abs() as usize - 1].negated_if(number < 0);
            }
            self.sat.add_clause(&mut clause_lits[..clause.len()]);
        }
        self.known.insert((kind, inputs), output);
        output
    }

    /// Both.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match a {
            Lit::TRUE => b,
            Lit::FALSE => Lit::FALSE,
            _ if a == b => a,
            _ if a == !b => Lit::FALSE,
            _ => self.gate(GateKind::And, [a, b, Lit::TRUE], &[&[1, -4], &[2, -4], &[-1, -2, 4]]),
        }
    }

    /// Either or both.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All of several.
    pub fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        lits.retain(|&lit| lit != Lit::TRUE);
        let opposed = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        match *lits {
            _ if opposed || lits.first() == Some(&Lit::FALSE) => Lit::FALSE,
            [] => Lit::TRUE,
            [one] => one,
            [a, b] => self.and(a, b),
            _ => {
                let output = self.new_gate(&lits);
                for &lit in &lits {
                    self.sat.add_clause(&mut [lit, !output]);
                }
                lits.iter_mut().for_each(|lit| *lit = !*lit);
                lits.push(output);
                self.sat.add_clause(&mut lits);
                output
            }
        }
    }

    /// Any of several.
    pub fn any(&mut self, lits: impl Iterator<Item = Lit>) -> Lit {
        !self.all(lits.map(|lit| !lit).collect())
    }

    /// Just one of the two.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.var().is(true), b.var().is(true));
        let (a, b) = (a.min(b), a.max(b));
        let output = match a {
            Lit::TRUE => !b,
            _ if a == b => Lit::FALSE,
            _ => {
                let clauses: [&[i8]; 4] = [&[1, 2, -4], &[-1, -2, -4], &[1, -2, 4], &[-1, 2, 4]];
                self.gate(GateKind::Xor, [a, b, Lit::TRUE], &clauses)
            }
        };
        output.negated_if(negated)
    }

    /// The lowest bit of the sum of three.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let negated = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut lits = [a, b, c].map(|lit| lit.var().is(true));
        lits.sort_unstable();
        let [a, b, c] = lits;
        let output = if a.is_constant() || a == b || b == c {
            let pair = self.xor(a, b);
            self.xor(pair, c)
        } else {
            let clauses: [&[i8]; 8] = [
                &[1, 2, 3, -4],
                &[1, -2, -3, -4],
                &[-1, 2, -3, -4],
                &[-1, -2, 3, -4],
                &[-1, -2, -3, 4],
                &[-1, 2, 3, 4],
                &[1, -2, 3, 4],
                &[1, 2, -3, 4],
            ];
            self.gate(GateKind::Xor3, lits, &clauses)
        };
        output.negated_if(negated)
    }

    /// At least two of three: the carry of their sum.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        let [a, b, c] = lits;
        match a {
            Lit::TRUE => return self.or(b, c),
            Lit::FALSE => return self.and(b, c),
            _ if a == b => return a,
            _ if a == !b => return c,
            _ if b == c => return b,
            _ if b == !c => return a,
            _ => {}
        }
        // The function of three negations is the negation.
        let negated = a.is_negated();
        let lits = lits.map(|lit| lit.negated_if(negated));
        let clauses: [&[i8]; 6] =
            [&[-1, -2, 4], &[-1, -3, 4], &[-2, -3, 4], &[1, 2, -4], &[1, 3, -4], &[2, 3, -4]];
        self.gate(GateKind::Majority, lits, &clauses).negated_if(negated)
    }

    /// `yes` if `choice`, else `no`.
    pub fn mux(&mut self, choice: Lit, yes: Lit, no: Lit) -> Lit {
        let swapped = choice.is_negated();
        let choice = choice.negated_if(swapped);
        let (yes, no) = if swapped { (no, yes) } else { (yes, no) };
        match () {
            () if choice == Lit::TRUE || yes == no => yes,
            () if yes == !no => !self.xor(choice, yes),
            () if yes == Lit::TRUE || yes == choice => self.or(choice, no),
            () if yes == Lit::FALSE || yes == !choice => self.and(!choice, no),
            () if no == Lit::FALSE || no == choice => self.and(choice, yes),
            () if no == Lit::TRUE || no == !choice => self.or(!choice, yes),
            () => {
                let negated = yes.is_negated();
                let (yes, no) = (yes.negated_if(negated), no.negated_if(negated));
                // The last two follow from the others, and propagate more.
                let clauses: [&[i8]; 6] = [
                    &[-1, -2, 4],
                    &[-1, 2, -4],
                    &[1, -3, 4],
                    &[1, 3, -4],
                    &[-2, -3, 4],
                    &[2, 3, -4],
                ];
                self.gate(GateKind::Mux, [choice, yes, no], &clauses).negated_if(negated)
            }
        }
    }
}
