//! The pass drivers: the inputs that each kind of pass gets, and their order.

use loopwright::ir::affine::Expr;
use loopwright::ir::{Attribute, Block, Error, Op, walk};
use loopwright::optimize::kind::{
    BlockPass, Counts, ExprPass, StmtPass, on_blocks, on_expressions, on_statements, visit,
};
use loopwright::pipeline;
use loopwright_testing::top;
use melior::ir::Module;

const NEST: &str = "
func.func @main(%A: memref<8x8xf32>, %B: memref<8x8xf32>, %n: index) {
  loop.for serial %i in 8 {
    loop.if (-%i + 5 >= 0) {
      loop.for serial %j in min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n] {
        loop.block \"B\" [%v: spatial 8, %w: spatial 8] = (%i, %j) where(%j - 1 >= 0)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, 0 : 8]) {
          %a = memref.load %A[%v, %w] : memref<8x8xf32>
          %at = affine.apply affine_map<(d0) -> (-d0 + 7)>(%w)
          memref.store %a, %B[%v, %at] : memref<8x8xf32>
        }
      }
    }
    loop.sync
  }
  return
}";

fn with_nest(test: impl FnOnce(Op)) {
    let context = pipeline::context();
    let module = Module::parse(&context, NEST).expect("the text is valid");
    let functions = top(&module).body(0).expect("a module has a body").ops();
    test(functions.into_iter().find(|op| op.is("func.func")).expect("a function"));
    assert!(top(&module).verify());
}

/// The name of a loop or schedule block, or the op's name.
fn label(op: Op) -> String {
    let name = op.attribute("name").and_then(Attribute::as_str);
    name.unwrap_or_else(|| op.name()).to_owned()
}

#[test]
fn callbacks_stand_around_what_is_inside() {
    with_nest(|function| {
        let seen = std::cell::RefCell::new(vec![]);
        let note = |prefix: &str, op: Op| -> Result<(), Error> {
            seen.borrow_mut().push(format!("{prefix}{}", label(op)));
            Ok(())
        };
        let mut before = |op| note("", op);
        let mut after = |op| note("/", op);
        visit(function, &mut before, &mut after).expect("no callback fails");
        let found = seen.borrow().join(" ");
        assert_eq!(
            found,
            "func.func i loop.if j B memref.store /memref.store /B /j /loop.if loop.sync /loop.sync \
             /i /func.func"
        );
    });
}

#[derive(Default)]
struct Labels(Vec<String>);

impl BlockPass for Labels {
    fn run<'c>(&mut self, block: Block<'c>, _: &mut Counts) -> Result<(), Error<'c>> {
        self.0.push(block.ops().into_iter().map(label).collect::<Vec<_>>().join("+"));
        Ok(())
    }
}

#[test]
fn blocks_come_from_the_inside() {
    with_nest(|function| {
        let mut labels = Labels::default();
        on_blocks(&mut labels, function, &mut Counts::default()).expect("it does not fail");
        assert_eq!(
            labels.0,
            [
                "memref.load+affine.apply+memref.store+loop.yield",
                "B+loop.yield",
                "j+loop.yield",
                "loop.if+loop.sync+loop.yield",
                "i+func.return",
            ]
        );
    });
}

/// Erases barriers, and counts all statements.
#[derive(Default)]
struct EraseBarriers;

impl StmtPass for EraseBarriers {
    fn run<'c>(&mut self, statement: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        if statement.is("loop.sync") {
            statement.erase();
            counts.add(1, 1);
        }
        counts.add(0, 1);
        Ok(())
    }
}

#[test]
fn a_statement_may_erase_itself() {
    with_nest(|function| {
        let mut counts = Counts::default();
        on_statements(&mut EraseBarriers, function, &mut counts).expect("it does not fail");
        let mut expected = Counts::default();
        expected.add(0, 6);
        expected.add(1, 1);
        assert_eq!(counts, expected);
        assert!(!walk(function).into_iter().any(|op| op.is("loop.sync")));
    });
}

/// Records its inputs and their possible ranges, and replaces constants of 7 by 3.
#[derive(Default)]
struct Notes(Vec<(String, Option<(i64, i64)>)>);

impl ExprPass for Notes {
    fn run(
        &mut self,
        expr: &Expr,
        interval: &dyn Fn(&Expr) -> Option<(i64, i64)>,
        _: &mut Counts,
    ) -> Option<Expr> {
        self.0.push((format!("{expr:?}"), expr.interval(&interval)));
        let is_reversed = *expr == (Expr::Constant(7) - Expr::Dim(0)).simplified();
        is_reversed.then(|| (Expr::Constant(3) - Expr::Dim(0)).simplified())
    }
}

#[test]
fn expressions_come_with_their_intervals() {
    with_nest(|function| {
        let mut notes = Notes::default();
        on_expressions(&mut notes, function, &mut Counts::default()).expect("it does not fail");
        let intervals: Vec<_> = notes.0.iter().map(|(_, interval)| *interval).collect();
        // Extent of i; condition; extents of j, one of which is over a size; binding; predicate; index.
        let (i, j) = (Some((0, 7)), Some((0, 7)));
        assert_eq!(
            intervals,
            [Some((8, 8)), Some((-2, 5)), Some((8, 8)), None, i, j, Some((-1, 6)), Some((0, 7))],
            "{notes:?}",
            notes = notes.0
        );
        let apply = walk(function).into_iter().find(|op| op.is("affine.apply"));
        let map = apply.and_then(|op| op.attribute("map")).and_then(Attribute::as_map);
        let replaced = (Expr::Constant(3) - Expr::Dim(0)).simplified();
        assert_eq!(map.expect("it is there").results, [replaced]);
    });
}
