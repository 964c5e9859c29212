//! Functions of several blocks with other dependences: over rows, over windows, in place.

use crate::function::{Draw, Shape};
use loopwright_runtime::tensor::ElementType;
use rand::Rng;

/// A matrix product, plus a row, with negative values replaced by 0.
pub fn epilogue(draw: &mut Draw) -> Shape {
    let (m, n, k) = (draw.dynamic_size(13), draw.dynamic_size(17), draw.dynamic_size(8));
    let (a, b, c) = (draw.tensor(&[m, k]), draw.tensor(&[k, n]), draw.tensor(&[m, n]));
    let (row, e, zero) = (draw.tensor(&[n]), draw.element, draw.number(0));
    let (add, max) = (draw.op("addf", "addi"), draw.op("maximumf", "maxsi"));
    let body = draw.empty("e", &[m, n], &[("x0", a.clone(), 0), ("x1", b.clone(), 1)])
        + &format!(
            "%zero = arith.constant {zero} : {e}\n\
             %f = linalg.fill ins(%zero : {e}) outs(%e : {c}) -> {c}\n\
             %p = linalg.matmul ins(%x0, %x1 : {a}, {b}) outs(%f : {c}) -> {c}\n\
             %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, \
             affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], \
             iterator_types = [\"parallel\", \"parallel\"]}} ins(%p, %x2 : {c}, {row}) outs(%e : {c}) {{\n\
             ^bb0(%a: {e}, %b: {e}, %o: {e}):\n%s = {add} %a, %b : {e}\nlinalg.yield %s : {e}\n}} -> {c}\n\
             %z = linalg.map {{ {max} }} ins(%r, %r : {c}, {c}) outs(%e : {c})\n\
             %q = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, \
             affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} \
             ins(%z : {c}) outs(%e : {c}) {{\n\
             ^bb0(%a: {e}, %o: {e}):\n%s = {max} %a, %zero : {e}\nlinalg.yield %s : {e}\n}} -> {c}\n\
             return %q : {c}\n"
        );
    let inputs = vec![vec![m, k], vec![k, n], vec![n]];
    Shape { body, inputs, output: vec![m, n], is_exact: true }
}

/// The parts of layernorm over rows: mean, difference, mean of its squares, quotient by the root. Integer versions use
/// products in place of quotients.
pub fn layernorm(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(13), draw.dynamic_size(17));
    let (matrix, column, e) = (draw.tensor(&[m, n]), draw.tensor(&[m]), draw.element);
    let (add, sub, mul) =
        (draw.op("addf", "addi"), draw.op("subf", "subi"), draw.op("mulf", "muli"));
    let div = draw.op("divf", "muli");
    let (zero, one, length) = (draw.number(0), draw.number(1), draw.number(n.max(1) as i64));
    let root = match draw.element.is_float() {
        true => format!("%t = math.sqrt %w : {e}"),
        false => format!("%t = arith.muli %w, %w : {e}"),
    };
    let on_rows = |name: &str, from: &str, column_name: &str, body: String| {
        format!(
            "%{name} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, \
             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], \
             iterator_types = [\"parallel\", \"parallel\"]}} ins(%{from}, %{column_name} : {matrix}, \
             {column}) outs(%e : {matrix}) {{\n^bb0(%a: {e}, %b: {e}, %o: {e}):\n{body}\n\
             linalg.yield %r : {e}\n}} -> {matrix}\n"
        )
    };
    let sum = |name: &str, from: &str| {
        format!(
            "%{name} = linalg.reduce {{ {add} }} ins(%{from} : {matrix}) outs(%f : {column}) \
             dimensions = [1]\n"
        )
    };
    let body = draw.empty("e", &[m, n], &[("x0", matrix.clone(), 0), ("x0", matrix.clone(), 1)])
        + &draw.empty("c", &[m], &[("x0", matrix.clone(), 0)])
        + &format!(
            "%zero = arith.constant {zero} : {e}\n%one = arith.constant {one} : {e}\n\
             %n = arith.constant {length} : {e}\n\
             %f = linalg.fill ins(%zero : {e}) outs(%c : {column}) -> {column}\n"
        )
        + &sum("s", "x0")
        + &on_rows("d", "x0", "s", format!("%q = {div} %b, %n : {e}\n%r = {sub} %a, %q : {e}"))
        + &format!(
            "%squares = linalg.map {{ {mul} }} ins(%d, %d : {matrix}, {matrix}) outs(%e : {matrix})\n"
        )
        + &sum("v", "squares")
        + &on_rows(
            "y",
            "d",
            "v",
            format!(
                "%q = {div} %b, %n : {e}\n%w = {add} %q, %one : {e}\n{root}\n%r = {div} %a, %t : {e}"
            ),
        )
        + &format!("return %y : {matrix}\n");
    let is_exact = !draw.element.is_float();
    Shape { body, inputs: vec![vec![m, n]], output: vec![m, n], is_exact }
}

