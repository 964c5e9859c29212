//! Functions, calls, control flow and arguments.

use crate::interpreter::Datum;
use crate::interpreter::function::program::*;
use crate::interpreter::scalar::Scalar;

#[test]
fn calls_pass_values_and_share_buffers() {
    let text = "
func.func private @half(%x: f32, %to: memref<2xf32>) -> f32 {
  %two = arith.constant 2.0 : f32
  %i = arith.constant 1 : index
  memref.store %x, %to[%i] : memref<2xf32>
  %r = arith.divf %x, %two : f32
  return %r : f32
}
func.func @main(%x: f32, %to: memref<2xf32>) -> f32 {
  %h = call @half(%x, %to) : (f32, memref<2xf32>) -> f32
  %q = call @half(%h, %to) : (f32, memref<2xf32>) -> f32
  return %q : f32
}";
    let x = Datum::Scalar(Scalar::Float(8.));
    assert_eq!(cells(text, &[x, buffer(F32, &[2], &[1., 1.])]), [vec![2.], vec![1., 4.]]);
}

#[test]
fn endless_recursion_is_refused() {
    let text = "
func.func @main(%x: i32) -> i32 { // error: nests calls and regions deeper than 100
  %r = call @main(%x) : (i32) -> i32
  return %r : i32
}";
    refuse(text, &[index(1)]);
}

#[test]
fn loops_and_branches() {
    let text = "
func.func @main(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c1 to %n step %c3 iter_args(%a = %c0, %b = %c1) -> (index, index) {
    %small = arith.cmpi slt, %i, %c3 : index
    %s = scf.if %small -> index {
      scf.yield %b : index
    } else {
      %t = arith.addi %b, %i : index
      scf.yield %t : index
    }
    scf.yield %s, %i : index, index
  }
  return %r#0, %r#1 : index, index
}";
    // i = 1: (1, 1); i = 4: (5, 4); i = 7: (11, 7).
    assert_eq!(cells(text, &[index(8)]), [[11.], [7.]]);
    assert_eq!(cells(text, &[index(0)]), [[0.], [1.]]);
}

#[test]
fn affine_ops_on_values() {
    let text = "
func.func @main(%i: index, %n: index) -> (index, index, index) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%n]
  %b = affine.min affine_map<(d0) -> (d0 floordiv 2, 7)>(%i)
  %c = affine.max affine_map<(d0) -> (d0 mod 4, -1)>(%i)
  return %a, %b, %c : index, index, index
}";
    assert_eq!(cells(text, &[index(-3), index(10)]), [[4.], [-2.], [1.]]);
}

#[test]
fn fusion_groups_run_in_place() {
    let text = "
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %out:2 = graph.fusion -> tensor<2xf32>, tensor<2xf32> {
    %d = graph.sub %x, %y : tensor<2xf32>
    %m = graph.mul %d, %x : tensor<2xf32>
    %s = graph.yield_store %m : tensor<2xf32>
    %t = graph.yield_store %d : tensor<2xf32>
    graph.yield %s, %t : tensor<2xf32>, tensor<2xf32>
  }
  return %out#0, %out#1 : tensor<2xf32>, tensor<2xf32>
}";
    let y = tensor(F32, &[2], &[10., 20.]);
    assert_eq!(cells(text, &[counting(&[2]), y]), [[-9., -36.], [-9., -18.]]);
}

#[test]
fn nests_stand_among_other_ops() {
    let text = "
func.func @main(%x: memref<4xf32>, %at: index) -> f32 {
  %t = loop.buffer \"t\" scope(global) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block \"T\" [%v: spatial 4] = (%i) reads(%x[%v : 1]) writes(%t[%v : 1]) {
      %a = memref.load %x[%v] : memref<4xf32>
      %b = arith.mulf %a, %a : f32
      memref.store %b, %t[%v] : memref<4xf32>
    }
  }
  %r = memref.load %t[%at] : memref<4xf32>
  return %r : f32
}";
    let x = buffer(F32, &[4], &[1., 2., 3., 4.]);
    assert_eq!(cells(text, &[x, index(2)])[0], [9.]);
}

