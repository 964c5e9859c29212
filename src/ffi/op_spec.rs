//! The description from which an operation is created.

use super::text::borrow;
use super::{Attribute, Location, Op, Region, Type, Value};
use mlir_sys::*;

/// An operation to create: set its parts, then call [`OpSpec::create`] or a builder's `insert`.
pub struct OpSpec<'c> {
    name: String,
    location: Location<'c>,
    operands: Vec<Value<'c>>,
    results: Vec<Type<'c>>,
    attributes: Vec<(String, Attribute<'c>)>,
    regions: Vec<Region<'c>>,
}

impl<'c> OpSpec<'c> {
    /// An op without operands, results, attributes and regions.
    pub fn new(name: &str, location: Location<'c>) -> Self {
        Self {
            name: name.into(),
            location,
            operands: vec![],
            results: vec![],
            attributes: vec![],
            regions: vec![],
        }
    }

    /// Adds operands. For ops with `operandSegmentSizes` see [`OpSpec::segments`].
    pub fn operands(mut self, values: &[Value<'c>]) -> Self {
        self.operands.extend(values);
        self
    }

    /// The sizes of the operand groups, for ops that have `operandSegmentSizes`.
    pub fn segments(self, sizes: &[usize]) -> Self {
        let sizes: Vec<i32> = sizes.iter().map(|n| *n as i32).collect();
        let context = self.location.context();
        self.attribute("operandSegmentSizes", Attribute::dense_i32(context, &sizes))
    }

    /// Appends results of these types.
    pub fn results(mut self, types: &[Type<'c>]) -> Self {
        self.results.extend(types);
        self
    }

    /// Adds an attribute.
    pub fn attribute(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.push((name.into(), value));
        self
    }

    /// Appends a region.
    pub fn region(mut self, region: Region<'c>) -> Self {
        self.regions.push(region);
        self
    }

    /// Creates the op, in no block. `None` if MLIR cannot create it (an unregistered op, for example); MLIR
    /// has then reported the reason.
    pub(crate) fn create(self) -> Option<Op<'c>> {
        let operands: Vec<_> = self.operands.iter().map(|v| v.to_raw()).collect();
        let results: Vec<_> = self.results.iter().map(|t| t.to_raw()).collect();
        let regions: Vec<_> = self.regions.iter().map(|r| r.to_raw()).collect();
        let context = self.location.context().to_raw();
        // SAFETY: all handles are live, the arrays have the stated lengths and outlive the call,
        // and the op takes ownership of regions that belong to none.
        unsafe {
            let attributes: Vec<_> = self
                .attributes
                .iter()
                .map(|(name, value)| {
                    mlirNamedAttributeGet(mlirIdentifierGet(context, borrow(name)), value.to_raw())
                })
                .collect();
            let mut state = mlirOperationStateGet(borrow(&self.name), self.location.to_raw());
            mlirOperationStateAddOperands(&mut state, operands.len() as isize, operands.as_ptr());
            mlirOperationStateAddResults(&mut state, results.len() as isize, results.as_ptr());
            mlirOperationStateAddAttributes(
                &mut state,
                attributes.len() as isize,
                attributes.as_ptr(),
            );
            mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
            Op::from_nullable(mlirOperationCreate(&mut state))
        }
    }
}
