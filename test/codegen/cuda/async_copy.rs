//! Asynchronous copies: copied data arrives, and is missing without the wait.

use crate::emulated;
use crate::harness::Session;
use crate::kernels::{F32, array, case, numbers, undefined};
use loopwright::codegen::cuda::GpuTarget;
use loopwright::interpreter::scalar::Scalar;
use loopwright::pipeline::Phase;
use loopwright_runtime::gpu::Program;
use loopwright_testing::top;

const ROWS: usize = 8;
const COLUMNS: usize = 512;

#[test]
fn rows_are_copied_while_others_are_added() {
    let values = numbers(ROWS * COLUMNS, 1);
    let column = |j: usize| (0..ROWS).map(|i| values[i * COLUMNS + COLUMNS - 1 - j]).sum();
    let sums: Vec<f64> = (0..COLUMNS).map(column).collect();
    let input = array(F32, &[ROWS, COLUMNS], &values);
    let case = case("main", vec![input], vec![(undefined(F32, &[COLUMNS]), sums.clone())]);
    for chip in ["sm_80", "sm_90a"] {
        let session = Session::new();
        let mut module = session.parse("async_copy.mlir");
        let device = GpuTarget::new(chip, 64).expect("a chip");
        session.lower(&mut module, Phase::Ptx, &device);
        let program = emulated::program(top(&module), &device);
        let count = |word: &str| program.ptx.matches(word).count();
        assert!(count("cp.async.cg.shared.global") > 1, "{}", program.ptx);
        assert_eq!(count("st.shared"), 0, "{}", program.ptx);
        for seed in 0..3 {
            let results = emulated::run(&program, &case, seed);
            for (found, expected) in results[1].cells.iter().zip(&sums) {
                let Scalar::Float(found) = found else { panic!("{found:?} is no float") };
                assert!((found - expected).abs() <= 1e-5 * expected.abs().max(1.0), "{found}");
            }
        }
        // Each of the waits is needed.
        let lines: Vec<&str> = program.ptx.lines().collect();
        let waits = (0..lines.len()).filter(|i| lines[*i].contains("cp.async.wait_group"));
        for wait in waits {
            let ptx = [&lines[..wait], &lines[wait + 1..]].concat().join("\n");
            let without = Program { ptx, ..program.clone() };
            let outcome = emulated::try_run(&without, &case, 0);
            let error = outcome.expect_err("what is read has not arrived").to_string();
            assert!(error.contains("cp.async"), "{error}");
        }
    }
}
