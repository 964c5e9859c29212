//! Schedule blocks annotated with a hardware intrinsic.
//!
//! ```text
//! block "C_o" .. intrinsic "x86.vpdpbusd" { for %i in 16 { for %k in 4 { C[..] += zext(A[..]) * sext(B[..]) } } }
//!   ->
//! %a = vector.load %A[..] : vector<4xi8>     %b = vector.load %B[..] : vector<64xi8>    %c = vector.load %C[..]
//! %r = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%c, %a four bytes in each lane, %b)
//! vector.store %r, %C[..]
//! ```
//! An operand that is not contiguous in memory is loaded row by row. Products of tiles are in ops of the amx dialect:
//! ```text
//! %a = amx.tile_load %A[..] : .. !amx.tile<16x32xbf16>      %b = amx.tile_load %B[..]      %c = amx.tile_load %C[..]
//! %r = amx.tile_mulf %a, %b, %c                             amx.tile_store %C[..], %r
//! ```

use super::cursor::Cursor;
use super::leaf::emit_leaf;
use super::plan::EmissionPlan;
use crate::dialect::annotation;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::{Attribute, Builder, Error, FloatKind, Op, Type, TypeKind, Value};
use crate::machine::intrinsic::unify::{Match, PatternOperand, unify};
use crate::machine::intrinsic::{ANNOTATION, Emitted, Intrinsic, STANDS_FOR, TileProduct};

/// Emits the intrinsic of a schedule block, if the block is annotated with one and matches it. A mismatch
/// is a remark with the reason, or an error with `require_vector`.
pub(crate) fn emit_intrinsic<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    block: Op<'c>,
    at: Builder<'c>,
) -> Result<bool, Error<'c>> {
    let entries = annotation::entries(block);
    let name = entries.iter().find(|(key, _)| *key == ANNOTATION);
    let Some(name) = name.and_then(|(_, value)| value.as_str()) else { return Ok(false) };
    let found = match Intrinsic::of(name) {
        Some(intrinsic) => unify(block, intrinsic).map(|found| (intrinsic, found)),
        None => Err("there is no such intrinsic".into()),
    };
    let found = found.and_then(|found| match cursor.lane.is_some() || cursor.mask.is_some() {
        true => Err("it is in a vectorized loop".to_owned()),
        false => Ok(found),
    });
    match found {
        Ok((intrinsic, found)) => {
            Matched { plan, found }.emit(cursor, intrinsic, at)?;
            Ok(true)
        }
        Err(why) => {
            let message = format!("intrinsic {name} is not used: {why}");
            if plan.options.require_vector {
                return Err(Error::on(block, message));
            }
            cursor.remark_once(block, &message);
            Ok(false)
        }
    }
}

/// A schedule block that matches its intrinsic.
struct Matched<'a, 'c> {
    plan: &'a EmissionPlan<'c>,
    found: Match<'c>,
}

