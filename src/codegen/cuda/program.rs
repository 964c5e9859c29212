//! Host program of a module that was lowered to PTX: its kernels, and for each function the operations that the runtime
//! executes.
//!
//! ```text
//! func.func @main(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
//!   %n = memref.dim %A, %c0                                                  Number 0: size 0 of buffer 0
//!   gpu.launch_func @kernels::@main_0 blocks in (%n, ..) .. args(%A, %B, %n)  Launch: [0, ..], buffers 0 and 1, number 0
//! ```
//!
//! Requires
//! - (C1) a `gpu.binary`, as phase `ptx` makes it, unless no function has work: a function whose results have no
//!   elements needs no kernel
//! - (C2) arguments that are buffers and indices, and no results
//! - (C3) integers, sizes, buffers, launches, and loops and branches that carry nothing, with calls, copies of whole
//!   buffers, and accesses of buffers of one integer, in functions that launch kernels. Other host loops come from nests that
//!   were not bound to threads. Functions that launch no kernel may violate (C2) and
//!   (C3) if others launch kernels; they are omitted then

mod requirements;

use super::GpuTarget;
use crate::ir::{
    Attribute, Block, CalleesFirst, Error, FloatKind, ModuleRef, Op, Type, TypeKind, Value, callee,
    is_kept_call, op_of, walk,
};
use loopwright_runtime::gpu::Program;
use loopwright_runtime::gpu::program::{
    Constant, Function, Launch, Number, Operand, Operation, Step,
};
use loopwright_runtime::kernel::{ArgumentType, BufferType, Signature};
use loopwright_runtime::tensor::ElementType;
use std::collections::HashMap;
use tracing::info_span;

/// The host program of a module.
///
/// # Errors
/// If a condition above is violated; the error has the location.
pub fn program<'c>(module: impl ModuleRef<'c>, target: &GpuTarget) -> Result<Program, Error<'c>> {
    let module = op_of(module);
    let _span =
        info_span!(target: "loopwright::codegen", "codegen", name = %"program", chip = %target.chip())
            .entered();
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let ptx = super::ptx(module);
    let none = |at| {
        let message = "has no kernels: expected nests that a schedule binds to threads, as default schedules do (C1)";
        Error::on(at, message)
    };
    let globals = ops.iter().copied().filter(|op| op.is("memref.global"));
    let mut names = HashMap::new();
    let mut constants = vec![];
    for global in globals {
        if let Some(name) = global.symbol_name() {
            names.insert(name, constants.len());
            constants.push(constant(global)?);
        }
    }
    let (mut functions, mut places) = (vec![], HashMap::new());
    let is_defined = |op: &Op| op.is("func.func") && op.body(0).is_some();
    let defined: Vec<Op> = ops.iter().copied().filter(is_defined).collect();
    for op in CalleesFirst::of(&defined).order {
        let launches = walk(op).iter().any(|op| op.is("gpu.launch_func") || is_kept_call(*op));
        match HostReader::new(&names, &places, target).function(op) {
            Ok(function) => {
                places.extend(op.symbol_name().map(|name| (name, functions.len())));
                functions.push(function);
            }
            Err(error) if launches => return Err(error),
            Err(_) if ptx.is_none() => return Err(none(op)),
            Err(_) => {}
        }
    }
    if functions.is_empty() {
        return Err(none(module));
    }
    let ptx = ptx.unwrap_or_default().to_owned();
    Ok(Program { chip: target.chip().to_owned(), ptx, functions, constants })
}

/// The elements of a global.
fn constant<'c>(global: Op<'c>) -> Result<Constant, Error<'c>> {
    let bad = || Error::on(global, "has elements of a type that cannot be in memory");
    let ty = global.attribute("type").and_then(Attribute::as_type);
    let (dims, element) = ty.and_then(Type::shaped).ok_or_else(bad)?;
    let element_type = element_type(element).ok_or_else(bad)?;
    let shape: Vec<usize> = dims
        .iter()
        .map(|dim| usize::try_from((*dim)?).ok())
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    let value = global.attribute("initial_value").and_then(Attribute::as_elements);
    let elements = value.ok_or_else(bad)?;
    let size = element_type.size_in_bytes();
    let count = shape.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
    let count = count.ok_or_else(bad)?;
    let bytes = match elements.bytes().filter(|bytes| Some(bytes.len()) == count.checked_mul(size))
    {
        Some(bytes) => bytes.to_vec(),
        None => {
            let element =
                |i: usize| elements.bits(if elements.splat { 0 } else { i }).to_le_bytes();
            (0..count).flat_map(|i| element(i).into_iter().take(size)).collect()
        }
    };
    Ok(Constant { element_type, shape, bytes })
}

