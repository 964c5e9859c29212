//! Expression builder: floats, integers and masks with Rust's operators. Each operator emits an op on a scalar
//! or on all lanes of a vector.
//!
//! ```text
//! (x * 2.0 + y).sqrt()   ->   %c = arith.constant dense<2.0>   %0 = arith.mulf %x, %c
//!                             %1 = arith.addf %0, %y           %2 = math.sqrt %1
//! ```

use crate::ir::{Attribute, Block, Builder, FloatKind, Region, Type, TypeKind, Value};
use crate::lowering::emit::ops::{scf_if, vector_reduction};
use std::iter;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

/// How a multiply-add is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Products {
    /// As `math.fma`: one instruction that rounds once.
    Fused,
    /// As a rounded product and a sum, for processors on which `math.fma` would be a call.
    Rounded,
}

/// The insertion point and the shape of emitted ops.
#[derive(Clone, Copy)]
pub struct OpEmitter<'c> {
    pub at: Builder<'c>,
    /// A scalar type, or a vector type of any element type.
    pub shape: Type<'c>,
    pub products: Products,
}

/// f32 or f64 values.
#[derive(Clone, Copy)]
pub struct Float<'c> {
    emit: OpEmitter<'c>,
    pub value: Value<'c>,
}

/// Integer values.
#[derive(Clone, Copy)]
pub struct IntegerLanes<'c> {
    emit: OpEmitter<'c>,
    pub value: Value<'c>,
}

/// A truth value for each lane.
#[derive(Clone, Copy)]
pub struct LaneTruth<'c> {
    emit: OpEmitter<'c>,
    pub value: Value<'c>,
}

impl<'c> OpEmitter<'c> {
    /// The scalar type `element`, or a vector of it.
    fn of(self, element: Type<'c>) -> Type<'c> {
        self.shape.lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
    }

    pub fn float_type(self, kind: FloatKind) -> Type<'c> {
        self.of(Type::float(self.at.context(), kind))
    }

