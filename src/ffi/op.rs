//! Handles to contexts, locations, operations, blocks, regions and values.

use super::handle::{Context, handle};
use super::text::{borrow, collect, read};
use super::{Attribute, Type};
use mlir_sys::*;
use std::fmt;

handle!(
    /// A source location.
    Location, MlirLocation
);
handle!(
    /// An operation.
    Op, MlirOperation
);
handle!(
    /// A basic block.
    Block, MlirBlock
);
handle!(
    /// A region.
    Region, MlirRegion
);
handle!(
    /// An SSA value.
    Value, MlirValue
);

impl fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the location is live and the callback comes from `collect`.
        f.write_str(&collect(|print, to| unsafe { mlirLocationPrint(self.0, print, to) }))
    }
}

/// Calls `get` for 0..n.
fn list<T>(n: isize, get: impl Fn(isize) -> T) -> Vec<T> {
    (0..n).map(get).collect()
}

// SAFETY of this block: the handle is live (the rule of `ffi`), indices come from MLIR's own counts
// or are checked against them, and what MLIR returns here is null or lives as long as the op.
impl<'c> Op<'c> {
    /// The context that owns the op.
    pub fn context(self) -> Context<'c> {
        // SAFETY: see above.
        unsafe { Context::from_raw(mlirOperationGetContext(self.0)) }
    }

    /// The full name, such as `loop.for`.
    pub fn name(self) -> &'c str {
        // SAFETY: see above; identifiers are uniqued in the context.
        unsafe { read(mlirIdentifierStr(mlirOperationGetName(self.0))) }
    }

    /// True if the op has this name, such as `loop.for`.
    pub fn is(self, name: &str) -> bool {
        self.name() == name
    }

    /// The location of the op.
    pub fn location(self) -> Location<'c> {
        // SAFETY: see above.
        unsafe { Location::from_raw(mlirOperationGetLocation(self.0)) }
    }

    /// Sets the location of the op.
    pub fn set_location(self, location: Location<'c>) {
        // SAFETY: see above.
        unsafe { mlirOperationSetLocation(self.0, location.0) }
    }

    /// The op whose region contains this op.
    pub fn parent(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { Op::from_nullable(mlirOperationGetParentOperation(self.0)) }
    }

    /// The block that contains the op; `None` for an op in no block.
    pub fn block(self) -> Option<Block<'c>> {
        // SAFETY: see above.
        unsafe { Block::from_nullable(mlirOperationGetBlock(self.0)) }
    }

    /// The next op of its block.
    pub fn next(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { Op::from_nullable(mlirOperationGetNextInBlock(self.0)) }
    }

    /// True if both ops are in one block, and this one precedes the other. Takes constant time as long as the block does
    /// not change.
    pub fn is_before(self, other: Op<'c>) -> bool {
        // SAFETY: see above; the two are in one block.
        self.block().is_some()
            && self.block() == other.block()
            && unsafe { mlirOperationIsBeforeInBlock(self.0, other.0) }
    }

    /// The operands, in order.
    pub fn operands(self) -> Vec<Value<'c>> {
        // SAFETY: see above.
        unsafe {
            list(mlirOperationGetNumOperands(self.0), |i| {
                Value::from_raw(mlirOperationGetOperand(self.0, i))
            })
        }
    }

    /// Operand `i`; there must be that many.
    pub fn operand(self, i: usize) -> Value<'c> {
        // SAFETY: see above; the index is below MLIR's own count.
        unsafe {
            assert!((i as isize) < mlirOperationGetNumOperands(self.0), "there is no operand {i}");
            Value::from_raw(mlirOperationGetOperand(self.0, i as isize))
        }
    }

    /// The results, in order.
    pub fn results(self) -> Vec<Value<'c>> {
        // SAFETY: see above.
        unsafe {
            list(mlirOperationGetNumResults(self.0), |i| {
                Value::from_raw(mlirOperationGetResult(self.0, i))
            })
        }
    }

    /// Result `i`; there must be that many.
    pub fn result(self, i: usize) -> Value<'c> {
        // SAFETY: see above; the index is below MLIR's own count.
        unsafe {
            assert!((i as isize) < mlirOperationGetNumResults(self.0), "there is no result {i}");
            Value::from_raw(mlirOperationGetResult(self.0, i as isize))
        }
    }

    /// The regions, in order.
    pub fn regions(self) -> Vec<Region<'c>> {
        // SAFETY: see above.
        unsafe {
            list(mlirOperationGetNumRegions(self.0), |i| {
                Region::from_raw(mlirOperationGetRegion(self.0, i))
            })
        }
    }

    /// Region `i`, if there are that many.
    pub fn region(self, i: usize) -> Option<Region<'c>> {
        // SAFETY: see above; the index is below MLIR's own count.
        unsafe {
            ((i as isize) < mlirOperationGetNumRegions(self.0))
                .then(|| Region::from_raw(mlirOperationGetRegion(self.0, i as isize)))
        }
    }

    /// The first block of region `i`, if both exist.
    pub fn body(self, i: usize) -> Option<Block<'c>> {
        self.region(i).and_then(|region| region.first_block())
    }

    /// The name of a symbol, such as a function or a global.
    pub fn symbol_name(self) -> Option<&'c str> {
        self.attribute("sym_name").and_then(Attribute::as_str)
    }

    /// The attribute with this name, inherent or discardable.
    pub fn attribute(self, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: see above.
        unsafe { Attribute::from_nullable(mlirOperationGetAttributeByName(self.0, borrow(name))) }
    }

    /// Sets an attribute; replaces one of the same name.
    pub fn set_attribute(self, name: &str, value: Attribute<'c>) {
        // SAFETY: see above.
        unsafe { mlirOperationSetAttributeByName(self.0, borrow(name), value.to_raw()) }
    }

    /// Sets all inherent attributes and properties from a dictionary: some properties are not attributes
    /// and can only be set this way. False, and a diagnostic, if they are invalid for the op.
    pub fn set_properties(self, dictionary: Attribute<'c>) -> bool {
        // SAFETY: see above.
        unsafe { lwSetProperties(self.0, dictionary.to_raw()) }
    }

    /// All attributes with their names, inherent ones included.
    pub fn attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: see above; identifiers are uniqued in the context.
        unsafe {
            list(mlirOperationGetNumAttributes(self.0), |i| {
                let named = mlirOperationGetAttribute(self.0, i);
                (read(mlirIdentifierStr(named.name)), Attribute::from_raw(named.attribute))
            })
        }
    }

    /// The discardable attributes with their names.
    pub fn discardable_attributes(self) -> Vec<(&'c str, Attribute<'c>)> {
        // SAFETY: see above; identifiers are uniqued in the context.
        unsafe {
            list(mlirOperationGetNumDiscardableAttributes(self.0), |i| {
                let named = mlirOperationGetDiscardableAttribute(self.0, i);
                (read(mlirIdentifierStr(named.name)), Attribute::from_raw(named.attribute))
            })
        }
    }

    /// An attribute of argument `i`, if the op is a function that has one.
    pub fn argument_attribute(self, i: usize, name: &str) -> Option<Attribute<'c>> {
        // SAFETY: see above.
        unsafe { Attribute::from_nullable(lwArgumentAttribute(self.0, i as isize, borrow(name))) }
    }

    /// Sets a discardable attribute of argument `i`, if the op is a function; the argument must exist.
    pub fn set_argument_attribute(self, i: usize, name: &str, value: Attribute<'c>) {
        // SAFETY: see above.
        unsafe { lwSetArgumentAttribute(self.0, i as isize, borrow(name), value.to_raw()) }
    }

    /// Replaces all operands. For ops with `operandSegmentSizes`, set that attribute as well.
    pub fn set_operands(self, values: &[Value<'c>]) {
        let values: Vec<_> = values.iter().map(|v| v.0).collect();
        // SAFETY: see above; the array has the stated length.
        unsafe { mlirOperationSetOperands(self.0, values.len() as isize, values.as_ptr()) }
    }

    /// True if the op neither reads nor writes memory.
    pub fn has_no_effects(self) -> bool {
        // SAFETY: see above.
        unsafe { lwHasNoEffects(self.0) }
    }

    /// True if the op has no effects, and no operands for which its behavior is undefined, such as a divisor of 0.
    pub fn is_pure(self) -> bool {
        // SAFETY: see above.
        unsafe { lwIsPure(self.0) }
    }

    /// True if the op has no operands and one result known at compile time.
    pub fn is_constant(self) -> bool {
        // SAFETY: see above.
        unsafe { lwIsConstant(self.0) }
    }

    /// A hash of the op and everything nested in it, and of the ops that compute its operands in the
    /// enclosing block. Ops, values and uniqued data are hashed by address. While the hash does not change,
    /// neither does the hashed IR; other ops in the enclosing block may change.
    pub fn fingerprint(self) -> u64 {
        // SAFETY: see above.
        unsafe { lwFingerprint(self.0) }
    }

    /// Runs the verifiers of this op and everything in it; diagnostics go to the context.
    pub fn verify(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirOperationVerify(self.0) }
    }

    /// The text of the op, with the location of each op in it.
    pub fn text_with_locations(self) -> String {
        // SAFETY: see above; the flags are ours, and the callback comes from `collect`.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            let text = collect(|print, to| mlirOperationPrintWithFlags(self.0, flags, print, to));
            mlirOpPrintingFlagsDestroy(flags);
            text
        }
    }

    /// The text of the op alone: it does not depend on what is around it, and has only the names of resources. The op must be
    /// valid.
    pub fn local_text(self) -> String {
        // SAFETY: see above; the flags are ours, and the callback comes from `collect`.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsUseLocalScope(flags);
            mlirOpPrintingFlagsAssumeVerified(flags);
            let text = collect(|print, to| mlirOperationPrintWithFlags(self.0, flags, print, to));
            mlirOpPrintingFlagsDestroy(flags);
            text
        }
    }

    /// A deep copy that is in no block, with the values `from` replaced by `to`.
    pub fn clone_mapped(self, mapping: &[(Value<'c>, Value<'c>)]) -> Op<'c> {
        let (from, to): (Vec<_>, Vec<_>) = mapping.iter().map(|(f, t)| (f.0, t.0)).unzip();
        // SAFETY: see above; the arrays have the stated length.
        unsafe {
            Op::from_raw(lwCloneMapped(self.0, from.len() as isize, from.as_ptr(), to.as_ptr()))
        }
    }

    /// Moves the op before `other`, which is in a block.
    pub fn move_before(self, other: Op<'c>) {
        // SAFETY: see above.
        unsafe { mlirOperationMoveBefore(self.0, other.0) }
    }

    /// Removes the op from its block. The caller owns it until it is inserted again.
    pub fn detach(self) {
        // SAFETY: see above.
        unsafe { mlirOperationRemoveFromParent(self.0) }
    }

    /// Replaces one operand.
    pub fn set_operand(self, i: usize, value: Value<'c>) {
        assert!(i < self.operands().len(), "there is no operand {i}");
        // SAFETY: see above.
        unsafe { mlirOperationSetOperand(self.0, i as isize, value.0) }
    }

    /// Removes an attribute, if the op has it.
    pub fn remove_attribute(self, name: &str) {
        // SAFETY: see above.
        unsafe { mlirOperationRemoveAttributeByName(self.0, borrow(name)) };
    }

    /// Removes the op from its block and destroys it, with everything in it. Every handle to it or into it is dead
    /// afterwards.
    ///
    /// # Panics
    /// If a result has uses: they would refer to freed memory.
    pub fn erase(self) {
        if let Some(used) = self.results().into_iter().find(|value| !value.is_unused()) {
            panic!("{self:?} is erased, but {used:?} has uses");
        }
        // SAFETY: see above.
        unsafe { mlirOperationDestroy(self.0) }
    }
}