/// The element type in memory.
fn element_type(ty: Type) -> Option<ElementType> {
    Some(match ty.kind() {
        TypeKind::Integer(8) => ElementType::I8,
        TypeKind::Integer(16) => ElementType::I16,
        TypeKind::Integer(32) => ElementType::I32,
        TypeKind::Integer(64) => ElementType::I64,
        TypeKind::Float(FloatKind::F16) => ElementType::F16,
        TypeKind::Float(FloatKind::BF16) => ElementType::BF16,
        TypeKind::Float(FloatKind::F32) => ElementType::F32,
        TypeKind::Float(FloatKind::F64) => ElementType::F64,
        _ => return None,
    })
}

/// The number or buffer of the runtime that holds a host value.
#[derive(Clone, Copy)]
enum HostSlot {
    Number(usize),
    Buffer(usize),
}

struct HostReader<'m, 'c> {
    constants: &'m HashMap<&'c str, usize>,
    /// The functions that may be called.
    functions: &'m HashMap<&'c str, usize>,
    target: &'m GpuTarget,
    slots: HashMap<Value<'c>, HostSlot>,
    numbers: usize,
    buffers: usize,
}

impl<'m, 'c> HostReader<'m, 'c> {
    fn new(
        constants: &'m HashMap<&'c str, usize>,
        functions: &'m HashMap<&'c str, usize>,
        target: &'m GpuTarget,
    ) -> Self {
        Self { constants, functions, target, slots: HashMap::new(), numbers: 0, buffers: 0 }
    }

    fn function(mut self, op: Op<'c>) -> Result<Function, Error<'c>> {
        let name = op.symbol_name().unwrap_or_default();
        let ty = op.attribute("function_type").and_then(Attribute::as_type);
        let (_, results) = ty.and_then(Type::signature).unwrap_or_default();
        if !results.is_empty() {
            return Err(Error::on(op, "has results, expected arguments that it writes to (C2)"));
        }
        let Some(body) = op.body(0) else {
            return Err(Error::on(op, "has no body"));
        };
        let mut signature = Signature::default();
        for (i, argument) in body.arguments().into_iter().enumerate() {
            let is_result = op.argument_attribute(i, "loop.result").is_some();
            signature.arguments.push(self.argument(op, argument, is_result)?);
        }
        let mut steps = self.requirements(op)?;
        steps.extend(self.block(body)?);
        Ok(Function { name: name.to_owned(), signature, steps })
    }

    fn define(&mut self, is: Number, steps: &mut Vec<Step>) -> usize {
        self.numbers += 1;
        steps.push(Step::Number { to: self.numbers - 1, is });
        self.numbers - 1
    }

    fn argument(
        &mut self,
        function: Op<'c>,
        value: Value<'c>,
        is_result: bool,
    ) -> Result<ArgumentType, Error<'c>> {
        let ty = value.ty();
        if ty.is_index() {
            self.number(value);
            return Ok(ArgumentType::Index);
        }
        let buffer = ty.shaped().filter(|_| ty.is_memref());
        let buffer = buffer.and_then(|(dims, element)| Some((dims, element_type(element)?)));
        let Some((dims, element_type)) = buffer else {
            let message =
                format!("has an argument of type {ty}, expected a buffer or an index (C2)");
            return Err(Error::on(function, message));
        };
        self.buffer(value);
        let shape = dims.iter().map(|dim| dim.map(i64::unsigned_abs)).collect();
        Ok(ArgumentType::Buffer(BufferType { element_type, shape, is_result }))
    }

    fn number(&mut self, value: Value<'c>) -> usize {
        self.numbers += 1;
        self.slots.insert(value, HostSlot::Number(self.numbers - 1));
        self.numbers - 1
    }

