//! The remainder of a split, at all sizes around a tile: results do not change.

use super::{Random, function, parse, text};
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::{Array, Datum, RunOptions, run};
use loopwright::ir::FloatKind;
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::primitive::r#loop::split::Tail;
use loopwright_testing::top;
use melior::Context;

const BLOCKS: [&str; 6] = ["ones:i", "twos:i", "out:i", "rows:k", "rows:i", "total:i"];

/// A chain of three blocks, row sums and the sum of a column, over n rows of 5.
fn program(n: &str, sizes: &str) -> String {
    let parens = if n == "?" { "(%n) " } else { "" };
    let (extent, rows) = (if n == "?" { "%n" } else { n }, format!("memref<{n}xf32>"));
    format!(
        "func.func @main(%A: memref<{n}x5xf32>, %C: {rows}, %R: {rows}, %S: memref<f32>) {{
           {sizes}
           %T = loop.buffer \"T\" scope(global) {parens}: {rows}
           %U = loop.buffer \"U\" scope(global) {parens}: {rows}
           loop.for serial %i in {extent} {{
             loop.block \"ones\" [%v: spatial {extent}] = (%i) writes(%T[%v : 1]) {{
               %one = arith.constant 1.0 : f32
               memref.store %one, %T[%v] : {rows}
             }}
           }}
           loop.for serial %i in {extent} {{
             loop.block \"twos\" [%v: spatial {extent}] = (%i) reads(%T[%v : 1]) writes(%U[%v : 1]) {{
               %t = memref.load %T[%v] : {rows}
               %u = arith.addf %t, %t : f32
               memref.store %u, %U[%v] : {rows}
             }}
           }}
           loop.for serial %i in {extent} {{
             loop.block \"out\" [%v: spatial {extent}] = (%i)
                 reads(%U[%v : 1], %A[%v : 1, 2 : 1]) writes(%C[%v : 1]) {{
               %two = arith.constant 2 : index
               %u = memref.load %U[%v] : {rows}
               %a = memref.load %A[%v, %two] : memref<{n}x5xf32>
               %c = arith.addf %u, %a : f32
               memref.store %c, %C[%v] : {rows}
             }}
           }}
           loop.for serial %i in {extent} {{
             loop.for serial %k in 5 {{
               loop.block \"rows\" [%v: spatial {extent}, %w: reduce 5] = (%i, %k)
                   reads(%A[%v : 1, %w : 1]) writes(%R[%v : 1]) reducer(add, 0.0) {{
                 loop.init {{
                   %zero = arith.constant 0.0 : f32
                   memref.store %zero, %R[%v] : {rows}
                 }}
                 %a = memref.load %A[%v, %w] : memref<{n}x5xf32>
                 %r = memref.load %R[%v] : {rows}
                 %s = arith.addf %r, %a : f32
                 memref.store %s, %R[%v] : {rows}
               }}
             }}
           }}
           loop.for serial %i in {extent} {{
             loop.block \"total\" [%v: reduce {extent}] = (%i)
                 reads(%A[%v : 1, 0 : 1]) writes(%S[]) reducer(add, 0.0) {{
               loop.init {{
                 %zero = arith.constant 0.0 : f32
                 memref.store %zero, %S[] : memref<f32>
               }}
               %first = arith.constant 0 : index
               %a = memref.load %A[%v, %first] : memref<{n}x5xf32>
               %r = memref.load %S[] : memref<f32>
               %s = arith.addf %r, %a : f32
               memref.store %s, %S[] : memref<f32>
             }}
           }}
           return
         }}"
    )
}

/// The contents of the arguments after a run on n rows.
fn results(context: &Context, program: &str, n: usize) -> Vec<Vec<Scalar>> {
    let module = parse(context, program);
    let mut random = Random::new(11);
    let shapes: [&[usize]; 4] = [&[n, 5], &[n], &[n], &[]];
    let arguments = shapes.map(|shape| {
        let ty = ScalarType::Float(FloatKind::F32);
        let mut array = Array::undefined(ty, shape.to_vec()).expect("small");
        for cell in &mut array.cells {
            *cell = Scalar::Float(random.below(7) as f64 - 3.0);
        }
        Datum::buffer(array)
    });
    let options = RunOptions { seed: 5, max_iterations: 1_000_000 };
    if let Err(error) = run(top(&module), "main", arguments.to_vec(), options) {
        panic!("{}\n{program}", error.message);
    }
    let cells = |argument: &Datum| match argument {
        Datum::Buffer(array) => array.borrow().cells.clone(),
        _ => vec![],
    };
    arguments.iter().map(cells).collect()
}

#[test]
fn tails_compute_the_same_around_a_tile() {
    let dynamic =
        program("?", "%c0 = arith.constant 0 : index\n%n = memref.dim %A, %c0 : memref<?x5xf32>");
    let context = pipeline::context();
    let mut accepted = [0; 4];
    for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, 13] {
        for source in [program(&n.to_string(), ""), dynamic.clone()] {
            let expected = results(&context, &source, n);
            for tail in Tail::ALL {
                for factors in [&[-1, 4][..], &[4, -1], &[-1, 2, 2]] {
                    // One step after the other, if each is legal.
                    let module = parse(&context, &source);
                    let main = function(&module, "main");
                    let mut schedule = Schedule::new(main).expect("a function of loops");
                    for block in BLOCKS {
                        let made = schedule.split(block, factors, Some(tail.word()));
                        accepted[*tail as usize] += usize::from(made.is_ok());
                    }
                    let after = text(&module);
                    assert!(top(&module).verify(), "{after}");
                    assert_eq!(
                        results(&context, &after, n),
                        expected,
                        "{n} rows, {tail}:\n{after}"
                    );
                }
            }
        }
    }
    let [guard, peel, shift, pad] = accepted;
    assert_eq!(guard, 360, "always");
    assert!(peel > 300 && shift > 70 && pad > 130, "{accepted:?}");
}