#[test]
fn globals_are_one_buffer_for_all_uses() {
    let text = "
memref.global \"private\" @weights : memref<2x2xi16> = dense<[[1, -2], [3, 4]]>
memref.global \"private\" @state : memref<1xi32> = uninitialized
func.func private @bump(%i: index) -> i16 {
  %w = memref.get_global @weights : memref<2x2xi16>
  %v = memref.load %w[%i, %i] : memref<2x2xi16>
  %d = arith.addi %v, %v : i16
  memref.store %d, %w[%i, %i] : memref<2x2xi16>
  return %d : i16
}
func.func @main(%i: index, %k: i32) -> (i16, i16, i32) {
  %a = call @bump(%i) : (index) -> i16
  %b = call @bump(%i) : (index) -> i16
  %s = memref.get_global @state : memref<1xi32>
  %c0 = arith.constant 0 : index
  memref.store %k, %s[%c0] : memref<1xi32>
  %v = memref.load %s[%c0] : memref<1xi32>
  return %a, %b, %v : i16, i16, i32
}";
    assert_eq!(cells(text, &[index(1), index(5)]), [[8.], [16.], [5.]]);
}

#[test]
fn memref_ops_outside_nests() {
    let text = "
func.func @main(%x: memref<?xf32>, %i: index) -> (f32, index, index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.cast %a : memref<?xf32> to memref<3xf32>
  %last = memref.load %b[%i] : memref<3xf32>
  memref.store %last, %x[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %s = memref.alloca() : memref<4x2xf32>
  %r = memref.rank %s : memref<4x2xf32>
  return %last, %n, %r : f32, index, index
}";
    let x = buffer(F32, &[3], &[1., 2., 3.]);
    assert_eq!(cells(text, &[x, index(2)]), [vec![3.], vec![3.], vec![2.], vec![3., 2., 3.]]);
}

#[test]
fn freed_memory_is_undefined() {
    let text = "
func.func @main(%i: index) -> f32 { // error: result 0 is undefined at index []
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%i] : memref<1xf32>
  memref.dealloc %a : memref<1xf32>
  %r = memref.load %a[%i] : memref<1xf32>
  return %r : f32
}";
    refuse(text, &[index(0)]);
}

#[test]
fn memref_errors_are_at_the_op() {
    let with = |line: &str| {
        format!(
            "func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %i: index) {{
  {line}
  return
}}"
        )
    };
    let buffers = [buffer(F32, &[2], &[1., 2.]), buffer(F32, &[3], &[1., 2., 3.]), index(-1)];
    for line in [
        "%v = memref.load %x[%i] : memref<?xf32> // error: index [-1] is out of bounds of an array of sizes [2]",
        "memref.copy %x, %y : memref<?xf32> to memref<?xf32> // error: copies sizes [2] to sizes [3], \
         expected equal sizes",
        "%c = memref.cast %x : memref<?xf32> to memref<4xf32> // error: computes sizes [2] for a value \
         of type memref<4xf32>",
        "%a = memref.alloc(%i) : memref<?xf32> // error: size 0 is -1, expected a size that is not negative",
        "%d = memref.dim %x, %i : memref<?xf32> // error: reads dimension -1 of an array of rank 1",
        "%v = memref.subview %x[0] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1]>> // error: is \
         not supported by the interpreter",
        "%v = memref.alloc() : memref<2xf32, strided<[2]>> // error: has type memref<2xf32, \
         strided<[2]>>, which the interpreter does not support",
    ] {
        refuse(&with(line), &buffers);
    }
}

