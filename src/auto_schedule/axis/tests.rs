//! The examples of the source by their own numbers, a refusal for each rule, and random transformations compared with
//! lists of points.

use super::*;
use crate::ir::affine::Constraint;
use proptest::prelude::*;

fn of(sizes: &[i64]) -> (AxisGraph, Vec<AxisId>) {
    let graph = AxisGraph::new(sizes.iter().map(|size| Expr::Constant(*size)));
    let order = graph.order().to_vec();
    (graph, order)
}

fn tile(
    graph: &mut AxisGraph,
    axis: AxisId,
    inner: i64,
    tail: Option<Tail>,
) -> Result<(AxisId, AxisId), AxisError> {
    graph.split(axis, SplitKind::Tile, inner.into(), tail)
}

fn names(graph: &AxisGraph) -> String {
    graph.names(graph.order())
}

/// `z0` with the repeat `s0` becomes `ceil(s0 / s0I)` times `s0I`.
#[test]
fn a_split_has_the_sizes_names_and_types_of_the_source() {
    for (kind, outer_name, inner_name, types) in [
        (SplitKind::Block, "z0B", "z0b", [AxisType::BlockOuter, AxisType::BlockInner]),
        (SplitKind::Tile, "z0T", "z0t", [AxisType::TileOuter, AxisType::TileInner]),
    ] {
        let mut graph = AxisGraph::new([Expr::Symbol(0)]);
        let z0 = graph.order()[0];
        let (outer, inner) =
            graph.split(z0, kind, Expr::Symbol(1), Some(Tail::Guard)).expect("it is legal");
        assert_eq!(graph.order(), [outer, inner]);
        let [outer_axis, inner_axis] = [outer, inner].map(|axis| graph.axis(axis));
        assert_eq!([&outer_axis.name[..], &inner_axis.name[..]], [outer_name, inner_name]);
        assert_eq!([outer_axis.ty, inner_axis.ty], types);
        assert_eq!(describe_size(&outer_axis.size), "s0 ceildiv s1");
        assert_eq!(describe_size(&inner_axis.size), "s1");
        assert_eq!([&outer_axis.from[..], &inner_axis.from[..]], [[z0], [z0]]);
        assert_eq!([outer_axis.split_pair, inner_axis.split_pair], [Some(inner), Some(outer)]);
        assert_eq!(graph.split_of(z0), Some((outer, inner, Some(Tail::Guard))));
        let after_last = Expr::Symbol(0) - 1.into() - graph.value(z0).expect("it is in the order");
        assert_eq!(graph.conditions(), [Constraint::NonNegative(after_last.simplified())]);
    }
}

#[test]
fn a_symbolic_size_that_the_inner_size_divides_has_no_tail() {
    let mut graph = AxisGraph::new([Expr::Symbol(0) * 32.into()]);
    let z0 = graph.order()[0];
    let (outer, _) = tile(&mut graph, z0, 8, None).expect("8 divides 32 * s0");
    assert_eq!(describe_size(&graph.axis(outer).size), "s0 * 4");
    assert_eq!((graph.split_of(z0).expect("it was split").2, graph.conditions()), (None, vec![]));
}

/// The type is that of the last transformation alone.
#[test]
fn a_merged_axis_names_what_it_is_from() {
    let (mut graph, z) = of(&[4, 6, 5]);
    let (outer, inner) = tile(&mut graph, z[1], 3, None).expect("3 divides 6");
    let merged = graph.merge(&[inner, z[2]], MergeRule::Syntactic).expect("they are contiguous");
    let axis = graph.axis(merged);
    assert_eq!(
        (axis.ty, &axis.from[..], axis.split_pair),
        (AxisType::Merged, &[inner, z[2]][..], None)
    );
    assert_eq!((&axis.name[..], axis.size.clone()), ("z1tz2", 15.into()));
    assert_eq!(graph.order(), [z[0], outer, merged]);
    let (_, last) = tile(&mut graph, merged, 5, None).expect("5 divides 15");
    assert_eq!((&graph.axis(last).name[..], graph.axis(last).ty), ("z1tz2t", AxisType::TileInner));
}

