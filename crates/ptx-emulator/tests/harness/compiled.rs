//! Kernels that Loopwright compiled, and some that only MLIR compiled (`tensor_core.ptx`), with their inputs, and with
//! expected results from plain loops.

use super::runner::{Kind, Runner};
use half::bf16;
use ptx_emulator::{Argument, LaunchConfig, LaunchError, Profile};

pub struct Case {
    pub text: &'static str,
    pub kernel: &'static str,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub arguments: Vec<Value>,
    /// The relative tolerance.
    pub tolerance: f64,
}

pub enum Value {
    Input(Kind, Vec<f64>),
    /// An uninitialised buffer, and its expected values after the launch.
    Output(Kind, Vec<f64>),
    Size(u64),
}

use Kind::{BF16, F16, F32, F64, I8, I16, I32, I64};
use Value::{Input, Output, Size};

const ELEMENTWISE: &str = include_str!("../kernels/elementwise.ptx");
const SHARED: &str = include_str!("../kernels/shared.ptx");
const LANES: &str = include_str!("../kernels/lanes.ptx");
const REDUCTION: &str = include_str!("../kernels/reduction.ptx");
const ACROSS: &str = include_str!("../kernels/across.ptx");
const TENSOR_CORE: &str = include_str!("../kernels/tensor_core.ptx");
const MATMUL: &str = include_str!("../kernels/matmul.ptx");

/// Integers from -50 to 50 that differ much from one element to the next.
fn numbers(count: usize, salt: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 37 + salt * 17 + 11) % 101) as f64 - 50.0).collect()
}

pub fn cases() -> Vec<Case> {
    [elementwise(), shared(), lanes(), reductions(), tensor_core()].into_iter().flatten().collect()
}

fn case(
    text: &'static str,
    kernel: &'static str,
    grid: [u32; 2],
    block: [u32; 2],
    arguments: Vec<Value>,
) -> Case {
    let ([gx, gy], [bx, by]) = (grid, block);
    Case { text, kernel, grid: [gx, gy, 1], block: [bx, by, 1], arguments, tolerance: 0.0 }
}

fn elementwise() -> Vec<Case> {
    let a = numbers(2048, 1);
    let b = numbers(2048, 2);
    let pairs = |n: usize, of: fn(f64, f64) -> f64| -> Vec<f64> {
        a[..n].iter().zip(&b).map(|(a, b)| of(*a, *b)).collect()
    };
    let f32s = |n: usize| Input(F32, a[..n].to_vec());
    let rows: Vec<f64> = (0..2048).map(|i| a[i] * b[i % 32]).collect();
    let turned = |rows: usize, columns: usize| -> Vec<f64> {
        (0..rows * columns).map(|i| a[i % rows * columns + i / rows]).collect()
    };
    let at = |i: usize| if (1..=200).contains(&i) { a[i - 1] } else { 0.0 };
    let stencil = (0..200).map(|i| at(i + 2) - at(i)).collect();
    let small = |values: &[f64]| -> Vec<f64> {
        values[..512].iter().map(|it| bf16::from_f64(it / 3.0).to_f64()).collect()
    };
    let rounded = |exact: f64| bf16::from_f64(exact).to_f64();
    let (c, d) = (small(&a), small(&b));
    let brains = c.iter().zip(&d).map(|(c, d)| rounded(rounded(c * d) + c)).collect();
    let whole = |a: f64, b: f64| {
        let (a, b) = (a as i32, b as i32);
        f64::from((a.div_euclid(7) ^ -(-b).div_euclid(7)) + a.abs().max(b))
    };
    let doubled = a[..1000].iter().map(|a| a + a).collect();
    let squares = a[..200].iter().map(|a| a * a).collect();
    vec![
        case(ELEMENTWISE, "scale_0", [4, 1], [256, 1], vec![f32s(1000), Output(F32, doubled)]),
        case(
            ELEMENTWISE,
            "add_2d_0",
            [3, 5],
            [16, 8],
            vec![
                f32s(1485),
                Input(F32, b[..1485].to_vec()),
                Output(F32, pairs(1485, |a, b| a + b)),
            ],
        ),
        case(
            ELEMENTWISE,
            "scale_dynamic_0",
            [4, 1],
            [64, 1],
            vec![f32s(200), Output(F32, squares), Size(200), Size(200)],
        ),
        case(
            ELEMENTWISE,
            "vectors_0",
            [64, 1],
            [8, 1],
            vec![f32s(2048), Input(F32, b[..32].to_vec()), Output(F32, rows)],
        ),
        case(
            ELEMENTWISE,
            "vectors_apart_0",
            [1, 1],
            [16, 1],
            vec![f32s(176), Output(F32, turned(16, 11))],
        ),
        case(
            ELEMENTWISE,
            "bf16_0",
            [2, 1],
            [32, 1],
            vec![Input(BF16, c), Input(BF16, d), Output(BF16, brains)],
        ),
        math(),
        case(
            ELEMENTWISE,
            "integers_0",
            [3, 1],
            [32, 1],
            vec![
                Input(I32, a[..96].to_vec()),
                Input(I8, b[..96].to_vec()),
                Output(I32, pairs(96, whole)),
            ],
        ),
        case(ELEMENTWISE, "stencil_0", [4, 1], [50, 1], vec![f32s(200), Output(F32, stencil)]),
        case(
            ELEMENTWISE,
            "in_one_thread_0",
            [1, 1],
            [8, 1],
            vec![f32s(384), Output(F32, a[..384].iter().map(|a| -a).collect())],
        ),
    ]
}

