//! `dynamic-shared-memory`: use dynamic shared memory in kernels that exceed the limit of static shared memory.
//!
//! ```text
//! gpu.launch_func @kernels::@f blocks in (..) threads in (..) args(..)
//! llvm.mlir.global internal @s() {addr_space = 3, alignment = 16} : !llvm.array<16384 x f32>
//! llvm.mlir.global internal @t() {addr_space = 3, alignment = 16} : !llvm.array<64 x f64>
//! llvm.func @f(..) { %s = llvm.mlir.addressof @s    %t = llvm.mlir.addressof @t .. }
//!   ->
//! gpu.launch_func @kernels::@f blocks in (..) threads in (..) dynamic_shared_memory_size 66048 args(..)
//! llvm.mlir.global external @dynamic_shared() {addr_space = 3, alignment = 16} : !llvm.array<0 x i8>
//! llvm.func @f(..) { %s = llvm.mlir.addressof @dynamic_shared    %t = llvm.getelementptr %s[65536] .. }
//! ```
//! A kernel may declare up to 48 KiB of shared memory. If the buffers of a kernel need more in total, the kernel
//! declares none of them. Instead it uses one array of unknown length, in which the buffers are consecutive, each at
//! its alignment. The launch states the number of bytes, and the launching code first opts in to that size with the
//! driver. All kernels of a module use the same array, because each thread block has its own instance.
//!
//! Requires
//! - (C1) shared-memory buffers are arrays of numbers, as `convert-gpu-to-nvvm` makes them
//! - (C2) launches do not request dynamic shared memory already
//! - (C3) the buffers need at most 227 KiB in total, which is the most that any device has
//! - (C4) no other kernel uses the buffers

use crate::ir::{Attribute, Builder, Error, Op, Region, Type, walk};
use crate::lowering::{symbol, take_name};
use crate::machine::cuda::{MAX_SHARED_BYTES, STATIC_SHARED};
use crate::optimize::cuda::workgroup_buffers::ALIGNMENT;
use std::collections::HashMap;

/// The number of the shared address space.
const SHARED: i64 = 3;

/// The index of the dynamic shared memory size among the operand groups of a launch: it follows the tokens, the
/// grid, the block and the clusters.
const BYTES: usize = 10;

/// Rewrites the kernels of a module and their launches. Returns the number of rewritten kernels and the bytes
/// that they request in total.
///
/// # Errors
/// If a condition above is violated. The module is then unchanged.
pub fn rewrite<'c>(module: Op<'c>) -> Result<[u64; 2], Error<'c>> {
    let launches: Vec<Op> =
        walk(module).into_iter().filter(|op| op.is("gpu.launch_func")).collect();
    let modules = walk(module).into_iter().filter(|op| op.is("gpu.module"));
    let mut counts = [0; 2];
    let plans: Vec<(Op, Vec<LargeKernel>)> = modules
        .map(|kernels| Ok((kernels, plans(kernels, &launches)?)))
        .collect::<Result<_, Error>>()?;
    for (kernels, plans) in plans {
        let alignments = plans.iter().flat_map(|plan| &plan.buffers).map(|it| it.alignment);
        let Some(alignment) = alignments.max() else { continue };
        let array = declare(kernels, alignment);
        for plan in plans {
            counts[0] += 1;
            counts[1] += plan.bytes.unsigned_abs();
            plan.run(array);
        }
    }
    Ok(counts)
}

/// A kernel that needs more shared memory than it may declare.
struct LargeKernel<'c> {
    buffers: Vec<WorkgroupBuffer<'c>>,
    launches: Vec<Op<'c>>,
    /// The size of all buffers together.
    bytes: i64,
}

/// A shared memory buffer of a kernel.
struct WorkgroupBuffer<'c> {
    global: Op<'c>,
    /// The ops that take its address.
    addresses: Vec<Op<'c>>,
    alignment: i64,
    /// The offset of its first byte.
    offset: i64,
}

