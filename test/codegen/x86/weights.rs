//! Weights: code does not hold them, and does not depend on them.

use super::harness::{buffer, numbers, run};
use loopwright::codegen::CacheKey;
use loopwright::codegen::x86::Object;
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings, Weights};
use melior::ir::Module;

const ROWS: usize = 32;
const COLUMNS: usize = 64;

/// A model that multiplies a row by a matrix of weights, as an attribute or as a resource, and adds a small constant.
fn model(weights: &[f32], is_resource: bool) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let (value, resource) = match is_resource {
        true => (
            "dense_resource<w>".to_owned(),
            // The first four bytes are the alignment.
            format!(
                "{{-# dialect_resources: {{ builtin: {{ w: \"0x04000000{}\" }} }} #-}}",
                hex(&bytes)
            ),
        ),
        false => (format!("dense<\"0x{}\">", hex(&bytes)), String::new()),
    };
    let ty = |rows, columns| format!("tensor<{rows}x{columns}xf32>");
    let (x, w, y) = (ty(1, ROWS), ty(ROWS, COLUMNS), ty(1, COLUMNS));
    format!(
        "func.func @main(%x: {x}) -> {y} {{
           %w = arith.constant {value} : {w}
           %b = arith.constant dense<[[{}]]> : {y}
           %y = linalg.matmul ins(%x, %w : {x}, {w}) outs(%b : {y}) -> {y}
           return %y : {y}
         }}\n{resource}",
        (0..COLUMNS).map(|i| format!("{i}.0")).collect::<Vec<_>>().join(", ")
    )
}

/// The key and the code of a model, and its weights.
fn compile(text: &str) -> (CacheKey, Object, &'static [(&'static str, &'static [u8])]) {
    compile_with(Settings::default(), text)
}

/// As [`compile`], with the default schedules of some settings.
fn compile_with(
    settings: Settings,
    text: &str,
) -> (CacheKey, Object, &'static [(&'static str, &'static [u8])]) {
    let context = pipeline::context();
    let mut module = Module::parse(&context, text).expect("the model is valid");
    let schedule = Some(ModuleSchedule::Strategies);
    let settings = Settings { schedule, ..settings };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings).expect("it is");
    let mut weights = Weights::detach(&context, &mut module);
    let key = pipeline::key(&module, Phase::Loop, &settings).expect("LLVM knows this machine");
    pipeline::lower(&context, &mut module, Phase::Loop, Phase::Llvm, &settings).expect("it is");
    let object = pipeline::object(&module, &settings).expect("it compiles");
    let linked = weights.linked_to(&object).expect("there is memory");
    let leaked = linked.into_iter().map(|(name, bytes)| {
        // What only transforms read may be anywhere.
        if name.ends_with(".unaligned") {
            let copy = [&[0], bytes].concat().leak();
            return (&*name.to_owned().leak(), &copy[1..]);
        }
        // Aligned, as the others are.
        let copy = loopwright_runtime::tensor::Tensor::from_bytes(
            loopwright_runtime::tensor::ElementType::I8,
            &[bytes.len()],
            bytes.to_vec(),
        );
        let copy: &'static _ = Box::leak(Box::new(copy.expect("there is memory")));
        (&*name.to_owned().leak(), copy.bytes())
    });
    let leaked = leaked.collect::<Vec<_>>().leak();
    (key, object, leaked)
}

#[test]
fn models_that_differ_in_weights_have_the_same_code() {
    let weights = |scale: f32| -> Vec<f32> {
        (0..ROWS * COLUMNS).map(|i| (i % 101) as f32 * scale).collect()
    };
    let x: Vec<f32> = (0..ROWS).map(|i| i as f32 - 8.0).collect();
    let (first, code, _) = compile(&model(&weights(1.0), false));
    assert!(code.bytes().len() < 4 * ROWS * COLUMNS, "{} bytes", code.bytes().len());
    for (scale, is_resource) in [(1.0, false), (0.5, false), (0.25, true)] {
        let weights = weights(scale);
        let (key, own, data) = compile(&model(&weights, is_resource));
        assert_eq!((&key, &own), (&first, &code), "scale {scale}");
        let [(_, bytes)] = data else { panic!("{} weights", data.len()) };
        assert_eq!(bytes.len(), 4 * ROWS * COLUMNS);
        let code = loopwright_testing::link_with(&code, data).expect("it links");
        let (rows, columns) = (ROWS as i64, COLUMNS as i64);
        let values = vec![buffer(&[1, rows], &x), buffer(&[1, columns], &[0f32; COLUMNS])];
        let result = numbers::<f32>(&run(&code, "main", values, 1)[1]);
        let expected = (0..COLUMNS).map(|j| {
            let products = (0..ROWS).map(|i| f64::from(x[i] * weights[i * COLUMNS + j]));
            (products.sum::<f64>() + j as f64) as f32
        });
        assert_eq!(result, expected.collect::<Vec<_>>(), "scale {scale}");
    }
}

