//! Random functions of linalg ops, with inputs.

use crate::composite;
use loopwright_runtime::tensor::{ElementType, Tensor};
use rand::Rng;
use rand::rngs::StdRng;

/// A function `@main` and its arguments.
pub struct Function {
    pub text: String,
    pub inputs: Vec<Tensor>,
    pub element: ElementType,
    /// The shapes of its results.
    pub outputs: Vec<Vec<usize>>,
    /// True if the results are exact; otherwise they have the error of math functions.
    pub is_exact: bool,
    /// True if no float sum may be reordered: all results are bitwise equal.
    pub is_strict: bool,
}

/// A family of functions, which generates a text and shapes.
type Family = fn(&mut Draw) -> Shape;

/// The text of the body of `@main`, the shapes of its arguments and results.
pub struct Shape {
    pub body: String,
    pub inputs: Vec<Vec<usize>>,
    pub output: Vec<usize>,
    pub is_exact: bool,
}

const FAMILIES: &[Family] = &[
    elementwise,
    broadcast,
    transpose,
    matmul,
    batched_matmul,
    row_sum,
    column_max,
    softmax,
    convolution,
    reshape,
    composite::epilogue,
    composite::layernorm,
    composite::argmax,
    composite::window,
    composite::border,
    composite::recurrence,
    composite::recomputed,
    composite::bytes,
];

/// The source of random choices of a family.
pub struct Draw<'r> {
    pub rng: &'r mut StdRng,
    pub element: ElementType,
    pub is_dynamic: bool,
}

impl Draw<'_> {
    /// A size: 1, primes, powers of two and others.
    pub fn size(&mut self, most: usize) -> usize {
        let sizes = [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 17, 24, 32, 33];
        let fitting: Vec<_> = sizes.into_iter().filter(|size| *size <= most).collect();
        fitting[self.rng.random_range(0..fitting.len())]
    }

    /// A size of a function that may be dynamic; it may also be 0.
    pub fn dynamic_size(&mut self, most: usize) -> usize {
        if self.is_dynamic && self.rng.random_bool(0.05) { 0 } else { self.size(most) }
    }

    /// The type of a tensor.
    pub fn tensor(&self, shape: &[usize]) -> String {
        let dims: String = shape
            .iter()
            .map(|size| if self.is_dynamic { "?x".into() } else { format!("{size}x") })
            .collect();
        format!("tensor<{dims}{}>", self.element)
    }

    pub fn op(&self, float: &str, integer: &str) -> String {
        format!("arith.{}", if self.element.is_float() { float } else { integer })
    }

    pub fn number(&self, value: i64) -> String {
        if self.element.is_float() { format!("{value}.0") } else { value.to_string() }
    }

    /// A `tensor.empty` whose dimension i is that of another tensor: `(tensor, its type, dimension)`.
    pub fn empty(&self, name: &str, shape: &[usize], from: &[(&str, String, usize)]) -> String {
        let ty = self.tensor(shape);
        if !self.is_dynamic {
            return format!("%{name} = tensor.empty() : {ty}\n");
        }
        let mut text = String::new();
        let mut sizes = vec![];
        for (i, (tensor, tensor_type, dim)) in from.iter().enumerate() {
            text += &format!("%{name}_c{i} = arith.constant {dim} : index\n");
            text += &format!("%{name}_d{i} = tensor.dim %{tensor}, %{name}_c{i} : {tensor_type}\n");
            sizes.push(format!("%{name}_d{i}"));
        }
        text + &format!("%{name} = tensor.empty({}) : {ty}\n", sizes.join(", "))
    }
}

impl Function {
    /// The destination tensors for results.
    pub fn zeros(&self) -> Vec<Tensor> {
        let zeros = |shape: &Vec<usize>| Tensor::zeros(self.element, shape);
        self.outputs.iter().map(|shape| zeros(shape).expect("it is small")).collect()
    }