#[test]
fn axes_that_follow_each_other_are_contiguous() {
    let (mut graph, z) = of(&[2, 3, 4, 5]);
    graph.merge(&z[1..], MergeRule::Syntactic).expect("[z1, z2, z3] are");
    assert_eq!(names(&graph), "[z0, z1z2z3]");
}

#[test]
fn halves_of_neighbours_are_contiguous() {
    let (mut graph, z) = of(&[2, 6, 4, 5]);
    let (_, inner) = tile(&mut graph, z[1], 3, None).expect("3 divides 6");
    let (outer, _) = tile(&mut graph, z[2], 2, None).expect("2 divides 4");
    assert_eq!(names(&graph), "[z0, z1T, z1t, z2T, z2t, z3]");
    graph.merge(&[inner, outer], MergeRule::Syntactic).expect("[z1t, z2T] are");
}

#[test]
fn reordered_axes_are_contiguous_in_their_new_order() {
    let (mut graph, z) = of(&[2, 3, 4, 5]);
    graph.reorder(&[z[0], z[2], z[1], z[3]]).expect("all are named");
    graph.merge(&[z[0], z[2]], MergeRule::Syntactic).expect("[z0, z2] are");
}

#[test]
fn reordered_halves_are_not_contiguous() {
    let (mut graph, z) = of(&[2, 6, 4, 5]);
    let (outer, inner) = tile(&mut graph, z[1], 3, None).expect("3 divides 6");
    graph.reorder(&[z[0], outer, z[2], inner, z[3]]).expect("all are named");
    assert_eq!(names(&graph), "[z0, z1T, z2, z1t, z3]");
    for pair in [[z[2], inner], [inner, z[3]], [outer, z[2]]] {
        let error = graph.merge(&pair, MergeRule::Syntactic).expect_err("it is not contiguous");
        assert!(error.to_string().starts_with("(A7)"), "{error}");
    }
    graph.merge(&[z[0], outer], MergeRule::Syntactic).expect("[z0, z1T] are");
    // z0 has the stride 120 elements, z1T 60 and 2 values.
    assert_eq!(names(&graph), "[z0z1T, z2, z1t, z3]");
}

#[test]
fn strides_prove_what_the_order_does_not_show() {
    let (mut graph, z) = of(&[6, 1, 5]);
    let (outer, inner) = tile(&mut graph, z[0], 3, None).expect("3 divides 6");
    graph.reorder(&[outer, z[1], inner, z[2]]).expect("all are named");
    let refused = graph.merge(&[inner, z[2]], MergeRule::Syntactic);
    assert_eq!(
        refused.expect_err("z1 stood between them").to_string(),
        "(A7) 'z0t' and 'z2' are not contiguous: after the last split the order was [z0T, z0t, z1, z2], where 'z2' does \
         not follow 'z0t'"
    );
    graph.merge(&[inner, z[2]], MergeRule::Proved).expect("z1 has one value");
    let (mut graph, z) = of(&[6, 2, 5]);
    let (outer, inner) = tile(&mut graph, z[0], 3, None).expect("3 divides 6");
    graph.reorder(&[outer, z[1], inner, z[2]]).expect("all are named");
    let refused = graph.merge(&[inner, z[2]], MergeRule::Proved).expect_err("z1 has two values");
    let why = "; and 'z0t' of size 3 has stride 10, 'z2' of size 5 has stride 1";
    assert!(refused.to_string().ends_with(why), "{refused}");
    graph.merge(&[z[1], inner], MergeRule::Unordered).expect("the caller knows that it may be");
}

