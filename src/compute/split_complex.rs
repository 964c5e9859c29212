//! `split-complex`: replace tensors of complex numbers by tensors of their real and of their imaginary parts.
//!
//! ```text
//! func.func @f(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
//!   %y = linalg.generic .. ins(%x) { complex.mul %a, %a }
//!   return %y
//! }
//!   ->
//! func.func @f(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
//!   %re = tensor.extract_slice %x[0, 0] [4, 1] [1, 1]    %im = tensor.extract_slice %x[0, 1] [4, 1] [1, 1]
//!   %y:2 = linalg.generic .. ins(%re, %im) { re * re - im * im, re * im + im * re }
//!   %z = linalg.generic .. ins(%y#0, %y#1) { select (d1 == 0), re, im }
//!   return %z
//! }
//! ```
//! - Functions take and return such a tensor with a last dimension of 2: the real part, then the imaginary part. Its
//!   elements are in memory as those of C's `complex` and NumPy's `complex64`. A complex scalar is a tensor of 2 numbers.
//! - Between ops, the two parts are separate values, so that code for vectors reads each without gaps.
//! - Arithmetic is that of upstream's `convert-complex-to-standard`.
//!
//! An op on complex numbers that is not known here is an error, which names the op.

use crate::compute::linalg_builder::{
    ResultSize, empty, extract_slice, generalize, generic, loop_index, rank, tensor_dim,
};
use crate::compute::symbolic_sizes::DYNAMIC;
use crate::ir::affine::{Expr, Map};
use crate::ir::predicate;
use crate::ir::{
    Attribute, Block, Builder, Error, IteratorKind, Location, Op, Region, Type, Value, functions,
    lower_complex_arithmetic, signature, walk,
};
use std::collections::HashMap;

/// Ops that move or choose elements, whatever they are: there is one for the real parts, and one for the imaginary parts.
const REPEATED: &[&str] = &[
    "arith.select",
    "linalg.broadcast",
    "linalg.copy",
    "linalg.fill",
    "linalg.pack",
    "linalg.transpose",
    "linalg.unpack",
    "tensor.cast",
    "tensor.collapse_shape",
    "tensor.concat",
    "tensor.empty",
    "tensor.expand_shape",
    "tensor.extract",
    "tensor.extract_slice",
    "tensor.from_elements",
    "tensor.gather",
    "tensor.insert",
    "tensor.insert_slice",
    "tensor.pad",
    "tensor.reshape",
    "tensor.scatter",
    "tensor.splat",
];

/// Ops that get both parts of a value in its place.
const EXPANDED: &[&str] = &[
    "linalg.generic",
    "linalg.yield",
    "scf.condition",
    "scf.for",
    "scf.if",
    "scf.while",
    "scf.yield",
    "tensor.generate",
];

/// Splits the complex numbers in the functions of `module`.
pub fn convert<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let has_complex = |op: &Op<'c>| {
        let values = op.operands().into_iter().chain(op.results());
        let arguments = op.regions().into_iter().filter_map(Region::first_block);
        values.chain(arguments.flat_map(Block::arguments)).any(is_complex)
            || op.is("func.func")
                && signature(*op).is_some_and(|(inputs, results)| {
                    inputs.into_iter().chain(results).any(|ty| part_of(ty).is_some())
                })
    };
    let ops = walk(module);
    if !ops.iter().any(has_complex) {
        return Ok(());
    }
    if let Some(op) = ops.iter().find(|op| has_buffers(**op)) {
        return Err(Error::on(*op, "has buffers of complex numbers, expected tensors"));
    }
    for op in ops {
        let is_fixed = op.is("linalg.generic") || REPEATED.contains(&op.name());
        if !is_fixed && op.operands().into_iter().any(is_complex) {
            generalize(op);
        }
    }
    if !lower_complex_arithmetic(module) {
        return Err(Error::on(module, "has complex arithmetic that cannot be lowered"));
    }
    for function in functions(module) {
        Splitter::default().split_function(function)?;
    }
    Ok(())
}

/// True if an op, or the arguments of a function, are memrefs of complex numbers.
fn has_buffers(op: Op) -> bool {
    let is_buffer = |ty: Type| ty.is_memref() && part_of(ty).is_some();
    let (inputs, results) = signature(op).unwrap_or_default();
    let values = op.operands().into_iter().chain(op.results()).map(Value::ty);
    values.chain(inputs).chain(results).any(is_buffer)
}