/// The largest value of each row and its first index: a reduction of two values.
pub fn argmax(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(13), draw.dynamic_size(17));
    let (matrix, column, e) = (draw.tensor(&[m, n]), draw.tensor(&[m]), draw.element);
    let places = column.replace(&e.to_string(), "i64");
    let (low, add) = (draw.number(-100), draw.op("addf", "addi"));
    // Values taken by the comparison alone may be combined in parts.
    let max = match draw.rng.random_bool(0.7) {
        true => "arith.select %is,".to_owned(),
        false => draw.op("maximumf", "maxsi"),
    };
    let greater = match draw.element.is_float() {
        true => format!("arith.cmpf ogt, %a, %v : {e}"),
        false => format!("arith.cmpi sgt, %a, %v : {e}"),
    };
    let number = match e.to_string().as_str() {
        "i64" => "arith.addi %t, %none : i64".into(),
        _ if e.is_float() => format!("arith.sitofp %t : i64 to {e}"),
        _ => format!("arith.trunci %t : i64 to {e}"),
    };
    let body = draw.empty("c", &[m], &[("x0", matrix.clone(), 0)])
        + &draw
            .empty("p", &[m], &[("x0", matrix.clone(), 0)])
            .replace(&format!(": {column}\n"), &format!(": {places}\n"))
        + &format!(
            "%low = arith.constant {low} : {e}\n%none = arith.constant 0 : i64\n\
             %f = linalg.fill ins(%low : {e}) outs(%c : {column}) -> {column}\n\
             %g = linalg.fill ins(%none : i64) outs(%p : {places}) -> {places}\n\
             %m:2 = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, \
             affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], \
             iterator_types = [\"parallel\", \"reduction\"]}} ins(%x0 : {matrix}) \
             outs(%f, %g : {column}, {places}) {{\n^bb0(%a: {e}, %v: {e}, %w: i64):\n\
             %j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i64\n\
             %is = {greater}\n%best = {max} %a, %v : {e}\n\
             %at = arith.select %is, %k, %w : i64\n\
             linalg.yield %best, %at : {e}, i64\n}} -> ({column}, {places})\n\
             %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, \
             affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}} \
             ins(%m#0, %m#1 : {column}, {places}) outs(%c : {column}) {{\n\
             ^bb0(%v: {e}, %t: i64, %o: {e}):\n%q = {number}\n%s = {add} %v, %q : {e}\n\
             linalg.yield %s : {e}\n}} -> {column}\nreturn %r : {column}\n"
        );
    Shape { body, inputs: vec![vec![m, n]], output: vec![m], is_exact: true }
}

/// Sums of three neighbours of values that another block computes: a window over its results.
pub fn window(draw: &mut Draw) -> Shape {
    let n = draw.size(17);
    draw.is_dynamic = false;
    let (from, to, e) = (draw.tensor(&[n + 2]), draw.tensor(&[n]), draw.element);
    let window = draw.tensor(&[3]);
    let (mul, add, zero) = (draw.op("mulf", "muli"), draw.op("addf", "addi"), draw.number(0));
    let body = draw.empty("e", &[n + 2], &[])
        + &draw.empty("o", &[n], &[])
        + &draw.empty("w", &[3], &[])
        + &format!(
            "%zero = arith.constant {zero} : {e}\n\
             %p = linalg.map {{ {mul} }} ins(%x0, %x0 : {from}, {from}) outs(%e : {from})\n\
             %f = linalg.fill ins(%zero : {e}) outs(%o : {to}) -> {to}\n\
             %r = linalg.generic {{indexing_maps = [affine_map<(i, k) -> (i + k)>, \
             affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], \
             iterator_types = [\"parallel\", \"reduction\"]}} ins(%p, %w : {from}, {window}) \
             outs(%f : {to}) {{\n^bb0(%a: {e}, %b: {e}, %s: {e}):\n%t = {add} %s, %a : {e}\n\
             linalg.yield %t : {e}\n}} -> {to}\nreturn %r : {to}\n"
        );
    Shape { body, inputs: vec![vec![n + 2]], output: vec![n], is_exact: true }
}