/// Each error once, with the rule that it states.
#[test]
fn each_rule_is_refused() {
    let graph = || of(&[6, 4, 5]);
    let refused = |rule: &str, error: AxisError, graph: &AxisGraph, before: &AxisGraph| {
        assert!(error.to_string().starts_with(&format!("({rule})")), "{error}");
        assert_eq!(graph, before, "an error leaves the graph as it was");
    };
    let check = |rule: &str, attempt: &dyn Fn(&mut AxisGraph, &[AxisId]) -> AxisError| {
        let (mut graph, z) = graph();
        let before = graph.clone();
        refused(rule, attempt(&mut graph, &z), &graph, &before);
    };
    let (mut split, z) = graph();
    tile(&mut split, z[0], 2, None).expect("2 divides 6");
    let before = split.clone();
    refused("A1", tile(&mut split, z[0], 2, None).expect_err("split"), &split, &before);
    check("A1", &|graph, z| {
        graph.merge(&[z[0], z[0]], MergeRule::Syntactic).expect_err("named twice")
    });
    check("A2", &|graph, z| tile(graph, z[0], 0, None).expect_err("no size"));
    check("A2", &|graph, z| {
        graph.split(z[0], SplitKind::Tile, Expr::Dim(0), None).expect_err("no size")
    });
    let (mut block, z) = graph();
    block.split(z[0], SplitKind::Block, 2.into(), None).expect("2 divides 6");
    let before = block.clone();
    let error = block.split(z[1], SplitKind::Block, 2.into(), None).expect_err("the second");
    refused("A3", error, &block, &before);
    check("A4", &|graph, z| tile(graph, z[0], 4, None).expect_err("4 does not divide 6"));
    check("A4", &|graph, z| {
        tile(graph, z[0], 4, Some(Tail::ShiftInwards)).expect_err("iterations run twice")
    });
    check("A5", &|graph, z| tile(graph, z[0], 7, Some(Tail::Peel)).expect_err("7 is more than 6"));
    check("A6", &|graph, z| graph.merge(&z[..1], MergeRule::Syntactic).expect_err("one axis"));
    check("A6", &|graph, z| {
        graph.merge(&[z[0], z[2]], MergeRule::Syntactic).expect_err("z1 is between them")
    });
    check("A8", &|graph, z| graph.reorder(&z[1..]).expect_err("z0 is missing"));
    let (mut large, z) = of(&[i64::MAX, 2]);
    let before = large.clone();
    let error = large.merge(&z, MergeRule::Syntactic).expect_err("it does not fit an index");
    refused("A9", error, &large, &before);
    let error = tile(&mut large, z[0], 1 << 40, Some(Tail::Guard)).expect_err("it does not fit");
    refused("A9", error, &large, &before);
    let (mut inside, z) = graph();
    let (_, inner) = tile(&mut inside, z[0], 3, None).expect("3 divides 6");
    let before = inside.clone();
    let error = tile(&mut inside, inner, 2, Some(Tail::Pad)).expect_err("the next tile is hit");
    refused("A10", error, &inside, &before);
}

/// What a random transformation may do; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Attempt {
    Split { place: usize, inner: i64, tail: usize, is_block: bool },
    Merge { place: usize, count: usize, rule: usize },
    Reorder { from: usize, to: usize },
}

fn attempt() -> impl Strategy<Value = Attempt> {
    prop_oneof![
        (0usize..8, 1i64..6, 0usize..4, any::<bool>()).prop_map(
            |(place, inner, tail, is_block)| Attempt::Split { place, inner, tail, is_block }
        ),
        (0usize..8, 2usize..4, 0usize..3).prop_map(|(place, count, rule)| Attempt::Merge {
            place,
            count,
            rule
        }),
        (0usize..8, 0usize..8).prop_map(|(from, to)| Attempt::Reorder { from, to }),
    ]
}

/// A point of the original axes that is computed, and its coordinates on the axes of the order.
type Point = (Vec<i64>, Vec<i64>);

/// Carries out an attempt on the graph and, if it is legal, on the list of points, each by its own means.
fn carry_out(graph: &mut AxisGraph, points: &mut Vec<Point>, attempt: &Attempt) {
    let order = graph.order().to_vec();
    let size = |graph: &AxisGraph, axis: AxisId| {
        graph.axis(axis).size.constant().expect("all sizes are numbers")
    };
    match attempt {
        Attempt::Split { place, inner, tail, is_block } => {
            let place = place % order.len();
            let tail = [None, Some(Tail::Guard), Some(Tail::Peel), Some(Tail::Pad)][*tail];
            let kind = if *is_block { SplitKind::Block } else { SplitKind::Tile };
            let Ok((_, _)) = graph.split(order[place], kind, (*inner).into(), tail) else { return };
            if tail == Some(Tail::Peel) {
                let tiles = size(graph, order[place]) / inner;
                points.retain(|(_, at)| at[place] < tiles * inner);
            }
            for (_, at) in points {
                let value = at[place];
                at.splice(place..=place, [value / inner, value % inner]);
            }
        }
        Attempt::Merge { place, count, rule } => {
            let place = place % order.len();
            let Some(axes) = order.get(place..place + count) else { return };
            let rule = [MergeRule::Syntactic, MergeRule::Proved, MergeRule::Unordered][*rule];
            let is_syntactic = graph.clone().merge(axes, MergeRule::Syntactic).is_ok();
            let Ok(merged) = graph.merge(axes, rule) else { return };
            let sizes: Vec<i64> = axes.iter().map(|axis| size(graph, *axis)).collect();
            for (_, at) in points {
                let values = at[place..place + count].iter().zip(&sizes);
                let value = values.fold(0, |all, (value, size)| all * size + value);
                at.splice(place..place + count, [value]);
            }
            if rule == MergeRule::Proved && !is_syntactic {
                check_stride(graph, merged);
            }
        }
        Attempt::Reorder { from, to } => {
            let (from, to) = (from % order.len(), to % order.len());
            let mut order = order;
            let moved = order.remove(from);
            order.insert(to, moved);
            graph.reorder(&order).expect("all are named");
            for (_, at) in points {
                let moved = at.remove(from);
                at.insert(to, moved);
            }
        }
    }
}