/// The type of the parts of a complex number, or of a tensor of them.
fn part_of(ty: Type) -> Option<Type> {
    match ty.shaped() {
        Some((dims, element)) => Some(Type::tensor(&dims, element.complex_part()?)),
        None => ty.complex_part(),
    }
}

/// The type with which functions take and return complex numbers; other types stay.
fn interleaved(ty: Type) -> Type {
    let (mut dims, element) = ty.shaped().unwrap_or((vec![], ty));
    let Some(part) = element.complex_part() else { return ty };
    dims.push(Some(2));
    Type::tensor(&dims, part)
}

fn is_complex(value: Value) -> bool {
    part_of(value.ty()).is_some()
}

#[derive(Default)]
struct Splitter<'c> {
    /// The real and the imaginary part of each complex value.
    parts: HashMap<Value<'c>, [Value<'c>; 2]>,
    /// The ops that have been replaced, in an order in which they come before those that use their results.
    replaced: Vec<Op<'c>>,
    /// The block arguments that have been replaced.
    arguments: Vec<Value<'c>>,
}

impl<'c> Splitter<'c> {
    fn split_function(mut self, function: Op<'c>) -> Result<(), Error<'c>> {
        let Some((inputs, results)) = signature(function) else { return Ok(()) };
        let context = function.context();
        let [inputs, results] =
            [inputs, results].map(|types| types.into_iter().map(interleaved).collect::<Vec<_>>());
        let ty = Type::function(context, &inputs, &results).to_attribute();
        function.set_attribute("function_type", ty);
        let Some(body) = function.body(0) else { return Ok(()) };
        let first = body.first_op().expect("a function with a body has a terminator");
        for argument in body.arguments().into_iter().filter(|it| is_complex(*it)) {
            let at = Builder::before(first, function.location());
            let place = argument.index();
            let new = body.insert_argument(place, interleaved(argument.ty()), function.location());
            self.parts.insert(argument, separated(&at, new, argument.ty()));
            self.arguments.push(argument);
        }
        self.split_ops(body)?;
        self.replaced.into_iter().rev().for_each(Op::erase);
        for argument in self.arguments {
            let block = argument.owner().expect("an argument of a block");
            block.remove_argument(argument.index());
        }
        Ok(())
    }

    /// Splits the arguments of a block of a region, and its ops.
    fn split_block(&mut self, block: Block<'c>, location: Location<'c>) -> Result<(), Error<'c>> {
        for argument in block.arguments().into_iter().filter(|it| is_complex(*it)) {
            let part = part_of(argument.ty()).expect("a complex value");
            // Each is inserted directly before the old one.
            let [re, im] =
                [(); 2].map(|()| block.insert_argument(argument.index(), part, location));
            self.parts.insert(argument, [re, im]);
            self.arguments.push(argument);
        }
        self.split_ops(block)
    }

    fn split_ops(&mut self, block: Block<'c>) -> Result<(), Error<'c>> {
        block.ops().into_iter().try_for_each(|op| self.split(op))
    }

    fn split(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let at = Builder::before(op, op.location());
        match op.name() {
            "complex.create" => self.replace(op, [op.operand(0), op.operand(1)]),
            "complex.re" | "complex.im" => {
                let [re, im] = self.parts[&op.operand(0)];
                op.result(0).replace_all_uses_with(if op.is("complex.re") { re } else { im });
                self.replaced.push(op);
            }
            "complex.constant" | "arith.constant" if is_complex(op.result(0)) => {
                let parts = constant_parts(op).ok_or_else(|| {
                    Error::on(
                        op,
                        "has a complex value that cannot be read: expected dense elements",
                    )
                })?;
                self.replace(op, parts.map(|part| at.constant(part)));
            }
            "tensor.dim" => {
                if let Some([re, _]) = self.parts.get(&op.operand(0)) {
                    op.set_operand(0, *re);
                }
            }
            "func.return" => {
                let values: Vec<_> = op.operands().iter().map(|it| self.joined(&at, *it)).collect();
                op.set_operands(&values);
            }
            "func.call" => self.call(&at, op),
            name => {
                let arguments = op.regions().into_iter().filter_map(Region::first_block);
                let values = op.operands().into_iter().chain(op.results());
                if !values.chain(arguments.flat_map(Block::arguments)).any(is_complex) {
                    return op.regions().into_iter().try_for_each(|it| self.split_region(op, it));
                }
                if REPEATED.contains(&name) {
                    return self.repeat(&at, op);
                }
                if !EXPANDED.contains(&name) {
                    return Err(Error::on(
                        op,
                        "works on complex numbers, which split-complex does not support",
                    ));
                }
                return self.expand(&at, op);
            }
        }
        Ok(())
    }

    fn split_region(&mut self, op: Op<'c>, region: Region<'c>) -> Result<(), Error<'c>> {
        region.blocks().into_iter().try_for_each(|block| self.split_block(block, op.location()))
    }

