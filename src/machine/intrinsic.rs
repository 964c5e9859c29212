//! Tensor intrinsics: hardware instructions, each described by a loop nest for matching.
//!
//! ```text
//! for %i in 16 { for %k in 4 { c[i] += zext(a[k]) * sext(b[i, k]) } }      is x86.vpdpbusd
//! ```
//! A row has the nest as text, and how the intrinsic is lowered. The nest defines the meaning. A nest of a schedule is
//! one execution of the intrinsic if it equals the description up to the names, kinds and order of its loops, its
//! buffers, and the layout of these (see [`unify`]). The annotation `intrinsic` marks a schedule block as an execution
//! of an intrinsic. The interpreter runs the nest in the block; lowering compares the nest again and emits the
//! instruction.
//!
//! Elements of a description's buffer that differ in the last dimension only are contiguous, also in the schedule's
//! buffer. Strides of the other dimensions are arbitrary.

pub(crate) mod unify;

use crate::dialect::contract::Contract;
use crate::ffi::llvm::TargetMachine;

/// The annotation of a schedule block whose body is an intrinsic.
pub const ANNOTATION: &str = "intrinsic";

/// The attribute of a target-independent op that represents an intrinsic.
pub const STANDS_FOR: &str = "loop.intrinsic";

/// A row of the table.
#[derive(Debug)]
pub struct Intrinsic {
    /// The name, such as `x86.vpdpbusd`.
    pub name: &'static str,
    /// What the instruction computes, in words.
    pub summary: &'static str,
    /// The computation, as function `@description`: one perfect nest that writes the last argument, `c`. Of the factors
    /// `a` and `b` it may have none.
    pub description: &'static str,
    /// How it is lowered.
    pub emitted: Emitted,
    /// The feature that a processor must have; `None` for any processor.
    pub needs: Option<&'static str>,
    /// The strictest contract of a function that allows the way in which the intrinsic rounds and sums values.
    pub contract: Contract,
}

/// How an intrinsic is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emitted {
    /// Products of lanes, widened and summed, in target-independent ops.
    Dot,
    /// `math.fma` on vectors.
    Fma,
    /// An LLVM intrinsic function.
    Llvm {
        /// The name of the function, such as `llvm.x86.avx512.vpdpbusd.512`.
        function: &'static str,
    },
    /// An LLVM intrinsic function of i16; the factors are extended to it with their signs.
    LlvmOfWords {
        /// The name of the function.
        function: &'static str,
    },
    /// Products of tile registers, in ops of the amx dialect, and the LLVM intrinsic function that they become.
    Tile {
        /// The op of the amx dialect.
        product: TileProduct,
        /// The name of the function that it becomes.
        function: &'static str,
    },
    /// A tile register of zeros, `amx.tile_zero`, which becomes [`TILE_ZERO`].
    TileZero,
}

/// The LLVM intrinsic function that clears a tile register.
pub(crate) const TILE_ZERO: &str = "llvm.x86.tilezero.internal";

/// The op of the amx dialect that multiplies two tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileProduct {
    /// `amx.tile_mulf`
    Floats,
    /// `amx.tile_muli`; true for each factor that is unsigned.
    Bytes {
        /// For each of the two factors, whether it is unsigned.
        is_unsigned: [bool; 2],
    },
}

/// Without this feature a fused multiply-add is a function call for each lane.
const FMA: &str = "fma";