#[test]
fn undeclared_values_of_globals_are_refused() {
    let text = "
memref.global \"private\" @weights : memref<2xf32> // error: is only declared: it has no value
func.func @main(%i: index) {
  %w = memref.get_global @weights : memref<2xf32>
  return
}";
    refuse(text, &[index(0)]);
}

#[test]
fn failed_assertion_is_refused() {
    let text = "
func.func @main(%x: i32, %y: i32) {
  %same = arith.cmpi eq, %x, %y : i32
  cf.assert %same, \"mismatched size for broadcast\" // error: failed: mismatched size for broadcast
  return
}";
    refuse(text, &[index(3), index(4)]);
    assert_eq!(cells(text, &[index(3), index(3)]).len(), 0);
}

#[test]
fn undefined_results_are_refused() {
    let text = "
func.func @main(%v: f32, %i: index) -> (f32, tensor<2x2xf32>) { // error: result 1 is undefined at index [0, 1]
  %e = tensor.empty() : tensor<2x2xf32>
  %t = tensor.insert %v into %e[%i, %i] : tensor<2x2xf32>
  return %v, %t : f32, tensor<2x2xf32>
}";
    refuse(text, &[Datum::Scalar(Scalar::Float(1.)), index(0)]);
}

#[test]
fn functions_that_cannot_run_are_refused() {
    let x = [index(1)];
    refuse(
        "func.func private @main(%x: i32) // error: is only declared: it has no body to run",
        &x,
    );
    refuse(
        "func.func @main(%x: i32) { // error: has 2 blocks, expected one: the interpreter does not support control flow between blocks
  cf.br ^bb1
^bb1:
  return
}",
        &x,
    );
    refuse(
        "module { // error: has no function @main; there are @first, @second
  func.func @first() { return }
  func.func @second() { return }
}",
        &x,
    );
    refuse("module {} // error: has no function @main; the module has none", &x);
    refuse(
        "func.func @main(%x: i32) {
  %y = \"llvm.freeze\"(%x) : (i32) -> i32 // error: is not supported by the interpreter
  return
}",
        &x,
    );
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let refuses = |ty: &str, argument: Datum, message: &str| {
        let text = format!("func.func @main(%x: {ty}) {{ return }} // error: argument 0 {message}");
        refuse(&text, &[argument]);
    };
    let matrix = || tensor(F32, &[4, 5], &[1.; 20]);
    refuses("tensor<4x?xf64>", matrix(), "is tensor<4x5xf32>, expected tensor<4x?xf64>");
    refuses("tensor<4x6xf32>", matrix(), "is tensor<4x5xf32>, expected tensor<4x6xf32>");
    refuses("tensor<?xf32>", matrix(), "is tensor<4x5xf32>, expected tensor<?xf32>");
    refuses("memref<4x5xf32>", matrix(), "is tensor<4x5xf32>, expected memref<4x5xf32>");
    refuses("f32", matrix(), "is tensor<4x5xf32>, expected f32");
    refuses("f32", index(1), "is an integer, expected f32");
    refuses("i32", Datum::Scalar(Scalar::Float(1.)), "is a float, expected i32");
    refuses("f32", Datum::Scalar(Scalar::Float(0.1)), "is Float(0.1), which is not of type f32");
    refuses("f16", Datum::Scalar(Scalar::Undefined), "is undefined");
    refuses("i8", index(128), "is Int(128), which is not of type i8");
    refuses("i1", index(-1), "is Int(-1), which is not of type i1");
    refuses(
        "tensor<2xi8>",
        tensor(crate::interpreter::scalar::ScalarType::Int(8), &[2], &[1., 200.]),
        "contains Int(200) at [1], which is not of type i8",
    );
    refuses("tensor<2xf32>", tensor(F32, &[2], &[1.]), "has 1 cells for sizes [2]");
    refuses(
        "tensor<*xf32>",
        matrix(),
        "has type tensor<*xf32>, which the interpreter does not support",
    );
    refuses(
        "tensor<2xcomplex<f32>>",
        matrix(),
        "has type tensor<2xcomplex<f32>>, which the interpreter does not support",
    );
    let none = "func.func @main() { return } // error: takes 0 arguments, found 1";
    refuse(none, &[index(1)]);
}

