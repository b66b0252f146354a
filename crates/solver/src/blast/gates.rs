//! Gates, encoded as clauses.
//!
//! Constant and duplicate gates are folded away, and structurally equal gates are shared.
//! The inputs of every gate's variable are recorded, so that the cone of a literal can be
//! found.

use rustc_hash::FxHashMap;

use super::sat::{Lit, SatSolver, Var};

/// The gates that are hash-consed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum GateKind {
    And,
    Xor,
    Xor3,
    Mux,
    Majority,
}

/// A SAT solver and the gates that its clauses define.
pub struct Gates {
    /// Holds the clauses of all gates.
    pub sat: SatSolver,
    shared: FxHashMap<(GateKind, [Lit; 3]), Lit>,
    /// Where the inputs of each variable start.
    starts: Vec<u32>,
    inputs: Vec<Var>,
}

impl Gates {
    /// Has only the constants.
    pub fn new() -> Gates {
        let sat = SatSolver::new();
        let starts = vec![0; sat.vars()];
        Gates { sat, shared: FxHashMap::default(), starts, inputs: Vec::new() }
    }

    /// The inputs of a variable's gate.
    pub fn inputs(&self, var: Var) -> &[Var] {
        let end = self.starts.get(var.index() + 1).map_or(self.inputs.len(), |&end| end as usize);
        &self.inputs[self.starts[var.index()] as usize..end]
    }

    /// A variable without a definition.
    pub fn free_var(&mut self) -> Lit {
        self.new_gate(&[])
    }

    /// The output of a new gate. It is relevant at once, because the term that needs it is.
    fn new_gate(&mut self, inputs: &[Lit]) -> Lit {
        let var = self.sat.new_var();
        self.starts.push(self.inputs.len() as u32);
        self.inputs.extend(inputs.iter().map(|lit| lit.var()));
        self.sat.include(var);
        var.is(true)
    }

    fn gate(&mut self, kind: GateKind, inputs: [Lit; 3], clauses: &[&[i8]]) -> Lit {
        if let Some(&known) = self.shared.get(&(kind, inputs)) {
            return known;
        }
        let used = inputs.iter().position(|&lit| lit == Lit::TRUE).unwrap_or(inputs.len());
        let output = self.new_gate(&inputs[..used]);
        // Numbers 1 to 3 stand for the inputs and 4 for the output; a minus sign negates.
        let lits = [inputs[0], inputs[1], inputs[2], output];
        for clause in clauses {
            let mut clause_lits = [Lit::TRUE; 4];
            for (lit, &number) in clause_lits.iter_mut().zip(*clause) {
                *lit = lits[number.unsigned_abs() as usize - 1].negated_if(number < 0);
            }
            self.sat.add_clause(&mut clause_lits[..clause.len()]);
        }
        self.shared.insert((kind, inputs), output);
        output
    }

    /// Conjunction.
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

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of any number of literals.
    pub fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        lits.retain(|&lit| lit != Lit::TRUE);
        let contradictory = lits.windows(2).any(|pair| pair[0] == !pair[1]);
        match *lits {
            _ if contradictory || lits.first() == Some(&Lit::FALSE) => Lit::FALSE,
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

    /// Disjunction of any number of literals.
    pub fn any(&mut self, lits: impl Iterator<Item = Lit>) -> Lit {
        !self.all(lits.map(|lit| !lit).collect())
    }

    /// Exclusive or.
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

    /// Exclusive or of three: the sum bit of a full adder.
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

    /// At least two of three: the carry of a full adder.
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
        // The majority of three negations is the negation of the majority.
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
                // The last two are implied by the others, but propagate more.
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
