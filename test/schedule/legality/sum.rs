//! Families of reductions, alone and with preceding or following nests.

use super::pair::nest;
use super::{argument, combine, intermediate, over, pick, shifted, spatial, text};
use crate::nest::{Block, Nest, Reduction, Tree};
use rand::Rng;
use rand::rngs::StdRng;

/// `B[i] += A[i, k, l]`, over two loops, in any order.
pub fn planes(rng: &mut StdRng) -> Nest {
    let (reduction, element) = combine(rng);
    let block = Block {
        name: "R",
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into()), ("reduce", "3".into())],
        binding: text(&["i", "k", "l"]),
        loads: vec![("A", text(&["v0", "v1", "v2"]))],
        store: ("B", text(&["v0"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let loops: [(&'static str, &str); 3] = match rng.random_range(0..4) {
        0 => [("k", "N1"), ("i", "N0"), ("l", "3")],
        1 => [("i", "N0"), ("l", "3"), ("k", "N1")],
        _ => [("i", "N0"), ("k", "N1"), ("l", "3")],
    };
    let mut buffers = vec![argument("A", 3), argument("B", 1)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 2, buffers, trees: vec![nest(&loops, block)] }
}

/// `B[i] += A[i, k]` over a split loop, with a predicate or whole tiles.
pub fn parts(rng: &mut StdRng) -> Nest {
    let (reduction, element) = combine(rng);
    let is_whole = rng.random_bool(0.5);
    let width = if is_whole { "2" } else { pick(rng, &["2", "3"]) };
    let place = format!("p * {width} + q");
    let domain = if is_whole { format!("N1 * {width}") } else { "N1".into() };
    let outer = if is_whole { "N1".into() } else { format!("N1 ceildiv {width}") };
    let block = Block {
        name: "R",
        iters: vec![("spatial", "N0".into()), ("reduce", domain)],
        binding: vec!["i".into(), place.clone()],
        predicate: (!is_whole).then(|| format!("N1 - 1 - ({place}) >= 0")),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("B", text(&["v0"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let mut buffers = vec![argument("A", 2), argument("B", 1)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    let loops = [("i", "N0"), ("p", &*outer), ("q", width)];
    Nest { sizes: 2, buffers, trees: vec![nest(&loops, block)] }
}

/// The largest element of each row and its first index; in some, two adjacent elements are equal.
pub fn place_of_largest(rng: &mut StdRng) -> Nest {
    let loops = match rng.random_bool(0.25) {
        true => [("k", "N1"), ("i", "N0")],
        false => [("i", "N0"), ("k", "N1")],
    };
    let block = Block {
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into())],
        binding: text(&["i", "k"]),
        ..largest(rng)
    };
    with_places(rng, nest(&loops, block))
}

/// The same over a split loop, with a predicate or whole tiles.
pub fn place_in_parts(rng: &mut StdRng) -> Nest {
    let is_whole = rng.random_bool(0.5);
    let width = if is_whole { "2" } else { pick(rng, &["2", "3"]) };
    // If the parts are visited in reverse order, the first one does not have the least index; nor does it give the
    // start value.
    let is_forward = rng.random_bool(0.8);
    let place = match is_forward {
        true => format!("p * {width} + q"),
        false => format!("p * {width} + {width} - 1 - q"),
    };
    let largest = largest(rng);
    let has_init = largest.reduction.is_some_and(|r| r.has_init && is_forward);
    let domain = if is_whole { format!("N1 * {width}") } else { "N1".into() };
    let outer = if is_whole { "N1".into() } else { format!("N1 ceildiv {width}") };
    let loops = match rng.random_range(0..4) {
        0 => [("i", "N0"), ("q", width), ("p", &*outer)],
        1 => [("p", &*outer), ("i", "N0"), ("q", width)],
        _ => [("i", "N0"), ("p", &*outer), ("q", width)],
    };
    let block = Block {
        iters: vec![("spatial", "N0".into()), ("reduce", domain)],
        binding: vec!["i".into(), place.clone()],
        predicate: (!is_whole).then(|| format!("N1 - 1 - ({place}) >= 0")),
        reduction: Some(Reduction { combiner: "argmax", has_init }),
        ..largest
    };
    with_places(rng, nest(&loops, block))
}

fn largest(rng: &mut StdRng) -> Block {
    let indices = [&["v0", "v1"], &["v0", "v1 floordiv 2"]][rng.random_range(0..2)];
    Block {
        name: "R",
        loads: vec![("A", text(indices))],
        store: ("V", text(&["v0"])),
        reduction: Some(Reduction { combiner: "argmax", has_init: rng.random_bool(0.8) }),
        keeps_place: Some("I"),
        nowhere: pick(rng, &["0", "-1", "7"]).parse().expect("a number"),
        ..Block::default()
    }
}

fn with_places(rng: &mut StdRng, tree: Tree) -> Nest {
    let mut buffers = vec![argument("A", 2), argument("V", 1), argument("I", 1)];
    let element = pick(rng, &["f32", "i32"]);
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    buffers[2].element = "i64";
    Nest { sizes: 2, buffers, trees: vec![tree] }
}

/// `S[i] += A[i, k]`, and then `C[i, j] = S[i], A[i, j]` or `C[i] = S[i]`.
pub fn used(rng: &mut StdRng) -> Nest {
    let (mut reduction, element) = combine(rng);
    reduction.has_init = true;
    let block = Block {
        name: "S",
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into())],
        binding: text(&["i", "k"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("S", text(&["v0"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let first = match rng.random_bool(0.2) {
        true => nest(&[("k", "N1"), ("i", "N0")], block),
        false => nest(&[("i", "N0"), ("k", "N1")], block),
    };
    let is_flat = rng.random_bool(0.5);
    let second = match is_flat {
        true => Block {
            name: "C",
            iters: spatial(&["N0"]),
            binding: text(&["p"]),
            loads: vec![("S", text(&["v0"])), ("D", text(&["v0"]))],
            store: ("C", text(&["v0"])),
            ..Block::default()
        },
        false => Block {
            name: "C",
            iters: spatial(&["N0", "N1"]),
            binding: text(&["p", "q"]),
            loads: vec![("S", text(&["v0"])), ("A", text(&["v0", "v1"]))],
            // In place: the summed rows are overwritten.
            store: (if rng.random_bool(0.3) { "A" } else { "C" }, text(&["v0", "v1"])),
            ..Block::default()
        },
    };
    let second = match is_flat {
        true => nest(&[("p", "N0")], second),
        false => nest(&[("p", "N0"), ("q", "N1")], second),
    };
    let mut buffers = vec![
        argument("A", 2),
        intermediate("S", &["N0"]),
        argument("C", if is_flat { 1 } else { 2 }),
        argument("D", 1),
    ];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 2, buffers, trees: vec![first, second] }
}

/// `B[i] = 3`, `B[i] += A[i, k]` without initial values, `C[i] = B[i]`.
pub fn cleared(rng: &mut StdRng) -> Nest {
    let (mut reduction, element) = combine(rng);
    reduction.has_init = false;
    let clear = Block {
        name: "Z",
        iters: spatial(&["N0"]),
        binding: text(&["z"]),
        store: ("B", text(&["v0"])),
        ..Block::default()
    };
    let add = Block {
        name: "R",
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into())],
        binding: text(&["i", "k"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("B", text(&["v0"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let end = Block {
        name: "C",
        iters: spatial(&["N0"]),
        binding: text(&["p"]),
        loads: vec![("B", text(&["v0"]))],
        store: ("C", text(&["v0"])),
        ..Block::default()
    };
    let mut trees = vec![nest(&[("z", "N0")], clear), nest(&[("i", "N0"), ("k", "N1")], add)];
    if rng.random_bool(0.6) {
        trees.push(nest(&[("p", "N0")], end));
    }
    let middle = if rng.random_bool(0.5) { argument("B", 1) } else { intermediate("B", &["N0"]) };
    let mut buffers = vec![argument("A", 2), middle, argument("C", 1)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 2, buffers, trees }
}

/// For each `i`: `C[i] = B[i + a]`, `B[i] += A[i, k]`, `D[i] = B[i + b]`, one or both of the readers.
pub fn among(rng: &mut StdRng) -> Nest {
    let (mut reduction, element) = combine(rng);
    reduction.has_init = true;
    let reader = |name: &'static str, to: &'static str, by: i64| {
        Tree::Block(Block {
            name,
            iters: spatial(&["N0"]),
            binding: text(&["i"]),
            loads: vec![("B", vec![shifted("v0", by)])],
            store: (to, text(&["v0"])),
            ..Block::default()
        })
    };
    let add = Block {
        name: "R",
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into())],
        binding: text(&["i", "k"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("B", text(&["v0"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let mut body = vec![nest(&[("k", "N1")], add)];
    if rng.random_bool(0.6) {
        body.insert(0, reader("C", "C", rng.random_range(0..2)));
    }
    if rng.random_bool(0.6) {
        body.push(reader("D", "D", rng.random_range(0..2)));
    }
    let mut buffers = vec![argument("A", 2), argument("B", 1), argument("C", 1), argument("D", 1)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 2, buffers, trees: vec![over("i", "N0", body)] }
}

/// `C[i, j] += A[i, k] * B[k, j]`, where an index may be replaced by another one, and a block that uses the result.
pub fn products(rng: &mut StdRng) -> Nest {
    let (mut reduction, element) = combine(rng);
    if rng.random_bool(0.7) {
        reduction = Reduction { combiner: "add", has_init: true };
    }
    let second: &[&str] = match rng.random_range(0..8) {
        0 => &["v0", "v1"],
        1 => &["v1", "v2"],
        _ => &["v2", "v1"],
    };
    let is_shifted = rng.random_bool(0.1);
    let block = Block {
        name: "M",
        iters: vec![("spatial", "N0".into()), ("spatial", "N1".into()), ("reduce", "N2".into())],
        binding: text(&["i", "j", "k"]),
        loads: vec![
            ("A", vec!["v0".into(), shifted("v2", i64::from(is_shifted))]),
            ("B", text(second)),
        ],
        store: ("C", text(if rng.random_bool(0.3) { &["v1", "v0"] } else { &["v0", "v1"] })),
        is_product: true,
        reduction: Some(reduction),
        ..Block::default()
    };
    let loops: [(&'static str, &str); 3] = match rng.random_range(0..3) {
        0 => [("k", "N2"), ("i", "N0"), ("j", "N1")],
        _ => [("i", "N0"), ("j", "N1"), ("k", "N2")],
    };
    let mut buffers = vec![argument("A", 2), argument("B", 2), argument("C", 2)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    let mut trees = vec![nest(&loops, block)];
    if rng.random_bool(0.3) {
        let after = Block {
            name: "E",
            iters: spatial(&["N0", "N1"]),
            binding: text(&["p", "q"]),
            loads: vec![("A", text(&["v0", "v1"]))],
            store: ("A", text(&["v0", "v1"])),
            ..Block::default()
        };
        trees.push(nest(&[("p", "N0"), ("q", "N1")], after));
    }
    Nest { sizes: 3, buffers, trees }
}

/// `C[i] += A[i, p, q] * B[p, q]` of bytes; `q` is mostly the innermost loop, with four iterations.
pub fn bytes(rng: &mut StdRng) -> Nest {
    let width = pick(rng, &["4", "4", "4", "3"]);
    let block = Block {
        name: "R",
        iters: vec![("spatial", "N0".into()), ("reduce", "N1".into()), ("reduce", width.into())],
        binding: text(&["i", "p", "q"]),
        loads: vec![("A", text(&["v0", "v1", "v2"])), ("B", text(&["v1", "v2"]))],
        store: ("C", text(&["v0"])),
        is_dot: true,
        reduction: Some(Reduction { combiner: "add", has_init: rng.random_bool(0.1) }),
        ..Block::default()
    };
    let loops: [(&'static str, &str); 3] = match rng.random_range(0..5) {
        0 => [("i", "N0"), ("q", width), ("p", "N1")],
        1 => [("p", "N1"), ("i", "N0"), ("q", width)],
        _ => [("i", "N0"), ("p", "N1"), ("q", width)],
    };
    let mut buffers = vec![argument("A", 3), argument("B", 2), argument("C", 1)];
    buffers[..2].iter_mut().for_each(|buffer| buffer.element = "i8");
    Nest { sizes: 2, buffers, trees: vec![nest(&loops, block)] }
}
