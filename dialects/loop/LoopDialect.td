//===- LoopDialect.td - the dialect, its enums and attributes -------------===//
#ifndef LOOPWRIGHT_LOOP_DIALECT_TD
#define LOOPWRIGHT_LOOP_DIALECT_TD
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"

def Loop_Dialect : Dialect {
  let name = "loop";
  let cppNamespace = "::loopwright::loop";
  let summary = "loop nests made of schedule blocks";
  let description = [{
    A function in this dialect is a sequence of loop nests over buffers. Between
    the function and a schedule block are only `loop.for`, `loop.if`,
    `loop.sync` and other schedule blocks; all arithmetic is inside the blocks.

    Loops run from 0 with step 1. A schedule block has one statement instance for
    each point of its own iteration domain. Loops only determine the order of the
    instances, and the unit that each runs on.

    Argument attributes of a function:
    - `loop.name = "A"`: the name of the buffer (default: `arg<i>`).
    - `loop.result`: the argument receives a result. If its dynamic dimensions
      follow from other arguments, the attribute is a dictionary
      `{shape = affine_map<()[s0] -> (s0, 10)>, from = [array<i64: 0, 1>]}`:
      symbol i is dimension `from[i][1]` of argument `from[i][0]`, or the
      argument itself if `from[i]` has one element.

    Attributes of a function:
    - `loop.requires = affine_set<()[s0, s1, s2] : (s1 - s2 == 0)>`: conditions on
      its sizes, which each executor checks before it runs the function. Symbol i is
      size i: the index arguments and the dynamic dimensions of the memref arguments,
      in order.
    - `loop.requires_if = [[#given, #set], ..]`: likewise, but each second set must
      hold only for calls that meet the first.
    - `loop.fp`: the floating-point contract.
    - `loop.axes`: its schedule blocks state their axes, by an attribute of this name.
  }];
  let hasRegionArgAttrVerify = 1;
  let hasNonDefaultDestructor = 1;
  let extraClassDeclaration = [{
    /// The slot of the context for an object of Rust: see src/ffi/attached.rs.
    void *rustSlot = nullptr;
  }];
}

// I32EnumAttr with its default specialised attribute: a bare keyword in the
// text and a plain i32 attribute for Rust. src/dialect/loop_enums.rs has the same
// values.

def Loop_Kind : I32EnumAttr<"LoopKind", "how the iterations of a loop execute", [
    I32EnumAttrCase<"Serial", 0, "serial">,
    I32EnumAttrCase<"Parallel", 1, "parallel">,
    I32EnumAttrCase<"Vectorize", 2, "vectorize">,
    I32EnumAttrCase<"Unroll", 3, "unroll">,
    I32EnumAttrCase<"ThreadBind", 4, "thread_bind">]> {
  let cppNamespace = "::loopwright::loop";
}

def Loop_Thread : I32EnumAttr<"ThreadAxis", "hardware axis of a bound loop", [
    I32EnumAttrCase<"BlockX", 0, "blockIdx.x">,
    I32EnumAttrCase<"BlockY", 1, "blockIdx.y">,
    I32EnumAttrCase<"BlockZ", 2, "blockIdx.z">,
    I32EnumAttrCase<"ThreadX", 3, "threadIdx.x">,
    I32EnumAttrCase<"ThreadY", 4, "threadIdx.y">,
    I32EnumAttrCase<"ThreadZ", 5, "threadIdx.z">,
    I32EnumAttrCase<"VThread", 6, "vthread">]> {
  let cppNamespace = "::loopwright::loop";
}

// The last transformation that created a loop (the ImplGraph axis model, and the tail of a split).
def Loop_AxisType : I32EnumAttr<"AxisType", "origin of a loop", [
    I32EnumAttrCase<"Original", 0, "original">,
    I32EnumAttrCase<"BlockOuter", 1, "block_outer">,
    I32EnumAttrCase<"BlockInner", 2, "block_inner">,
    I32EnumAttrCase<"TileOuter", 3, "tile_outer">,
    I32EnumAttrCase<"TileInner", 4, "tile_inner">,
    I32EnumAttrCase<"Merged", 5, "merged">,
    I32EnumAttrCase<"Tail", 6, "tail">]> {
  let cppNamespace = "::loopwright::loop";
}

def Loop_Role : I32EnumAttr<"IterRole", "role of a block iter", [
    I32EnumAttrCase<"Spatial", 0, "spatial">,
    I32EnumAttrCase<"Reduce", 1, "reduce">,
    I32EnumAttrCase<"Opaque", 2, "opaque">]> {
  let cppNamespace = "::loopwright::loop";
}

def Loop_Scope : I32EnumAttr<"Scope", "which threads share a buffer", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">]> {
  let cppNamespace = "::loopwright::loop";
}

// `ordered` is no combiner: the iterations run in order, there is no identity,
// and nothing may be reassociated. `argmax` and `argmin` have two values, the
// extreme value and its index. `welford` has three: the mean of the values so
// far, the sum of the squared differences from it, and their number.
def Loop_Combiner : I32EnumAttr<"Combiner", "how a reduction combines two values", [
    I32EnumAttrCase<"Ordered", 0, "ordered">,
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">,
    I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Min", 4, "min">,
    I32EnumAttrCase<"MaxNum", 5, "maxnum">,
    I32EnumAttrCase<"MinNum", 6, "minnum">,
    I32EnumAttrCase<"MaxU", 7, "maxu">,
    I32EnumAttrCase<"MinU", 8, "minu">,
    I32EnumAttrCase<"And", 9, "and">,
    I32EnumAttrCase<"Or", 10, "or">,
    I32EnumAttrCase<"Xor", 11, "xor">,
    I32EnumAttrCase<"ArgMax", 12, "argmax">,
    I32EnumAttrCase<"ArgMin", 13, "argmin">,
    I32EnumAttrCase<"Welford", 14, "welford">]> {
  let cppNamespace = "::loopwright::loop";
}

#endif