    pub fn integer_type(self, bits: u32) -> Type<'c> {
        self.of(Type::integer(self.at.context(), bits))
    }

    pub fn float(self, value: Value<'c>) -> Float<'c> {
        Float { emit: self, value }
    }

    pub fn bits(self, value: Value<'c>) -> IntegerLanes<'c> {
        IntegerLanes { emit: self, value }
    }

    fn constant(self, ty: Type<'c>, number: Attribute<'c>) -> Value<'c> {
        match ty.lanes() {
            Some(_) => self.at.constant(Attribute::splat(ty, number)),
            None => self.at.constant(number),
        }
    }

    fn compare(self, op: &str, predicate: i64, operands: [Value<'c>; 2]) -> LaneTruth<'c> {
        let predicate = Attribute::integer(Type::integer(self.at.context(), 64), predicate);
        let spec = self.at.spec(op).operands(&operands).attribute("predicate", predicate);
        LaneTruth { emit: self, value: self.at.value(spec.results(&[self.integer_type(1)])) }
    }
}

fn element(ty: Type) -> Type {
    ty.lanes().map_or(ty, |(_, element)| element)
}

/// A float, or a constant of the type of another float.
pub trait FloatOperand<'c> {
    fn like(self, other: Float<'c>) -> Float<'c>;
}

impl<'c> FloatOperand<'c> for Float<'c> {
    fn like(self, _: Float<'c>) -> Float<'c> {
        self
    }
}

impl<'c> FloatOperand<'c> for f64 {
    fn like(self, other: Float<'c>) -> Float<'c> {
        let ty = other.value.ty();
        let number = Attribute::float(element(ty), self);
        other.emit.float(other.emit.constant(ty, number))
    }
}

/// Integers, or a constant of the type of other integers.
pub trait BitsOperand<'c> {
    fn like(self, other: IntegerLanes<'c>) -> IntegerLanes<'c>;
}

impl<'c> BitsOperand<'c> for IntegerLanes<'c> {
    fn like(self, _: IntegerLanes<'c>) -> IntegerLanes<'c> {
        self
    }
}

impl<'c> BitsOperand<'c> for i64 {
    fn like(self, other: IntegerLanes<'c>) -> IntegerLanes<'c> {
        let ty = other.value.ty();
        let number = Attribute::integer(element(ty), self);
        other.emit.bits(other.emit.constant(ty, number))
    }
}

macro_rules! operators {
    ($($ty:ident, $operand:ident { $($trait:ident $method:ident $op:literal,)* })*) => {
        $($(impl<'c, T: $operand<'c>> $trait<T> for $ty<'c> {
            type Output = $ty<'c>;
            fn $method(self, other: T) -> $ty<'c> {
                let operands = [self.value, other.like(self).value];
                $ty { value: self.emit.at.op($op, &operands, self.value.ty()), ..self }
            }
        })*)*
    };
}
operators! {
    Float, FloatOperand {
        Add add "arith.addf",
        Sub sub "arith.subf",
        Mul mul "arith.mulf",
        Div div "arith.divf",
    }
    IntegerLanes, BitsOperand {
        Add add "arith.addi",
        Sub sub "arith.subi",
        Mul mul "arith.muli",
        BitAnd bitand "arith.andi",
        BitOr bitor "arith.ori",
        BitXor bitxor "arith.xori",
    }
}

impl<'c> Neg for Float<'c> {
    type Output = Self;
    fn neg(self) -> Self {
        self.on("arith.negf")
    }
}

impl<'c> Float<'c> {
    fn on(self, op: &str) -> Self {
        Self { value: self.emit.at.op(op, &[self.value], self.value.ty()), ..self }
    }

    /// The insertion point and shape of this value.
    pub fn emit(self) -> OpEmitter<'c> {
        self.emit
    }

    /// The same value, for ops at another insertion point.
    pub fn within(self, emit: OpEmitter<'c>) -> Self {
        Self { emit, ..self }
    }

    pub fn constant(self, value: f64) -> Self {
        value.like(self)
    }

    pub fn abs(self) -> Self {
        self.on("math.absf")
    }

    pub fn sqrt(self) -> Self {
        self.on("math.sqrt")
    }

    /// `self * by + plus`, by [`Products`].
    pub fn fma(self, by: impl FloatOperand<'c>, plus: impl FloatOperand<'c>) -> Self {
        let (by, plus) = (by.like(self), plus.like(self));
        match self.emit.products {
            Products::Rounded => self * by + plus,
            Products::Fused => {
                let operands = [self.value, by.value, plus.value];
                Self { value: self.emit.at.op("math.fma", &operands, self.value.ty()), ..self }
            }
        }
    }

    /// `c[0] + c[1] * self + c[2] * self^2 ..`, by Estrin's first step: each pair `c[2i] + c[2i + 1] * self` is
    /// independent of the others, and Horner's rule in the square combines the pairs. In a loop, the latency of
    /// a long chain would dominate. f64 polynomials use one chain, because a vector of f32 becomes two vectors
    /// of f64, which are independent of each other and leave no registers to spare.
    pub fn polynomial(self, coefficients: &[f64]) -> Self {
        const SHORT: usize = 4;
        let chain = |x: Self, terms: Vec<Self>| {
            terms.into_iter().rev().reduce(|sum, term| sum.fma(x, term)).expect("it has terms")
        };
        let constants = |part: &[f64]| part.iter().map(|c| self.constant(*c)).collect();
        if self.is_double() || coefficients.len() <= SHORT {
            return chain(self, constants(coefficients));
        }
        let square = self * self;
        let pair = |pair: &[f64]| chain(self, constants(pair));
        chain(square, coefficients.chunks(2).map(pair).collect())
    }

    fn compared(self, predicate: i64, other: impl FloatOperand<'c>) -> LaneTruth<'c> {
        let other = other.like(self);
        self.emit.compare("arith.cmpf", predicate, [self.value, other.value])
    }

    // NaN satisfies none of these comparisons.

    pub fn equals(self, other: impl FloatOperand<'c>) -> LaneTruth<'c> {
        self.compared(1, other)
    }

    pub fn is_above(self, other: impl FloatOperand<'c>) -> LaneTruth<'c> {
        self.compared(2, other)
    }

    pub fn is_at_least(self, other: impl FloatOperand<'c>) -> LaneTruth<'c> {
        self.compared(3, other)
    }

    pub fn is_below(self, other: impl FloatOperand<'c>) -> LaneTruth<'c> {
        self.compared(4, other)
    }

    /// The minimum of the two; NaN stays NaN.
    pub fn at_most(self, bound: f64) -> Self {
        let bound = self.constant(bound);
        self.is_above(bound).select(bound, self)
    }

    /// The maximum of the two; NaN stays NaN.
    pub fn at_least(self, bound: f64) -> Self {
        let bound = self.constant(bound);
        self.is_below(bound).select(bound, self)
    }

    pub fn is_double(self) -> bool {
        matches!(element(self.value.ty()).kind(), TypeKind::Float(FloatKind::F64))
    }

    /// `single` for f32, `double` for f64.
    pub fn by_width<T>(self, single: T, double: T) -> T {
        if self.is_double() { double } else { single }
    }

    /// Converted to f64, exactly.
    pub fn widened(self) -> Self {
        let ty = self.emit.float_type(FloatKind::F64);
        Self { value: self.emit.at.op("arith.extf", &[self.value], ty), ..self }
    }

    /// Converted to f32, rounded to nearest.
    pub fn narrowed(self) -> Self {
        let ty = self.emit.float_type(FloatKind::F32);
        Self { value: self.emit.at.op("arith.truncf", &[self.value], ty), ..self }
    }

    /// Converted to i32, rounded toward zero; the value must fit.
    pub fn truncated(self) -> IntegerLanes<'c> {
        let ty = self.emit.integer_type(32);
        self.emit.bits(self.emit.at.op("arith.fptosi", &[self.value], ty))
    }

    /// The bit representation: i32 of f32, i64 of f64.
    pub fn bits(self) -> IntegerLanes<'c> {
        let bits = self.by_width(32, 64);
        let ty = self.emit.integer_type(bits);
        self.emit.bits(self.emit.at.op("arith.bitcast", &[self.value], ty))
    }

    /// The sign bit; all other bits are 0.
    pub fn sign(self) -> IntegerLanes<'c> {
        self.bits() & self.by_width(i64::from(i32::MIN), i64::MIN)
    }

    /// The value, which must be nonnegative, with the sign of `other`.
    pub fn with_sign_of(self, other: Self) -> Self {
        (self.bits() | other.sign()).float()
    }
}

impl<'c> IntegerLanes<'c> {
    /// The insertion point and shape of this value.
    pub fn emit(self) -> OpEmitter<'c> {
        self.emit
    }

    pub fn constant(self, value: i64) -> Self {
        value.like(self)
    }

    fn shifted(self, op: &str, by: impl BitsOperand<'c>) -> Self {
        let by = by.like(self);
        Self { value: self.emit.at.op(op, &[self.value, by.value], self.value.ty()), ..self }
    }

    pub fn shifted_left(self, by: impl BitsOperand<'c>) -> Self {
        self.shifted("arith.shli", by)
    }

    /// `single` for i32, `double` for i64.
    pub fn by_width<T>(self, single: T, double: T) -> T {
        match element(self.value.ty()).kind() {
            TypeKind::Integer(64) => double,
            _ => single,
        }
    }

    /// Shifts in zeros.
    pub fn shifted_right(self, by: impl BitsOperand<'c>) -> Self {
        self.shifted("arith.shrui", by)
    }

    /// Shifts in the sign bit.
    pub fn shifted_right_signed(self, by: impl BitsOperand<'c>) -> Self {
        self.shifted("arith.shrsi", by)
    }

    pub fn is_odd(self) -> LaneTruth<'c> {
        const NOT_EQUAL: i64 = 1;
        let (last, zero) = (self & 1, 0.like(self));
        self.emit.compare("arith.cmpi", NOT_EQUAL, [last.value, zero.value])
    }

    pub fn equals(self, other: impl BitsOperand<'c>) -> LaneTruth<'c> {
        const EQUAL: i64 = 0;
        self.emit.compare("arith.cmpi", EQUAL, [self.value, other.like(self).value])
    }

    pub fn is_negative(self) -> LaneTruth<'c> {
        const SIGNED_LESS: i64 = 2;
        let zero = 0.like(self);
        self.emit.compare("arith.cmpi", SIGNED_LESS, [self.value, zero.value])
    }

    /// The low 32 of 64 bits.
    pub fn low(self) -> Self {
        let ty = self.emit.integer_type(32);
        Self { value: self.emit.at.op("arith.trunci", &[self.value], ty), ..self }
    }

    /// Zero-extended to 64 bits.
    pub fn extended(self) -> Self {
        let ty = self.emit.integer_type(64);
        Self { value: self.emit.at.op("arith.extui", &[self.value], ty), ..self }
    }

    pub fn at_least(self, bound: i64) -> Self {
        let bound = bound.like(self);
        let operands = [self.value, bound.value];
        Self { value: self.emit.at.op("arith.maxsi", &operands, self.value.ty()), ..self }
    }

    /// Reduces all lanes to one number.
    fn reduced(self, kind: &str) -> Value<'c> {
        match self.value.ty().lanes() {
            None => self.value,
            Some((_, element)) => vector_reduction(self.emit.at, kind, self.value, element),
        }
    }

    /// The maximum of all lanes, as an index.
    pub fn greatest(self) -> Value<'c> {
        let at = self.emit.at;
        at.op("arith.index_cast", &[self.reduced("maxsi")], Type::index(at.context()))
    }

    /// The number of binary digits of the maximum of all lanes, as an index; no lane may be negative.
    pub fn most_digits(self) -> Value<'c> {
        let at = self.emit.at;
        let any = self.reduced("or");
        let TypeKind::Integer(bits) = any.ty().kind() else { unreachable!("they are integers") };
        let zeros = at.op("math.ctlz", &[any], any.ty());
        let index = Type::index(at.context());
        let zeros = at.op("arith.index_castui", &[zeros], index);
        at.op("arith.subi", &[at.index(bits.into()), zeros], index)
    }

    /// The float with this bit representation.
    pub fn float(self) -> Float<'c> {
        let kind = self.by_width(FloatKind::F32, FloatKind::F64);
        self.emit.float(self.emit.at.op("arith.bitcast", &[self.value], self.emit.float_type(kind)))
    }

    /// Converts signed integers to floats.
    pub fn to_float(self, kind: FloatKind) -> Float<'c> {
        let ty = self.emit.float_type(kind);
        self.emit.float(self.emit.at.op("arith.sitofp", &[self.value], ty))
    }
}