/// All points of a box.
fn points_of(sizes: &[i64]) -> Vec<Vec<i64>> {
    sizes.iter().fold(vec![vec![]], |points, size| {
        let longer = |point: Vec<i64>| (0..*size).map(move |value| [&point[..], &[value]].concat());
        points.into_iter().flat_map(longer).collect()
    })
}

fn sizes_of(graph: &AxisGraph, axes: &[AxisId]) -> Vec<i64> {
    axes.iter().map(|axis| graph.axis(*axis).size.constant().expect("a number")).collect()
}

fn originals(graph: &AxisGraph) -> Vec<AxisId> {
    let originals = graph.axes().filter(|(_, axis)| axis.ty == AxisType::Original);
    originals.map(|(id, _)| id).collect()
}

fn original_values(graph: &AxisGraph, at: &[i64]) -> Vec<i64> {
    let value = |axis: AxisId| {
        graph.value(axis).expect("peeled points are not in the order").evaluate(at, &[])
    };
    originals(graph).into_iter().map(|axis| value(axis).expect("it fits")).collect()
}

/// The row-major index over the original axes is a multiple of the axis plus what does not depend on it.
fn check_stride(graph: &AxisGraph, axis: AxisId) {
    let stride = graph.stride(axis).and_then(|stride| stride.constant()).expect("it was proved");
    let place = graph.order().iter().position(|other| *other == axis).expect("just merged");
    let all = sizes_of(graph, &originals(graph));
    let index = |at: &[i64]| {
        let values = original_values(graph, at);
        values.iter().zip(&all).fold(0, |index, (value, size)| index * size + value)
    };
    for at in points_of(&sizes_of(graph, graph.order())) {
        let mut at_zero = at.clone();
        at_zero[place] = 0;
        assert_eq!(index(&at) - index(&at_zero), stride * at[place], "{graph:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// The loops of the order, with their conditions, run each point once, and the values of the original axes are its
    /// coordinates.
    #[test]
    fn transformations_give_the_points_that_lists_of_points_give(
        sizes in proptest::collection::vec(1i64..6, 1..4),
        attempts in proptest::collection::vec(attempt(), 1..7),
    ) {
        let (mut graph, _) = of(&sizes);
        let mut points: Vec<Point> =
            points_of(&sizes).into_iter().map(|point| (point.clone(), point)).collect();
        for attempt in &attempts {
            carry_out(&mut graph, &mut points, attempt);
        }
        let conditions = graph.conditions();
        let runs = |at: &Vec<i64>| {
            conditions.iter().all(|it| it.expr().evaluate(at, &[]).expect("it fits") >= 0)
        };
        // What `pad` adds is outside of the original axes.
        let is_inside = |values: &[i64]| values.iter().zip(&sizes).all(|(value, size)| value < size);
        let mut found: Vec<Point> = points_of(&sizes_of(&graph, graph.order()))
            .into_iter()
            .filter(runs)
            .map(|at| (original_values(&graph, &at), at))
            .filter(|(values, _)| is_inside(values))
            .collect();
        found.sort();
        points.sort();
        prop_assert_eq!(found, points, "{:?}", graph);
    }
}