    pub fn random(rng: &mut StdRng) -> Function {
        use ElementType::*;
        let elements = [I8, I16, I32, I64, F16, BF16, F32, F64];
        let element = elements[rng.random_range(0..elements.len())];
        let is_dynamic = rng.random_bool(0.4);
        let family = FAMILIES[rng.random_range(0..FAMILIES.len())];
        let mut draw = Draw { rng, element, is_dynamic };
        let shape = family(&mut draw);
        let element = draw.element;
        let arguments: Vec<_> = shape
            .inputs
            .iter()
            .enumerate()
            .map(|(i, shape)| format!("%x{i}: {}", draw.tensor(shape)))
            .collect();
        let result = draw.tensor(&shape.output);
        let is_strict = draw.rng.random_bool(0.5);
        let contract = if is_strict { "strict" } else { "reassoc" };
        let contract = format!("attributes {{loop.fp = \"{contract}\"}}");
        let text = match shape.body.starts_with("func.func") {
            true => shape.body.replacen(") {\n", &format!(") {contract} {{\n"), 1),
            false => {
                let arguments = arguments.join(", ");
                let body = shape.body;
                format!("func.func @main({arguments}) -> {result} {contract} {{\n{body}}}\n")
            }
        };
        // Small integers, so that the longest sum is exact in a significand of 8 bits. If the order of sums is fixed,
        // it need not be exact.
        let mut numbers = |shape: &Vec<usize>| {
            let n = shape.iter().product::<usize>();
            let values: Vec<i64> = (0..n).map(|_| rng.random_range(-2..=2)).collect();
            if element.is_float() && is_strict {
                let values: Vec<f64> = (0..n).map(|_| any_float(rng)).collect();
                Tensor::from_f64s(element, shape, &values)
            } else if element.is_float() {
                let values: Vec<f64> = values.iter().map(|v| *v as f64).collect();
                Tensor::from_f64s(element, shape, &values)
            } else {
                Tensor::from_i64s(element, shape, &values)
            }
            .expect("small tensors")
        };
        let inputs = shape.inputs.iter().map(&mut numbers).collect();
        let outputs = vec![shape.output];
        Function { text, inputs, element, outputs, is_exact: shape.is_exact, is_strict }
    }
}

/// Numbers whose sums round, and sometimes a zero of either sign, an infinity or a NaN.
fn any_float(rng: &mut StdRng) -> f64 {
    match rng.random_range(0..400) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => f64::NEG_INFINITY,
        3..=15 => -0.0,
        16..=30 => 0.0,
        _ => rng.random_range(-2.0..2.0),
    }
}

/// `(x0 + x1) * 3`, then `max(.., x0)`: a chain of three blocks.
fn elementwise(draw: &mut Draw) -> Shape {
    let shape = vec![draw.dynamic_size(33), draw.dynamic_size(33)];
    let (ty, e) = (draw.tensor(&shape), draw.element);
    let (add, mul) = (draw.op("addf", "addi"), draw.op("mulf", "muli"));
    let max = draw.op("maximumf", "maxsi");
    let three = draw.number(3);
    let maps = "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, \
                affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]";
    let step = |name: &str, left: &str, right: &str, body: String| {
        format!(
            "%{name} = linalg.generic {{{maps}}} ins(%{left}, %{right} : {ty}, {ty}) outs(%e : {ty}) {{\n\
             ^bb0(%a: {e}, %b: {e}, %o: {e}):\n{body}linalg.yield %r : {e}\n}} -> {ty}\n"
        )
    };
    let body = draw.empty("e", &shape, &[("x0", ty.clone(), 0), ("x0", ty.clone(), 1)])
        + &format!("%three = arith.constant {three} : {e}\n")
        + &step("s", "x0", "x1", format!("%r = {add} %a, %b : {e}\n"))
        + &step("p", "s", "s", format!("%r = {mul} %a, %three : {e}\n"))
        + &step("m", "p", "x0", format!("%r = {max} %a, %b : {e}\n"))
        + &format!("return %m : {ty}\n");
    Shape { body, inputs: vec![shape.clone(), shape.clone()], output: shape, is_exact: true }
}

/// A broadcast row times a matrix.
fn broadcast(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(17), draw.dynamic_size(33));
    let (row, matrix) = (draw.tensor(&[n]), draw.tensor(&[m, n]));
    let (e, mul) = (draw.element, draw.op("mulf", "muli"));
    let body = draw.empty("e", &[m, n], &[("x1", matrix.clone(), 0), ("x1", matrix.clone(), 1)])
        + &format!(
            "%r = linalg.broadcast ins(%x0 : {row}) outs(%e : {matrix}) dimensions = [0]\n\
             %p = linalg.map {{ {mul} }} ins(%r, %x1 : {matrix}, {matrix}) outs(%e : {matrix})\n\
             return %p : {matrix}\n"
        );
    let _ = e;
    Shape { body, inputs: vec![vec![n], vec![m, n]], output: vec![m, n], is_exact: true }
}

