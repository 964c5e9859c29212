//! `bare-kernel-arguments`: pass buffers of dynamic size to kernels as a bare pointer and sizes.
//!
//! ```text
//! gpu.launch_func @kernels::@f .. args(%A : memref<?x?xf32>)
//! gpu.func @f(%A: memref<?x?xf32>) kernel { .. }
//!   ->
//! %m = memref.dim %A, 0    %n = memref.dim %A, 1    %p, .. = memref.extract_strided_metadata %A
//! gpu.launch_func @kernels::@f .. args(%p : memref<f32>, %m : index, %n : index)
//! gpu.func @f(%p: memref<f32>, %m: index, %n: index) kernel {
//!   %A = memref.reinterpret_cast %p to offset: [0], sizes: [%m, %n], strides: [%n, 1]
//! ```
//! Afterwards every argument is a pointer or a number. Buffers of static size need no rewrite, because the
//! bare-pointer calling convention of the LLVM lowering already passes them as pointers. If an argument of the
//! kernel already is a size, the size is not passed again. New size arguments follow the other arguments.
//!
//! Requires
//! - (C1) each kernel has one launch, as `convert-loop-to-gpu` makes it

use crate::ir::{Attribute, Builder, Error, Op, Type, Value, walk};
use crate::lowering::symbol;
use std::collections::HashMap;

/// Marks a dynamic entry in the lists of static sizes and strides.
const DYNAMIC: i64 = i64::MIN;

/// Rewrites the kernels of a module and their launches.
pub fn rewrite<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let mut first: HashMap<Op, Op> = HashMap::new();
    let launches = launches(module);
    for (launch, kernel) in &launches {
        if let Some(first) = first.insert(*kernel, *launch) {
            let message = "launches a kernel a second time, expected one launch of each (C1)";
            return Err(
                Error::on(*launch, message).note(first.location(), "the first launch is here")
            );
        }
    }
    for (launch, kernel) in launches {
        BareArguments { kernel, launch }.run();
    }
    Ok(())
}

/// The launches in a module, each with the kernel that it names.
pub(crate) fn launches<'c>(module: Op<'c>) -> Vec<(Op<'c>, Op<'c>)> {
    let ops = walk(module);
    let of_module = |op: &Op<'c>| op.parent().filter(|outer| outer.is("gpu.module"));
    let kernels = ops.iter().filter(|op| op.is("gpu.func"));
    let by_name: HashMap<(&str, &str), Op> = kernels
        .filter_map(|kernel| Some(((symbol(of_module(kernel)?), symbol(*kernel)), *kernel)))
        .collect();
    let launches = ops.iter().filter(|op| op.is("gpu.launch_func"));
    let kernel =
        |launch: &Op<'c>| by_name.get(&launch.attribute("kernel")?.as_nested_symbol()?).copied();
    launches.filter_map(|launch| Some((*launch, kernel(launch)?))).collect()
}

struct BareArguments<'c> {
    kernel: Op<'c>,
    launch: Op<'c>,
}

impl<'c> BareArguments<'c> {
    fn run(&self) {
        let count = self.types().len();
        for i in 0..count {
            let ty = self.types()[i];
            let shape = ty.in_any_space().filter(|(dims, _)| dims.iter().any(Option::is_none));
            if let Some((dims, element)) = shape {
                self.bare(i, &dims, element);
            }
        }
    }