/// Large weights are packed for several places of a panel to be read at once: eight, four, or one, where the next panel is prefetched, and
/// also if the reduction is cut. The sums are those of the order of the reduction, to the last bit.
#[test]
fn sums_with_packed_weights_have_their_order() {
    let target = CpuTarget::named("haswell");
    if target.lacks(&CpuTarget::host()).is_ok_and(|feature| feature.is_none()) {
        for [rows, depth, columns] in [[6, 320, 320], [6, 324, 320], [6, 321, 320], [4, 5000, 80]] {
            check_product(&target, [rows, depth, columns]);
        }
    }
}

fn check_product(target: &CpuTarget, [rows, depth, columns]: [usize; 3]) {
    let number = |i: usize| ((i * i + 7 * i) % 1009) as f32 / 64.0 - 8.0;
    let weights: Vec<f32> = (0..depth * columns).map(number).collect();
    let x: Vec<f32> = (0..rows * depth).map(|i| number(i + 3)).collect();
    let hex = weights.iter().flat_map(|it| it.to_le_bytes()).map(|byte| format!("{byte:02X}"));
    let [xt, wt, yt] = [[rows, depth], [depth, columns], [rows, columns]]
        .map(|[rows, columns]| format!("tensor<{rows}x{columns}xf32>"));
    let target = target.clone();
    let (_, code, data) = compile_with(
        Settings { target, lift_weight_transforms: true, ..Settings::default() },
        &format!(
            "func.func @main(%x: {xt}) -> {yt} {{
               %w = arith.constant dense<\"0x{}\"> : {wt}
               %z = arith.constant 0.0 : f32
               %e = tensor.empty() : {yt}
               %b = linalg.fill ins(%z : f32) outs(%e : {yt}) -> {yt}
               %y = linalg.matmul ins(%x, %w : {xt}, {wt}) outs(%b : {yt}) -> {yt}
               return %y : {yt}
             }}",
            hex.collect::<String>()
        ),
    );
    let symbols = String::from_utf8_lossy(code.bytes());
    assert!(symbols.contains("loop.transform_weights"), "the weights of {wt} are not packed");
    let code = loopwright_testing::link_with(&code, data).expect("it links");
    let [of_x, of_y] = [[rows, depth], [rows, columns]].map(|dims| dims.map(|size| size as i64));
    let values = vec![buffer(&of_x, &x), buffer(&of_y, &vec![0f32; rows * columns])];
    let results = numbers::<f32>(&run(&code, "main", values, 2)[1]);
    for (i, result) in results.iter().enumerate() {
        let (row, column) = (i / columns, i % columns);
        let products = (0..depth).map(|k| x[row * depth + k] * weights[k * columns + column]);
        let sum = products.fold(0.0, |sum, product| sum + product);
        assert_eq!(result.to_bits(), sum.to_bits(), "{wt}, result {row}, {column}");
    }
}

#[test]
fn only_large_constants_are_taken_out() {
    let context = pipeline::context();
    let numbers = (0..1024).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    let text = format!(
        "memref.global \"private\" constant @large : memref<1024xi32> = dense<[{numbers}]>
         memref.global \"private\" @written : memref<1024xi32> = dense<[{numbers}]>
         memref.global \"private\" constant @same : memref<1024xi32> = dense<5>
         memref.global \"private\" constant @small : memref<3xi32> = dense<[1, 2, 3]>"
    );
    let mut module = Module::parse(&context, &text).expect("it is valid");
    Weights::detach(&context, &mut module);
    let left = module.as_operation().to_string();
    assert_eq!(left.matches("dense<").count(), 3, "{left}");
    assert!(left.contains("@large : memref<1024xi32> {loop.weight}"), "{left}");
}

#[test]
fn code_without_its_weights_does_not_link() {
    let (_, code, data) = compile(&model(
        &vec![1.5; ROWS * COLUMNS - 1].into_iter().chain([2.5]).collect::<Vec<_>>(),
        false,
    ));
    let code = loopwright_testing::link(&code).expect("it is linked when it is used");
    let Err(error) = code.kernel("main") else { panic!("a symbol is missing") };
    assert!(error.to_string().contains(data[0].0), "{error}");
}