fn transpose(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(33), draw.dynamic_size(33));
    let (from, to) = (draw.tensor(&[m, n]), draw.tensor(&[n, m]));
    let body = draw.empty("e", &[n, m], &[("x0", from.clone(), 1), ("x0", from.clone(), 0)])
        + &format!(
            "%t = linalg.transpose ins(%x0 : {from}) outs(%e : {to}) permutation = [1, 0]\n\
             return %t : {to}\n"
        );
    Shape { body, inputs: vec![vec![m, n]], output: vec![n, m], is_exact: true }
}

fn matmul(draw: &mut Draw) -> Shape {
    let (m, n, k) = (draw.dynamic_size(17), draw.dynamic_size(33), draw.dynamic_size(17));
    let (a, b, c) = (draw.tensor(&[m, k]), draw.tensor(&[k, n]), draw.tensor(&[m, n]));
    let (e, zero) = (draw.element, draw.number(0));
    let body = draw.empty("e", &[m, n], &[("x0", a.clone(), 0), ("x1", b.clone(), 1)])
        + &format!(
            "%zero = arith.constant {zero} : {e}\n\
             %f = linalg.fill ins(%zero : {e}) outs(%e : {c}) -> {c}\n\
             %p = linalg.matmul ins(%x0, %x1 : {a}, {b}) outs(%f : {c}) -> {c}\n\
             return %p : {c}\n"
        );
    Shape { body, inputs: vec![vec![m, k], vec![k, n]], output: vec![m, n], is_exact: true }
}

/// A batched matmul that accumulates onto an argument: the sum has no initial value of its own.
fn batched_matmul(draw: &mut Draw) -> Shape {
    let (l, m, n, k) =
        (draw.dynamic_size(4), draw.dynamic_size(7), draw.dynamic_size(17), draw.dynamic_size(8));
    let (a, b, c) = (draw.tensor(&[l, m, k]), draw.tensor(&[l, k, n]), draw.tensor(&[l, m, n]));
    let body = format!(
        "%p = linalg.batch_matmul ins(%x0, %x1 : {a}, {b}) outs(%x2 : {c}) -> {c}\n\
         return %p : {c}\n"
    );
    let inputs = vec![vec![l, m, k], vec![l, k, n], vec![l, m, n]];
    Shape { body, inputs, output: vec![l, m, n], is_exact: true }
}

/// A reduction over one of two dimensions, and its initial value.
fn reduction(draw: &mut Draw, dim: usize, combine: &str, start: &str) -> Shape {
    let (m, n) = (draw.dynamic_size(24), draw.dynamic_size(24));
    let (from, kept) = (draw.tensor(&[m, n]), 1 - dim);
    let output = vec![[m, n][kept]];
    let (to, e) = (draw.tensor(&output), draw.element);
    let body = draw.empty("e", &output, &[("x0", from.clone(), kept)])
        + &format!(
            "%start = arith.constant {start} : {e}\n\
             %f = linalg.fill ins(%start : {e}) outs(%e : {to}) -> {to}\n\
             %r = linalg.reduce {{ {combine} }} ins(%x0 : {from}) outs(%f : {to}) dimensions = [{dim}]\n\
             return %r : {to}\n"
        );
    Shape { body, inputs: vec![vec![m, n]], output, is_exact: true }
}

fn row_sum(draw: &mut Draw) -> Shape {
    let (combine, start) = (draw.op("addf", "addi"), draw.number(0));
    reduction(draw, 1, &combine, &start)
}

fn column_max(draw: &mut Draw) -> Shape {
    let (combine, start) = (draw.op("maximumf", "maxsi"), draw.number(-100));
    reduction(draw, 0, &combine, &start)
}

