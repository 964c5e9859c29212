//! What the importer of ONNX models refuses: each with the file, the place, what was found and what was expected. Hostile
//! files end in an error, too.
//!
//! The values of supported ops are tested by `test/onnx/*.onnxtxt`.

use loopwright::pipeline::{self, ImportOptions, Input};
use std::fs;
use std::path::Path;

/// The error of a model in a folder; its own path is `FILE` in it.
fn refusal_of(folder: &Path, name: &str, contents: &[u8], options: &ImportOptions) -> String {
    let path = folder.join(name);
    fs::write(&path, contents).expect("the folder is writable");
    let context = pipeline::context();
    let input = Input::new(&context, "test");
    let error = input.model(&path, options).err();
    let error = error.map_or_else(|| format!("{name} is accepted"), |it| it.to_string());
    error.replace(&path.display().to_string(), "FILE")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a folder for temporary files")
}

/// The error of a text.
fn refused(text: &str) -> String {
    refusal_of(folder().path(), "m.onnxtxt", text.as_bytes(), &ImportOptions::default())
}

/// The error of a graph with one node, of operator set 21. `X` is a float[2,3], `I` an int64[2].
fn refused_node(node: &str) -> String {
    let head = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
    refused(&format!("{head}g (float[2,3] X, int64[2] I) => (float[] Y) {{ [n] {node} }}"))
}