/// A model that multiplies a row by a transposed matrix of weights.
fn transposed_model(weights: &[f32]) -> String {
    model(weights, false)
        .replace(
            "%b = arith",
            &format!(
                "%e = tensor.empty() : tensor<{COLUMNS}x{ROWS}xf32>
                 %t = linalg.transpose ins(%w : tensor<{ROWS}x{COLUMNS}xf32>) \
                     outs(%e : tensor<{COLUMNS}x{ROWS}xf32>) permutation = [1, 0]
                 %f = tensor.empty() : tensor<{ROWS}x{COLUMNS}xf32>
                 %u = linalg.transpose ins(%t : tensor<{COLUMNS}x{ROWS}xf32>) \
                     outs(%f : tensor<{ROWS}x{COLUMNS}xf32>) permutation = [1, 0]
                 %b = arith"
            ),
        )
        .replace("ins(%x, %w :", "ins(%x, %u :")
}

#[test]
fn transforms_of_weights_run_when_code_is_loaded_or_compiled() {
    let weights: Vec<f32> = (0..ROWS * COLUMNS).map(|i| (i % 101) as f32).collect();
    let x: Vec<f32> = (0..ROWS).map(|i| i as f32 - 8.0).collect();
    let expected = (0..COLUMNS).map(|j| {
        let products = (0..ROWS).map(|i| f64::from(x[i] * weights[i * COLUMNS + j]));
        (products.sum::<f64>() + j as f64) as f32
    });
    let expected: Vec<f32> = expected.collect();
    let result = |code: &loopwright::codegen::Jit| {
        let (rows, columns) = (ROWS as i64, COLUMNS as i64);
        let values = vec![buffer(&[1, rows], &x), buffer(&[1, columns], &[0f32; COLUMNS])];
        numbers::<f32>(&run(code, "main", values, 1)[1])
    };
    for is_folded in [false, true] {
        let context = pipeline::context();
        let text = transposed_model(&weights);
        let mut module = Module::parse(&context, &text).expect("the model is valid");
        let settings = Settings {
            schedule: Some(ModuleSchedule::Strategies),
            lift_weight_transforms: true,
            ..Settings::default()
        };
        let lower = |module: &mut Module, from, to| {
            pipeline::lower(&context, module, from, to, &settings).expect("it is valid");
        };
        lower(&mut module, Phase::Input, Phase::Vector);
        let has = |module: &Module, part: &str| module.as_operation().to_string().contains(part);
        assert!(has(&module, "func.func @loop.transform_weights()"));
        assert!(has(&module, "= uninitialized {loop.transformed_weight}"));
        if is_folded {
            pipeline::fold_weight_transforms(&context, &mut module, &settings).expect("it runs");
            assert!(!has(&module, "@loop.transform_weights"));
            assert!(!has(&module, "uninitialized"));
        }
        lower(&mut module, Phase::Vector, Phase::Llvm);
        let object = pipeline::object(&module, &settings).expect("it compiles");
        let code = loopwright_testing::link(&object).expect("it links");
        assert_eq!(code.kernel("loop.transform_weights").is_err(), is_folded);
        assert_eq!(result(&code), expected, "folded: {is_folded}");
    }
}

#[test]
fn code_with_transforms_does_not_link_without_its_weights() {
    let context = pipeline::context();
    let weights: Vec<f32> = (0..ROWS * COLUMNS).map(|i| i as f32).collect();
    let mut module = Module::parse(&context, &transposed_model(&weights)).expect("it is valid");
    let settings = Settings {
        schedule: Some(ModuleSchedule::Strategies),
        lift_weight_transforms: true,
        ..Settings::default()
    };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings).expect("it is");
    let mut weights = Weights::detach(&context, &mut module);
    pipeline::lower(&context, &mut module, Phase::Loop, Phase::Llvm, &settings).expect("it is");
    let object = pipeline::object(&module, &settings).expect("it compiles");
    let linked = weights.linked_to(&object).expect("it is an object");
    let [(name, _)] = linked[..] else { panic!("one weight, found {}", linked.len()) };
    let Err(error) = loopwright_testing::link(&object) else { panic!("a symbol is missing") };
    assert!(name.ends_with(".unaligned"), "{name}");
    assert!(error.to_string().contains(name), "{error}");
}

#[test]
fn a_module_without_transforms_is_not_folded() {
    let context = pipeline::context();
    let text = "func.func @main(%x: memref<2xf32>) { return }";
    let mut module = Module::parse(&context, text).expect("it is valid");
    let before = module.as_operation().to_string();
    let settings = Settings::default();
    pipeline::fold_weight_transforms(&context, &mut module, &settings).expect("nothing to do");
    assert_eq!(module.as_operation().to_string(), before);
}