    fn types(&self) -> Vec<Type<'c>> {
        let ty = self.kernel.attribute("function_type").and_then(Attribute::as_type);
        ty.and_then(Type::signature).map(|(inputs, _)| inputs).unwrap_or_default()
    }

    /// Replaces argument `i` by a pointer.
    fn bare(&self, i: usize, dims: &[Option<i64>], element: Type<'c>) {
        let context = self.kernel.context();
        let body = self.kernel.body(0).expect("a kernel has a body");
        let old = body.argument(i);
        let sizes: Vec<Option<Value>> =
            (0..dims.len()).map(|d| dims[d].is_none().then(|| self.size(i, d))).collect();

        let first = body.first_op().expect("a body has a terminator");
        let at = Builder::before(first, self.kernel.location());
        let place = Type::memref(&[], element);
        let pointer = body.insert_argument(i, place, self.kernel.location());
        let mut strides: Vec<Result<i64, Value>> = vec![Ok(1)];
        for d in (1..dims.len()).rev() {
            let inner = strides[0];
            let size = dims[d].ok_or_else(|| sizes[d].expect("a size for each dynamic dimension"));
            strides.insert(0, product(&at, inner, size));
        }
        let numbers = |list: Vec<i64>| Attribute::dense_i64(context, &list);
        let operands: Vec<Value> = [pointer]
            .into_iter()
            .chain(sizes.iter().flatten().copied())
            .chain(strides.iter().filter_map(|stride| stride.err()))
            .collect();
        let static_sizes = dims.iter().map(|dim| dim.unwrap_or(DYNAMIC)).collect();
        let static_strides = strides.iter().map(|stride| stride.unwrap_or(DYNAMIC)).collect();
        let (n_sizes, n_strides) =
            (sizes.iter().flatten().count(), strides.iter().filter(|s| s.is_err()).count());
        let spec = at
            .spec("memref.reinterpret_cast")
            .operands(&operands)
            .segments(&[1, 0, n_sizes, n_strides])
            .attribute("static_offsets", numbers(vec![0]))
            .attribute("static_sizes", numbers(static_sizes))
            .attribute("static_strides", numbers(static_strides))
            .results(&[old.ty()]);
        let buffer = at.value(spec);
        old.replace_all_uses_with(buffer);
        body.remove_argument(i + 1);

        let operands = self.launch.operands();
        let at = Builder::before(self.launch, self.launch.location());
        let index = Type::index(context);
        let mut results = vec![place, index];
        results.extend(vec![index; 2 * dims.len()]);
        let place_of = self.first_operand() + i;
        let host = operands[place_of];
        let spec = at.spec("memref.extract_strided_metadata").operands(&[host]).results(&results);
        self.launch.set_operand(place_of, at.value(spec));
        self.update_type();
    }

    /// The index of the kernel's first argument among the operands of the launch: it follows the grid and block
    /// sizes.
    fn first_operand(&self) -> usize {
        self.launch.operands().len() - self.types().len()
    }

    /// The argument that holds the size of argument `i` in dimension `d`; adds one if there is none.
    fn size(&self, i: usize, d: usize) -> Value<'c> {
        let body = self.kernel.body(0).expect("a kernel has a body");
        let first = self.first_operand();
        let operands = self.launch.operands();
        let buffer = operands[first + i];
        let is_size = |value: &Value<'c>| {
            let Some(op) = value.defining_op().filter(|op| op.is("memref.dim")) else {
                return false;
            };
            let of = op.operands();
            of[0] == buffer && crate::lowering::constant(of[1]) == Some(d as i64)
        };
        if let Some(known) = operands[first..].iter().position(is_size) {
            return body.argument(known);
        }
        let at = Builder::before(self.launch, self.launch.location());
        let size = at.dim(buffer, d);
        let count = self.types().len();
        let argument = body.insert_argument(count, size.ty(), self.kernel.location());
        let operands: Vec<_> = operands.into_iter().chain([size]).collect();
        self.launch.set_operands(&operands);
        let segments =
            self.launch.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
        let mut segments: Vec<i32> =
            segments.unwrap_or_default().into_iter().map(|n| n as i32).collect();
        // The arguments are the second to last operand group.
        let arguments = segments.len() - 2;
        segments[arguments] += 1;
        let segments = Attribute::dense_i32(self.kernel.context(), &segments);
        self.launch.set_attribute("operandSegmentSizes", segments);
        let attributes = self.kernel.attribute("arg_attrs").and_then(Attribute::as_array);
        let mut attributes = attributes.unwrap_or_default();
        attributes.resize(count + 1, Attribute::dictionary(self.kernel.context(), &[]));
        self.update_type();
        let attributes = Attribute::array(self.kernel.context(), &attributes);
        self.kernel.set_attribute("arg_attrs", attributes);
        argument
    }

    /// Sets the function type of the kernel to the types of the operands that the launch passes.
    fn update_type(&self) {
        let segments =
            self.launch.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
        let count = segments.and_then(|list| list.iter().rev().nth(1).copied()).unwrap_or(0);
        let arguments = self.kernel.body(0).map(|body| body.arguments()).unwrap_or_default();
        let types: Vec<_> = arguments.iter().take(count as usize).map(|value| value.ty()).collect();
        let ty = Type::function(self.kernel.context(), &types, &[]).to_attribute();
        self.kernel.set_attribute("function_type", ty);
    }
}

/// A product; constant if both factors are.
fn product<'c>(
    at: &Builder<'c>,
    a: Result<i64, Value<'c>>,
    b: Result<i64, Value<'c>>,
) -> Result<i64, Value<'c>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(a.saturating_mul(b)),
        (Ok(1), Err(b)) => Err(b),
        (Err(a), Ok(1)) => Err(a),
        (a, b) => {
            let value = |factor: Result<i64, Value<'c>>| match factor {
                Ok(n) => at.index(n),
                Err(value) => value,
            };
            let (a, b) = (value(a), value(b));
            Err(at.op("arith.muli", &[a, b], a.ty()))
        }
    }
}