    /// Records the parts of the result of an op, which is removed.
    fn replace(&mut self, op: Op<'c>, parts: [Value<'c>; 2]) {
        self.parts.insert(op.result(0), parts);
        self.replaced.push(op);
    }

    /// Two ops, one for each part.
    fn repeat(&mut self, at: &Builder<'c>, op: Op<'c>) -> Result<(), Error<'c>> {
        // What a padding value is computed from moves out of the region.
        for body in op.regions().into_iter().filter_map(Region::first_block) {
            let end = body.end();
            for inner in body.ops().into_iter().filter(|inner| *inner != end) {
                if inner.operands().iter().any(|it| it.owner() == Some(body)) {
                    return Err(Error::on(
                        inner,
                        "computes a complex padding value from the place: expected one value",
                    ));
                }
                inner.move_before(op);
                self.split(inner)?;
            }
        }
        let both = [0, 1].map(|i| {
            let mapping: Vec<_> = op
                .operands()
                .into_iter()
                .chain(
                    op.regions()
                        .into_iter()
                        .filter_map(Region::first_block)
                        .flat_map(|body| body.end().operands()),
                )
                .filter_map(|it| Some((it, self.parts.get(&it)?[i])))
                .collect();
            let copy = op.clone_mapped(&mapping);
            at.place(copy);
            let arguments = copy
                .regions()
                .into_iter()
                .filter_map(Region::first_block)
                .flat_map(Block::arguments);
            for value in arguments.chain(copy.results()) {
                if let Some(part) = part_of(value.ty()) {
                    value.set_type(part);
                }
            }
            copy.result(0)
        });
        self.replace(op, both);
        Ok(())
    }

    /// The op with both parts of a value in its place.
    fn expand(&mut self, at: &Builder<'c>, op: Op<'c>) -> Result<(), Error<'c>> {
        let both = |it: &Value<'c>| self.parts.get(it).map_or(vec![*it], |parts| parts.to_vec());
        let operands: Vec<Vec<_>> = op.operands().iter().map(both).collect();
        let types = op.results().into_iter().flat_map(|it| match part_of(it.ty()) {
            Some(part) => vec![part; 2],
            None => vec![it.ty()],
        });
        let mut spec =
            at.spec(op.name()).operands(&operands.concat()).results(&types.collect::<Vec<_>>());
        for (name, value) in op.attributes() {
            let value = match (name, value.as_array(), value.as_integers()) {
                ("operandSegmentSizes", _, Some(sizes)) => {
                    let mut lengths = operands.iter().map(|it| it.len() as i32);
                    let sum = |n: i64| lengths.by_ref().take(n as usize).sum();
                    let sizes: Vec<_> = sizes.into_iter().map(sum).collect();
                    Attribute::dense_i32(at.context(), &sizes)
                }
                ("indexing_maps", Some(maps), _) => {
                    let repeated =
                        maps.iter().zip(&operands).flat_map(|(map, it)| vec![*map; it.len()]);
                    Attribute::array(at.context(), &repeated.collect::<Vec<_>>())
                }
                _ => value,
            };
            spec = spec.attribute(name, value);
        }
        for old in op.regions() {
            let region = Region::new();
            region.take_body(old);
            spec = spec.region(region);
        }
        let new = at.insert(spec);
        let mut results = new.results().into_iter();
        let mut next = || results.next().expect("a result for each part");
        for old in op.results() {
            if is_complex(old) {
                self.parts.insert(old, [next(), next()]);
            } else {
                old.replace_all_uses_with(next());
            }
        }
        self.replaced.push(op);
        new.regions().into_iter().try_for_each(|region| self.split_region(new, region))
    }

    /// A call with values as functions take and return them.
    fn call(&mut self, at: &Builder<'c>, op: Op<'c>) {
        let operands: Vec<_> = op.operands().iter().map(|it| self.joined(at, *it)).collect();
        op.set_operands(&operands);
        if !op.results().into_iter().any(is_complex) {
            return;
        }
        let types: Vec<_> = op.results().into_iter().map(|it| interleaved(it.ty())).collect();
        let mut spec = at.spec("func.call").operands(&operands).results(&types);
        for (name, value) in op.attributes() {
            spec = spec.attribute(name, value);
        }
        let call = at.insert(spec);
        for (old, new) in op.results().into_iter().zip(call.results()) {
            if is_complex(old) {
                self.parts.insert(old, separated(at, new, old.ty()));
            } else {
                old.replace_all_uses_with(new);
            }
        }
        self.replaced.push(op);
    }

    /// The parts of a complex value in one tensor; another value itself.
    fn joined(&self, at: &Builder<'c>, value: Value<'c>) -> Value<'c> {
        let Some(parts) = self.parts.get(&value) else { return value };
        let ty = interleaved(value.ty());
        if value.ty().shaped().is_none() {
            let tensor = at.spec("tensor.from_elements").operands(parts).results(&[ty]);
            return at.value(tensor);
        }
        let d = rank(parts[0]);
        let sizes: Vec<_> = (0..d).map(|i| ResultSize::Of(parts[0], i)).collect();
        let outs = empty(at, ty, &sizes);
        let map =
            |rank| Map { dims: d + 1, symbols: 0, results: (0..rank).map(Expr::Dim).collect() };
        let maps = [map(d), map(d), map(d + 1)];
        generic(at, parts, outs, &maps, &vec![IteratorKind::Parallel; d + 1], |inner, values| {
            let is_real = inner.compare(predicate::EQ, loop_index(inner, d), inner.index(0));
            inner.op("arith.select", &[is_real, values[0], values[1]], values[0].ty())
        })
    }
}