/// In the loop dialect: a copy, and in place on it a recurrence along rows, columns or diagonals, forwards or
/// backwards. The first argument is longer than the last one by the reach of the recurrence.
pub fn recurrence(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(9), draw.dynamic_size(13));
    let (rows, columns) = (draw.rng.random_range(0..3), draw.rng.random_range(0..3));
    let is_forwards = draw.rng.random_bool(0.5);
    let memref = |shape: &[usize], draw: &Draw| draw.tensor(shape).replace("tensor", "memref");
    let outer = [m + rows, n + columns];
    let (long, short, e) = (memref(&outer, draw), memref(&[m, n], draw), draw.element);
    let add = draw.op("addf", "addi");
    // The sizes of the second nest may be defined after the first nest.
    let are_late = draw.rng.random_bool(0.5);
    let (sizes, extents) = match draw.is_dynamic {
        true => {
            let dim = |i: usize, of: &str, ty: &str| {
                format!("%{of}{i} = memref.dim %{of}, %c{i} : {ty}\n")
            };
            let constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n";
            let first = constants.to_owned() + &dim(0, "y", &long) + &dim(1, "y", &long);
            let second = dim(0, "z", &short) + &dim(1, "z", &short);
            ([first, second], ["%y0", "%y1", "%z0", "%z1"].map(String::from))
        }
        false => (Default::default(), [outer[0], outer[1], m, n].map(|size| size.to_string())),
    };
    let [early, late] = match (sizes, are_late) {
        ([first, second], true) => [first, second],
        ([first, second], false) => [first + &second, String::new()],
    };
    let [long_rows, long_columns, short_rows, short_columns] = extents;
    let here = "%u, %v".to_owned();
    let there = "%a, %b".to_owned();
    let (from, to) = if is_forwards { (here, there) } else { (there, here) };
    let body = format!(
        "func.func @main(%x: {long}, %z: {short}, %y: {long}) {{\n{early}\
         loop.for serial %i in {long_rows} {{\nloop.for serial %j in {long_columns} {{\n\
         loop.block \"copy\" [%u: spatial {long_rows}, %v: spatial {long_columns}] = (%i, %j)\n\
         reads(%x[%u : 1, %v : 1]) writes(%y[%u : 1, %v : 1]) {{\n\
         %0 = memref.load %x[%u, %v] : {long}\nmemref.store %0, %y[%u, %v] : {long}\n}}\n}}\n}}\n{late}\
         loop.for serial %i in {short_rows} {{\nloop.for serial %j in {short_columns} {{\n\
         loop.block \"next\" [%u: spatial {short_rows}, %v: spatial {short_columns}] = (%i, %j)\n\
         reads(%y[%u + {rows_read} : 1, %v + {columns_read} : 1], %z[%u : 1, %v : 1]) \
         writes(%y[%u + {rows_written} : 1, %v + {columns_written} : 1]) {{\n\
         %a = affine.apply affine_map<(d0) -> (d0 + {rows})>(%u)\n\
         %b = affine.apply affine_map<(d0) -> (d0 + {columns})>(%v)\n\
         %0 = memref.load %y[{from}] : {long}\n%1 = memref.load %z[%u, %v] : {short}\n\
         %2 = {add} %0, %1 : {e}\nmemref.store %2, %y[{to}] : {long}\n}}\n}}\n}}\nreturn\n}}\n",
        rows_read = if is_forwards { 0 } else { rows },
        columns_read = if is_forwards { 0 } else { columns },
        rows_written = if is_forwards { rows } else { 0 },
        columns_written = if is_forwards { columns } else { 0 },
    );
    let inputs = vec![outer.to_vec(), vec![m, n]];
    Shape { body, inputs, output: outer.to_vec(), is_exact: true }
}

