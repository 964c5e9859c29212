//===- SchedOps.td - schedule primitives as transform ops -----------------===//
#ifndef LOOPWRIGHT_SCHED_OPS_TD
#define LOOPWRIGHT_SCHED_OPS_TD
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Handles have the type for any op, so scripts need no type annotations.
def AnyHandle : Type<CPred<"::llvm::isa<::mlir::transform::AnyOpType>($_self)">,
                     "handle to any op", "::mlir::transform::AnyOpType">,
                BuildableType<"::mlir::transform::AnyOpType::get($_builder.getContext())">;

def HandleMapping : Resource<"::mlir::transform::TransformMappingResource">;
def PayloadIR : Resource<"::mlir::transform::PayloadIRResource">;

// The handle stays valid: primitives change the payload and notify the rewriter of replaced ops.
class Root<string description> : Arg<AnyHandle, description,
    [MemRead<HandleMapping>, MemRead<PayloadIR>, MemWrite<PayloadIR>]>;

class SchedOp<string mnemonic> : Op<Transform_Dialect, "sched." # mnemonic, [
    DeclareOpInterfaceMethods<TransformOpInterface>, MemoryEffectsOpInterface]> {
  // Each op applies the primitive of that name in src/schedule/primitive, which documents it.
  let extraClassDefinition = [{
    ::mlir::DiagnosedSilenceableFailure $cppClass::apply(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::transform::TransformResults &results,
        ::mlir::transform::TransformState &state) {
      return ::loopwright::sched::applyInRust(getOperation(), rewriter, results, state);
    }
  }];
}

// Integers, or text that refers to decisions by name: `[4, 16]`, `"$tile"`, `"-1, $width"`.
def Numbers : AnyAttrOf<[DenseI64ArrayAttr, StrAttr]>;
// One integer or decision: `8`, `"$width"`.
def Number : AnyAttrOf<[I64Attr, StrAttr]>;
def PositiveNumber : AnyAttrOf<[ConfinedAttr<I64Attr, [IntPositive]>, StrAttr]>;

// A primitive on a target given by name: `transform.sched.unroll "C:j" in %f`. Without a name, the handle
// refers to the target loops or block.
class PrimitiveOp<string mnemonic, dag name, dag parameters = (ins), string format = "">
    : SchedOp<mnemonic> {
  let arguments = !con((ins Root<"a function, or an op that contains it; or the target itself">:$root),
                       name, parameters, (ins UnitAttr:$explain));
  let assemblyFormat =
      "($" # !getdagname(name, 0) # "^ `in`)? $root " # format # " attr-dict";
}
class LoopPrimitive<string mnemonic, dag parameters = (ins), string format = "">
    : PrimitiveOp<mnemonic, (ins OptionalAttr<StrAttr>:$loop), parameters, format>;
class LoopsPrimitive<string mnemonic, dag parameters = (ins), string format = "">
    : PrimitiveOp<mnemonic, (ins OptionalAttr<StrArrayAttr>:$loops), parameters, format>;
class BlockPrimitive<string mnemonic, dag parameters = (ins), string format = "">
    : PrimitiveOp<mnemonic, (ins OptionalAttr<StrAttr>:$block), parameters, format>;
class TargetPrimitive<string mnemonic, dag parameters = (ins), string format = "">
    : PrimitiveOp<mnemonic, (ins OptionalAttr<StrAttr>:$target), parameters, format>;
class BufferPrimitive<string mnemonic, dag parameters = (ins), string format = "">
    : PrimitiveOp<mnemonic, (ins OptionalAttr<StrAttr>:$buffer), parameters, format>;

def SchedSplitOp : LoopPrimitive<"split",
    (ins Numbers:$factors, OptionalAttr<StrAttr>:$tail, OptionalAttr<StrAttr>:$proof),
    "`factors` custom<Numbers>($factors) (`tail` $tail^)? (`proof` $proof^)?">;
def SchedFuseOp : LoopsPrimitive<"fuse">;
def SchedMergeOp : LoopsPrimitive<"merge",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedFissionOp : TargetPrimitive<"fission",
    (ins OptionalAttr<PositiveNumber>:$levels, OptionalAttr<StrAttr>:$proof),
    "(`levels` custom<Number>($levels)^)? (`proof` $proof^)?">;
def SchedAddUnitLoopOp : TargetPrimitive<"add_unit_loop">;
def SchedBlockizeOp : TargetPrimitive<"blockize">;
def SchedTensorizeOp : TargetPrimitive<"tensorize",
    (ins StrAttr:$intrinsic), "`intrinsic` $intrinsic">;