/// The description of a product of tiles: 16 x 16 sums of 32 bits, and 16 times as many factors as are in 32 bits.
macro_rules! tile_product {
    ($factor:literal, $depth:literal, $sum:literal, $zero:literal, [$left:literal, $right:literal], $multiply:literal, $add:literal) => {
        concat!(
            "func.func @description(%a: memref<16x16x", $depth, "x", $factor, ">, %b: memref<16x16x", $depth, "x", $factor,
            ">, %c: memref<16x16x", $sum, ">) {
  loop.for serial %i in 16 {
    loop.for serial %j in 16 {
      loop.for serial %k in 16 {
        loop.for serial %l in ", $depth, " {
          loop.block \"dot\" [%vi: spatial 16, %vj: spatial 16, %vk: reduce 16, %vl: reduce ", $depth, "] = (%i, %j, %k, %l)
              reads(%a[%vi : 1, %vk : 1, %vl : 1], %b[%vk : 1, %vj : 1, %vl : 1], %c[%vi : 1, %vj : 1])
              writes(%c[%vi : 1, %vj : 1]) reducer(add, ", $zero, ") {
            %x = memref.load %a[%vi, %vk, %vl] : memref<16x16x", $depth, "x", $factor, ">
            %y = memref.load %b[%vk, %vj, %vl] : memref<16x16x", $depth, "x", $factor, ">
            %left = arith.", $left, " %x : ", $factor, " to ", $sum, "
            %right = arith.", $right, " %y : ", $factor, " to ", $sum, "
            %product = arith.", $multiply, " %left, %right : ", $sum, "
            %old = memref.load %c[%vi, %vj] : memref<16x16x", $sum, ">
            %new = arith.", $add, " %old, %product : ", $sum, "
            memref.store %new, %c[%vi, %vj] : memref<16x16x", $sum, ">
          }
        }
      }
    }
  }
  return
}"
        )
    };
}

/// A product of tiles of bytes.
macro_rules! tile_of_bytes {
    ($left:literal, $right:literal) => {
        tile_product!("i8", "4", "i32", "0", [$left, $right], "muli", "addi")
    };
}

/// The description of a tile of 16 x 16 zeros.
macro_rules! tile_of_zeros {
    ($element:literal, $zero:literal) => {
        concat!(
            "func.func @description(%c: memref<16x16x", $element, ">) {
  loop.for serial %i in 16 {
    loop.for serial %j in 16 {
      loop.block \"zero\" [%vi: spatial 16, %vj: spatial 16] = (%i, %j) writes(%c[%vi : 1, %vj : 1]) {
        %zero = arith.constant ", $zero, " : ", $element, "
        memref.store %zero, %c[%vi, %vj] : memref<16x16x", $element, ">
      }
    }
  }
  return
}"
        )
    };
}