#[test]
fn arith_ops_work_on_tensors() {
    let text = "
func.func @main(%x: tensor<3xf32>, %i: tensor<3xi32>, %c: i1) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi1>) {
  %two = arith.constant dense<2.0> : tensor<3xf32>
  %k = arith.constant dense<[1, -2, 3]> : tensor<3xi32>
  %m = arith.mulf %x, %two : tensor<3xf32>
  %s = arith.select %c, %x, %m : tensor<3xf32>
  %a = arith.addi %i, %k : tensor<3xi32>
  %p = arith.cmpi sgt, %i, %k : tensor<3xi32>
  return %m, %s, %a, %p : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi1>
}";
    let i = tensor(I32, &[3], &[1., 2., 3.]);
    let found = cells(text, &[counting(&[3]), i, index(1)]);
    assert_eq!(found, [[2., 4., 6.], [1., 2., 3.], [2., 0., 6.], [0., 1., 0.]]);
}

#[test]
fn arith_ops_on_tensors_name_the_cell_of_an_error() {
    let text = "
func.func @main(%x: tensor<2x2xi32>, %y: tensor<2x?xi32>) -> tensor<2x2xi32> {
  %c = tensor.cast %y : tensor<2x?xi32> to tensor<2x2xi32>
  %r = arith.divsi %x, %c : tensor<2x2xi32> // error: at [1, 0]: divides by 0
  return %r : tensor<2x2xi32>
}";
    let x = tensor(I32, &[2, 2], &[1., 2., 3., 4.]);
    refuse(text, &[x, tensor(I32, &[2, 2], &[1., 2., 0., 4.])]);
    let text = "
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %r = arith.addi %x, %y : tensor<?xi32> // error: has operands of different sizes: [2] and [3]
  return %r : tensor<?xi32>
}";
    refuse(text, &[tensor(I32, &[2], &[1., 2.]), tensor(I32, &[3], &[1., 2., 3.])]);
}

#[test]
fn constants_of_all_kinds() {
    let text = "
func.func @main() -> (tensor<2xf16>, tensor<2xbf16>, tensor<2x2xi1>, tensor<2xf64>, tensor<3xi8>, tensor<2xindex>, tensor<2xf32>, tensor<0xf32>) {
  %a = arith.constant dense<[1.5, -2.0]> : tensor<2xf16>
  %b = arith.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %c = arith.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %d = arith.constant dense<0.1> : tensor<2xf64>
  %e = arith.constant dense<[-1, 127, -128]> : tensor<3xi8>
  %f = arith.constant dense<[-1, 9]> : tensor<2xindex>
  %g = arith.constant dense_resource<two> : tensor<2xf32>
  %h = arith.constant dense<> : tensor<0xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<2xf16>, tensor<2xbf16>, tensor<2x2xi1>, tensor<2xf64>, tensor<3xi8>, tensor<2xindex>, tensor<2xf32>, tensor<0xf32>
}
{-# dialect_resources: { builtin: { two: \"0x040000000000803F00002040\" } } #-}";
    let found = cells(text, &[]);
    let expected = [
        vec![1.5, -2.],
        vec![1.5, -2.],
        vec![1., 0., 1., 1.],
        vec![0.1, 0.1],
        vec![-1., 127., -128.],
        vec![-1., 9.],
        vec![1., 2.5],
        vec![],
    ];
    assert_eq!(found, expected);
}

#[test]
fn resources_without_data_are_refused() {
    let text = "
func.func @main() -> tensor<2xf32> {
  %g = arith.constant dense_resource<two> : tensor<2xf32> // error: has a constant that is neither dense nor a resource with all its data
  return %g : tensor<2xf32>
}";
    refuse(text, &[]);
}