/// The parts of softmax over rows: maximum, exponential of the difference, sum, quotient. Integer versions use a
/// product in place of the exponential, and a difference in place of the quotient.
fn softmax(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(13), draw.dynamic_size(17));
    let (matrix, column, e) = (draw.tensor(&[m, n]), draw.tensor(&[m]), draw.element);
    let (max, add) = (draw.op("maximumf", "maxsi"), draw.op("addf", "addi"));
    let (sub, last) = (draw.op("subf", "subi"), draw.op("divf", "subi"));
    let (low, zero) = (draw.number(-100), draw.number(0));
    let exp = match draw.element.is_float() {
        true => format!("%r = math.exp %d : {e}"),
        false => format!("%r = arith.muli %d, %d : {e}"),
    };
    let maps = "indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, \
                affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]";
    let with_column = |name: &str, matrix_name: &str, column_name: &str, body: String| {
        format!(
            "%{name} = linalg.generic {{{maps}}} ins(%{matrix_name}, %{column_name} : {matrix}, {column}) \
             outs(%e : {matrix}) {{\n^bb0(%a: {e}, %b: {e}, %o: {e}):\n{body}\nlinalg.yield %r : {e}\n}} -> \
             {matrix}\n"
        )
    };
    let body = draw.empty("e", &[m, n], &[("x0", matrix.clone(), 0), ("x0", matrix.clone(), 1)])
        + &draw.empty("c", &[m], &[("x0", matrix.clone(), 0)])
        + &format!(
            "%low = arith.constant {low} : {e}\n%zero = arith.constant {zero} : {e}\n\
             %f = linalg.fill ins(%low : {e}) outs(%c : {column}) -> {column}\n\
             %g = linalg.fill ins(%zero : {e}) outs(%c : {column}) -> {column}\n\
             %m = linalg.reduce {{ {max} }} ins(%x0 : {matrix}) outs(%f : {column}) dimensions = [1]\n"
        )
        + &with_column("x", "x0", "m", format!("%d = {sub} %a, %b : {e}\n{exp}"))
        + &format!(
            "%s = linalg.reduce {{ {add} }} ins(%x : {matrix}) outs(%g : {column}) dimensions = [1]\n"
        )
        + &with_column("q", "x", "s", format!("%r = {last} %a, %b : {e}"))
        + &format!("return %q : {matrix}\n");
    let is_exact = !draw.element.is_float();
    Shape { body, inputs: vec![vec![m, n]], output: vec![m, n], is_exact }
}

/// conv2d of images in NCHW, with strides.
fn convolution(draw: &mut Draw) -> Shape {
    let (c, f, kernel, stride) = (draw.size(3), draw.size(5), draw.size(3), draw.size(2));
    let (out_h, out_w) = (draw.size(5), draw.size(8));
    let (h, w) = ((out_h - 1) * stride + kernel, (out_w - 1) * stride + kernel);
    // The size of the result is no dimension of an input, so it is static.
    draw.is_dynamic = false;
    let (image, weights) = (draw.tensor(&[1, c, h, w]), draw.tensor(&[f, c, kernel, kernel]));
    let output = vec![1, f, out_h, out_w];
    let (to, e, zero) = (draw.tensor(&output), draw.element, draw.number(0));
    let body = draw.empty("e", &output, &[])
        + &format!(
            "%zero = arith.constant {zero} : {e}\n\
             %g = linalg.fill ins(%zero : {e}) outs(%e : {to}) -> {to}\n\
             %r = linalg.conv_2d_nchw_fchw {{strides = dense<{stride}> : tensor<2xi64>}} \
             ins(%x0, %x1 : {image}, {weights}) outs(%g : {to}) -> {to}\n\
             return %r : {to}\n"
        );
    Shape {
        body,
        inputs: vec![vec![1, c, h, w], vec![f, c, kernel, kernel]],
        output,
        is_exact: true,
    }
}

/// Collapses two dimensions, after a product with itself: indices with quotients and remainders.
fn reshape(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.size(13), draw.size(17));
    draw.is_dynamic = false;
    let (from, to) = (draw.tensor(&[m, n]), draw.tensor(&[m * n]));
    let mul = draw.op("mulf", "muli");
    let body = draw.empty("e", &[m, n], &[])
        + &format!(
            "%p = linalg.map {{ {mul} }} ins(%x0, %x0 : {from}, {from}) outs(%e : {from})\n\
             %r = tensor.collapse_shape %p [[0, 1]] : {from} into {to}\n\
             return %r : {to}\n"
        );
    Shape { body, inputs: vec![vec![m, n]], output: vec![m * n], is_exact: true }
}