#[test]
fn syntax_errors_have_a_line_and_a_column() {
    let cases = [
        ("", "FILE:1:1: error: found the end of the file, expected a name"),
        ("g (float[2] X) -> (", "FILE:1:16: error: found '-', which begins no token"),
        ("g (flaot[2] X) => () {}", "FILE:1:9: error: found 'flaot', expected an element type"),
        (
            "g (float[2] X) =>\n  (float Y) { Y = Relu(X }",
            "FILE:2:26: error: found '}', expected ')'",
        ),
        (
            "g () => (float Y) <int8[1] Y = {200}> {}",
            "FILE:1:33: error: found '200', expected int8",
        ),
        (
            "g () => (float Y) <string[1] Y = {\"a\"}> {}",
            "the constant has the element type string",
        ),
        (
            "g () => (float Y) { Y = Op<s = \"a>() }",
            "FILE:1:32: error: a string has no end: expected '\"'",
        ),
    ];
    for (text, expected) in cases {
        let found = refused(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}

#[test]
fn nodes_are_refused_by_their_name() {
    let cases = [
        ("Y = Relu(Z)", "uses 'Z', which no input, constant or node before it defines"),
        ("Y = Frobnicate(X)", "the op ai.onnx.Frobnicate is not supported"),
        ("Y = my.domain.Relu(X)", "the op my.domain.Relu is not supported"),
        ("Y = Relu()", "has no input 0, found 0 inputs"),
        ("Y = Relu<alpha = 1.0>(X)", "has the attribute 'alpha', which is not supported here"),
        (
            "Y = LeakyRelu<alpha = \"a\">(X)",
            "has the attribute 'alpha' of another type, expected Float",
        ),
        ("Y = Add(X, I)", "has operands of float and int64, expected one type"),
        ("Y = Softmax<axis = 2>(X)", "has the axis 2, expected one of 2 axes"),
        ("Y = Cast<to = 8>(X)", "has the element type string, expected one of float"),
        ("Y = Exp(I)", "has an operand of int64, expected floats"),
        ("Y = Reshape(X, I)", "has a shape that depends on data, expected a constant or an output"),
        ("Y = Transpose<perm = [0, 0]>(X)", "no permutation of the axes"),
        ("Y = ReduceSum(X, I)", "has the input 1 (axes) that depends on data, expected a constant"),
        (
            "Y = Gelu<approximate = \"x\">(X)",
            "has the attribute approximate = x, expected none or tanh",
        ),
    ];
    for (node, expected) in cases {
        let found = refused_node(node);
        assert!(found.starts_with("FILE: error: node 'n' ("), "{node}\n{found}");
        assert!(found.contains(expected), "{node}\n{found}");
    }
}

#[test]
fn running_sums_are_of_numbers() {
    let head = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
    let found = refused(&format!(
        "{head}g (bool[3] X) => (bool[] Y) <int64 A = {{0}}> {{ [n] Y = CumSum(X, A) }}"
    ));
    assert!(found.contains("has an operand of bool, expected numbers"), "{found}");
}

#[test]
fn known_indices_are_checked() {
    let cases = [
        ("0, 1, 2, 7", "Gather<axis = 0>(X, I)", "reads element 7 of 3 along axis 0"),
        ("0, 1, 2, -5", "GatherElements<axis = 1>(X, I)", "reads element -5 of 4 along axis 1"),
        ("0, 3, 3, 0", "GatherND(X, I)", "reads element 3 of 3 along axis 0"),
    ];
    let head = "<ir_version: 10, opset_import: [\"\" : 21]>\n";
    for (indices, node, expected) in cases {
        let constant = format!("<int64[2,2] I = {{{indices}}}>");
        let found = refused(&format!(
            "{head}g (float[3,4] X) => (float[] Y) {constant} {{ [n] Y = {node} }}"
        ));
        assert!(found.contains(expected), "{node}\n{found}");
    }
}

/// The error of a graph with the node 'n', which has graphs.
fn refused_control_flow(opset: u32, node: &str) -> String {
    refused(&format!(
        "<ir_version: 10, opset_import: [\"\" : {opset}]>\n\
         g (float[2,3] X, bool C, int64 N, float[a,3] A, float[b,3] B) => (float[] Y) <int64 many = {{99}}> {{\n[n] {node} }}"
    ))
}

#[test]
fn control_flow_is_refused_by_the_name_of_its_node() {
    let grows = "body = b (int64 i, bool c, float[r,3] a) => (bool c, float[s,3] grown) { grown = Concat<axis = 0>(a, X) }";
    let ends = "body = b (int64 i, bool c, float[2,3] a) => (bool d, float[2,3] a2, float row) \
                { a2 = Add(a, a) row = ReduceMax<keepdims = 0>(a2) d = Less(row, row) }";
    let stays = "body = b (int64 i, bool c, float[2,3] a) => (bool c, float[2,3] a2, float[2,3] a3) \
                 { a2 = Add(a, a) a3 = Add(a, X) }";
    let scan = "body = b (float[3] s, float[3] x) => (float[3] s2, float[3] y) { s2 = Add(s, x) y = Mul(s, x) }";
    let cases = [
        (
            "If",
            "Y = If(C) <then_branch = t () => (float[2,3] a) { a = Sin(X) }, else_branch = e () => (float[3,2] a) \
             { a = Transpose(X) }>"
                .to_owned(),
            "branches whose output 0 is float[2, 3] and float[3, 2], expected equal types (B1)",
        ),
        (
            "If",
            "Y = If(C) <then_branch = t () => (float[a,3] y) { y = Sin(A) }, else_branch = e () => (float[b,3] y) \
             { y = Sin(B) }>"
                .to_owned(),
            "branches whose output 0 is float[?, 3] and float[?, 3], expected equal types (B1)",
        ),
        (
            "If",
            "Y = If(C) <then_branch = t () => (float[2,3] y) { y = Sin(X) }>".to_owned(),
            "has no graph 'else_branch'",
        ),
        (
            "If",
            "Y = If(C) <then_branch = t (float z) => (float[2,3] y) { y = Sin(X) }, else_branch = e () => (float[2,3] y) \
             { y = Sin(X) }>"
                .to_owned(),
            "has a graph 't' with 1 inputs, expected 0",
        ),
        (
            "Loop",
            format!("Y = Loop(many, , X) <{grows}>"),
            "has the carried value 'grown' that is float[2, 3] before the loop and float[4, 3] after an iteration, \
             expected equal types (L1)",
        ),
        (
            "Loop",
            format!("Z, Y = Loop(many, C, X) <{ends}>"),
            "has the scan output 'row' in a loop that its condition ends",
        ),
        (
            "Loop",
            format!("Z, Y = Loop(N, , X) <{stays}>"),
            "has the scan output 'a3' in a loop whose number of iterations depends on data",
        ),
        (
            "Loop",
            format!("Y, Z = Loop(, C, X) <{stays}>"),
            "has no trip count and a condition that always holds, expected a loop that ends (L3)",
        ),
        (
            "Loop",
            format!("Y, Z = Loop(X, , X) <{stays}>"),
            "reshapes 6 elements to 1",
        ),
        (
            "Loop",
            format!("Y, Z = Loop(many, , X, X) <{stays}>"),
            "has a graph 'b' with 3 inputs, expected 4",
        ),
        (
            "Loop",
            "Y = Loop(many, , X) <body = b (int64 i, bool c, float[2,3] a) => (bool c) { d = Add(a, a) }>".to_owned(),
            "has a body with 1 outputs, expected at least 2",
        ),
        (
            "Loop",
            "Y = Loop(many, , X) <body = b (int64 i, bool c, float[2,3] a) => (bool c, float[2,3] d) { e = Add(a, a) }>"
                .to_owned(),
            "has the output 'd' that no node computes",
        ),
        (
            "Scan",
            format!("Y = Scan<num_scan_inputs = 3, {scan}>(X, X)"),
            "has the attribute num_scan_inputs = 3, expected 1 to 2, the number of inputs",
        ),
        (
            "Scan",
            format!("Y = Scan<num_scan_inputs = 1, scan_input_axes = [0, 1], {scan}>(X, X)"),
            "has the attribute scan_input_axes = [0, 1], expected 1 integers",
        ),
        (
            "Scan",
            format!("Y = Scan<num_scan_inputs = 2, scan_input_axes = [0, 1], {scan}>(X, X)"),
            "scans inputs of 2 and 3 rows, expected equal numbers",
        ),
        (
            "Scan",
            format!("Y = Scan<num_scan_inputs = 1, scan_input_axes = [2], {scan}>(X, X)"),
            "has the axis 2, expected one of 2 axes",
        ),
        (
            "Scan",
            format!("Y = Scan<num_scan_inputs = 1, directions = [1], {scan}>(X, X)"),
            "has the attribute 'directions', which is not supported here",
        ),
    ];
    for (op, node, expected) in cases {
        let found = refused_control_flow(21, &node);
        assert!(found.starts_with(&format!("FILE: error: node 'n' ({op}): ")), "{node}\n{found}");
        assert!(found.contains(expected), "{node}\n{found}");
    }
    let found = refused_control_flow(8, &format!("Y = Scan<num_scan_inputs = 1, {scan}>(X, X)"));
    assert!(
        found.contains("node 'n' (Scan): is of operator set 8, in which Scan has a batch"),
        "{found}"
    );
    // A node of a body is refused by its own name.
    let inner = "Y = Loop(many, , X) <body = b (int64 i, bool c, float[2,3] a) => (bool c, float[2,3] d) \
                 { [inner] d = Frobnicate(a) }>";
    let found = refused_control_flow(21, inner);
    assert!(found.contains("node 'inner' (Frobnicate): the op ai.onnx.Frobnicate"), "{found}");
    // Unrolled loops in unrolled loops end.
    let mut nested = "d = Concat<axis = 0>(a, X)".to_owned();
    for _ in 0..12 {
        nested = format!(
            "d = Loop(two, , a) <body = b (int64 i, bool c, float[p,3] a) => (bool c, float[q,3] d) {{ {nested} }}>"
        );
    }
    let found = refused_control_flow(
        21,
        &format!("two = Constant<value_int = 2>() a = Identity(X) {nested}"),
    );
    assert!(found.contains("(L1)"), "{found}");
}

#[test]
fn ops_of_onnx_runtime_are_refused_by_the_name_of_their_node() {
    let head = "<ir_version: 10, opset_import: [\"\" : 21, \"com.microsoft\" : 1]>\n\
                g (float[2,3] X, uint8[2,3] Q, float S, uint8 Z, float[2,4,64] A, int32[2] L, int32 N, float[1,4,5,6] M";
    let inputs = "uint8[5,2,8] W, float[5,2] V, int64[2] I";
    let attends = "com.microsoft.GroupQueryAttention<num_heads = 4, kv_num_heads = 2";
    let cases = [
        (
            "com.microsoft.QLinearAdd(Q, S, Z, X, S, , S, Z)".to_owned(),
            "quantizes to float, expected an integer of at most 16 bits",
        ),
        (
            "com.microsoft.QLinearAdd(Q, S, N, Q, S, Z, S, Z)".to_owned(),
            "quantizes to int32, expected an integer of at most 16 bits",
        ),
        (
            "com.microsoft.QLinearSigmoid(Q, N, Z, S, Z)".to_owned(),
            "has an operand of int32, expected a float scale",
        ),
        (
            "com.microsoft.QLinearConcat<axis = 0>(S, Z, Q)".to_owned(),
            "has 3 inputs, expected a scale, a zero point",
        ),
        (
            "com.microsoft.QLinearConcat<axis = 0>(S, Z, Q, S, Z, W, S, Z)".to_owned(),
            "joins operands of different sizes beside axis 0",
        ),
        (
            "com.microsoft.QLinearGlobalAveragePool(Q, S, Z, S, Z)".to_owned(),
            "has an operand of rank 2, expected at least 3",
        ),
        (
            "com.microsoft.QGemm(W, S, Z, Q, S, Z)".to_owned(),
            "multiplies tensors of rank 3 and 2, expected matrices",
        ),
        (
            "com.microsoft.DynamicQuantizeMatMul(X, X, S)".to_owned(),
            "has an operand of float, expected int8 or uint8",
        ),
        (
            "com.microsoft.FusedConv<activation = \"Softmax\">(M, M)".to_owned(),
            "has the attribute activation = Softmax, expected affine, elu",
        ),
        (
            "com.microsoft.FusedConv<activation = \"Clip\">(M, M)".to_owned(),
            "has the attribute activation = Clip, expected affine, elu",
        ),
        (
            "com.microsoft.GroupNorm<groups = 4>(M, V, V)".to_owned(),
            "has the attribute groups = 4, expected a positive divisor",
        ),
        (
            "com.microsoft.GroupNorm<groups = 2>(X, V, V)".to_owned(),
            "has an operand of rank 2, expected 4",
        ),
        ("com.microsoft.NhwcConv(X, M)".to_owned(), "has an operand of rank 2, expected 4"),
        (
            "com.microsoft.BiasSplitGelu(X, S)".to_owned(),
            "has the input 1 of rank 0, expected a list",
        ),
        (
            "com.microsoft.MatMulNBits<K = 3, N = 5, bits = 3, block_size = 16>(X, W, V)"
                .to_owned(),
            "has the attribute bits = 3, expected 2, 4 or 8",
        ),
        (
            "com.microsoft.MatMulNBits<K = 20, N = 5, block_size = 16>(X, W, V)".to_owned(),
            "has an operand whose last size is not K = 20",
        ),
        (
            "com.microsoft.MatMulNBits<K = 3, N = 5, block_size = 16>(X, W, V)".to_owned(),
            "has weights of 80 elements, expected those of [5, 1, 8]",
        ),
        (
            "com.microsoft.MatMulNBits<K = 3, N = 0, block_size = 16>(X, W, V)".to_owned(),
            "has the attribute N = 0, expected a positive number",
        ),
        (
            "com.microsoft.MatMulNBits<K = 9223372036854775807, N = 5, block_size = 16>(X, W, V)"
                .to_owned(),
            "has the attribute K = 9223372036854775807, expected a positive number",
        ),
        (
            "com.microsoft.GroupQueryAttention<num_heads = 0, kv_num_heads = 2>(A, , , , , L, N)"
                .to_owned(),
            "has the attribute num_heads = 0, expected a positive number",
        ),
        (
            format!("{attends}>(A, A, , , , L, N)"),
            "has keys or values only, expected both or neither",
        ),
        (
            format!("{attends}>(A, , , A, , L, N)"),
            "has past keys or past values only, expected both",
        ),
        (
            format!("{attends}, smooth_softmax = 1>(A, , , , , L, N)"),
            "has the attribute smooth_softmax = 1, expected 0",
        ),
        (
            format!("{attends}, causal = 0>(A, , , , , L, N)"),
            "has the attribute causal = 0, expected 1",
        ),
        (
            format!("{attends}, local_window_size = 0>(A, , , , , L, N)"),
            "expected -1 or a positive number",
        ),
        (
            format!("{attends}, k_quant_type = \"PER_TENSOR\">(A, , , , , L, N)"),
            "expected NONE: keys and values are floats",
        ),
        (
            format!("{attends}>(A, , , A, A, L, N)"),
            "has past keys or values of other sizes than the new ones",
        ),
        (
            format!("{attends}>(A, , , , , S, N)"),
            "has an operand of float, expected int32 as lengths",
        ),
        (format!("{attends}, do_rotary = 1>(A, , , , , L, N)"), "has no input 7, found 7 inputs"),
    ];
    for (node, expected) in cases {
        let found = refused(&format!("{head}, {inputs}) => (float[] Y) {{\n[n] Y = {node} }}"));
        assert!(found.starts_with("FILE: error: node 'n' ("), "{node}\n{found}");
        assert!(found.contains(expected), "{node}\n{found}");
    }
}

#[test]
fn parts_of_a_model_are_refused() {
    let cases = [
        (
            "<opset_import: [\"\" : 99]> g () => () {}",
            "operator set: has version 99, expected 1 to 28",
        ),
        ("g (float[] X) => (float Y) {}", "input 'X': has no shape, expected one with a rank"),
        ("g (string[2] X) => (float Y) {}", "input 'X': has the element type string, expected"),
        ("g (float X) => (float Y) {}", "output 'Y': is computed by no node"),
        (
            "g (float X) => (float Y) { Y = a.f(X) }\n\
             <domain: \"a\", opset_import: [\"\" : 18]> f(x) => (y) { y = a.f(x) }",
            "is in 64 nested calls of functions",
        ),
    ];
    for (text, expected) in cases {
        let found = refused(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}

#[test]
fn dimensions_with_names_are_fixed_if_there_are_some() {
    let folder = folder();
    let text = "g (float[N, 2] X) => (float[N, 2] Y) { Y = Relu(X) }";
    let options = |name: &str| ImportOptions { dims: vec![(name.to_owned(), 4)] };
    let fixed = refusal_of(folder.path(), "m.onnxtxt", text.as_bytes(), &options("N"));
    assert_eq!(fixed, "m.onnxtxt is accepted");
    let found = refusal_of(folder.path(), "m.onnxtxt", text.as_bytes(), &options("M"));
    assert!(found.contains("has no dimension 'M', expected one of N"), "{found}");
    let twice = ImportOptions { dims: vec![("N".to_owned(), 4), ("N".to_owned(), 5)] };
    let found = refusal_of(folder.path(), "m.onnxtxt", text.as_bytes(), &twice);
    assert!(found.contains("has two sizes of dimension 'N', expected one"), "{found}");
    let huge = ImportOptions { dims: vec![("N".to_owned(), 1 << 63)] };
    let found = refusal_of(folder.path(), "m.onnxtxt", text.as_bytes(), &huge);
    assert!(found.contains("cannot have the size 9223372036854775808 of dimension 'N'"), "{found}");
    let found = refusal_of(folder.path(), "m.mlir", b"module {}", &options("M"));
    assert!(found.contains("the size of dimension M is for ONNX models"), "{found}");
}

/// A field of a protobuf message that has a length.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2, bytes.len() as u8];
    field.extend(bytes);
    field
}

/// A model with one initializer of 4 floats in an external file.
fn external(location: &str, offset: &str) -> Vec<u8> {
    let entry = |key: &str, value: &str| {
        field(13, &[field(1, key.as_bytes()), field(2, value.as_bytes())].concat())
    };
    let tensor = [
        vec![1 << 3, 4, 2 << 3, 1, 14 << 3, 1],
        field(8, b"w"),
        entry("location", location),
        entry("offset", offset),
        entry("length", "16"),
    ];
    field(7, &field(5, &tensor.concat()))
}

#[test]
fn hostile_files_are_refused() {
    let folder = folder();
    let refused =
        |bytes: &[u8]| refusal_of(folder.path(), "m.onnx", bytes, &ImportOptions::default());
    fs::write(folder.path().join("w.bin"), [0; 20]).expect("the folder is writable");
    let cases = [
        (vec![], "is not an ONNX model: it has no graph"),
        (b"\xff\xff\xff\xff".to_vec(), "is not an ONNX model: "),
        // A graph of 2^40 bytes.
        (vec![7 << 3 | 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20], "is not an ONNX model: "),
        // A tensor of 2^62 x 16 elements.
        (
            field(
                7,
                &field(
                    5,
                    &[
                        vec![1 << 3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40],
                        vec![1 << 3, 16, 2 << 3, 1],
                    ]
                    .concat(),
                ),
            ),
            "initializer '': has 0 bytes of elements, expected those of 4611686018427387904x16 float",
        ),
        (
            external("../w.bin", "0"),
            "has external data in '../w.bin', expected a path below the model's folder (F1)",
        ),
        (external("/etc/passwd", "0"), "expected a path below the model's folder (F1)"),
        (
            external("w.bin", "8"),
            "has 16 bytes of external data at byte 8 of 'w.bin', which has 20 bytes (F2)",
        ),
        (external("w.bin", "-1"), "has external data with the offset '-1', expected a number"),
        (external("none.bin", "0"), "has external data in 'none.bin', which cannot be read"),
    ];
    for (bytes, expected) in cases {
        let found = refused(&bytes);
        assert!(found.starts_with("FILE: error: "), "{expected}\n{found}");
        assert!(found.contains(expected), "{expected}\n{found}");
    }
    assert!(refused(&external("w.bin", "4")).contains("is accepted"));
}

#[test]
fn damaged_files_never_panic() {
    let folder = folder();
    let node = [field(1, b"X"), field(2, b"Y"), field(4, b"Relu")].concat();
    let info = |name: &[u8]| {
        let shape = field(2, &field(1, &[1 << 3, 3]));
        let ty = field(1, &[vec![1 << 3, 1], shape].concat());
        [field(1, name), field(2, &ty)].concat()
    };
    let graph = [field(1, &node), field(11, &info(b"X")), field(12, &info(b"Y"))].concat();
    let model = [field(7, &graph), field(8, &[2 << 3, 18])].concat();
    let run = |bytes: &[u8]| refusal_of(folder.path(), "m.onnx", bytes, &ImportOptions::default());
    assert_eq!(run(&model), "m.onnx is accepted");
    for at in 0..model.len() {
        run(&model[..at]);
        for flip in [1, 0x08, 0x80] {
            let mut damaged = model.clone();
            damaged[at] ^= flip;
            run(&damaged);
        }
    }
}