/// All intrinsics.
pub const INTRINSICS: &[Intrinsic] = &[
    Intrinsic {
        name: "dot_4xi8",
        summary: "Adds four products of i8 to an i32, by vector ops that every processor has",
        description: r#"func.func @description(%a: memref<4xi8>, %b: memref<4xi8>, %c: memref<i32>) {
  loop.for serial %k in 4 {
    loop.block "dot" [%vk: reduce 4] = (%k) reads(%a[%vk : 1], %b[%vk : 1], %c[]) writes(%c[]) reducer(add, 0) {
      %x = memref.load %a[%vk] : memref<4xi8>
      %y = memref.load %b[%vk] : memref<4xi8>
      %left = arith.extsi %x : i8 to i32
      %right = arith.extsi %y : i8 to i32
      %product = arith.muli %left, %right : i32
      %old = memref.load %c[] : memref<i32>
      %new = arith.addi %old, %product : i32
      memref.store %new, %c[] : memref<i32>
    }
  }
  return
}"#,
        emitted: Emitted::Dot,
        needs: None,
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.fma_f32x8",
        summary: "Multiplies eight f32 by one f32 and adds the products to eight f32, \
                  rounding each result once",
        description: r#"func.func @description(%a: memref<f32>, %b: memref<8xf32>, %c: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "fma" [%vi: spatial 8] = (%i) reads(%a[], %b[%vi : 1], %c[%vi : 1]) writes(%c[%vi : 1]) {
      %x = memref.load %a[] : memref<f32>
      %y = memref.load %b[%vi] : memref<8xf32>
      %product = arith.mulf %x, %y : f32
      %old = memref.load %c[%vi] : memref<8xf32>
      %new = arith.addf %old, %product : f32
      memref.store %new, %c[%vi] : memref<8xf32>
    }
  }
  return
}"#,
        emitted: Emitted::Fma,
        needs: Some(FMA),
        contract: Contract::Fast,
    },
    Intrinsic {
        name: "x86.fma_f32x16",
        summary: "Multiplies sixteen f32 by one f32 and adds the products to sixteen f32, \
                  rounding each result once",
        description: r#"func.func @description(%a: memref<f32>, %b: memref<16xf32>, %c: memref<16xf32>) {
  loop.for serial %i in 16 {
    loop.block "fma" [%vi: spatial 16] = (%i) reads(%a[], %b[%vi : 1], %c[%vi : 1]) writes(%c[%vi : 1]) {
      %x = memref.load %a[] : memref<f32>
      %y = memref.load %b[%vi] : memref<16xf32>
      %product = arith.mulf %x, %y : f32
      %old = memref.load %c[%vi] : memref<16xf32>
      %new = arith.addf %old, %product : f32
      memref.store %new, %c[%vi] : memref<16xf32>
    }
  }
  return
}"#,
        emitted: Emitted::Fma,
        needs: Some(FMA),
        contract: Contract::Fast,
    },
    Intrinsic {
        name: "x86.vpdpbusd",
        summary: "Adds four products of u8 and i8 to each of sixteen i32",
        description: r#"func.func @description(%a: memref<4xi8>, %b: memref<16x4xi8>, %c: memref<16xi32>) {
  loop.for serial %i in 16 {
    loop.for serial %k in 4 {
      loop.block "dot" [%vi: spatial 16, %vk: reduce 4] = (%i, %k)
          reads(%a[%vk : 1], %b[%vi : 1, %vk : 1], %c[%vi : 1]) writes(%c[%vi : 1]) reducer(add, 0) {
        %x = memref.load %a[%vk] : memref<4xi8>
        %y = memref.load %b[%vi, %vk] : memref<16x4xi8>
        %left = arith.extui %x : i8 to i32
        %right = arith.extsi %y : i8 to i32
        %product = arith.muli %left, %right : i32
        %old = memref.load %c[%vi] : memref<16xi32>
        %new = arith.addi %old, %product : i32
        memref.store %new, %c[%vi] : memref<16xi32>
      }
    }
  }
  return
}"#,
        emitted: Emitted::Llvm { function: "llvm.x86.avx512.vpdpbusd.512" },
        needs: Some("avx512vnni"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.vpdpwssd",
        summary: "Adds two products of i8, extended to i16, to each of sixteen i32",
        description: r#"func.func @description(%a: memref<2xi8>, %b: memref<16x2xi8>, %c: memref<16xi32>) {
  loop.for serial %i in 16 {
    loop.for serial %k in 2 {
      loop.block "dot" [%vi: spatial 16, %vk: reduce 2] = (%i, %k)
          reads(%a[%vk : 1], %b[%vi : 1, %vk : 1], %c[%vi : 1]) writes(%c[%vi : 1]) reducer(add, 0) {
        %x = memref.load %a[%vk] : memref<2xi8>
        %y = memref.load %b[%vi, %vk] : memref<16x2xi8>
        %left = arith.extsi %x : i8 to i32
        %right = arith.extsi %y : i8 to i32
        %product = arith.muli %left, %right : i32
        %old = memref.load %c[%vi] : memref<16xi32>
        %new = arith.addi %old, %product : i32
        memref.store %new, %c[%vi] : memref<16xi32>
      }
    }
  }
  return
}"#,
        emitted: Emitted::LlvmOfWords { function: "llvm.x86.avx512.vpdpwssd.512" },
        needs: Some("avx512vnni"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.vdpbf16ps",
        summary: "Adds two products of bf16 to each of sixteen f32; subnormal numbers count as 0",
        description: r#"func.func @description(%a: memref<2xbf16>, %b: memref<16x2xbf16>, %c: memref<16xf32>) {
  loop.for serial %i in 16 {
    loop.for serial %k in 2 {
      loop.block "dot" [%vi: spatial 16, %vk: reduce 2] = (%i, %k)
          reads(%a[%vk : 1], %b[%vi : 1, %vk : 1], %c[%vi : 1]) writes(%c[%vi : 1]) reducer(add, 0.0) {
        %x = memref.load %a[%vk] : memref<2xbf16>
        %y = memref.load %b[%vi, %vk] : memref<16x2xbf16>
        %left = arith.extf %x : bf16 to f32
        %right = arith.extf %y : bf16 to f32
        %product = arith.mulf %left, %right : f32
        %old = memref.load %c[%vi] : memref<16xf32>
        %new = arith.addf %old, %product : f32
        memref.store %new, %c[%vi] : memref<16xf32>
      }
    }
  }
  return
}"#,
        emitted: Emitted::Llvm { function: "llvm.x86.avx512bf16.dpbf16ps.512" },
        needs: Some("avx512bf16"),
        contract: Contract::Fast,
    },
    Intrinsic {
        name: "x86.tdpbf16ps",
        summary: "Multiplies a tile of 16 x 32 bf16 with one of 32 x 16 and adds the products to 16 x 16 f32; subnormal \
                  numbers count as 0",
        description: tile_product!("bf16", "2", "f32", "0.0", ["extf", "extf"], "mulf", "addf"),
        emitted: Emitted::Tile {
            product: TileProduct::Floats,
            function: "llvm.x86.tdpbf16ps.internal",
        },
        needs: Some("amx-bf16"),
        contract: Contract::Fast,
    },
    Intrinsic {
        name: "x86.tdpbssd",
        summary: "Multiplies a tile of 16 x 64 bytes with one of 64 x 16, of i8, and adds the products to 16 x 16 i32",
        description: tile_of_bytes!("extsi", "extsi"),
        emitted: Emitted::Tile {
            product: TileProduct::Bytes { is_unsigned: [false, false] },
            function: "llvm.x86.tdpbssd.internal",
        },
        needs: Some("amx-int8"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.tdpbsud",
        summary: "Multiplies a tile of 16 x 64 bytes with one of 64 x 16, of i8 and u8, and adds the products to 16 x 16 i32",
        description: tile_of_bytes!("extsi", "extui"),
        emitted: Emitted::Tile {
            product: TileProduct::Bytes { is_unsigned: [false, true] },
            function: "llvm.x86.tdpbsud.internal",
        },
        needs: Some("amx-int8"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.tdpbusd",
        summary: "Multiplies a tile of 16 x 64 bytes with one of 64 x 16, of u8 and i8, and adds the products to 16 x 16 i32",
        description: tile_of_bytes!("extui", "extsi"),
        emitted: Emitted::Tile {
            product: TileProduct::Bytes { is_unsigned: [true, false] },
            function: "llvm.x86.tdpbusd.internal",
        },
        needs: Some("amx-int8"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.tdpbuud",
        summary: "Multiplies a tile of 16 x 64 bytes with one of 64 x 16, of u8, and adds the products to 16 x 16 i32",
        description: tile_of_bytes!("extui", "extui"),
        emitted: Emitted::Tile {
            product: TileProduct::Bytes { is_unsigned: [true, true] },
            function: "llvm.x86.tdpbuud.internal",
        },
        needs: Some("amx-int8"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.tilezero_f32",
        summary: "Writes 16 x 16 f32 zeros from a tile register",
        description: tile_of_zeros!("f32", "0.0"),
        emitted: Emitted::TileZero,
        needs: Some("amx-tile"),
        contract: Contract::Strict,
    },
    Intrinsic {
        name: "x86.tilezero_i32",
        summary: "Writes 16 x 16 i32 zeros from a tile register",
        description: tile_of_zeros!("i32", "0"),
        emitted: Emitted::TileZero,
        needs: Some("amx-tile"),
        contract: Contract::Strict,
    },
];

impl Intrinsic {
    /// The row with a name.
    pub fn of(name: &str) -> Option<&'static Intrinsic> {
        INTRINSICS.iter().find(|intrinsic| intrinsic.name == name)
    }

    /// True if a processor has its instructions.
    pub(super) fn is_in(&self, target: &TargetMachine) -> bool {
        self.needs.is_none_or(|feature| target.has(feature))
    }
}