fn plans<'c>(kernels: Op<'c>, launches: &[Op<'c>]) -> Result<Vec<LargeKernel<'c>>, Error<'c>> {
    let ops = kernels.body(0).map(|body| body.ops()).unwrap_or_default();
    let space = |op: &Op<'c>| op.attribute("addr_space").and_then(Attribute::as_i64);
    let globals: Vec<Op> = ops
        .iter()
        .copied()
        .filter(|op| op.is("llvm.mlir.global") && space(op) == Some(SHARED))
        .collect();
    let taken: Vec<(Op, Addresses)> = ops.iter().map(|op| (*op, addresses(*op))).collect();
    let mut users: HashMap<&str, Vec<Op>> = HashMap::new();
    for (op, addresses) in &taken {
        addresses.keys().for_each(|global| users.entry(*global).or_default().push(*op));
    }
    let is_kernel = |op: Op| op.is("llvm.func") && op.attribute("nvvm.kernel").is_some();
    let mut found: Vec<(Op, LargeKernel)> = vec![];
    for (kernel, addresses) in taken.iter().filter(|(op, _)| is_kernel(*op)) {
        let name = (symbol(kernels), symbol(*kernel));
        let launches = launches.iter().copied().filter(|op| launched(*op) == Some(name)).collect();
        let mut plan = LargeKernel { buffers: vec![], launches, bytes: 0 };
        for global in &globals {
            if let Some(addresses) = addresses.get(symbol(*global)) {
                plan.add(*global, addresses.clone())?;
            }
        }
        if plan.bytes > STATIC_SHARED {
            plan.check(*kernel)?;
            found.push((*kernel, plan));
        }
    }
    // (C4)
    for (kernel, plan) in &found {
        for WorkgroupBuffer { global, .. } in &plan.buffers {
            let mut others = users[symbol(*global)].iter().filter(|op| *op != kernel);
            if let Some(other) = others.next() {
                let message =
                    "is shared memory of two kernels, expected a separate buffer for each (C4)";
                return Err(
                    Error::on(*global, message).note(other.location(), "the other kernel is here")
                );
            }
        }
    }
    Ok(found.into_iter().map(|(_, plan)| plan).collect())
}

/// The ops that take the address of a global, by its name.
type Addresses<'c> = HashMap<&'c str, Vec<Op<'c>>>;

/// The ops nested in `root` that take the address of a global.
fn addresses<'c>(root: Op<'c>) -> Addresses<'c> {
    let mut found = Addresses::new();
    for op in walk(root).into_iter().filter(|op| op.is("llvm.mlir.addressof")) {
        let global = op.attribute("global_name").and_then(Attribute::as_symbol);
        found.entry(global.unwrap_or_default()).or_default().push(op);
    }
    found
}

/// The module and the kernel that a launch names.
fn launched<'c>(launch: Op<'c>) -> Option<(&'c str, &'c str)> {
    launch.attribute("kernel")?.as_nested_symbol()
}

/// The sizes of the operand groups of a launch.
fn groups(launch: Op) -> Vec<i32> {
    let sizes = launch.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    sizes.unwrap_or_default().into_iter().map(|n| n as i32).collect()
}

impl<'c> LargeKernel<'c> {
    /// (C1)
    fn add(&mut self, global: Op<'c>, addresses: Vec<Op<'c>>) -> Result<(), Error<'c>> {
        let ty = global.attribute("global_type").and_then(Attribute::as_type);
        let bytes = ty.and_then(|ty| bytes(&ty.to_string())).ok_or_else(|| {
            let found = ty.map(|ty| ty.to_string()).unwrap_or_default();
            let message =
                format!("is shared memory of type {found}, expected an array of numbers (C1)");
            Error::on(global, message)
        })?;
        let stated = global.attribute("alignment").and_then(Attribute::as_i64);
        let alignment = stated.unwrap_or(1).max(ALIGNMENT);
        let offset = self.bytes.saturating_add(alignment - 1) / alignment * alignment;
        self.bytes = offset.saturating_add(bytes);
        self.buffers.push(WorkgroupBuffer { global, addresses, alignment, offset });
        Ok(())
    }

    /// (C2), (C3)
    fn check(&self, kernel: Op<'c>) -> Result<(), Error<'c>> {
        if self.bytes > MAX_SHARED_BYTES {
            let message = format!(
                "uses {} bytes of shared memory, expected at most {MAX_SHARED_BYTES} (C3)",
                self.bytes
            );
            return Err(Error::on(kernel, message));
        }
        match self.launches.iter().find(|launch| groups(**launch).get(BYTES) != Some(&0)) {
            None => Ok(()),
            Some(launch) => {
                let message = format!(
                    "requests dynamic shared memory for a kernel that already has {} bytes, expected at \
                     most {STATIC_SHARED} (C2)",
                    self.bytes
                );
                Err(Error::on(*launch, message))
            }
        }
    }

    fn run(self, array: Op<'c>) {
        for WorkgroupBuffer { global, addresses, offset, .. } in self.buffers {
            for address in addresses {
                move_address(address, symbol(array), offset);
            }
            global.erase();
        }
        for launch in self.launches {
            let at = Builder::before(launch, launch.location());
            let bytes = at.number(Type::integer(at.context(), 32), self.bytes);
            let mut groups = groups(launch);
            let place: i32 = groups[..BYTES].iter().sum();
            let mut operands = launch.operands();
            operands.insert(place as usize, bytes);
            groups[BYTES] = 1;
            launch.set_operands(&operands);
            launch
                .set_attribute("operandSegmentSizes", Attribute::dense_i32(at.context(), &groups));
        }
    }
}

