//! A kernel: its body, the arguments that the body needs, and its launch.

use super::calls;
use super::grid::{self, Dims};
use crate::dialect::allocation::KEEPS_STRIDES;
use crate::dialect::contract;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::BufferView;
use crate::ir::{
    Attribute, Block, Builder, Error, Op, Region, Type, Value, is_defined_outside, is_inside, walk,
};
use crate::lowering::element_bytes;
use crate::lowering::emit::cursor::Cursor;
use crate::lowering::emit::cursor::alignment::ALIGNMENT;
use crate::lowering::emit::cursor::threads::ThreadExtent;
use crate::lowering::emit::nest::emit_nest;
use crate::lowering::emit::plan::EmissionPlan;
use crate::machine::cuda::Chip;

/// The inputs from which a kernel is built.
pub struct KernelInputs<'c, 'a> {
    pub plan: &'a EmissionPlan<'c>,
    pub nest: Op<'c>,
    pub name: String,
    /// All buffers of the function.
    pub buffers: &'a [Op<'c>],
    pub chip: Chip,
}

impl<'c> KernelInputs<'c, '_> {
    /// Appends the kernel to a `gpu.module` and inserts its launch before the nest.
    pub fn make(&self, cursor: &mut Cursor<'c>, module: Op<'c>) -> Result<(), Error<'c>> {
        let at = Builder::before(self.nest, self.nest.location());
        let dims = grid::of(cursor, self.nest, at)?;
        let function = self.function(module, cursor, &dims)?;
        let arguments = take_arguments(function);
        self.launch(module, &dims, &arguments, at);
        Ok(())
    }

    /// The kernel function, whose body still uses values of the host function.
    fn function(
        &self,
        module: Op<'c>,
        cursor: &mut Cursor<'c>,
        dims: &Dims<'c>,
    ) -> Result<Op<'c>, Error<'c>> {
        let (context, location) = (self.nest.context(), self.nest.location());
        let body = Block::new(&[]);
        let at = Builder::at_end(body, location);
        let mut shared = vec![];
        for op in self.buffers {
            let view = BufferView::of(*op)?;
            if !op.result(0).uses().iter().any(|(user, _)| is_inside(*user, self.nest)) {
                continue;
            }
            let bytes = view.alignment.unwrap_or(ALIGNMENT).max(ALIGNMENT);
            let alignment = Attribute::integer(Type::integer(context, 64), bytes);
            let (ty, _) = view.allocated();
            let value = match view.scope {
                Scope::Global => continue,
                Scope::Local => {
                    let spec = at.spec("memref.alloca").segments(&[0, 0]);
                    at.value(spec.attribute("alignment", alignment).results(&[ty]))
                }
                Scope::Shared => {
                    let value = body.insert_argument(shared.len(), workgroup(ty), op.location());
                    let mut stated = vec![("llvm.align", alignment)];
                    if !view.room().is_none() {
                        stated.push((KEEPS_STRIDES, Attribute::unit(context)));
                    }
                    shared.push(Attribute::dictionary(context, &stated));
                    value
                }
            };
            cursor.values.insert(op.result(0), value);
        }
        self.cells(cursor, body, &mut shared)?;
        let sizes = dims_of(&dims[3..]).map(|n| n.unwrap_or(1) as i32);
        let host = self.nest.parent().expect("a nest is in a function");
        let i64 = Type::integer(context, 64);
        let spec = at
            .spec("gpu.func")
            .attribute("sym_name", Attribute::string(context, &self.name))
            .attribute("function_type", Type::function(context, &[], &[]).to_attribute())
            .attribute("gpu.kernel", Attribute::unit(context))
            .attribute("known_block_size", Attribute::dense_i32(context, &sizes))
            .attribute("workgroup_attributions", Attribute::integer(i64, shared.len() as i64))
            .attribute("workgroup_attrib_attrs", Attribute::array(context, &shared))
            .region(Region::of(body));
        let function = Builder::at_end(module.body(0).expect("a body"), location).insert(spec);
        if let Some(contract) = host.attribute(contract::ATTRIBUTE) {
            function.set_attribute(contract::ATTRIBUTE, contract);
        }
        let grid = dims_of(&dims[..3]);
        if grid.iter().all(Option::is_some) {
            let grid = grid.map(|n| n.unwrap_or(1) as i32);
            function.set_attribute("known_grid_size", Attribute::dense_i32(context, &grid));
        }
        cursor.enter_kernel(dims, at);
        let made = emit_nest(self.plan, cursor, vec![self.nest], at);
        cursor.leave_kernel();
        made?;
        at.insert(at.spec("gpu.return"));
        calls::inline(function);
        Ok(function)
    }

    /// Adds the shared buffers in which warps store their partial results, after the shared buffers of the
    /// nest. (C4)
    fn cells(
        &self,
        cursor: &mut Cursor<'c>,
        body: Block<'c>,
        shared: &mut Vec<Attribute<'c>>,
    ) -> Result<(), Error<'c>> {
        let context = self.nest.context();
        let end = |bytes: i64| (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        let mut taken: i64 = body.arguments().iter().map(|value| end(bytes_of(*value))).sum();
        for (i, collective) in self.plan.collectives.iter().enumerate() {
            if !is_inside(collective.first, self.nest) {
                continue;
            }
            let alignment = Attribute::integer(Type::integer(context, 64), ALIGNMENT);
            for (cells, element) in collective.buffers()? {
                let ty = workgroup(Type::memref(&[Some(cells)], element));
                let cells = body.insert_argument(shared.len(), ty, collective.first.location());
                shared.push(Attribute::dictionary(context, &[("llvm.align", alignment)]));
                taken += end(bytes_of(cells));
                cursor.cells.entry(i).or_default().push(cells);
            }
            let Chip { name, shared: most, .. } = self.chip;
            if taken > most {
                let message = format!(
                    "reduces across warps, for which the kernel needs {taken} bytes of shared memory in \
                     all, expected at most {most} on {name} (C4)"
                );
                return Err(Error::on(collective.first, message));
            }
        }
        Ok(())
    }

    fn launch(&self, module: Op<'c>, dims: &Dims<'c>, arguments: &[Value<'c>], at: Builder<'c>) {
        let mut operands: Vec<Value> =
            dims.iter().map(|dim| dim.unwrap_or(ThreadExtent::Known(1)).value(at)).collect();
        operands.extend(arguments);
        let outer = module.symbol_name().unwrap_or_default();
        let kernel = Attribute::nested_symbol(at.context(), outer, &self.name);
        // No async tokens; the grid; the block; no clusters, no dynamic shared memory yet; arguments; no
        // stream.
        let segments = [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, arguments.len(), 0];
        let spec = at.spec("gpu.launch_func").operands(&operands).segments(&segments);
        at.insert(spec.attribute("kernel", kernel));
    }
}

