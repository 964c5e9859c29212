//! The axes of nests after random steps: they give the bindings and conditions of the block, and the steps again.

use super::{function, parse, passed};
use loopwright::auto_schedule::axis::AxisId;
use loopwright::auto_schedule::axis::nest::NestAxes;
use loopwright::dialect::loop_enums::LoopKind;
use loopwright::ir::affine::Constraint;
use loopwright::nest::summary::{Loop, NodeId, NodeKind, Summary};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

const SOURCE: &str = include_str!("Inputs/matmul.mlir");
const SEEDS: u64 = 400;

/// One random step; those that are refused change nothing.
fn step(schedule: &mut Schedule, random: &mut StdRng) {
    let mut loops = loopwright::schedule::query::loops(schedule.summary(), "C").expect("the block");
    let one = loops.choose(random).expect("there are loops").clone();
    let is_parallel = schedule
        .summary()
        .nodes
        .values()
        .any(|node| matches!(&node.kind, NodeKind::Loop(it) if it.kind == LoopKind::Parallel));
    let _ = match random.random_range(0..10) {
        0..4 => schedule.split(&one, &[-1, random.random_range(1..6)], None).map(drop),
        4..6 => {
            let at = random.random_range(0..loops.len());
            let pair: Vec<&str> = loops.iter().skip(at).take(2).map(String::as_str).collect();
            schedule.fuse(&pair).map(drop)
        }
        6..8 => {
            loops.shuffle(random);
            schedule.reorder(&loops.iter().map(String::as_str).collect::<Vec<_>>())
        }
        8 if !is_parallel => schedule.parallel(&one),
        _ => schedule.unroll(&one, None).map(drop),
    };
}

fn nest_axes(summary: &Summary) -> Result<NestAxes, String> {
    let nest = summary.nodes[NodeId::FUNCTION].children[0];
    NestAxes::of(summary, nest).map_err(|why| why.to_string())
}

/// The extents and kinds of the loops of more than one iteration, outermost first.
fn loops(summary: &Summary) -> Vec<(i64, LoopKind)> {
    let (leaf, _) = summary.blocks().next().expect("there is a block");
    let loops = summary.loops_around(leaf).filter_map(|node| summary.as_loop(node));
    let one = |it: &Loop| (it.constant_extent().expect("a constant extent"), it.kind);
    let mut loops: Vec<(i64, LoopKind)> = loops.map(one).filter(|it| it.0 > 1).collect();
    loops.reverse();
    loops
}

/// Compares with the bindings and the predicate of the block, at each iteration of its loops.
fn check_bindings(summary: &Summary, axes: &NestAxes) {
    let (leaf, block) = summary.blocks().next().expect("there is a block");
    let loops: Vec<NodeId> = summary.loops_around(leaf).collect();
    let extent = |node: &NodeId| {
        summary.as_loop(*node).and_then(|it| it.constant_extent()).expect("a constant extent")
    };
    let mut points = vec![vec![]];
    for node in &loops {
        let longer = |point: &Vec<i64>| {
            (0..extent(node)).map(|value| [&point[..], &[value]].concat()).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
    }
    let originals: Vec<AxisId> =
        axes.graph.axes().take(axes.originals.len()).map(|(id, _)| id).collect();
    for point in points {
        let mut variables = vec![0; summary.variables.len()];
        for (node, value) in loops.iter().zip(&point) {
            variables[summary.as_loop(*node).expect("a loop").variable.index()] = *value;
        }
        // An axis without a loop has one value.
        let value = |axis: &AxisId| {
            let node = axes.loops.iter().find(|(_, of)| of == axis).map(|(node, _)| *node);
            node.map_or(0, |node| point[loops.iter().position(|it| *it == node).expect("around")])
        };
        let at: Vec<i64> = axes.graph.order().iter().map(value).collect();
        for (axis, original) in originals.iter().zip(&axes.originals) {
            let iter = block
                .iters
                .iter()
                .position(|iter| original.name == format!("C:{}", iter.name))
                .expect("it is an iter");
            let expected = block.binding[iter].evaluate(&variables, &[]).expect("it fits");
            let found = axes.graph.value(*axis).expect("it is in the order").evaluate(&at, &[]);
            assert_eq!(found, Some(expected), "{} at {point:?}: {axes:?}", original.name);
        }
        let holds = |all: &[Constraint], values: &[i64]| {
            all.iter().all(|it| it.expr().evaluate(values, &[]).expect("it fits") >= 0)
        };
        let runs = holds(&block.predicate, &variables);
        assert_eq!(holds(&axes.graph.conditions(), &at), runs, "at {point:?}: {axes:?}");
    }
}

#[test]
fn axes_give_the_bindings_and_the_steps_of_random_schedules() {
    let context = pipeline::context();
    let mut with_axes = 0;
    for seed in 0..SEEDS {
        let mut random = StdRng::seed_from_u64(seed);
        let module = parse(&context, SOURCE);
        let mut schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
        for _ in 0..random.random_range(1..9) {
            step(&mut schedule, &mut random);
        }
        let axes = match nest_axes(schedule.summary()) {
            Ok(axes) => axes,
            Err(why) => {
                // Axes that are no neighbours were merged; a tile is larger than its axis; the remainder of a merged
                // axis was simplified, so that it is one of another number.
                let known = ["(A7)", "of which", "no condition excludes", "do not make it up"];
                assert!(known.iter().any(|it| why.contains(it)), "seed {seed}: {why}");
                continue;
            }
        };
        with_axes += 1;
        check_bindings(schedule.summary(), &axes);
        let loops_before = loops(schedule.summary());
        drop(schedule);
        let before = super::text(&module);
        let after = passed(&context, &before, "builtin.module(func.func(loop-axes-to-schedule))");
        let module = parse(&context, &after);
        let schedule = Schedule::new(function(&module, "main")).expect("a function of loops");
        let again = nest_axes(schedule.summary()).expect("it has axes");
        assert_eq!(again.graph, axes.graph, "seed {seed}:\n{before}\n{after}");
        assert_eq!(loops(schedule.summary()), loops_before, "seed {seed}:\n{before}\n{after}");
        check_bindings(schedule.summary(), &again);
        super::assert_same_results(&context, &NEST, &after, &format!("seed {seed}"));
    }
    println!("{with_axes} of {SEEDS} nests have axes");
    assert!(with_axes > SEEDS / 2, "{with_axes} of {SEEDS} nests have axes");
}

const NEST: super::Nest = super::Nest {
    name: "axes",
    text: SOURCE,
    cases: &[&[&[10, 4], &[4, 6], &[10, 6]]],
    integers: &[],
};