def SchedReorderOp : LoopsPrimitive<"reorder",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedTileOp : LoopsPrimitive<"tile",
    (ins Numbers:$factors, OptionalAttr<StrAttr>:$tail, OptionalAttr<StrAttr>:$proof),
    "`factors` custom<Numbers>($factors) (`tail` $tail^)? (`proof` $proof^)?">;
def SchedReorderBlockIterVarOp : BlockPrimitive<"reorder_block_iter_var",
    (ins Numbers:$order), "`order` custom<Numbers>($order)">;
def SchedLoopPartitionOp : LoopPrimitive<"loop_partition",
    (ins Numbers:$factors, OptionalAttr<StrAttr>:$proof),
    "`factors` custom<Numbers>($factors) (`proof` $proof^)?">;
def SchedJoinOp : LoopPrimitive<"join",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedShiftOp : LoopPrimitive<"shift",
    (ins OptionalAttr<Number>:$by, OptionalAttr<PositiveNumber>:$align, OptionalAttr<StrAttr>:$proof),
    "(`by` custom<Number>($by)^)? (`align` custom<Number>($align)^)? (`proof` $proof^)?">;
def SchedUnrollAndJamOp : LoopPrimitive<"unroll_and_jam",
    (ins OptionalAttr<PositiveNumber>:$factor, OptionalAttr<StrAttr>:$tail, OptionalAttr<StrAttr>:$proof),
    "(`factor` custom<Number>($factor)^)? (`tail` $tail^)? (`proof` $proof^)?">;
def SchedSpecializeOp : TargetPrimitive<"specialize",
    (ins StrAttr:$condition, OptionalAttr<StrAttr>:$through), "`condition` $condition (`through` $through^)?">;
def SchedRemoveLoopOp : LoopPrimitive<"remove_loop",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedReorderStatementsOp : TargetPrimitive<"reorder_statements",
    (ins StrAttr:$before, OptionalAttr<StrAttr>:$proof), "`before` $before (`proof` $proof^)?">;
def SchedUnrollOp : LoopPrimitive<"unroll",
    (ins OptionalAttr<PositiveNumber>:$factor), "(`factor` custom<Number>($factor)^)?">;
def SchedVectorizeOp : LoopPrimitive<"vectorize",
    (ins OptionalAttr<PositiveNumber>:$factor, OptionalAttr<StrAttr>:$proof),
    "(`factor` custom<Number>($factor)^)? (`proof` $proof^)?">;
def SchedParallelOp : LoopPrimitive<"parallel",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedBindOp : LoopPrimitive<"bind",
    (ins StrAttr:$thread, OptionalAttr<StrAttr>:$proof), "`thread` $thread (`proof` $proof^)?">;
def SchedRfactorOp : LoopPrimitive<"rfactor",
    (ins OptionalAttr<Number>:$factor_axis, OptionalAttr<StrAttr>:$proof),
    "(`factor_axis` custom<Number>($factor_axis)^)? (`proof` $proof^)?">;
def SchedDecomposeReductionOp : BlockPrimitive<"decompose_reduction",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;
def SchedDecomposePaddingOp : BlockPrimitive<"decompose_padding",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;
def SchedPadEinsumOp : BlockPrimitive<"pad_einsum",
    (ins Numbers:$factors, OptionalAttr<StrAttr>:$proof),
    "`factors` custom<Numbers>($factors) (`proof` $proof^)?">;
// Reports on the names that the pattern matches (by default all blocks) as remarks; changes nothing.
def SchedQueryOp : PrimitiveOp<"query", (ins OptionalAttr<StrAttr>:$pattern),
    (ins StrAttr:$what), "`what` $what">;
def SchedComputeInlineOp : BlockPrimitive<"compute_inline",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedCacheReadOp : BlockPrimitive<"cache_read",
    (ins StrAttr:$buffer, StrAttr:$scope, OptionalAttr<StrArrayAttr>:$consumers,
         OptionalAttr<StrAttr>:$index_map, OptionalAttr<StrAttr>:$proof),
    "`buffer` $buffer `scope` $scope (`consumers` $consumers^)? (`index_map` $index_map^)? "
    "(`proof` $proof^)?">;
def SchedCacheWriteOp : BlockPrimitive<"cache_write",
    (ins StrAttr:$buffer, StrAttr:$scope, OptionalAttr<StrAttr>:$index_map, OptionalAttr<StrAttr>:$proof),
    "`buffer` $buffer `scope` $scope (`index_map` $index_map^)? (`proof` $proof^)?">;
