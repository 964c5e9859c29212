//===- LoopOps.td - loops, schedule blocks and buffers --------------------===//
#ifndef LOOPWRIGHT_LOOP_OPS_TD
#define LOOPWRIGHT_LOOP_OPS_TD
include "LoopDialect.td"
include "RustVerified.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Loop_Op<string mnemonic, list<Trait> traits = []>
    : Op<Loop_Dialect, mnemonic, !listconcat(traits, [RustVerified])>;

def Loop_ForOp : Loop_Op<"for", [
    AutomaticAllocationScope, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface,
        ["getLoopInductionVars", "getLoopLowerBounds", "getLoopSteps", "getLoopUpperBounds"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a loop from 0 to its extent with step 1";
  let description = [{
    ```mlir
    loop.for serial %i in 128 { ... }
    loop.for parallel %i in %n { ... }
    loop.for serial %j in min #map(%i)[%n] { ... }
    loop.for thread_bind[threadIdx.x] %t in 256 axis(tile_inner from "i" pair "i.0") { ... }
    ```
    The extent is the minimum of the results of a semi-affine map over
    surrounding loops (dimensions) and sizes (symbols). An extent of 0 or less
    means no iteration. `name` is the loop's name, by default the text of its
    variable.

    Kinds:
    - `serial` and `unroll`: the iterations run in order.
    - `parallel`: the iterations are unordered. No two access the same element
      unless both read it.
    - `vectorize`: the iterations are lanes in lockstep. Every statement reads all
      its operands in all lanes before it writes in any lane, and no two lanes
      write the same element.
    - `thread_bind`: all iterations run concurrently. In one thread block only
      `loop.sync` orders them; nothing orders thread blocks. A loop to which only
      reduce iters are bound combines in any order: the initialisation is first,
      and each update counts as a statement outside of the loop.
    - `thread_bind[vthread]`: the iterations belong to one thread, which may
      interleave them. No two access the same element unless both read it, and
      `loop.sync` does not order them. These loops may be nested in each other.

    `axis` is the provenance of a loop that a primitive has created: the type of
    the last transformation, the loops that it was created from, and for a split
    the other half. The tail of a split has type `tail`.
  }];
  let arguments = (ins
    Loop_Kind:$kind,
    OptionalAttr<Loop_Thread>:$thread,
    StrAttr:$name,
    AffineMapAttr:$extent,
    OptionalAttr<Loop_AxisType>:$axis_type,
    OptionalAttr<StrArrayAttr>:$axis_from,
    OptionalAttr<StrAttr>:$axis_pair,
    Variadic<Index>:$extent_operands);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getInductionVar() { return getBody().getArgument(0); }
  }];
  let extraClassDefinition = [{
    ::llvm::SmallVector<::mlir::Region *> $cppClass::getLoopRegions() { return {&getBody()}; }
    ::std::optional<::llvm::SmallVector<::mlir::Value>> $cppClass::getLoopInductionVars() {
      return ::llvm::SmallVector<::mlir::Value>{getInductionVar()};
    }
    ::std::optional<::llvm::SmallVector<::mlir::OpFoldResult>> $cppClass::getLoopLowerBounds() {
      return ::llvm::SmallVector<::mlir::OpFoldResult>{::mlir::Builder(getContext()).getIndexAttr(0)};
    }
    ::std::optional<::llvm::SmallVector<::mlir::OpFoldResult>> $cppClass::getLoopSteps() {
      return ::llvm::SmallVector<::mlir::OpFoldResult>{::mlir::Builder(getContext()).getIndexAttr(1)};
    }
    ::std::optional<::llvm::SmallVector<::mlir::OpFoldResult>> $cppClass::getLoopUpperBounds() {
      ::mlir::AffineMap map = getExtent();
      if (map.isSingleConstant())
        return ::llvm::SmallVector<::mlir::OpFoldResult>{
            ::mlir::Builder(getContext()).getIndexAttr(map.getSingleConstantResult())};
      if (map.getNumResults() == 1 && map.getNumInputs() == 1 &&
          ::llvm::isa<::mlir::AffineDimExpr, ::mlir::AffineSymbolExpr>(map.getResult(0)))
        return ::llvm::SmallVector<::mlir::OpFoldResult>{getExtentOperands()[0]};
      return ::std::nullopt;
    }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region,
        ::mlir::OpAsmSetValueNameFn setName) {
      if (!region.empty() && region.getNumArguments() == 1)
        setName(region.getArgument(0), getName());
    }
    void $cppClass::getSuccessorRegions(::mlir::RegionBranchPoint,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      successors.emplace_back(&getBody());
      successors.emplace_back(getOperation(), getOperation()->getResults());
    }
  }];
}