impl<'c> OpEmitter<'c> {
    /// Applies `step` to `start` `count` times; returns the final values.
    pub fn repeat(
        self,
        count: Value<'c>,
        start: &[Value<'c>],
        step: impl FnOnce(OpEmitter<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let at = self.at;
        let types = start.iter().map(|value| value.ty());
        let types: Vec<_> = iter::once(Type::index(at.context())).chain(types).collect();
        let block = Block::new(&types.iter().map(|ty| (*ty, at.location())).collect::<Vec<_>>());
        let inner = Builder::at_end(block, at.location());
        let results = step(OpEmitter { at: inner, ..self }, &block.arguments()[1..]);
        inner.insert(inner.spec("scf.yield").operands(&results));
        let operands = [&[at.index(0), count, at.index(1)], start].concat();
        let spec = at.spec("scf.for").operands(&operands).results(&types[1..]);
        at.insert(spec.region(Region::of(block))).results()
    }
}

impl<'c> BitAnd for LaneTruth<'c> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.with("arith.andi", other)
    }
}

impl<'c> BitOr for LaneTruth<'c> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.with("arith.ori", other)
    }
}

impl<'c> LaneTruth<'c> {
    fn with(self, op: &str, other: Self) -> Self {
        let operands = [self.value, other.value];
        Self { value: self.emit.at.op(op, &operands, self.value.ty()), ..self }
    }

