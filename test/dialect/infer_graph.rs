//! Result types that are inferred when an op is built without them.

use crate::ffi::register_dialects_in;
use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::attribute::Attribute;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::{Block, Identifier, Location, Type, Value};

/// The result types of an op with operands of these types, or the message of its error.
fn inferred(op: &str, types: &[&str], attributes: &[(&str, &str)]) -> Result<Vec<String>, String> {
    crate::dialect::set_verifiers();
    let registry = DialectRegistry::new();
    register_dialects_in(registry.to_raw());
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    let messages = std::cell::RefCell::new(vec![]);
    let location = Location::unknown(&context);
    let parsed = |text: &&str| Type::parse(&context, text).expect("the test has valid types");
    let arguments: Vec<_> = types.iter().map(|text| (parsed(text), location)).collect();
    let block = Block::new(&arguments);
    let operands: Vec<Value> =
        (0..types.len()).map(|i| block.argument(i).expect("an argument").into()).collect();
    let attributes: Vec<_> = attributes
        .iter()
        .map(|(name, text)| {
            let value = Attribute::parse(&context, text).expect("the test has valid attributes");
            (Identifier::new(&context, name), value)
        })
        .collect();
    let handler = context.attach_diagnostic_handler(|diagnostic| {
        messages.borrow_mut().push(diagnostic.to_string());
        true
    });
    let built = OperationBuilder::new(op, location)
        .add_operands(&operands)
        .add_attributes(&attributes)
        .enable_result_type_inference()
        .build();
    context.detach_diagnostic_handler(handler);
    let shown = |op: melior::ir::Operation| {
        op.results().map(|result| melior::ir::ValueLike::r#type(&result).to_string()).collect()
    };
    built.map(shown).map_err(|_| messages.take().join("; "))
}

fn one(op: &str, types: &[&str], attributes: &[(&str, &str)]) -> String {
    inferred(op, types, attributes).expect("the op is valid").remove(0)
}

#[test]
fn types_follow_from_operands_and_attributes() {
    let image = "tensor<?x4x9x9xf32>";
    let window = [
        ("layout", "0 : i32"),
        ("strides", "array<i64: 2, 2>"),
        ("low", "array<i64: 1, 1>"),
        ("high", "array<i64: 1, 1>"),
    ];
    assert_eq!(one("graph.conv", &[image, "tensor<8x4x3x3xf32>"], &window), "tensor<?x8x5x5xf32>");
    let slice = [
        ("dims", "array<i64: 1>"),
        ("starts", "array<i64: -3>"),
        ("ends", "array<i64: 99>"),
        ("steps", "array<i64: 2>"),
    ];
    assert_eq!(one("graph.slice", &["tensor<?x8xi8>"], &slice), "tensor<?x2xi8>");
    assert_eq!(one("graph.isnan", &["tensor<3x?xf16>"], &[]), "tensor<3x?xi1>");
    let kept = [("dims", "array<i64: 0>"), ("keep_dims", "unit"), ("kind", "0 : i32")];
    assert_eq!(one("graph.reduce", &["tensor<3x?xf16>"], &kept), "tensor<1x?xf16>");
    let parts = [("dim", "0 : i64"), ("sizes", "array<i64: 2, 3>")];
    let types = inferred("graph.split", &["tensor<5x?xf32>"], &parts);
    assert_eq!(types.expect("the sizes fit"), ["tensor<2x?xf32>", "tensor<3x?xf32>"]);
}

#[test]
fn ordered_and_indexed_types_follow() {
    let all = |op, types: &[&str], attributes: &[(&str, &str)]| {
        inferred(op, types, attributes).expect("the op is valid")
    };
    let x = "tensor<?x8xf16>";
    assert_eq!(all("graph.sort", &[x], &[("dim", "1 : i64")]), [x, "tensor<?x8xi64>"]);
    let first = [("dim", "0 : i64"), ("k", "3 : i64")];
    assert_eq!(all("graph.topk", &[x], &first), ["tensor<3x8xf16>", "tensor<3x8xi64>"]);
    let batches = [("batch_dims", "1 : i64")];
    assert_eq!(one("graph.gather_nd", &[x, "tensor<4x5x1xi32>"], &batches), "tensor<4x5xf16>");
    let hot = [("depth", "6 : i64"), ("dim", "0 : i64")];
    assert_eq!(one("graph.one_hot", &["tensor<?xi64>", "i8", "i8"], &hot), "tensor<6x?xi8>");
    let bytes = ["tensor<?x8xf16>", "tensor<8xf16>", "tensor<8xi16>"];
    assert_eq!(one("graph.quantize", &bytes, &[("dim", "1 : i64")]), "tensor<?x8xi16>");
    let floats = ["tensor<?x8xi32>", "tensor<f64>", "tensor<i32>"];
    assert_eq!(one("graph.dequantize", &floats, &[]), "tensor<?x8xf64>");
    assert_eq!(all("graph.nonzero", &["tensor<3x4xi1>"], &[]), ["tensor<12x2xi64>", "tensor<i64>"]);
    let dynamic = all("graph.nonzero", &["tensor<3x?xi1>"], &[]);
    assert_eq!(dynamic, ["tensor<?x2xi64>", "tensor<i64>"]);
}

#[test]
fn an_op_that_does_not_fit_is_not_built() {
    let message = inferred("graph.matmul", &["tensor<4x3xf32>", "tensor<4x5xf32>"], &[]);
    assert_eq!(message, Err("'graph.matmul' op sums over size 3 in a and size 4 in b".into()));
}