def SchedCacheInplaceOp : BlockPrimitive<"cache_inplace",
    (ins StrAttr:$buffer, StrAttr:$scope, OptionalAttr<StrAttr>:$proof),
    "`buffer` $buffer `scope` $scope (`proof` $proof^)?">;
def SchedReindexOp : BlockPrimitive<"reindex",
    (ins StrAttr:$buffer, StrAttr:$scope, OptionalAttr<StrAttr>:$proof),
    "`buffer` $buffer `scope` $scope (`proof` $proof^)?">;
def SchedSetScopeOp : BufferPrimitive<"set_scope",
    (ins StrAttr:$scope, OptionalAttr<StrAttr>:$proof), "`scope` $scope (`proof` $proof^)?">;
def SchedTransformBlockLayoutOp : BlockPrimitive<"transform_block_layout",
    (ins StrAttr:$index_map, OptionalAttr<StrAttr>:$proof), "`index_map` $index_map (`proof` $proof^)?">;
def SchedTransformLayoutOp : BufferPrimitive<"transform_layout",
    (ins StrAttr:$index_map, OptionalAttr<StrAttr>:$proof), "`index_map` $index_map (`proof` $proof^)?">;
def SchedStorageAlignOp : BufferPrimitive<"storage_align",
    (ins OptionalAttr<Number>:$axis, OptionalAttr<Number>:$factor, OptionalAttr<Number>:$offset),
    "(`axis` custom<Number>($axis)^)? (`factor` custom<Number>($factor)^)? "
    "(`offset` custom<Number>($offset)^)?">;
def SchedFoldStorageOp : BufferPrimitive<"fold_storage",
    (ins OptionalAttr<Number>:$axis, OptionalAttr<PositiveNumber>:$size, OptionalAttr<StrAttr>:$proof),
    "(`axis` custom<Number>($axis)^)? (`size` custom<Number>($size)^)? (`proof` $proof^)?">;
def SchedRollingBufferOp : BlockPrimitive<"rolling_buffer",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;
def SchedPrefetchOp : LoopPrimitive<"prefetch",
    (ins StrAttr:$buffer, OptionalAttr<PositiveNumber>:$distance),
    "`buffer` $buffer (`distance` custom<Number>($distance)^)?">;
def SchedAtomicOp : BlockPrimitive<"atomic">;
def SchedSyncThreadsOp : TargetPrimitive<"sync_threads",
    (ins OptionalAttr<StrAttr>:$place), "(`place` $place^)?">;
def SchedAnnotateOp : TargetPrimitive<"annotate",
    (ins StrAttr:$key, AnyAttrOf<[StrAttr, BoolAttr, I64Attr]>:$value), "`key` $key `value` $value">;
def SchedRenameOp : TargetPrimitive<"rename", (ins StrAttr:$to), "`to` $to">;
def SchedUnannotateOp : TargetPrimitive<"unannotate", (ins StrAttr:$key), "`key` $key">;
def SchedComputeAtOp : BlockPrimitive<"compute_at",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;
def SchedReverseComputeAtOp : BlockPrimitive<"reverse_compute_at",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;
def SchedReverseComputeInlineOp : BlockPrimitive<"reverse_compute_inline",
    (ins OptionalAttr<StrAttr>:$proof), "(`proof` $proof^)?">;
def SchedSimpleComputeAtOp : BlockPrimitive<"simple_compute_at",
    (ins StrAttr:$loop, OptionalAttr<StrAttr>:$proof), "`loop` $loop (`proof` $proof^)?">;

def SchedSoftwarePipelineOp : LoopPrimitive<"software_pipeline",
    (ins Numbers:$stages, Numbers:$order, OptionalAttr<StrAttr>:$proof),
    "`stages` custom<Numbers>($stages) `order` custom<Numbers>($order) (`proof` $proof^)?">;
def SchedDoubleBufferOp : BlockPrimitive<"double_buffer",
    (ins OptionalAttr<PositiveNumber>:$copies,
         OptionalAttr<StrArrayAttr>:$with, OptionalAttr<StrAttr>:$proof),
    "(`copies` custom<Number>($copies)^)? (`with` $with^)? (`proof` $proof^)?">;