/// The constant sizes; an axis without a loop has size 1.
fn dims_of(dims: &[Option<ThreadExtent>]) -> [Option<i64>; 3] {
    let known = |dim: Option<ThreadExtent>| match dim {
        None => Some(1),
        Some(ThreadExtent::Known(n)) => Some(n),
        Some(ThreadExtent::Computed(_)) => None,
    };
    [known(dims[0]), known(dims[1]), known(dims[2])]
}

/// The size in bytes of a static buffer in any address space.
fn bytes_of(buffer: Value) -> i64 {
    let (dims, element) = buffer.ty().in_any_space().expect("buffers are row-major memrefs");
    dims.into_iter().flatten().fold(element_bytes(element), i64::saturating_mul)
}

/// The type of a shared memory buffer.
fn workgroup(ty: Type<'_>) -> Type<'_> {
    let (dims, element) = ty.shaped().expect("buffers are row-major memrefs");
    let space = Attribute::parse(ty.context(), "#gpu.address_space<workgroup>");
    Type::memref_in(space.expect("the gpu dialect is loaded"), &dims, element)
}

/// Replaces outside values that the body uses by arguments, or by copies if they are constants. Returns the
/// values to pass.
fn take_arguments<'c>(function: Op<'c>) -> Vec<Value<'c>> {
    let context = function.context();
    let body = function.body(0).expect("a body");
    let ops = walk(function);
    let is_outside = |value: Value<'c>| is_defined_outside(value, function);
    let mut taken: Vec<Value> = vec![];
    for op in &ops[1..] {
        for (i, value) in op.operands().into_iter().enumerate().filter(|(_, v)| is_outside(*v)) {
            if let Some(constant) = value.defining_op().filter(|op| op.is_constant()) {
                let copy = constant.clone_mapped(&[]);
                Builder::before(*op, op.location()).place(copy);
                op.set_operand(i, copy.result(0));
            } else if !taken.contains(&value) {
                taken.push(value);
            }
        }
    }
    // Buffers first; arguments of the function in their order, then values that the function defines.
    let rank = |value: &Value| {
        let is_made = value.defining_op().is_some();
        (!value.ty().is_memref(), is_made, if is_made { 0 } else { value.index() })
    };
    taken.sort_by_key(rank);
    let mut attributes = vec![];
    let holds_barrier = ops.iter().any(|op| op.is("gpu.barrier"));
    for (i, value) in taken.iter().enumerate() {
        let argument = body.insert_argument(i, value.ty(), function.location());
        let uses = value.uses().into_iter().filter(|(user, _)| is_inside(*user, function));
        uses.for_each(|(user, place)| user.set_operand(place, argument));
        attributes.push(match value.ty().is_memref() {
            true => buffer_attributes(argument, holds_barrier),
            false => Attribute::dictionary(context, &[]),
        });
    }
    let types: Vec<_> = taken.iter().map(|value| value.ty()).collect();
    let ty = Type::function(context, &types, &[]).to_attribute();
    function.set_attribute("function_type", ty);
    function.set_attribute("arg_attrs", Attribute::array(context, &attributes));
    taken
}

/// The LLVM attributes of a buffer argument. `noalias` asserts that only this pointer's accesses modify the
/// buffer while the kernel runs, including at barriers: LLVM would move and delete accesses across barriers. So
/// in a kernel with a barrier only buffers that no thread writes get it, and buffers with atomic updates never
/// do.
fn buffer_attributes(argument: Value<'_>, holds_barrier: bool) -> Attribute<'_> {
    let context = argument.ty().context();
    let is_store = |(user, place): &(Op, usize)| match user.name() {
        "memref.store" | "vector.store" => *place == 1,
        "memref.load" | "vector.load" => false,
        _ => true,
    };
    let unit = Attribute::unit(context);
    let is_written = argument.uses().iter().any(is_store);
    let is_shared = argument.uses().iter().any(|(user, _)| user.is("memref.atomic_rmw"));
    // No alignment: accesses state the alignment that they can use. With an aligned argument LLVM would widen
    // narrow loads and fill gaps between them, and so could read elements past the end of the buffer.
    let mut entries = vec![];
    if !(is_written && holds_barrier || is_shared) {
        entries.push(("llvm.noalias", unit));
    }
    if !is_written {
        entries.push(("llvm.readonly", unit));
    }
    Attribute::dictionary(context, &entries)
}