    fn buffer(&mut self, value: Value<'c>) -> usize {
        self.buffers += 1;
        self.slots.insert(value, HostSlot::Buffer(self.buffers - 1));
        self.buffers - 1
    }

    fn number_of(&self, op: Op<'c>, value: Value<'c>) -> Result<usize, Error<'c>> {
        match self.slots.get(&value) {
            Some(HostSlot::Number(number)) => Ok(*number),
            _ => Err(unknown(op)),
        }
    }

    fn buffer_of(&self, op: Op<'c>, value: Value<'c>) -> Result<usize, Error<'c>> {
        match self.slots.get(&value) {
            Some(HostSlot::Buffer(buffer)) => Ok(*buffer),
            _ => Err(unknown(op)),
        }
    }

    fn block(&mut self, block: Block<'c>) -> Result<Vec<Step>, Error<'c>> {
        let mut steps = vec![];
        for op in block.ops() {
            self.op(op, &mut steps)?;
        }
        Ok(steps)
    }

    fn op(&mut self, op: Op<'c>, steps: &mut Vec<Step>) -> Result<(), Error<'c>> {
        let operands = op.operands();
        match op.name() {
            "func.return" | "scf.yield" | "memref.dealloc" if op.results().is_empty() => {}
            // A cast buffer has the same address and the same sizes.
            "memref.cast" => {
                let buffer = self.buffer_of(op, operands[0])?;
                self.slots.insert(op.result(0), HostSlot::Buffer(buffer));
            }
            "arith.index_cast" | "arith.index_castui" => {
                let number = self.number_of(op, operands[0])?;
                self.slots.insert(op.result(0), HostSlot::Number(number));
            }
            "memref.extract_strided_metadata" => self.metadata(op, steps)?,
            "memref.get_global" => {
                let name = op.attribute("name").and_then(Attribute::as_symbol);
                let constant = name.and_then(|name| self.constants.get(name)).copied();
                let constant = constant.ok_or_else(|| unknown(op))?;
                steps.push(Step::Constant { to: self.buffer(op.result(0)), constant });
            }
            "memref.alloc" => self.allocation(op, steps)?,
            "scf.if" if op.results().is_empty() => {
                let condition = self.number_of(op, operands[0])?;
                let mut branch = |i: usize| op.body(i).map_or(Ok(vec![]), |body| self.block(body));
                let (yes, no) = (branch(0)?, branch(1)?);
                steps.push(Step::If { condition, yes, no });
            }
            "scf.for" if op.results().is_empty() => {
                let [from, below, by] = [0, 1, 2].map(|i| self.number_of(op, operands[i]));
                let (from, below, by) = (from?, below?, by?);
                let body = op.body(0).ok_or_else(|| unknown(op))?;
                let counter = self.number(body.argument(0));
                let body = self.block(body)?;
                steps.push(Step::For { counter, from, below, by, body });
            }
            "scf.while" if op.results().is_empty() && operands.is_empty() => {
                let (before, body) = op.body(0).zip(op.body(1)).ok_or_else(|| unknown(op))?;
                let end = before.end();
                let before = self.block(before)?;
                let condition = self.number_of(end, end.operand(0))?;
                steps.push(Step::While { before, condition, body: self.block(body)? });
            }
            // The loop reads the condition.
            "scf.condition" if operands.len() == 1 => {}
            "func.call" if op.results().is_empty() => {
                let function = callee(op).and_then(|name| self.functions.get(name)).copied();
                let function = function.ok_or_else(|| unknown(op))?;
                let arguments = operands.iter().map(|it| self.operand(op, *it));
                let arguments = arguments.collect::<Result<_, _>>()?;
                steps.push(Step::Call { function, arguments });
            }
            "memref.copy" => {
                let [from, to] = [0, 1].map(|i| self.buffer_of(op, operands[i]));
                steps.push(Step::Copy { from: from?, to: to? });
            }
            "memref.load" if is_number(operands[0]) => {
                let buffer = self.buffer_of(op, operands[0])?;
                steps.push(Step::Read { to: self.number(op.result(0)), buffer });
            }
            "memref.store" if is_number(operands[1]) => {
                let (number, buffer) =
                    (self.number_of(op, operands[0])?, self.buffer_of(op, operands[1])?);
                steps.push(Step::Write { number, buffer });
            }
            // A boolean in memory.
            "arith.trunci" if matches!(op.result(0).ty().kind(), TypeKind::Integer(1)) => {
                let one = self.define(Number::Constant(1), steps);
                let operands = [self.number_of(op, operands[0])?, one];
                let is = Number::Operation { operation: Operation::And, operands };
                steps.push(Step::Number { to: self.number(op.result(0)), is });
            }
            // The shared memory size of a launch, which reads it itself.
            "arith.constant" if matches!(op.result(0).ty().kind(), TypeKind::Integer(32)) => {}
            "gpu.launch_func" => steps.push(Step::Launch(self.launch(op)?)),
            _ => {
                let is = self.value(op)?;
                let ty = op.result(0).ty();
                if !ty.is_index() && !matches!(ty.kind(), TypeKind::Integer(1 | 64)) {
                    // Narrower integers wrap at another width.
                    return Err(unknown(op));
                }
                steps.push(Step::Number { to: self.number(op.result(0)), is });
            }
        }
        Ok(())
    }

    /// The runtime expression for an op.
    fn value(&self, op: Op<'c>) -> Result<Number, Error<'c>> {
        let operands = op.operands();
        let number = |i: usize| self.number_of(op, operands[i]);
        Ok(match op.name() {
            "arith.constant" => {
                let value = op.attribute("value").and_then(Attribute::as_i64);
                // As i64, a true i1 is -1.
                let is_bool = matches!(op.result(0).ty().kind(), TypeKind::Integer(1));
                let value = value.ok_or_else(|| unknown(op))?;
                Number::Constant(if is_bool { i64::from(value != 0) } else { value })
            }
            "memref.dim" => {
                let constant = operands[1].defining_op().and_then(|op| op.attribute("value"));
                let dimension = constant.and_then(Attribute::as_i64);
                let dimension = dimension.and_then(|dimension| usize::try_from(dimension).ok());
                let dimension = dimension.ok_or_else(|| unknown(op))?;
                Number::Size { buffer: self.buffer_of(op, operands[0])?, dimension }
            }
            "arith.select" => {
                Number::Choice { condition: number(0)?, yes: number(1)?, no: number(2)? }
            }
            _ => {
                let (operation, swaps_operands) = operation(op).ok_or_else(|| unknown(op))?;
                let (a, b) = (number(0)?, number(1)?);
                let operands = if swaps_operands { [b, a] } else { [a, b] };
                Number::Operation { operation, operands }
            }
        })
    }

    /// The base, the offset, the sizes and the strides of a row-major buffer.
    fn metadata(&mut self, op: Op<'c>, steps: &mut Vec<Step>) -> Result<(), Error<'c>> {
        let buffer = self.buffer_of(op, op.operand(0))?;
        let results = op.results();
        let rank = (results.len() - 2) / 2;
        self.slots.insert(results[0], HostSlot::Buffer(buffer));
        steps.push(Step::Number { to: self.number(results[1]), is: Number::Constant(0) });
        let mut sizes = vec![];
        for (dimension, result) in results[2..2 + rank].iter().enumerate() {
            sizes.push(self.number(*result));
            let is = Number::Size { buffer, dimension };
            steps.push(Step::Number { to: sizes[dimension], is });
        }
        let mut stride = None;
        for dimension in (0..rank).rev() {
            let to = self.number(results[2 + rank + dimension]);
            let is = match stride {
                None => Number::Constant(1),
                Some(inner) => Number::Operation {
                    operation: Operation::Multiply,
                    operands: [inner, sizes[dimension + 1]],
                },
            };
            steps.push(Step::Number { to, is });
            stride = Some(to);
        }
        Ok(())
    }

    fn allocation(&mut self, op: Op<'c>, steps: &mut Vec<Step>) -> Result<(), Error<'c>> {
        let ty = op.result(0).ty();
        let (dims, element) = ty.shaped().ok_or_else(|| unknown(op))?;
        let element_type = element_type(element).ok_or_else(|| unknown(op))?;
        let mut dynamic = op.operands().into_iter();
        let mut sizes = vec![];
        for dim in dims {
            sizes.push(match dim {
                Some(size) => {
                    self.numbers += 1;
                    let to = self.numbers - 1;
                    steps.push(Step::Number { to, is: Number::Constant(size) });
                    to
                }
                None => {
                    let size = dynamic.next().ok_or_else(|| unknown(op))?;
                    self.number_of(op, size)?
                }
            });
        }
        steps.push(Step::Allocate { to: self.buffer(op.result(0)), element_type, sizes });
        Ok(())
    }

    /// A value as an argument of a launch or call.
    fn operand(&self, op: Op<'c>, value: Value<'c>) -> Result<Operand, Error<'c>> {
        match self.slots.get(&value) {
            Some(HostSlot::Buffer(buffer)) => Ok(Operand::Buffer(*buffer)),
            Some(HostSlot::Number(number)) => {
                let bytes = match value.ty().kind() {
                    TypeKind::Index => self.target.index_bits() as usize / 8,
                    TypeKind::Integer(bits) => (bits as usize).div_ceil(8),
                    _ => return Err(unknown(op)),
                };
                Ok(Operand::Number { number: *number, bytes })
            }
            None => Err(unknown(op)),
        }
    }

    fn launch(&self, op: Op<'c>) -> Result<Launch, Error<'c>> {
        let kernel = op.attribute("kernel").and_then(Attribute::as_nested_symbol);
        let (_, kernel) = kernel.ok_or_else(|| unknown(op))?;
        let mut operands = op.operands();
        let groups = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
        // A launch may have grid, block, shared memory size and arguments, but no tokens, clusters or stream.
        let (shared, first) = match groups.unwrap_or_default()[..] {
            [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, _, 0] => (0, 6),
            [0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, _, 0] => {
                let bytes = operands[6].defining_op().and_then(|op| op.attribute("value"));
                let bytes = bytes.and_then(Attribute::as_i64).and_then(|it| u32::try_from(it).ok());
                (bytes.ok_or_else(|| unknown(op))?, 7)
            }
            _ => return Err(unknown(op)),
        };
        let arguments = operands.split_off(first);
        let number = |i: usize| self.number_of(op, operands[i]);
        Ok(Launch {
            kernel: kernel.to_owned(),
            grid: [number(0)?, number(1)?, number(2)?],
            block: [number(3)?, number(4)?, number(5)?],
            shared,
            arguments: arguments
                .iter()
                .map(|it| self.operand(op, *it))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// True for a buffer of one integer.
fn is_number(buffer: Value) -> bool {
    let shape = buffer.ty().shaped();
    shape.is_some_and(|(dims, element)| {
        dims.is_empty() && matches!(element.kind(), TypeKind::Integer(8 | 16 | 32 | 64))
    })
}

/// The operation of an integer op, and true if its operands are swapped.
fn operation(op: Op) -> Option<(Operation, bool)> {
    use Operation::*;
    let plain = match op.name() {
        "arith.addi" => Add,
        "arith.subi" => Subtract,
        "arith.muli" => Multiply,
        "arith.divsi" => Divide,
        "arith.ceildivsi" => CeilDivide,
        "arith.floordivsi" => FloorDivide,
        "arith.remsi" => Remainder,
        "arith.divui" => UnsignedDivide,
        "arith.ceildivui" => UnsignedCeilDivide,
        "arith.remui" => UnsignedRemainder,
        "arith.minui" => UnsignedMinimum,
        "arith.maxui" => UnsignedMaximum,
        "arith.minsi" => Minimum,
        "arith.maxsi" => Maximum,
        "arith.andi" => And,
        "arith.ori" => Or,
        "arith.xori" => Xor,
        "arith.cmpi" => {
            let predicate = op.attribute("predicate")?.as_i64()?;
            let row = [
                (Equal, false),
                (NotEqual, false),
                (Less, false),
                (LessOrEqual, false),
                (Less, true),
                (LessOrEqual, true),
                (UnsignedLess, false),
                (UnsignedLessOrEqual, false),
                (UnsignedLess, true),
                (UnsignedLessOrEqual, true),
            ];
            return row.get(usize::try_from(predicate).ok()?).copied();
        }
        _ => return None,
    };
    Some((plain, false))
}

fn unknown<'c>(op: Op<'c>) -> Error<'c> {
    let message = "cannot run on the host between launches, expected numbers, sizes, buffers and \
                   branches only: bind each nest to threads (C3)";
    Error::on(op, message)
}