impl fmt::Display for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the op is live and the callback comes from `collect`.
        f.write_str(&collect(|print, to| unsafe { mlirOperationPrint(self.0, print, to) }))
    }
}

impl fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} at {}", self.name(), self.location())
    }
}

// SAFETY of this block: as for `Op`.
impl<'c> Block<'c> {
    /// A new block that belongs to no region yet.
    pub(crate) fn new(arguments: &[(Type<'c>, Location<'c>)]) -> Self {
        let (types, locations): (Vec<_>, Vec<_>) =
            arguments.iter().map(|(t, l)| (t.to_raw(), l.0)).unzip();
        // SAFETY: the arrays have the stated length.
        unsafe {
            Self::from_raw(mlirBlockCreate(
                types.len() as isize,
                types.as_ptr(),
                locations.as_ptr(),
            ))
        }
    }

    /// The op whose region contains the block.
    pub fn parent(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { Op::from_nullable(mlirBlockGetParentOperation(self.0)) }
    }

    /// The arguments, in order.
    pub fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: see above.
        unsafe {
            list(mlirBlockGetNumArguments(self.0), |i| {
                Value::from_raw(mlirBlockGetArgument(self.0, i))
            })
        }
    }

    /// Argument `i`; there must be that many.
    pub fn argument(self, i: usize) -> Value<'c> {
        // SAFETY: see above; the index is below MLIR's own count.
        unsafe {
            assert!((i as isize) < mlirBlockGetNumArguments(self.0), "there is no argument {i}");
            Value::from_raw(mlirBlockGetArgument(self.0, i as isize))
        }
    }

    /// Inserts an argument at index `i` and returns it.
    pub fn insert_argument(self, i: usize, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        assert!(i <= self.arguments().len(), "an argument at a place that there is");
        // SAFETY: see above; the index is valid in the block.
        unsafe {
            Value::from_raw(mlirBlockInsertArgument(self.0, i as isize, ty.to_raw(), location.0))
        }
    }

    /// Removes argument `i`, which must have no uses.
    pub fn remove_argument(self, i: usize) {
        assert!(self.argument(i).uses().is_empty(), "an argument without uses");
        // SAFETY: see above; the argument exists, and nothing refers to it.
        unsafe { mlirBlockEraseArgument(self.0, i as u32) }
    }

    /// The first op; `None` if the block is empty.
    pub fn first_op(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { Op::from_nullable(mlirBlockGetFirstOperation(self.0)) }
    }

    /// The last op, if it is a terminator.
    pub fn terminator(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { Op::from_nullable(mlirBlockGetTerminator(self.0)) }
    }

    /// The terminator of a verified block, or of a block that was created with one.
    pub fn end(self) -> Op<'c> {
        self.terminator().expect("a body ends in a terminator")
    }

    /// All ops, in order. The list is a snapshot, so the block may change while the list is walked.
    pub fn ops(self) -> Vec<Op<'c>> {
        self.each_op().collect()
    }

    /// All ops, in order, for readers: the block must not change before the iterator is dropped.
    pub fn each_op(self) -> impl Iterator<Item = Op<'c>> {
        std::iter::successors(self.first_op(), |op| op.next())
    }

    /// Appends an op that is in no block.
    pub fn append(self, op: Op<'c>) {
        // SAFETY: see above; the block takes ownership of an op that is in no block.
        unsafe { mlirBlockAppendOwnedOperation(self.0, op.0) }
    }

    /// Inserts an op that is in no block before another one.
    pub fn insert_before(self, reference: Op<'c>, op: Op<'c>) {
        // SAFETY: see above; the block takes ownership of an op that is in no block.
        unsafe { mlirBlockInsertOwnedOperationBefore(self.0, reference.0, op.0) }
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a block of {:?}", self.parent())
    }
}

