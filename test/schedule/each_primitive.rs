//! The trace of each primitive replays.

use super::{
    CHAIN, DYNAMIC, MATMUL, PADDED, PAIR, REDUCTIONS, WINDOW, assert_prints_what_parses, parse,
    replayed, scheduled, text,
};
use loopwright::machine::intrinsic::Intrinsic;
use loopwright::pipeline;
use loopwright::schedule::{Literal, Schedule, ScheduleError};

#[test]
fn the_trace_of_each_primitive_replays() {
    type Steps = fn(&mut Schedule) -> Result<(), ScheduleError>;
    let all: Vec<(&str, Steps)> = vec![
        ("split", |s| s.split("T:i", &[2, -1, 2], None).map(drop)),
        ("fuse", |s| s.fuse(&["T:i", "T:j"]).map(drop)),
        ("reorder", |s| s.reorder(&["T:k", "T:i"])),
        ("unroll", |s| s.unroll("T:k", None).map(drop)),
        ("vectorize", |s| s.vectorize("C:j", Some(4)).map(drop)),
        ("vectorize", |s| s.vectorize("C:j", None).map(drop)),
        ("parallel", |s| s.parallel("C:i")),
        ("bind", |s| s.bind("C:i", "blockIdx.x")),
        ("compute_inline", |s| s.compute_inline("P")),
        ("rfactor", |s| s.rfactor("S:k", Some(-1)).map(drop)),
        ("decompose_reduction", |s| s.decompose_reduction("T", "T:k").map(drop)),
        ("decompose_padding", |s| s.decompose_padding("P", "P:i").map(drop)),
        ("pad_einsum", |s| s.pad_einsum("T", &[4, 1, 3]).map(drop)),
        ("cache_read", |s| {
            s.cache_read(
                "T",
                "arg1",
                "shared",
                &["T"],
                Some("(k, j) -> (j floordiv 2, k, j mod 2)"),
            )
            .map(drop)
        }),
        ("cache_write", |s| s.cache_write("C", "arg2", "local", None).map(drop)),
        ("reindex", |s| s.reindex("T", "arg0", "global").map(drop)),
        ("cache_inplace", |s| {
            s.decompose_reduction("T", "T:k")?;
            s.cache_inplace("T", "T", "global").map(drop)
        }),
        ("set_scope", |s| {
            s.cache_read("T", "arg0", "shared", &[], None)?;
            s.set_scope("arg0_shared_temp_buffer", "local")
        }),
        ("transform_layout", |s| s.transform_layout("T", "(i, j) -> (i floordiv 4, j, i mod 4)")),
        ("storage_align", |s| s.storage_align("T", Some(0), Some(8), Some(1))),
        ("rolling_buffer", |s| s.rolling_buffer("P", "P:i").map(drop)),
        ("fold_storage", |s| {
            s.merge(&["P:i", "Q:i"])?;
            s.fold_storage("P", Some(0), Some(1))
        }),
        ("prefetch", |s| s.prefetch("T:i", "arg0", 3)),
        ("atomic", |s| {
            s.decompose_reduction("S", "S:k")?;
            s.atomic("S")
        }),
        ("sync_threads", |s| s.sync_threads("C:j", Some("after"))),
        ("annotate", |s| {
            s.annotate("C:j", "text", Literal::Text("a \"b\" \\ c".into()))?;
            s.annotate("C", "bool", Literal::Bool(true))?;
            s.annotate("C", "number", Literal::Integer(-3))
        }),
        ("unannotate", |s| {
            s.annotate("C:i", "one", Literal::Bool(false))?;
            s.annotate("C:i", "two", Literal::Integer(i64::MIN))?;
            s.unannotate("C:i", "one")
        }),
        ("rename", |s| {
            s.rename("C:i", "rows")?;
            s.rename("C", "copy")?;
            s.parallel("copy:rows")
        }),
        ("compute_at", |s| s.compute_at("Q", "R:i").map(drop)),
        ("reverse_compute_at", |s| s.reverse_compute_at("C", "T:i").map(drop)),
        ("simple_compute_at", |s| s.assume().simple_compute_at("B", "T:i")),
        ("merge", |s| s.merge(&["P:i", "Q:i"])),
        ("tile", |s| s.tile(&["T:i", "T:j"], &[4, 4], Some("peel")).map(drop)),
        ("reorder_block_iter_var", |s| s.reorder_block_iter_var("C", &[1, 0])),
        ("transform_block_layout", |s| s.transform_block_layout("C", "(i, j) -> (j, i)").map(drop)),
        ("loop_partition", |s| s.loop_partition("T:i", &[1, -1]).map(drop)),
        ("join", |s| {
            s.loop_partition("T:i", &[1, 2, -1])?;
            s.join("T:i.0").map(drop)
        }),
        ("shift", |s| s.shift("T:i", 2, 4)),
        ("unroll_and_jam", |s| s.unroll_and_jam("T:i", 3, None).map(drop)),
        ("specialize", |s| s.specialize("T:i", "dim(arg0, 0) mod 4 == 0", None)),
        ("remove_loop", |s| {
            s.add_unit_loop("C")?;
            s.remove_loop("C:unit")?;
            s.parallel("C:i")
        }),
        ("reorder_statements", |s| {
            s.loop_partition("C:i", &[2, -1])?;
            s.reorder_statements("C.1:i.1", "C:i.0")
        }),
        ("add_unit_loop", |s| s.add_unit_loop("C").map(drop)),
        ("blockize", |s| s.blockize("C:i").map(drop)),
        ("tensorize", |s| s.tensorize("dot:k", "dot_4xi8").map(drop)),
        ("sample_perfect_tile", |s| {
            s.sample_perfect_tile("T:i", "tile", 3, None, &[], Some(7))?;
            s.split("T:i", "$tile", None).map(drop)
        }),
        ("sample_tile", |s| {
            s.sample_tile("T:i", "tile", 3, None, &[], Some(7))?;
            s.split("T:i", "$tile", None).map(drop)
        }),
        ("sample_categorical", |s| {
            s.sample_categorical("width", &[2, 4], &[1, 3], None, None)?;
            s.vectorize("C:j", "$width")?;
            s.split("T:j", "-1, $width", None).map(drop)
        }),
        ("sample_compute_location", |s| {
            s.sample_compute_location("Q", "at", None, Some(1))?;
            s.compute_at("Q", "$at").map(drop)
        }),
        ("fission", |s| {
            s.merge(&["P:i", "Q:i"])?;
            s.fission("Q", None)?;
            s.parallel("Q:i")
        }),
        ("reverse_compute_inline", |s| s.reverse_compute_inline("Q")),
        ("software_pipeline", |s| {
            s.merge(&["P:i", "Q:i"])?;
            s.software_pipeline("P:i", &[0, 1], &[1, 0])
        }),
        ("double_buffer", |s| {
            s.merge(&["P:i", "Q:i"])?;
            s.double_buffer("P", Some(3), &[])
        }),
    ];
    let context = pipeline::context();
    let dot = &Intrinsic::of("dot_4xi8").expect("it is in the table");
    let dot = dot.description.replace("@description", "@main");
    for (name, steps) in all {
        let source = match name {
            "rfactor" | "atomic" => REDUCTIONS.text,
            "compute_inline" | "compute_at" | "sample_compute_location" => CHAIN.text,
            "simple_compute_at" | "specialize" => DYNAMIC.text,
            "rolling_buffer" => WINDOW,
            "fold_storage" | "reverse_compute_inline" | "merge" | "fission" => PAIR,
            "software_pipeline" | "double_buffer" => PAIR,
            "decompose_padding" => PADDED,
            "tensorize" => &dot,
            _ => MATMUL.text,
        };
        let (from_rust, trace) = scheduled(&context, source, steps);
        assert!(trace.contains(&format!("transform.sched.{name} ")), "{trace}");
        assert_ne!(from_rust, text(&parse(&context, source)), "{name} changes something");
        assert_eq!(replayed(&context, source, &trace), from_rust, "{name}");
        assert_prints_what_parses(&context, &from_rust);
    }
}