def Loop_BlockOp : Loop_Op<"block", [
    AffineScope, AttrSizedOperandSegments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a schedule block: statement instances over its own iteration domain";
  let description = [{
    ```mlir
    loop.block "C" [%vi: spatial 128, %vj: spatial 256, %vk: reduce 64] = (%i, %j, %k)
        where(-%k + 63 >= 0)
        reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
        reducer(add, 0.0) {
      loop.init { ... }
      ...
    }
    ```
    An instance runs for each iteration of the surrounding loops for which the
    predicate holds, with the block iters bound to the values of the binding
    map. Each iter has a role and a domain `[0, d)`; `d` is a size expression or
    the minimum of several.

    `reads` and `writes` are boxes, one entry a buffer: in each dimension an offset
    over the iters and sizes and an extent, or `*` if the index depends on data.
    The verifier recomputes them from the body: a declared box must contain the
    computed one.

    A reduction has its combiners and their identities. `loop.init` runs at the
    instance whose reduce iters are all 0, before the rest of the body. If the
    reduce domain is empty, `loop.init` runs alone.

    A `*` is stored as the extent -1.
  }];
  let arguments = (ins
    StrAttr:$name,
    StrArrayAttr:$iter_names,
    DenseI32ArrayAttr:$roles,
    AffineMapArrayAttr:$domains,
    AffineMapAttr:$binding,
    OptionalAttr<IntegerSetAttr>:$predicate,
    AffineMapArrayAttr:$read_offsets,
    AffineMapArrayAttr:$read_extents,
    AffineMapArrayAttr:$write_offsets,
    AffineMapArrayAttr:$write_extents,
    OptionalAttr<DenseI32ArrayAttr>:$combiners,
    OptionalAttr<ArrayAttr>:$identities,
    Variadic<Index>:$sizes,
    Variadic<Index>:$binds,
    Variadic<AnyMemRef>:$reads,
    Variadic<AnyMemRef>:$writes);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region,
        ::mlir::OpAsmSetValueNameFn setName) {
      if (region.empty())
        return;
      for (auto [argument, name] : ::llvm::zip(region.getArguments(),
                                               getIterNames().getAsValueRange<::mlir::StringAttr>()))
        setName(argument, name);
    }
    void $cppClass::getSuccessorRegions(::mlir::RegionBranchPoint point,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      if (point.isParent())
        successors.emplace_back(&getBody());
      else
        successors.emplace_back(getOperation(), getOperation()->getResults());
    }
  }];
}