// SAFETY of this block: as for `Op`.
impl<'c> Region<'c> {
    /// A new region that belongs to no op yet.
    pub(crate) fn new() -> Self {
        // SAFETY: creation has no preconditions.
        unsafe { Self::from_raw(mlirRegionCreate()) }
    }

    /// A new region of one block.
    pub fn of(block: Block<'c>) -> Self {
        let region = Self::new();
        // SAFETY: the region takes ownership of a block that is in no region.
        unsafe { mlirRegionAppendOwnedBlock(region.0, block.0) };
        region
    }

    /// Moves all blocks of `other` into this region, whose own blocks are destroyed.
    pub fn take_body(self, other: Region<'c>) {
        // SAFETY: see above.
        unsafe { mlirRegionTakeBody(self.0, other.0) }
    }

    /// The entry block; `None` if the region is empty.
    pub fn first_block(self) -> Option<Block<'c>> {
        // SAFETY: see above.
        unsafe { Block::from_nullable(mlirRegionGetFirstBlock(self.0)) }
    }

    /// The blocks, in order.
    pub fn blocks(self) -> Vec<Block<'c>> {
        self.each_block().collect()
    }

    /// All blocks, in order, for readers: the region must not change before the iterator is dropped.
    pub fn each_block(self) -> impl Iterator<Item = Block<'c>> {
        // SAFETY: see above.
        std::iter::successors(self.first_block(), |block| unsafe {
            Block::from_nullable(mlirBlockGetNextInRegion(block.0))
        })
    }
}

