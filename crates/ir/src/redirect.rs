//! Calls another function wherever one is called.

use crate::{Callee, Const, FuncId, Inst, Module, Symbol};

impl Module {
    /// Replaces every use of a function, its address included, by another function.
    pub fn redirect(&mut self, from: FuncId, to: FuncId) {
        let redirect = |symbol: &mut Symbol| {
            if *symbol == Symbol::Func(from) {
                *symbol = Symbol::Func(to);
            }
        };
        for func in self.funcs.values_mut() {
            for inst in func.insts.values_mut() {
                if let Inst::Call { callee: Callee::Direct(callee), .. } = inst
                    && *callee == from
                {
                    *callee = to;
                }
            }
            for constant in func.consts.values_mut() {
                if let Const::Address { symbol, .. } = constant {
                    redirect(symbol);
                }
            }
        }
        let inits = self.globals.values_mut().filter_map(|global| global.init.as_mut());
        for reloc in inits.flat_map(|init| &mut init.relocs) {
            redirect(&mut reloc.plus);
            reloc.minus.as_mut().map(redirect);
        }
        for ctor in self.ctors.iter_mut().chain(&mut self.dtors) {
            if ctor.func == from {
                ctor.func = to;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::text;

    #[test]
    fn calls_and_addresses_are_redirected() {
        let source = "\
bwir 1
module \"redirect\"

global user @table size 8 align 8 = {
  at 0 width 8: @old
}

func user @old() -> i32 {
b0:
  ret 1:i32
}

func user @new() -> i32 {
b0:
  ret 2:i32
}

func user @caller() -> i32 {
b0:
  v0:i32 = call @old()
  ret v0
}
";
        let Ok(mut module) = text::parse(source) else {
            panic!("{:?}", text::parse(source).err());
        };
        let [old, new] = ["old", "new"].map(|name| module.func_by_name(name).expect("defined"));
        module.redirect(old, new);
        let shown = text::print(&module);
        assert!(shown.contains("call @new()") && !shown.contains("call @old()"), "{shown}");
        assert!(shown.contains("width 8: @new"), "{shown}");
    }
}
