//! Narrowing of a kernel to 32-bit indices.

use crate::ir::{Attribute, Builder, Op, Region, Type, Value, walk};
use std::collections::HashMap;

/// Narrows all index arithmetic, comparisons and loops of a kernel.
pub(crate) fn narrow(kernel: Op) {
    let i32 = Type::integer(kernel.context(), 32);
    let mut narrowing = Narrowing { i32, narrow: HashMap::new(), old: vec![] };
    walk(kernel).into_iter().skip(1).for_each(|op| narrowing.op(op));
    for op in narrowing.old.into_iter().rev() {
        if op.results().iter().all(|result| result.uses().is_empty()) {
            op.erase();
        }
    }
}

struct Narrowing<'c> {
    i32: Type<'c>,
    /// The 32-bit value of each index.
    narrow: HashMap<Value<'c>, Value<'c>>,
    /// Ops that have a replacement.
    old: Vec<Op<'c>>,
}

impl<'c> Narrowing<'c> {
    fn op(&mut self, op: Op<'c>) {
        let name = op.name();
        let is_index = |value: Value| value.ty().is_index();
        let gives_index = op.results().first().is_some_and(|result| is_index(*result));
        match name {
            "arith.constant" if gives_index => {
                let Some(number) = op.attribute("value").and_then(Attribute::as_i64) else {
                    return;
                };
                let new = Builder::before(op, op.location()).number(self.i32, number);
                self.narrow.insert(op.result(0), new);
                self.old.push(op);
            }
            "arith.index_cast" | "arith.index_castui" if gives_index => {}
            "scf.for" if is_index(op.operand(0)) => self.count(op),
            "arith.cmpi" if is_index(op.operand(0)) => {
                for (i, value) in op.operands().into_iter().enumerate() {
                    op.set_operand(i, self.of(value));
                }
            }
            _ if name.starts_with("arith.") && gives_index => {
                let operands: Vec<Value> = op.operands();
                let operands: Vec<Value> = operands
                    .into_iter()
                    .map(|value| if is_index(value) { self.of(value) } else { value })
                    .collect();
                let at = Builder::before(op, op.location());
                let mut spec = at.spec(name).operands(&operands).results(&[self.i32]);
                if matches!(name, "arith.addi" | "arith.subi" | "arith.muli") {
                    // The absence of overflow is proved. LLVM needs the flag to move constants out of the
                    // extension in an address.
                    let flags = Attribute::parse(at.context(), "#arith.overflow<nsw>");
                    spec = spec.attribute("overflowFlags", flags.expect("arith is loaded"));
                }
                self.narrow.insert(op.result(0), at.value(spec));
                self.old.push(op);
            }
            _ => {
                for (i, value) in op.operands().into_iter().enumerate() {
                    if let Some(narrow) = self.narrow.get(&value) {
                        let at = Builder::before(op, op.location());
                        op.set_operand(i, at.op("arith.index_cast", &[*narrow], value.ty()));
                    }
                }
            }
        }
    }

    /// The 32-bit value of an index.
    fn of(&mut self, value: Value<'c>) -> Value<'c> {
        if let Some(known) = self.narrow.get(&value) {
            return *known;
        }
        let from_i32 = value.defining_op().filter(|op| op.is("arith.index_cast"));
        if let Some(from) = from_i32.map(|op| op.operand(0)).filter(|v| v.ty() == self.i32) {
            return from;
        }
        let next = match value.defining_op() {
            Some(op) => op.next(),
            None => value.owner().and_then(|block| block.first_op()),
        };
        let next = next.expect("a block ends in a terminator");
        let narrow =
            Builder::before(next, next.location()).op("arith.index_cast", &[value], self.i32);
        self.narrow.insert(value, narrow);
        narrow
    }

    /// Changes the induction variable of a loop to 32 bits.
    fn count(&mut self, op: Op<'c>) {
        let mut operands = op.operands();
        for bound in &mut operands[..3] {
            *bound = self.of(*bound);
        }
        let body = op.body(0).expect("a loop has a body");
        let old = body.argument(0);
        let new = body.insert_argument(0, self.i32, op.location());
        let first = body.first_op().expect("a body ends in a yield");
        let index = Builder::before(first, op.location()).op("arith.index_cast", &[new], old.ty());
        old.replace_all_uses_with(index);
        body.remove_argument(1);
        let region = Region::new();
        region.take_body(op.regions()[0]);
        let results: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
        let at = Builder::before(op, op.location());
        let mut spec = at.spec("scf.for").operands(&operands).results(&results);
        for (name, value) in op.attributes() {
            spec = spec.attribute(name, value);
        }
        let new = at.insert(spec.region(region));
        for (old, new) in op.results().into_iter().zip(new.results()) {
            old.replace_all_uses_with(new);
        }
        op.erase();
    }
}