def Loop_InitOp : Loop_Op<"init", [
    HasParent<"BlockOp">, NoRegionArguments, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "the initialisation of a reduction";
  let description = [{
    The first op of a reduction block. It runs at the instance of each spatial
    point whose reduce iters are all 0, which must be the first of that point.
    The result of a reduction over an empty domain is the initial values: if a
    loop that reduce iters are bound to has no iteration, the inits nested in it
    still run once for each spatial point.
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def Loop_IfOp : Loop_Op<"if", [
    NoRegionArguments, RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a branch on affine conditions";
  let description = [{
    ```mlir
    %v = loop.if (%vi - 1 >= 0, -%vi + 32 >= 0) -> (f32) {
      %a = memref.load %A[%0] : memref<32xf32>
      loop.yield %a : f32
    } else {
      loop.yield %zero : f32
    }
    ```
    The first region runs if all conditions hold. Inside a schedule block the op
    guards loads and yields values; between loops and blocks it has no results.
  }];
  let arguments = (ins IntegerSetAttr:$condition, Variadic<Index>:$condition_operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$then_region, MaxSizedRegion<1>:$else_region);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    void $cppClass::getSuccessorRegions(::mlir::RegionBranchPoint point,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      if (!point.isParent()) {
        successors.emplace_back(getOperation(), getOperation()->getResults());
        return;
      }
      successors.emplace_back(&getThenRegion());
      if (getElseRegion().empty())
        successors.emplace_back(getOperation(), getOperation()->getResults());
      else
        successors.emplace_back(&getElseRegion());
    }
  }];
}

def Loop_SyncOp : Loop_Op<"sync"> {
  let summary = "a barrier of the threads of one thread block";
  let description = [{
    No thread of the block continues before all threads have arrived. Writes before
    the barrier are visible after it. All threads of the block must reach it.
  }];
  let assemblyFormat = "attr-dict";
}

def Loop_BufferOp : Loop_Op<"buffer", [
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an intermediate buffer";
  let description = [{
    ```mlir
    %T = loop.buffer "T" scope(global) : memref<64x128xf32>
    %P = loop.buffer "P" scope(shared) align(64) pad(0, 8) (%n + 2) : memref<?x128xf32>
    ```
    The op is at function entry while scheduling; lowering decides its lifetime
    and position. Each executing instance of its scope has one buffer: the function
    for `global`, the thread block for `shared`, the thread for `local`.

    `align` is in bytes. `pad` adds elements to each dimension of the allocation,
    never to the type. `round(1, 0, 32, 4)` has a divisor and a remainder for each
    dimension: the dimension of the allocation is increased until the number of
    elements in it and all following dimensions, which is the stride of the
    preceding dimension, has this remainder. It is not increased if no size has
    the remainder. The dynamic dimensions are size expressions in parentheses.
    The initial content is undefined.
  }];
  let arguments = (ins
    StrAttr:$name,
    Loop_Scope:$scope,
    OptionalAttr<I64Attr>:$alignment,
    OptionalAttr<DenseI64ArrayAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$rounding,
    AffineMapAttr:$dynamic_dims,
    Variadic<Index>:$sizes);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = [{
    $name `scope` `(` $scope `)` (`align` `(` $alignment^ `)`)? (`pad` `` custom<Padding>($padding)^)?
    (`round` `` custom<Padding>($rounding)^)?
    `` custom<SizeExpressions>($dynamic_dims, $sizes) attr-dict `:` type($buffer)
  }];
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn setName) {
      setName(getBuffer(), getName());
    }
  }];
}

def Loop_ParallelCallOp : Loop_Op<"parallel_call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function on chunks of a range, on all threads";
  let description = [{
    ```mlir
    loop.parallel_call @rows in %n grain(4) (%A, %m : memref<8x16xf32>, index)
    ```
    The lowered form of an outermost `parallel` loop. `[0, n)` is split into
    chunks of at least `grain` iterations (the last may be shorter). The callee
    runs once for each chunk as `rows(begin, end, captured...)`, in any order and
    on any thread. The op returns after the last chunk.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Index:$extent,
    ConfinedAttr<I64Attr, [IntPositive]>:$grain,
    Variadic<AnyType>:$captured);
  let assemblyFormat = [{
    $callee `in` $extent `grain` `(` $grain `)` ` ` `(` ($captured^ `:` type($captured))? `)` attr-dict
  }];
}

def Loop_YieldOp : Loop_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["ForOp", "BlockOp", "InitOp", "IfOp"]>]> {
  let summary = "terminates a region of the dialect; in `loop.if`, it yields the results";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

#endif