/// Declares the array that holds the buffers, at the start of a module.
fn declare<'c>(kernels: Op<'c>, alignment: i64) -> Op<'c> {
    let body = kernels.body(0).expect("a module with kernels has a body");
    let mut names = body.ops().into_iter().map(|op| symbol(op).to_owned()).collect();
    let name = take_name(&mut names, "dynamic_shared");
    let first = body.first_op().expect("a module with kernels has ops");
    let at = Builder::before(first, kernels.location());
    let context = at.context();
    let [i8, i32, i64] = [8, 32, 64].map(|bits| Type::integer(context, bits));
    let linkage = Attribute::parse(context, "#llvm.linkage<external>").expect("valid text");
    at.insert(
        at.spec("llvm.mlir.global")
            .attribute("sym_name", Attribute::string(context, &name))
            .attribute("global_type", Type::llvm_array(i8, 0).to_attribute())
            .attribute("linkage", linkage)
            .attribute("addr_space", Attribute::integer(i32, SHARED))
            .attribute("alignment", Attribute::integer(i64, alignment))
            .region(Region::new()),
    )
}

/// Replaces the address of a buffer by an address in the array.
fn move_address(address: Op, array: &str, offset: i64) {
    let at = Builder::before(address, address.location());
    let context = at.context();
    let pointer = address.result(0).ty();
    let symbol = Attribute::symbol(context, array);
    let spec = at.spec("llvm.mlir.addressof").attribute("global_name", symbol);
    let mut moved = at.value(spec.results(&[pointer]));
    if offset > 0 {
        let offset = i32::try_from(offset).expect("it was checked (C3)");
        let i8 = Type::integer(context, 8).to_attribute();
        let spec = at
            .spec("llvm.getelementptr")
            .operands(&[moved])
            .attribute("elem_type", i8)
            .attribute("rawConstantIndices", Attribute::dense_i32(context, &[offset]));
        moved = at.value(spec.results(&[pointer]));
    }
    address.result(0).replace_all_uses_with(moved);
    address.erase();
}

/// The bytes of a type that is printed as `!llvm.array<16384 x f32>`.
fn bytes(ty: &str) -> Option<i64> {
    let (length, element) =
        ty.strip_prefix("!llvm.array<")?.strip_suffix('>')?.split_once(" x ")?;
    let bits = element.trim_start_matches("bf").trim_start_matches(['f', 'i']);
    let bits: i64 = bits.parse().ok()?;
    length.parse::<i64>().ok()?.checked_mul(bits.checked_add(7)? / 8)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn arrays_of_numbers_have_bytes() {
        assert_eq!(bytes("!llvm.array<16384 x f32>"), Some(65536));
        assert_eq!(bytes("!llvm.array<3 x bf16>"), Some(6));
        assert_eq!(bytes("!llvm.array<0 x i8>"), Some(0));
        assert_eq!(bytes("!llvm.array<2 x array<4 x f32>>"), None);
        assert_eq!(bytes("!llvm.array<9223372036854775807 x f64>"), None);
        assert_eq!(bytes("f32"), None);
    }
}
