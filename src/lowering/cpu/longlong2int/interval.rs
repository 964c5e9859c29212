//! Interval analysis of the indices of a kernel.

use super::MOST;
use crate::ir::{Attribute, Op, Type, TypeKind, Value, parents, walk};
use std::collections::HashMap;

/// Both ends included.
type Interval = (i128, i128);

/// A value that is unknown before the kernel launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UnknownValue<'c> {
    /// An index value of the host function.
    Size(Value<'c>),
    /// A dimension of a buffer of the host function.
    Dimension(Value<'c>, usize),
    /// The size in bytes of a buffer of the host function.
    Bytes(Value<'c>),
}

/// The intervals that are known so far.
pub(crate) struct Intervals<'c> {
    kernel: Op<'c>,
    /// The operands of the launch: grid, block, and the arguments of the kernel.
    launch: Vec<Value<'c>>,
    arguments: usize,
    /// The assumed upper bound of unknown sizes.
    bound: i128,
    known: HashMap<Value<'c>, Option<Interval>>,
    leaves: Vec<UnknownValue<'c>>,
}

impl<'c> Intervals<'c> {
    pub fn new(kernel: Op<'c>, launch: Op<'c>, bound: i128) -> Self {
        let launch = launch.operands();
        let arguments = launch_arguments(kernel);
        Intervals { kernel, launch, arguments, bound, known: HashMap::new(), leaves: vec![] }
    }

    pub fn has_leaves(&self) -> bool {
        !self.leaves.is_empty()
    }

    pub fn into_leaves(self) -> Vec<UnknownValue<'c>> {
        self.leaves
    }

    /// Verifies that everything fits in 32 bits; otherwise returns the reason.
    pub fn check(&mut self) -> Result<(), String> {
        for op in walk(self.kernel).into_iter().skip(1) {
            let regions = op.regions().into_iter().flat_map(|region| region.blocks());
            let inner = regions.flat_map(|block| block.arguments());
            let values = op.operands().into_iter().chain(op.results()).chain(inner);
            for value in values.filter(|value| value.ty().is_index()) {
                let Some((low, high)) = self.of(value) else {
                    return Err(format!("the range of {value:?} is not known (C2)"));
                };
                if let Some(found) = [low, high].into_iter().find(|n| *n < -MOST - 1 || *n > MOST) {
                    return Err(format!("{value:?} may be {found}, which exceeds 32 bits (C2)"));
                }
            }
            if op.is("scf.for") {
                let operands = op.operands();
                let ends = self.of(operands[1]).zip(self.of(operands[2]));
                let last = ends.map_or(i128::MAX, |((_, end), (_, step))| end + step);
                if last > MOST {
                    return Err(format!(
                        "a loop variable may reach {last}, which exceeds 32 bits (C3)"
                    ));
                }
            }
        }
        self.check_bytes()
    }

    /// (C4)
    fn check_bytes(&mut self) -> Result<(), String> {
        let buffers = walk(self.kernel).into_iter().flat_map(|op| op.operands());
        let mut buffers: Vec<Value> = buffers.filter(|value| value.ty().is_memref()).collect();
        buffers.dedup();
        for buffer in buffers {
            let host = self.host_buffer(buffer);
            let Some((dims, element)) = host.unwrap_or(buffer).ty().in_any_space() else {
                return Err(format!("{buffer:?} is not a row-major buffer (C4)"));
            };
            let element = element
                .element_bytes()
                .ok_or_else(|| format!("{buffer:?} has elements of unknown size (C4)"))?;
            if dims.iter().all(Option::is_some) {
                let size = dims.iter().flatten().map(|n| i128::from(*n)).product::<i128>();
                if size * i128::from(element) > MOST {
                    let size = size * i128::from(element);
                    return Err(format!(
                        "{buffer:?} has {size} bytes, whose offsets exceed 32 bits (C4)"
                    ));
                }
                continue;
            }
            let host =
                host.ok_or("a buffer of dynamic size is not an argument of the launch (C4)")?;
            self.leaf(UnknownValue::Bytes(host));
        }
        Ok(())
    }

    fn leaf(&mut self, leaf: UnknownValue<'c>) {
        if !self.leaves.contains(&leaf) {
            self.leaves.push(leaf);
        }
    }

    /// The launch operand that is passed for an argument of the kernel.
    fn argument(&self, value: Value<'c>) -> Option<Value<'c>> {
        let is_argument = value.owner().and_then(|block| block.parent()) == Some(self.kernel);
        let first = self.launch.len().checked_sub(self.arguments)?;
        (is_argument && value.index() < self.arguments).then(|| self.launch[first + value.index()])
    }

    /// The buffer that is passed for an argument of the kernel, before casts, which may hide known sizes.
    fn host_buffer(&self, value: Value<'c>) -> Option<Value<'c>> {
        let mut buffer = self.argument(value)?;
        while let Some(cast) = buffer.defining_op().filter(|op| op.is("memref.cast")) {
            buffer = cast.operand(0);
        }
        Some(buffer)
    }

    /// The interval of an index of the kernel or of the host function.
    fn of(&mut self, value: Value<'c>) -> Option<Interval> {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        self.known.insert(value, None);
        let found = self.computed(value);
        self.known.insert(value, found);
        found
    }

    fn computed(&mut self, value: Value<'c>) -> Option<Interval> {
        if let Some(host) = self.argument(value) {
            return self.of(host);
        }
        let is_inside = |op: Op<'c>| op == self.kernel || parents(op).any(|p| p == self.kernel);
        let scope = value.defining_op().or_else(|| value.owner().and_then(|b| b.parent()));
        let is_inside = scope.is_some_and(is_inside);
        let known = match value.defining_op() {
            Some(op) => self.result(op, value),
            None => scope.filter(|op| op.is("scf.for") && value.index() == 0).and_then(|op| {
                let bounds = op.operands();
                let ((low, _), (_, high)) = (self.of(bounds[0])?, self.of(bounds[1])?);
                Some((low, low.max(high - 1)))
            }),
        };
        if known.is_none() && !is_inside && value.ty().is_index() {
            self.leaf(UnknownValue::Size(value));
            return Some((0, self.bound));
        }
        known
    }

    fn result(&mut self, op: Op<'c>, value: Value<'c>) -> Option<Interval> {
        let operands = op.operands();
        let name = op.name();
        match name {
            "arith.constant" => {
                let number = op.attribute("value").and_then(Attribute::as_i64)?;
                Some((number.into(), number.into()))
            }
            "arith.index_cast" | "arith.index_castui" => self.cast(op),
            "arith.select" => Some(union(self.of(operands[1])?, self.of(operands[2])?)),
            "scf.if" => {
                let mut ends =
                    op.regions().into_iter().filter_map(|r| r.first_block()?.terminator());
                let (then, otherwise) = (ends.next()?, ends.next()?);
                let yielded = |end: Op<'c>| end.operands().get(value.index()).copied();
                Some(union(self.of(yielded(then)?)?, self.of(yielded(otherwise)?)?))
            }
            "gpu.thread_id" | "gpu.block_id" | "gpu.block_dim" | "gpu.grid_dim" => {
                let axis = op.attribute("dimension").map(|axis| axis.to_string())?;
                let axis = ["x>", "y>", "z>"].iter().position(|end| axis.ends_with(end))?;
                let of_grid = name.starts_with("gpu.block_id") || name.starts_with("gpu.grid");
                let place = if of_grid { axis } else { 3 + axis };
                let (low, high) = self.of(*self.launch.get(place)?)?;
                match name.ends_with("_id") {
                    true => Some((0, high.max(1) - 1)),
                    false => Some((low, high)),
                }
            }
            "memref.dim" => {
                let i = operands[1].defining_op()?.attribute("value")?.as_i64()?;
                let i = usize::try_from(i).ok()?;
                let host = self.host_buffer(operands[0]);
                let (dims, _) = host.unwrap_or(operands[0]).ty().in_any_space()?;
                if let Some(size) = dims.get(i)? {
                    return Some(((*size).into(), (*size).into()));
                }
                let host = host?;
                self.leaf(UnknownValue::Dimension(host, i));
                Some((0, self.bound))
            }
            _ if name.starts_with("arith.") && operands.len() == 2 => {
                let (a, b) = (self.of(operands[0])?, self.of(operands[1])?);
                binary(name, a, b)
            }
            _ => None,
        }
    }

    fn cast(&mut self, op: Op<'c>) -> Option<Interval> {
        let from = op.operand(0);
        if from.ty().is_index() {
            return self.of(from);
        }
        let TypeKind::Integer(bits @ 1..=32) = from.ty().kind() else { return None };
        match op.is("arith.index_cast") {
            true => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
            false => Some((0, (1i128 << bits) - 1)),
        }
    }
}

/// The number of arguments of a kernel; its shared buffers follow them.
fn launch_arguments(kernel: Op) -> usize {
    let ty = kernel.attribute("function_type").and_then(Attribute::as_type);
    ty.and_then(Type::signature).map_or(0, |(inputs, _)| inputs.len())
}

fn union(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The interval of an op on two numbers. Divisions by zero are excluded, because they do not run.
fn binary(name: &str, a: Interval, b: Interval) -> Option<Interval> {
    let corners = |b: Interval, of: &dyn Fn(i128, i128) -> Option<i128>| -> Option<Interval> {
        let all = [of(a.0, b.0)?, of(a.0, b.1)?, of(a.1, b.0)?, of(a.1, b.1)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    let are_natural = a.0 >= 0 && b.0 >= 0;
    let divisor = (b.0.max(1), b.1.max(1));
    let is_divisor = b.0 >= 0;
    match name.strip_prefix("arith.")? {
        "addi" => corners(b, &i128::checked_add),
        "subi" => corners(b, &i128::checked_sub),
        "muli" => corners(b, &i128::checked_mul),
        "maxsi" => Some((a.0.max(b.0), a.1.max(b.1))),
        "minsi" => Some((a.0.min(b.0), a.1.min(b.1))),
        "maxui" if are_natural => Some((a.0.max(b.0), a.1.max(b.1))),
        "minui" if are_natural => Some((a.0.min(b.0), a.1.min(b.1))),
        "divsi" if is_divisor => corners(divisor, &i128::checked_div),
        "divui" if are_natural => corners(divisor, &i128::checked_div),
        "floordivsi" if is_divisor => corners(divisor, &|x, y| Some(x.div_euclid(y))),
        "ceildivsi" if is_divisor => corners(divisor, &|x, y| Some(-(-x).div_euclid(y))),
        "ceildivui" if are_natural => corners(divisor, &|x, y| Some(-(-x).div_euclid(y))),
        "remsi" if is_divisor => {
            let most = divisor.1 - 1;
            Some((a.0.min(0).max(-most), a.1.max(0).min(most)))
        }
        "remui" if are_natural => Some((0, a.1.min(divisor.1 - 1))),
        "andi" if are_natural => Some((0, a.1.min(b.1))),
        // The result has no bit that neither operand has.
        "ori" | "xori" if are_natural => Some((0, all_bits(a.1.max(b.1))?)),
        "shrui" if are_natural && b.1 < 32 => Some((a.0 >> b.1, a.1 >> b.0)),
        "shli" if are_natural && b.1 < 32 => Some((a.0 << b.0, a.1.checked_mul(1 << b.1)?)),
        _ => None,
    }
}

/// The largest number with the same number of bits as a nonnegative one.
fn all_bits(number: i128) -> Option<i128> {
    let bits = i128::BITS - number.leading_zeros();
    1_i128.checked_shl(bits)?.checked_sub(1)
}
