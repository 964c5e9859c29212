//! Shapes, buffers, masks, globals, workspaces and parallel loops.

use super::harness::{Value, buffer, compile, numbers, run};

fn ramp(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

#[test]
fn static_and_dynamic_shapes() {
    let code = compile(
        "func.func @f(%A: memref<?x6xf32>, %B: memref<6x?xf32> {loop.result}, %k: index) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c6 = arith.constant 6 : index
          %n = memref.dim %A, %c0 : memref<?x6xf32>
          scf.for %i = %c0 to %n step %c1 {
            scf.for %j = %c0 to %c6 step %c1 {
              %x = memref.load %A[%i, %j] : memref<?x6xf32>
              %ki = arith.index_cast %k : index to i64
              %kf = arith.sitofp %ki : i64 to f32
              %y = arith.addf %x, %kf : f32
              memref.store %y, %B[%j, %i] : memref<6x?xf32>
            }
          }
          return
        }",
    );
    assert_eq!(code.kernel("f").unwrap().signature, "f32[?x6], f32[6x?] result, index");
    for n in [0, 1, 3] {
        let a = ramp(n * 6);
        let arguments = vec![
            buffer(&[n as i64, 6], &a),
            buffer(&[6, n as i64], &vec![0f32; n * 6]),
            Value::Index(-5),
        ];
        let b: Vec<f32> = numbers(&run(&code, "f", arguments, 1)[1]);
        for i in 0..n {
            for j in 0..6 {
                assert_eq!(b[j * n + i], a[i * 6 + j] - 5.0);
            }
        }
    }
}