/// A tensor padded with other values; each element is squared.
pub fn border(draw: &mut Draw) -> Shape {
    let (m, n) = (draw.dynamic_size(13), draw.dynamic_size(17));
    let [top, left, bottom, right] = [0; 4].map(|_| draw.rng.random_range(0..4));
    let (to_m, to_n) = (top + m + bottom, left + n + right);
    let (from, to, e) = (draw.tensor(&[m, n]), draw.tensor(&[to_m, to_n]), draw.element);
    let around = draw.rng.random_range(0..3);
    let (mul, pad) = (draw.op("mulf", "muli"), draw.number(around));
    let body = format!(
        "%pad = arith.constant {pad} : {e}\n\
         %p = tensor.pad %x0 low[{top}, {left}] high[{bottom}, {right}] {{\n\
         ^bb0(%i: index, %j: index):\ntensor.yield %pad : {e}\n}} : {from} to {to}\n\
         %r = linalg.map {{ {mul} }} ins(%p, %p : {to}, {to}) outs(%p : {to})\nreturn %r : {to}\n"
    );
    Shape { body, inputs: vec![vec![m, n]], output: vec![to_m, to_n], is_exact: true }
}

/// In the loop dialect: sums over a window of values that each iteration recomputes.
pub fn recomputed(draw: &mut Draw) -> Shape {
    draw.is_dynamic = false;
    let (n, window) = (draw.size(17), draw.rng.random_range(2..4));
    let long = n + window - 1;
    let (from, to, e) = (draw.tensor(&[long]), draw.tensor(&[n]), draw.element);
    let (from, to) = (from.replace("tensor", "memref"), to.replace("tensor", "memref"));
    let (mul, add, last) = (draw.op("mulf", "muli"), draw.op("addf", "addi"), window - 1);
    let body = format!(
        "func.func @main(%x: {from}, %y: {to}) {{\n\
         %t = loop.buffer \"t\" scope(global) : {from}\n\
         loop.for serial %i in {n} {{\nloop.for serial %k in {window} {{\n\
         loop.block \"square\" [%v: spatial {long}] = (%i + %k) reads(%x[%v : 1]) writes(%t[%v : 1]) {{\n\
         %0 = memref.load %x[%v] : {from}\n%1 = {mul} %0, %0 : {e}\nmemref.store %1, %t[%v] : {from}\n}}\n}}\n\
         loop.block \"sum\" [%v: spatial {n}] = (%i) reads(%t[%v : {window}]) writes(%y[%v : 1]) {{\n\
         %u = affine.apply affine_map<(d0) -> (d0 + {last})>(%v)\n\
         %0 = memref.load %t[%v] : {from}\n%1 = memref.load %t[%u] : {from}\n%2 = {add} %0, %1 : {e}\n\
         memref.store %2, %y[%v] : {to}\n}}\n}}\nreturn\n}}\n"
    );
    Shape { body, inputs: vec![vec![long]], output: vec![n], is_exact: true }
}

/// Products of bytes, summed as i32; the low bytes are kept. Four products at once are an intrinsic.
pub fn bytes(draw: &mut Draw) -> Shape {
    draw.element = ElementType::I8;
    let (m, n, k) = (draw.dynamic_size(8), draw.dynamic_size(13), draw.dynamic_size(17));
    let (a, b, to) = (draw.tensor(&[m, k]), draw.tensor(&[n, k]), draw.tensor(&[m, n]));
    let sums = to.replace("xi8>", "xi32>");
    let sizes = [("x0", a.clone(), 0), ("x1", b.clone(), 0)];
    let body = draw.empty("e", &[m, n], &sizes)
        + &draw.empty("w", &[m, n], &sizes).replace(&format!(") : {to}"), &format!(") : {sums}"))
        + &format!(
            "%zero = arith.constant 0 : i32\n\
             %f = linalg.fill ins(%zero : i32) outs(%w : {sums}) -> {sums}\n\
             %p = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, \
             affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], \
             iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%x0, %x1 : {a}, {b}) \
             outs(%f : {sums}) {{\n^bb0(%a: i8, %b: i8, %s: i32):\n\
             %c = arith.extsi %a : i8 to i32\n%d = arith.extsi %b : i8 to i32\n\
             %t = arith.muli %c, %d : i32\n%u = arith.addi %s, %t : i32\n\
             linalg.yield %u : i32\n}} -> {sums}\n\
             %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, \
             affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} \
             ins(%p : {sums}) outs(%e : {to}) {{\n^bb0(%s: i32, %o: i8):\n\
             %t = arith.trunci %s : i32 to i8\nlinalg.yield %t : i8\n}} -> {to}\nreturn %r : {to}\n"
        );
    Shape { body, inputs: vec![vec![m, k], vec![n, k]], output: vec![m, n], is_exact: true }
}
