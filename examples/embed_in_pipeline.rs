//! A program with its own MLIR context and its own pass, which runs Loopwright's passes in its pipeline:
//!
//! ```text
//! cargo run --example embed_in_pipeline
//! ```
//! ```text
//! canonicalize ─ lw-x86-pipeline{to=loop} ─ the program's pass ─ lw-x86-pipeline{from=loop to=vector}
//!   ─ lw-x86-pipeline{from=vector to=llvm} ─► machine code
//! ```
//! The program's pass gives functions whose name begins with `fast_` the floating-point contract `fast`. Loopwright may then
//! replace a product and a sum by one fused multiply-add, which rounds once.

use loopwright::codegen::Jit;
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, Settings};
use loopwright_runtime::kernel::Argument::{Input, Output};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::StringAttribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationMutLike};
use melior::ir::r#type::TypeId;
use melior::ir::{Module, OperationRef, RegionLike};
use melior::pass::{ExternalPass, PassManager, create_external};
use melior::utility::{
    parse_pass_pipeline, register_all_dialects, register_all_llvm_translations, register_all_passes,
};
use std::error::Error;
use std::num::NonZeroUsize;

/// A function that adds `z` to the products of `x` and `y`.
fn function(name: &str) -> String {
    format!(
        "func.func @{name}(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {{
  %sum = linalg.generic {{indexing_maps = [#all, #all, #all], iterator_types = [\"parallel\"]}}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<8xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %product = arith.mulf %a, %b : f32
    %s = arith.addf %product, %c : f32
    linalg.yield %s : f32
  }} -> tensor<8xf32>
  return %sum : tensor<8xf32>
}}\n"
    )
}

/// The identity of the program's pass.
#[repr(align(8))]
struct PassId;
static PASS_ID: PassId = PassId;

/// The program's pass: sets `loop.fp` of functions whose name begins with `fast_`.
fn allow_fast<'c>(context: &'c Context) -> impl FnMut(OperationRef<'c, '_>, ExternalPass) + Clone {
    |module, pass| {
        let body = module.region(0).ok().and_then(|region| region.first_block());
        let Some(body) = body else { return pass.signal_failure() };
        let mut next = body.first_operation_mut();
        while let Some(mut op) = next {
            let name = op.attribute("sym_name").and_then(StringAttribute::try_from);
            if name.is_ok_and(|name| name.value().starts_with("fast_")) {
                op.set_attribute("loop.fp", StringAttribute::new(context, "fast").into());
            }
            next = op.next_in_block_mut();
        }
    }
}

/// A context of the program's own, with MLIR's dialects and Loopwright's.
fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    loopwright::register_dialects(&registry);
    register_all_passes();
    loopwright::register_passes();
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    // For `pipeline::object`, which translates the LLVM dialect.
    register_all_llvm_translations(&context);
    context
}

/// A pipeline of passes on modules, given as text.
fn passes<'c>(context: &'c Context, text: &str) -> Result<PassManager<'c>, melior::Error> {
    let manager = PassManager::new(context);
    parse_pass_pipeline(manager.as_operation_pass_manager(), &format!("builtin.module({text})"))?;
    Ok(manager)
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = context();
    let all = "#all = affine_map<(i) -> (i)>\n";
    let model = [all, &function("exact"), &function("fast_one")].concat();
    let mut module = Module::parse(&context, &model).ok_or("the model is not valid")?;
    let target = CpuTarget::host();
    let bits = target.vectors()?.bits;

    let manager = passes(&context, "canonicalize,lw-x86-pipeline{to=loop}")?;
    let id = TypeId::create(&PASS_ID);
    let summary = "Give functions fast_* the contract fast";
    manager.add_pass(create_external(
        allow_fast(&context),
        id,
        "AllowFast",
        "allow-fast",
        summary,
        "builtin.module",
        &[],
    ));
    manager.run(&mut module)?;
    let vector = format!("lw-x86-pipeline{{from=loop to=vector vector-bits={bits}}}");
    passes(&context, &vector)?.run(&mut module)?;
    println!("{}", module.as_operation());
    passes(&context, "lw-x86-pipeline{from=vector to=llvm}")?.run(&mut module)?;

    let object = pipeline::object(&module, &Settings { target, ..Settings::default() })?;
    // SAFETY: the compiler has made the code, for this machine, from ops on tensors without indices that are data.
    let code = unsafe { Jit::load(&object) }?;
    // (1 + e) (1 - e) - 1 is -e^2, but 0 if the product is rounded to f32 first.
    let e = 2f64.powi(-13);
    let [x, y, z] = [1.0 + e, 1.0 - e, -1.0]
        .map(|value| Tensor::from_f64s(ElementType::F32, &[8], &[value; 8]));
    let (x, y, z) = (x?, y?, z?);
    let pool = Pool::new(NonZeroUsize::MIN)?;
    for name in ["exact", "fast_one"] {
        let mut result = Tensor::zeros(ElementType::F32, &[8])?;
        let arguments = &mut [Input(&x), Input(&y), Input(&z), Output(&mut result)];
        code.kernel(name)?.call(&pool, arguments)?;
        println!("{name}: {:e}", result.get_f64(0));
    }
    Ok(())
}