impl<'c> Matched<'_, 'c> {
    fn emit(
        &self,
        cursor: &mut Cursor<'c>,
        intrinsic: &Intrinsic,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let found = &self.found;
        match intrinsic.emitted {
            Emitted::Tile { product, .. } => {
                return self.emit_product_of_tiles(cursor, product, at);
            }
            Emitted::TileZero => {
                let zero = at.spec("amx.tile_zero").results(&[self.tile_type(self.result())]);
                return self.store_tile(cursor, at.value(zero), at);
            }
            _ => {}
        }
        let [a, b, c] = &found.operands[..] else { unreachable!("a product has two factors") };
        let (a, b, old) = (
            self.operand(cursor, a, at)?,
            self.operand(cursor, b, at)?,
            self.operand(cursor, c, at)?,
        );
        let lanes = |value: Value<'c>| value.ty().lanes().map_or(1, |(lanes, _)| lanes);
        let new = match intrinsic.emitted {
            Emitted::Dot => {
                let wide = Type::vector(lanes(a), old.ty());
                let [a, b] = [a, b].map(|value| at.op("arith.extsi", &[value], wide));
                let products = at.op("arith.muli", &[a, b], wide);
                let kind = Attribute::parse(at.context(), "#vector.kind<add>");
                let kind = kind.expect("the vector dialect is loaded");
                let spec = at.spec("vector.reduction").operands(&[products, old]);
                at.value(spec.results(&[old.ty()]).attribute("kind", kind))
            }
            Emitted::Fma => {
                let a = at.op("vector.broadcast", &[a], b.ty());
                let name = Attribute::string(at.context(), intrinsic.name);
                let spec = at.spec("math.fma").operands(&[a, b, old]).results(&[old.ty()]);
                at.value(spec.attribute(STANDS_FOR, name))
            }
            Emitted::Llvm { function } | Emitted::LlvmOfWords { function } => {
                let words = |value: Value<'c>| match intrinsic.emitted {
                    Emitted::LlvmOfWords { .. } => {
                        let word = Type::integer(at.context(), 16);
                        at.op("arith.extsi", &[value], Type::vector(lanes(value), word))
                    }
                    _ => value,
                };
                let [a, b] = [a, b].map(words);
                let repeated = (0..lanes(b)).map(|lane| (lane % lanes(a)) as i64);
                let mask = Attribute::dense_i64(at.context(), &repeated.collect::<Vec<_>>());
                let spec = at.spec("vector.shuffle").operands(&[a, a]).results(&[b.ty()]);
                let a = at.value(spec.attribute("mask", mask));
                let spec = at.spec("llvm.call_intrinsic").operands(&[old, a, b]);
                let spec = spec.results(&[old.ty()]).segments(&[3, 0]);
                let name = Attribute::string(at.context(), function);
                let bundles = Attribute::dense_i32(at.context(), &[]);
                at.value(spec.attribute("intrin", name).attribute("op_bundle_sizes", bundles))
            }
            Emitted::Tile { .. } | Emitted::TileZero => unreachable!("emitted as tiles"),
        };
        let indices = self.indices_at(cursor, found.store, &[], at)?;
        let buffer = cursor.value_of(found.store.operand(1), at);
        match new.ty().lanes() {
            None => at.store(new, buffer, &indices),
            Some(_) => {
                let operands = [&[new, buffer], &indices[..]].concat();
                at.insert(at.spec("vector.store").operands(&operands));
            }
        }
        Ok(())
    }

    fn result(&self) -> &PatternOperand<'c> {
        self.found.operands.last().expect("a description has a result")
    }

    /// The type of a tile: rows, and the elements of a row.
    fn tile_type(&self, operand: &PatternOperand<'c>) -> Type<'c> {
        let extent = |place: &usize| self.found.loops[*place].1;
        let (row, elements) = operand.loops.split_first().expect("a tile has rows");
        Type::tile([extent(row), elements.iter().map(extent).product()], operand.element())
    }

    fn emit_product_of_tiles(
        &self,
        cursor: &mut Cursor<'c>,
        product: TileProduct,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let mut tile = |operand: &PatternOperand<'c>| {
            let buffer = cursor.value_of(operand.buffer(), at);
            let indices = self.indices_at(cursor, operand.op, &[], at)?;
            let stride = self.tile_stride(operand, at);
            let segments = [1, indices.len(), stride.len()];
            let operands = [&[buffer], &indices[..], &stride].concat();
            let spec = at.spec("amx.tile_load").operands(&operands);
            Ok(at.value(spec.results(&[self.tile_type(operand)]).segments(&segments)))
        };
        let operands: Vec<Value> =
            self.found.operands.iter().map(&mut tile).collect::<Result<_, Error>>()?;
        let sums = operands.last().expect("a description has a result").ty();
        let new = at.value(match product {
            TileProduct::Floats => at.spec("amx.tile_mulf").operands(&operands).results(&[sums]),
            TileProduct::Bytes { is_unsigned } => {
                let mut spec = at.spec("amx.tile_muli").operands(&operands).results(&[sums]);
                for (name, is_unsigned) in ["isZextLhs", "isZextRhs"].into_iter().zip(is_unsigned) {
                    if is_unsigned {
                        spec = spec.attribute(name, Attribute::unit(at.context()));
                    }
                }
                spec
            }
        });
        self.store_tile(cursor, new, at)
    }

    fn store_tile(
        &self,
        cursor: &mut Cursor<'c>,
        new: Value<'c>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let indices = self.indices_at(cursor, self.found.store, &[], at)?;
        let buffer = cursor.value_of(self.found.store.operand(1), at);
        let stride = self.tile_stride(self.result(), at);
        let segments = [1, indices.len(), 1, stride.len()];
        let operands = [&[buffer], &indices[..], &[new], &stride].concat();
        at.insert(at.spec("amx.tile_store").operands(&operands).segments(&segments));
        Ok(())
    }

    /// The operand for the distance of a tile's rows, if they are not adjacent rows of the buffer.
    fn tile_stride(&self, operand: &PatternOperand<'c>, at: Builder<'c>) -> Vec<Value<'c>> {
        let stride = operand.tile_stride(&self.found.loops).expect("unify checks it");
        stride.map(|stride| at.index(stride)).into_iter().collect()
    }

    /// The indices of an access; `values` sets loops of the description, by index, and the other loops are 0.
    fn indices_at(
        &self,
        cursor: &mut Cursor<'c>,
        access: Op<'c>,
        values: &[(usize, i64)],
        at: Builder<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        for (place, (variable, _)) in self.found.loops.iter().enumerate() {
            let value = values.iter().find(|(of, _)| *of == place).map_or(0, |(_, value)| *value);
            cursor.indices.insert(*variable, value.into());
        }
        for variable in &self.found.others {
            cursor.indices.insert(*variable, 0.into());
        }
        let leaf = ScheduleBlock::of(self.found.leaf)?;
        cursor.bind_iters(&leaf);
        let mut applied = leaf.body.ops();
        applied.retain(|op| op.is("affine.apply"));
        emit_leaf(self.plan, cursor, applied, at)?;
        let first = if access.is("memref.store") { 2 } else { 1 };
        let operands = access.operands();
        let index = |index: &Value<'c>| {
            // The index may be a constant inside the nest.
            let index = cursor.index_of(*index);
            cursor.emit_index(&index, at)
        };
        Ok(operands[first..].iter().map(index).collect())
    }

    /// All elements of a buffer that the intrinsic reads: a vector, or a scalar.
    fn operand(
        &self,
        cursor: &mut Cursor<'c>,
        operand: &PatternOperand<'c>,
        at: Builder<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        let buffer = cursor.value_of(operand.buffer(), at);
        let element = operand.element();
        let extents: Vec<i64> =
            operand.loops.iter().map(|place| self.found.loops[*place].1).collect();
        if extents.is_empty() {
            let indices = self.indices_at(cursor, operand.op, &[], at)?;
            return Ok(at.load(buffer, &indices));
        }
        // Extend the row from the last dimension outwards, as far as it is contiguous.
        let (mut row, mut outer) = (1, extents.len());
        while outer > 0 {
            let is_next = operand.moves[outer - 1]
                .split_last()
                .is_some_and(|(last, others)| *last == row && others.iter().all(|step| *step == 0));
            if !is_next {
                break;
            }
            outer -= 1;
            row *= extents[outer];
        }
        let rows: i64 = extents[..outer].iter().product();
        let mut parts = vec![];
        for number in 0..rows {
            let mut rest = number;
            let mut values = vec![];
            for (place, extent) in operand.loops[..outer].iter().zip(&extents).rev() {
                values.push((*place, rest % extent));
                rest /= extent;
            }
            let indices = self.indices_at(cursor, operand.op, &values, at)?;
            let operands = [&[buffer], &indices[..]].concat();
            parts.push(at.op("vector.load", &operands, Type::vector(row as usize, element)));
        }
        Ok(joined(&parts, element, row, at))
    }
}

/// Concatenates rows of a few elements each.
fn joined<'c>(rows: &[Value<'c>], element: Type<'c>, row: i64, at: Builder<'c>) -> Value<'c> {
    if let [one] = rows {
        return *one;
    }
    let bits = match element.kind() {
        TypeKind::Integer(bits) => i64::from(bits),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => 16,
        TypeKind::Float(FloatKind::F32) => 32,
        _ => 64,
    };
    let word = Type::integer(at.context(), (row * bits) as u32);
    let words: Vec<Value> = rows
        .iter()
        .map(|row| {
            let one = at.op("vector.bitcast", &[*row], Type::vector(1, word));
            let position = Attribute::dense_i64(at.context(), &[0]);
            let spec = at.spec("vector.extract").operands(&[one]).results(&[word]);
            at.value(spec.attribute("static_position", position))
        })
        .collect();
    let all = at.op("vector.from_elements", &words, Type::vector(rows.len(), word));
    at.op("vector.bitcast", &[all], Type::vector(rows.len() * row as usize, element))
}