fn math() -> Case {
    let values: Vec<f64> = numbers(128, 3).iter().map(|n| n * 0.375).collect();
    let of = |a: &f64| {
        let a = *a as f32;
        let inverse = 1.0 / (a.abs() + 1.0).sqrt();
        let fused = a.abs().sqrt().mul_add(a.floor(), a.ceil());
        let most = fused.max(a.trunc().min(a.round_ties_even()));
        let sum = most + inverse + 3_f32.copysign(a);
        f64::from(sum - sum.clamp(1.0, 3.0))
    };
    let first = values.iter().map(of).collect();
    let second = values.iter().map(|a| a.abs()).collect();
    let arguments = vec![Input(F32, values), Output(F32, first), Output(F64, second)];
    case(ELEMENTWISE, "math_0", [1, 1], [128, 1], arguments)
}

fn product([m, n, k]: [usize; 3]) -> Vec<Value> {
    let (a, b) = (numbers(m * k, 1), numbers(k * n, 2));
    let cell = |i: usize| (0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum();
    let result = (0..m * n).map(cell).collect();
    vec![Input(F32, a), Input(F32, b), Output(F32, result)]
}

fn shared() -> Vec<Case> {
    let a = numbers(6144, 1);
    let turned = (0..6144).map(|i| a[i % 64 * 96 + i / 64]).collect();
    let first = (0..192).map(|i| a[i] - a[i / 32 * 32]).collect();
    let reversed = a[..24].iter().rev().copied().collect();
    let repeated = (0..64).map(|i| a[i % 24]).collect();
    let sums = a[..512].chunks(64).map(|row| row.iter().sum()).collect();
    let moved = |i: usize| if i < 32 { (i + 4).min(32) as f64 } else { i as f64 };
    let around = |i: usize| if i < 29 { (i + 3) as f64 } else { 100.0 };
    vec![
        case(
            SHARED,
            "transpose_0",
            [3, 2],
            [32, 8],
            vec![Input(F32, a.clone()), Output(F32, turned)],
        ),
        case(SHARED, "matmul_0", [5, 4], [8, 8], product([32, 40, 48])),
        case(
            SHARED,
            "first_thread_0",
            [6, 1],
            [32, 1],
            vec![Input(F32, a[..192].to_vec()), Output(F32, first)],
        ),
        case(
            SHARED,
            "fewer_threads_0",
            [1, 1],
            [64, 1],
            vec![Input(F32, a[..24].to_vec()), Output(F32, reversed), Output(F32, repeated)],
        ),
        case(
            SHARED,
            "tree_0",
            [8, 1],
            [64, 1],
            vec![Input(F32, a[..512].to_vec()), Output(F32, sums)],
        ),
        case(
            SHARED,
            "hand_on_0",
            [1, 1],
            [36, 1],
            vec![
                Output(F32, (0..36).map(moved).collect()),
                Output(F32, (0..32).map(moved).collect()),
            ],
        ),
        case(
            SHARED,
            "hand_around_0",
            [1, 1],
            [32, 1],
            vec![Output(F32, (0..33).map(around).collect())],
        ),
        case(
            SHARED,
            "hand_around_shared_0",
            [1, 1],
            [32, 1],
            vec![Output(F32, (0..32).map(around).collect())],
        ),
        case(MATMUL, "main_0", [8, 8], [16, 16], product([512, 512, 512])),
    ]
}

fn lanes() -> Vec<Case> {
    let softmax = |kernel, columns: usize, threads| {
        let a = numbers(2 * columns, 1);
        let rows = a.chunks(columns).flat_map(|row| {
            let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row.iter().map(|a| max - a).sum();
            row.iter().map(move |a| max - a + sum)
        });
        let result = Output(F32, rows.collect());
        case(LANES, kernel, [2, 1], [threads, 1], vec![Input(F32, a), result])
    };
    let layernorm = |kernel, rows: usize, columns: usize, block| {
        let a = numbers(rows * columns, 1);
        let result = a.chunks(columns).flat_map(|row| {
            let sum: f64 = row.iter().sum();
            let squares: f64 = row.iter().map(|a| (a * columns as f64 - sum).powi(2)).sum();
            row.iter().map(move |a| a + sum + squares)
        });
        let result = Output(F64, result.collect());
        case(LANES, kernel, [1, 1], block, vec![Input(F64, a), result])
    };
    let a: Vec<f64> = numbers(320, 1).iter().map(|a| (a + 50.0) % 3.0 - 1.0).collect();
    let sums: Vec<f64> = a.chunks(64).map(|row| row.iter().sum()).collect();
    let sum = |kernel, kind| {
        let arguments = vec![Input(kind, a.clone()), Output(kind, sums.clone())];
        case(LANES, kernel, [5, 1], [64, 1], arguments)
    };
    vec![
        softmax("softmax_32_0", 59, 32),
        softmax("softmax_128_0", 251, 128),
        softmax("softmax_256_0", 507, 256),
        softmax("softmax_1024_0", 2043, 1024),
        layernorm("layernorm_32_0", 16, 61, [32, 8]),
        layernorm("layernorm_128_0", 4, 253, [128, 2]),
        layernorm("layernorm_256_0", 2, 509, [256, 1]),
        layernorm("layernorm_1024_0", 2, 2045, [1024, 1]),
        sum("sum_of_i8_0", I8),
        sum("sum_of_i16_0", I16),
        sum("sum_of_i32_0", I32),
        sum("sum_of_i64_0", I64),
        sum("sum_of_f16_0", F16),
        sum("sum_of_bf16_0", BF16),
    ]
}

fn reductions() -> Vec<Case> {
    let by_row = |rows: usize, columns: usize, of: fn(&[f64]) -> f64| {
        let a = numbers(rows * columns, 1);
        let result = (0..rows).map(|i| of(&a[i * columns..(i + 1) * columns])).collect();
        (Input(F32, a), Output(F32, result))
    };
    let sum: fn(&[f64]) -> f64 = |row| row.iter().sum();
    let max: fn(&[f64]) -> f64 = |row| row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sizes =
        |(input, output), [m, n, k]: [u64; 3]| vec![input, output, Size(m), Size(n), Size(k)];
    let pair = |(input, output)| vec![input, output];
    vec![
        case(REDUCTION, "row_sum_0", [5, 1], [8, 1], pair(by_row(40, 30, sum))),
        case(
            REDUCTION,
            "row_max_dynamic_0",
            [3, 1],
            [16, 1],
            sizes(by_row(37, 9, max), [37, 9, 37]),
        ),
        case(REDUCTION, "matmul_local_0", [4, 1], [16, 1], product([16, 16, 24])),
        case(ACROSS, "row_sum_across_0", [3, 1], [24, 1], sizes(by_row(3, 100, sum), [3, 100, 3])),
        case(ACROSS, "row_max_across_0", [5, 1], [33, 2], pair(by_row(10, 33, max))),
    ]
}

/// The product of a 16 x 16 matrix and the transpose of an 8 x 16 matrix, by `cp.async`, `ldmatrix` and `mma.sync`.
fn tensor_core() -> Vec<Case> {
    let (a, b) = (numbers(16 * 16, 1), numbers(8 * 16, 2));
    let cell = |i: usize| (0..16).map(|l| a[i / 8 * 16 + l] * b[i % 8 * 16 + l]).sum();
    let result = Output(F32, (0..128).map(cell).collect());
    let arguments = vec![Input(F16, a.clone()), Input(F16, b.clone()), result];
    vec![case(TENSOR_CORE, "f16", [1, 1], [32, 1], arguments)]
}

impl Case {
    /// Launches the kernel of a PTX text, which may be a modified one, and compares the results.
    pub fn run(&self, text: &str, config: LaunchConfig) -> Result<Profile, LaunchError> {
        let runner = Runner::new(text);
        let address = |value: &Value| match value {
            Input(kind, values) => runner.buffer(*kind, values),
            Output(kind, values) => runner.undefined(values.len() * kind.bytes()),
            Size(size) => *size,
        };
        let addresses: Vec<u64> = self.arguments.iter().map(address).collect();
        let arguments: Vec<Argument> = addresses.iter().map(|it| (*it).into()).collect();
        let config = LaunchConfig { grid: self.grid, block: self.block, ..config };
        let profile = runner.launch(self.kernel, &config, &arguments)?;
        for (argument, address) in self.arguments.iter().zip(addresses) {
            if let Output(kind, expected) = argument {
                let found = runner.read(*kind, address, expected.len());
                for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let is_near = (found - expected).abs() <= self.tolerance * expected.abs();
                    assert!(is_near, "{}: [{i}] is {found}, expected {expected}", self.kernel);
                }
            }
        }
        Ok(profile)
    }
}