    /// `yes` where the mask is set, `no` elsewhere.
    pub fn select(self, yes: impl FloatOperand<'c>, no: Float<'c>) -> Float<'c> {
        let operands = [self.value, yes.like(no).value, no.value];
        Float { value: self.emit.at.op("arith.select", &operands, no.value.ty()), ..no }
    }

    /// Same as [`select`](Self::select), for integers.
    pub fn choose(self, yes: IntegerLanes<'c>, no: IntegerLanes<'c>) -> IntegerLanes<'c> {
        let operands = [self.value, yes.value, no.value];
        IntegerLanes { value: self.emit.at.op("arith.select", &operands, no.value.ty()), ..no }
    }

    /// The results of `yes` if the mask is set in any lane, else those of `no`: one branch for all lanes. Both
    /// get the insertion point of their ops, and their results have the same types.
    pub fn branch_if_any(
        self,
        yes: impl Fn(OpEmitter<'c>) -> Vec<Value<'c>>,
        no: impl Fn(OpEmitter<'c>) -> Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let OpEmitter { at, .. } = self.emit;
        let any = match self.value.ty().lanes() {
            None => self.value,
            Some((_, bit)) => vector_reduction(at, "or", self.value, bit),
        };
        let block = |values: &dyn Fn(OpEmitter<'c>) -> Vec<Value<'c>>| {
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, at.location());
            let results = values(OpEmitter { at: inner, ..self.emit });
            inner.insert(inner.spec("scf.yield").operands(&results));
            (block, results)
        };
        let ((yes, results), (no, _)) = (block(&yes), block(&no));
        let types: Vec<_> = results.iter().map(|value| value.ty()).collect();
        at.insert(scf_if(at, any, &types, [yes, no])).results()
    }
}