// SAFETY of this block: as for `Op`.
impl<'c> Value<'c> {
    /// The type of the value.
    pub fn ty(self) -> Type<'c> {
        // SAFETY: see above.
        unsafe { Type::from_raw(mlirValueGetType(self.0)) }
    }

    /// Changes the type of the value. Its users must permit the type.
    pub fn set_type(self, ty: Type<'c>) {
        // SAFETY: see above.
        unsafe { mlirValueSetType(self.0, ty.to_raw()) }
    }

    /// The op that defines the value; `None` for a block argument.
    pub fn defining_op(self) -> Option<Op<'c>> {
        // SAFETY: see above.
        unsafe { mlirValueIsAOpResult(self.0).then(|| Op::from_raw(mlirOpResultGetOwner(self.0))) }
    }

    /// The index of the value among the results or arguments to which it belongs.
    pub fn index(self) -> usize {
        // SAFETY: see above; a value is one of the two.
        unsafe {
            if mlirValueIsAOpResult(self.0) {
                mlirOpResultGetResultNumber(self.0) as usize
            } else {
                mlirBlockArgumentGetArgNumber(self.0) as usize
            }
        }
    }

    /// The block of a block argument; `None` for the result of an op.
    pub fn owner(self) -> Option<Block<'c>> {
        // SAFETY: see above.
        unsafe {
            mlirValueIsABlockArgument(self.0)
                .then(|| Block::from_raw(mlirBlockArgumentGetOwner(self.0)))
        }
    }

    /// True if no op uses the value.
    pub fn is_unused(self) -> bool {
        // SAFETY: see above.
        unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(self.0)) }
    }

    /// The uses: each op and the operand index.
    pub fn uses(self) -> Vec<(Op<'c>, usize)> {
        let mut uses = vec![];
        // SAFETY: see above; the chain ends with null.
        unsafe {
            let mut each = mlirValueGetFirstUse(self.0);
            while !mlirOpOperandIsNull(each) {
                let owner = Op::from_raw(mlirOpOperandGetOwner(each));
                uses.push((owner, mlirOpOperandGetOperandNumber(each) as usize));
                each = mlirOpOperandGetNextUse(each);
            }
        }
        uses
    }

    /// Replaces the value by another one in all ops that use it.
    pub fn replace_all_uses_with(self, other: Value<'c>) {
        // SAFETY: see above.
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }
}

impl fmt::Debug for Value<'_> {
    /// A description without MLIR's printer, which must not be called on IR that is not valid yet.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.defining_op(), self.owner().and_then(|block| block.parent())) {
            (Some(op), _) => write!(f, "the result of '{}'", op.name()),
            (None, Some(op)) => write!(f, "argument {} of '{}'", self.index(), op.name()),
            (None, None) => f.write_str("a block argument"),
        }
    }
}

unsafe extern "C" {
    fn lwFingerprint(op: MlirOperation) -> u64;
    fn lwHasNoEffects(op: MlirOperation) -> bool;
    fn lwIsPure(op: MlirOperation) -> bool;
    fn lwIsConstant(op: MlirOperation) -> bool;
    fn lwCloneMapped(
        op: MlirOperation,
        n: isize,
        from: *const MlirValue,
        to: *const MlirValue,
    ) -> MlirOperation;
    fn lwSetProperties(op: MlirOperation, dictionary: MlirAttribute) -> bool;
    fn lwSetArgumentAttribute(
        op: MlirOperation,
        i: isize,
        name: MlirStringRef,
        value: MlirAttribute,
    );
    fn lwArgumentAttribute(op: MlirOperation, i: isize, name: MlirStringRef) -> MlirAttribute;
}