// Sampling of decisions.
def SchedSamplePerfectTileOp : LoopPrimitive<"sample_perfect_tile",
    (ins StrAttr:$as, OptionalAttr<PositiveNumber>:$parts, OptionalAttr<PositiveNumber>:$max_innermost,
         OptionalAttr<Numbers>:$decision, OptionalAttr<Number>:$seed),
    "`as` $as (`parts` custom<Number>($parts)^)? (`max_innermost` custom<Number>($max_innermost)^)? "
    "(`decision` custom<Numbers>($decision)^)? (`seed` custom<Number>($seed)^)?">;
def SchedSampleTileOp : LoopPrimitive<"sample_tile",
    (ins StrAttr:$as, OptionalAttr<PositiveNumber>:$parts, OptionalAttr<PositiveNumber>:$max_innermost,
         OptionalAttr<Numbers>:$decision, OptionalAttr<Number>:$seed),
    "`as` $as (`parts` custom<Number>($parts)^)? (`max_innermost` custom<Number>($max_innermost)^)? "
    "(`decision` custom<Numbers>($decision)^)? (`seed` custom<Number>($seed)^)?">;
def SchedSampleCategoricalOp : PrimitiveOp<"sample_categorical", (ins OptionalAttr<StrAttr>:$as),
    (ins Numbers:$candidates, OptionalAttr<Numbers>:$weights, OptionalAttr<Number>:$decision,
         OptionalAttr<Number>:$seed),
    "`candidates` custom<Numbers>($candidates) (`weights` custom<Numbers>($weights)^)? "
    "(`decision` custom<Number>($decision)^)? (`seed` custom<Number>($seed)^)?">;
def SchedSampleComputeLocationOp : BlockPrimitive<"sample_compute_location",
    (ins StrAttr:$as, OptionalAttr<StrAttr>:$decision, OptionalAttr<Number>:$seed),
    "`as` $as (`decision` $decision^)? (`seed` custom<Number>($seed)^)?">;

def SchedCallOp : SchedOp<"call"> {
  let summary = "applies a schedule from another named sequence";
  let description = [{
    ```mlir
    transform.sched.call @matmul_register_tile in %f with {block = "C", rows = 8}
    ```
    Applies the steps of the named sequence, with values for its parameters:
    all steps, or none. The sequence is in this module, or is
    shipped with the package.
  }];
  let arguments = (ins Root<"a function, or an op that contains it">:$root, FlatSymbolRefAttr:$callee,
                       OptionalAttr<DictionaryAttr>:$values, UnitAttr:$explain);
  let assemblyFormat = "$callee `in` $root (`with` $values^)? attr-dict";
}

def SchedDecideOp : SchedOp<"decide"> {
  let summary = "makes a parameter of the script a decision of a function";
  let description = [{
    ```mlir
    %rows = transform.tune.knob<"rows"> = 8 from options = [4, 8, 16] -> !transform.param<i64>
    transform.sched.decide "rows" in %f = %rows : !transform.param<i64>
    transform.sched.split "C:i" in %f factors "-1, $rows"
    ```
    Later steps use the number as `$rows`. The trace records the step
    `sample_categorical` with this decision; its candidates are the options of
    the knob, or only the number if it is not from a knob.
  }];
  let arguments = (ins Root<"a function, or an op that contains it">:$root, StrAttr:$as,
    Arg<TransformParamTypeInterface, "one integer", [MemRead<HandleMapping>]>:$value, UnitAttr:$explain);
  let assemblyFormat = "$as `in` $root `=` $value attr-dict `:` type($value)";
}

def SchedFunctionOp : SchedOp<"function"> {
  let summary = "selects the function that a schedule applies to";
  let description = [{
    ```mlir
    %f = transform.sched.function @matmul in %module version 1 hash "5b0cf3a1d2e49817"
    ```
    The first op of a trace. `version` is the version of the semantics of the
    primitives. `hash` is the structural hash of the function that the trace was
    made from. A different hash is reported as a remark only, because a trace may
    be meant for other shapes.
  }];
  let arguments = (ins
    Arg<AnyHandle, "a module", [MemRead<HandleMapping>, MemRead<PayloadIR>]>:$root,
    FlatSymbolRefAttr:$function,
    OptionalAttr<I64Attr>:$version,
    OptionalAttr<StrAttr>:$hash);
  let results = (outs
    Res<AnyHandle, "the function", [MemAlloc<HandleMapping>, MemWrite<HandleMapping>]>:$result);
  let assemblyFormat =
      "$function `in` $root (`version` $version^)? (`hash` $hash^)? attr-dict";
}

#endif