/// The parts of a complex value of type `ty` that a function took or returned.
fn separated<'c>(at: &Builder<'c>, joined: Value<'c>, ty: Type<'c>) -> [Value<'c>; 2] {
    let part = part_of(ty).expect("a complex value");
    if ty.shaped().is_none() {
        return [0, 1].map(|i| at.op("tensor.extract", &[joined, at.index(i)], part));
    }
    let d = rank(joined) - 1;
    let (dims, _) = joined.ty().shaped().expect("a tensor");
    let dynamic: Vec<_> =
        (0..d).filter(|i| dims[*i].is_none()).map(|i| tensor_dim(at, joined, i)).collect();
    let sizes: Vec<_> = dims[..d].iter().map(|size| size.unwrap_or(DYNAMIC)).chain([1]).collect();
    let (zeros, ones) = (vec![0; d], vec![1; d + 1]);
    let array = |values: &[i64]| Attribute::dense_i64(at.context(), values);
    [0, 1].map(|i| {
        let offsets = [&zeros[..], &[i]].concat();
        extract_slice(at, joined, (array(&offsets), &[]), (array(&sizes), &dynamic), &ones, part)
    })
}

/// The parts of a complex constant.
fn constant_parts<'c>(constant: Op<'c>) -> Option<[Attribute<'c>; 2]> {
    let value = constant.attribute("value")?;
    if let Some(parts) = value.as_array() {
        return parts.try_into().ok();
    }
    let ty = part_of(constant.result(0).ty())?;
    let elements = value.as_elements()?;
    let bytes = elements.bytes()?;
    let (_, element) = ty.shaped()?;
    let size = element.element_bytes()? as usize;
    let [re, im] = [0, 1].map(|i| {
        let part = bytes.chunks_exact(2 * size).flat_map(|it| &it[i * size..][..size]);
        Attribute::dense(ty, &part.copied().collect::<Vec<_>>())
    });
    Some([re?, im?])
}
