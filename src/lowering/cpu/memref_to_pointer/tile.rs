//! Ops of the amx dialect: calls of LLVM's intrinsic functions on tile registers.
//!
//! ```text
//! %t = amx.tile_load %A[%i, %k] : memref<?x64xbf16> into !amx.tile<16x32xbf16>
//!   ->
//! %p = llvm.getelementptr %A[%i * 64 + %k] : .. bf16
//! %t = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"(16, 64, %p, 128) : !llvm.x86_amx
//! ```
//! Sizes of tiles are in rows and in bytes a row, and a row of memory is so many bytes after the row before it.
//!
//! Linux lets a process use tile registers only after it has asked for them. A constructor of the module asks, so that a
//! program can link or load the code like any other.

use super::buffer::{IndexBounds, SizedPointer, cast, element_bytes, i64_constant};
use super::entry::llvm_function;
use crate::ir::{Attribute, Builder, FloatKind, Op, Type, TypeKind, Value, walk};
use crate::lowering::{fresh_name, symbol};
use crate::machine::intrinsic::TILE_ZERO;
use std::collections::HashSet;

/// Replaces a load or store of a tile; the operands behind the indices are the tile, if it is stored, and the stride in
/// elements, if it is not that of the buffer.
pub(crate) fn convert_access<'c>(
    at: Builder<'c>,
    op: Op<'c>,
    buffer: &SizedPointer<'c>,
    indices: &[Value<'c>],
    behind: &[Value<'c>],
) {
    let is_store = op.is("amx.tile_store");
    let (tile, stride) = match (is_store, behind) {
        (true, [tile, stride @ ..]) => (*tile, stride.first()),
        _ => (op.result(0), behind.first()),
    };
    let i64 = Type::integer(at.context(), 64);
    let elements = match (stride, buffer.sizes.last()) {
        (Some(stride), _) => cast(&at, *stride, i64),
        (None, Some(row)) => cast(&at, row.value(&at), i64),
        (None, None) => i64_constant(&at, 0),
    };
    let bytes = element_bytes(buffer.element).expect("elements were checked (C2)");
    let stride = at.op("arith.muli", &[elements, i64_constant(&at, bytes)], i64);
    let address = buffer.address(&at, indices, IndexBounds::Inside);
    let mut operands = size(&at, tile.ty()).to_vec();
    operands.extend([address, stride]);
    if is_store {
        operands.push(tile);
        call(&at, "llvm.x86.tilestored64.internal", &operands, &[]);
    } else {
        let new = call(&at, "llvm.x86.tileloadd64.internal", &operands, &[tile.ty()]);
        tile.replace_all_uses_with(new.result(0));
    }
}

/// Replaces the ops that compute with tiles, and then the types of all tiles of a function, which state their sizes.
pub(crate) fn convert_values(function: Op) {
    let ops = walk(function);
    if !ops.iter().any(|op| is_call(op) || op.name().starts_with("amx.")) {
        return;
    }
    for op in ops {
        let at = Builder::before(op, op.location());
        if let Some((name, operands)) = computation(op, &at) {
            let new = call(&at, &name, &operands, &[op.result(0).ty()]);
            op.result(0).replace_all_uses_with(new.result(0));
            op.erase();
        }
    }
    for op in walk(function) {
        let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
        let values = op.results().into_iter().chain(blocks.flat_map(|block| block.arguments()));
        let tiles = values.filter(|value| value.ty().tile_shape().is_some());
        tiles.for_each(|tile| tile.set_type(Type::llvm_tile(op.context())));
    }
}

/// The intrinsic function of an op that computes with tiles, and its operands.
fn computation<'c>(op: Op<'c>, at: &Builder<'c>) -> Option<(String, Vec<Value<'c>>)> {
    if op.is("amx.tile_zero") {
        return Some((TILE_ZERO.into(), size(at, op.result(0).ty()).to_vec()));
    }
    let name = match op.name() {
        "amx.tile_mulf" => {
            let (_, element) = op.operand(0).ty().tile_shape()?;
            let is_half = element.kind() == TypeKind::Float(FloatKind::F16);
            format!("llvm.x86.tdp{}ps.internal", if is_half { "fp16" } else { "bf16" })
        }
        "amx.tile_muli" => {
            let sign = |name| if op.attribute(name).is_some() { "u" } else { "s" };
            format!("llvm.x86.tdpb{}{}d.internal", sign("isZextLhs"), sign("isZextRhs"))
        }
        _ => return None,
    };
    let [left, right, sums] = [0, 1, 2].map(|i| op.operand(i));
    let [_, depth] = size(at, left.ty());
    let mut operands = size(at, sums.ty()).to_vec();
    operands.extend([depth, sums, left, right]);
    Some((name, operands))
}

/// Adds the constructor, if a function of the module uses tiles.
pub(crate) fn request_tiles(module: Op) {
    let Some(body) = module.body(0).filter(|_| walk(module).iter().any(is_call)) else { return };
    let first = body.first_op().expect("a function of the module uses tiles");
    let at = Builder::before(first, module.location());
    let names: HashSet<String> = body.ops().into_iter().map(|op| symbol(op).to_owned()).collect();
    let name = fresh_name("request_tiles", &|name| names.contains(name));
    let inner = Builder::at_end(llvm_function(&at, &name, &[], "internal"), at.location());
    let operands = [ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA]
        .map(|number| i64_constant(&inner, number));
    let spec = inner.spec("llvm.inline_asm").operands(&operands);
    let spec = spec.attribute("asm_string", Attribute::string(at.context(), "syscall"));
    let constraints = "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}";
    let spec = spec.attribute("constraints", Attribute::string(at.context(), constraints));
    let spec = spec.attribute("has_side_effects", Attribute::unit(at.context()));
    inner.insert(spec.results(&[Type::integer(at.context(), 64)]));
    inner.insert(inner.spec("llvm.return"));
    let parsed = |text| Attribute::parse(at.context(), text).expect("valid text");
    at.insert(
        at.spec("llvm.mlir.global_ctors")
            .attribute("ctors", parsed(&format!("[@{name}]")))
            .attribute("priorities", parsed("[65535 : i32]"))
            .attribute("data", parsed("[#llvm.zero]")),
    );
}

/// True for a call that loads, stores or clears a tile.
fn is_call(op: &Op) -> bool {
    let function = || op.attribute("intrin").and_then(Attribute::as_str);
    op.is("llvm.call_intrinsic") && function().is_some_and(|name| name.starts_with("llvm.x86.tile"))
}

/// The number of the system call, its code for the request, and that of the tile registers.
const ARCH_PRCTL: i64 = 158;
const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
const XFEATURE_XTILEDATA: i64 = 18;

/// The rows of a tile, and the bytes of a row, as i16.
fn size<'c>(at: &Builder<'c>, tile: Type<'c>) -> [Value<'c>; 2] {
    let ([rows, columns], element) = tile.tile_shape().expect("called for tiles");
    let bytes = columns * element_bytes(element).expect("tiles have such elements");
    let ty = Type::integer(at.context(), 16);
    [rows, bytes].map(|size| at.constant(Attribute::integer(ty, size)))
}

fn call<'c>(
    at: &Builder<'c>,
    function: &str,
    operands: &[Value<'c>],
    results: &[Type<'c>],
) -> Op<'c> {
    let bundles = Attribute::dense_i32(at.context(), &[]);
    let spec = at.spec("llvm.call_intrinsic").operands(operands).results(results);
    let spec = spec.segments(&[operands.len(), 0]).attribute("op_bundle_sizes", bundles);
    at.insert(spec.attribute("intrin", Attribute::string(at.context(), function)))
}
