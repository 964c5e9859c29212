//! Families of random nests: common ones, and ones whose legality is easily misjudged.

#[path = "pair.rs"]
mod pair;
#[path = "sum.rs"]
mod sum;

use crate::nest::{Block, Buffer, Nest, Reduction, Tree};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// A property that a primitive needs of a nest; without it, there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    /// A schedule block that reads an intermediate buffer, which another block writes.
    Producer,
    /// Such a reader that reads several adjacent elements.
    Window,
    /// Schedule blocks in separate nests.
    Nests,
    /// Several statements in one loop.
    Statements,
    /// Several statements, and a buffer between them that each iteration refills.
    Stages,
    Reduction,
    /// A schedule block that reads only in a part of its domain.
    Padding,
    /// Sums of products of four bytes.
    Dot,
    /// Sums of products of elements that iters index directly.
    Einsum,
}

/// A family: its name, the properties of all its nests, and a function that draws one.
pub struct Family {
    pub name: &'static str,
    pub has: &'static [Has],
    pub make: fn(&mut StdRng) -> Nest,
}

const fn plain(name: &'static str, make: fn(&mut StdRng) -> Nest) -> Family {
    Family { name, has: &[], make }
}

const fn pair(name: &'static str, make: fn(&mut StdRng) -> Nest) -> Family {
    Family { name, has: &[Has::Producer, Has::Nests], make }
}

const fn sum(name: &'static str, make: fn(&mut StdRng) -> Nest) -> Family {
    Family { name, has: &[Has::Reduction], make }
}

pub const FAMILIES: &[Family] = &[
    plain("elementwise", elementwise),
    plain("stencil", stencil),
    plain("stencil in time", stencil_in_time),
    plain("plane", plane),
    plain("transpose in place", transpose_in_place),
    pair("chain", chain),
    plain("one nest", one_nest),
    plain("rows", rows),
    sum("reduction", reduction),
    sum("matmul", matmul),
    plain("diagonal", diagonal),
    plain("strides", strides),
    plain("guarded", guarded),
    plain("triangle", triangle),
    plain("tiles", tiles),
    plain("backwards", backwards),
    plain("repeated", repeated),
    pair("pointwise", pair::pointwise),
    Family { name: "window", has: &[Has::Producer, Has::Nests, Has::Window], make: pair::window },
    pair("broadcast", pair::broadcast),
    pair("stages", pair::stages),
    pair("overwritten", pair::overwritten),
    Family { name: "padded", has: &[Has::Padding], make: pair::padded },
    Family { name: "siblings", has: &[Has::Nests], make: pair::siblings },
    Family { name: "together", has: &[Has::Statements], make: pair::together },
    Family {
        name: "filled in each iteration",
        has: &[Has::Statements, Has::Stages],
        make: pair::filled,
    },
    sum("planes summed", sum::planes),
    sum("parts summed", sum::parts),
    sum("place of the largest", sum::place_of_largest),
    sum("place of the largest in parts", sum::place_in_parts),
    Family {
        name: "rows summed and used",
        has: &[Has::Producer, Has::Nests, Has::Reduction],
        make: sum::used,
    },
    sum("summed among readers", sum::among),
    Family { name: "products summed", has: &[Has::Einsum], make: sum::products },
    Family { name: "bytes summed", has: &[Has::Dot], make: sum::bytes },
    Family { name: "cleared and summed", has: &[Has::Nests, Has::Reduction], make: sum::cleared },
];

/// A random family; with `has`, one with that property.
pub fn draw(rng: &mut StdRng, has: Option<Has>) -> &'static Family {
    let fits = |family: &&Family| has.is_none_or(|has| family.has.contains(&has));
    let families: Vec<&Family> = FAMILIES.iter().filter(fits).collect();
    families[rng.random_range(0..families.len())]
}

fn text(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn pick<'a>(rng: &mut StdRng, items: &[&'a str]) -> &'a str {
    items.choose(rng).copied().unwrap_or_default()
}

fn argument(name: &'static str, rank: usize) -> Buffer {
    Buffer { name, element: "i32", rank, dims: None }
}

fn intermediate(name: &'static str, dims: &[&str]) -> Buffer {
    Buffer { name, element: "i32", rank: dims.len(), dims: Some(text(dims)) }
}

fn over(name: &'static str, extent: &str, body: Vec<Tree>) -> Tree {
    Tree::Loop { name, extent: extent.to_owned(), body }
}

/// `v0 + 1`, or `v0` itself.
fn shifted(iter: &str, by: i64) -> String {
    if by == 0 { iter.to_owned() } else { format!("{iter} + {by}") }
}

fn spatial(domains: &[&str]) -> Vec<(&'static str, String)> {
    domains.iter().map(|domain| ("spatial", (*domain).to_owned())).collect()
}

/// `C = A, B` in two or three loops, with some indices shifted or permuted.
fn elementwise(rng: &mut StdRng) -> Nest {
    let at = text(two_iters(rng));
    let from = vec![shifted("v0", rng.random_range(0..3)), "v1".into()];
    let block = Block {
        name: "C",
        iters: spatial(&["N0", "N1"]),
        binding: text(&["i", "j"]),
        loads: vec![("A", from), ("B", text(two_iters(rng)))],
        store: ("C", at),
        adds_iters: rng.random_bool(0.3),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![over("j", "N1", vec![Tree::Block(block)])]);
    let buffers = vec![argument("A", 2), argument("B", 2), argument("C", 2)];
    Nest { sizes: 2, buffers, trees: vec![nest] }
}

fn two_iters(rng: &mut StdRng) -> &'static [&'static str] {
    if rng.random_bool(0.5) { &["v0", "v1"] } else { &["v1", "v0"] }
}

/// `A[i + a] = A[i + b], A[i + c]`.
fn stencil(rng: &mut StdRng) -> Nest {
    let mut at = || vec![shifted("v0", rng.random_range(0..3))];
    let (store, first, second) = (at(), at(), at());
    let mut loads = vec![("A", first)];
    if rng.random_bool(0.4) {
        loads.push(("A", second));
    }
    let block = Block {
        name: "S",
        iters: spatial(&["N0"]),
        binding: text(&["i"]),
        loads,
        store: ("A", store),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![Tree::Block(block)]);
    Nest { sizes: 1, buffers: vec![argument("A", 1)], trees: vec![nest] }
}

/// `A[i + a] = A[i + b], A[i + c]`, several times.
fn stencil_in_time(rng: &mut StdRng) -> Nest {
    let mut nest = stencil(rng);
    let Tree::Loop { name, extent, body } = nest.trees.remove(0) else { return nest };
    let extent = extent.replace("N0", "N1");
    let mut body = body;
    if let [Tree::Block(block)] = &mut body[..] {
        block.iters = vec![("opaque", "N0".into()), ("spatial", "N1".into())];
        block.binding = text(&["t", "i"]);
        block.store.1 = block.store.1.iter().map(|e| e.replace("v0", "v1")).collect();
        for (_, indices) in &mut block.loads {
            *indices = indices.iter().map(|e| e.replace("v0", "v1")).collect();
        }
        if rng.random_bool(0.3) {
            block.iters[0].0 = "spatial";
        }
    }
    nest.trees = vec![over("t", "N0", vec![Tree::Loop { name, extent, body }])];
    nest.sizes = 2;
    nest
}

/// `A[i + a, j + b] = A[i + c, j + d]`.
fn plane(rng: &mut StdRng) -> Nest {
    let mut at = |most: i64| {
        vec![shifted("v0", rng.random_range(0..=most)), shifted("v1", rng.random_range(0..=most))]
    };
    let (store, first, second) = (at(1), at(2), at(1));
    let mut loads = vec![("A", first)];
    if rng.random_bool(0.4) {
        loads.push(("A", second));
    }
    let block = Block {
        name: "P",
        iters: spatial(&["N0", "N1"]),
        binding: text(&["i", "j"]),
        loads,
        store: ("A", store),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![over("j", "N1", vec![Tree::Block(block)])]);
    Nest { sizes: 2, buffers: vec![argument("A", 2)], trees: vec![nest] }
}

/// `A[j, i] = A[i, j]`, or of a triangle only.
fn transpose_in_place(rng: &mut StdRng) -> Nest {
    let extent = pick(rng, &["N1", "i", "i + 1"]);
    let block = Block {
        name: "X",
        iters: spatial(&["N0", if extent == "N1" { "N1" } else { "N0" }]),
        binding: text(&["i", "j"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("A", text(&["v1", "v0"])),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![over("j", extent, vec![Tree::Block(block)])]);
    Nest { sizes: 2, buffers: vec![argument("A", 2)], trees: vec![nest] }
}

/// `T = A`, `C = T`, each in its own nest.
fn chain(rng: &mut StdRng) -> Nest {
    let reads = two_iters(rng);
    let is_transposed = reads[0] == "v1";
    let shift = if is_transposed { 0 } else { rng.random_range(0..2) };
    let first = Block {
        name: "T",
        iters: spatial(&["N0 + 1", "N1"]),
        binding: text(&["i", "j"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("T", text(&["v0", "v1"])),
        adds_iters: rng.random_bool(0.3),
        ..Block::default()
    };
    let (outer, inner) = if is_transposed { ("N1", "N0") } else { ("N0", "N1") };
    let second = Block {
        name: "C",
        iters: spatial(&[outer, inner]),
        binding: text(&["k", "l"]),
        loads: vec![
            ("T", vec![shifted(reads[0], shift), reads[1].to_owned()]),
            ("A", text(&["v0", "v1"])),
        ],
        store: ("C", text(&["v0", "v1"])),
        ..Block::default()
    };
    let trees = vec![
        over("i", "N0 + 1", vec![over("j", "N1", vec![Tree::Block(first)])]),
        over("k", outer, vec![over("l", inner, vec![Tree::Block(second)])]),
    ];
    let buffers = vec![argument("A", 2), intermediate("T", &["N0 + 1", "N1"]), argument("C", 2)];
    Nest { sizes: 2, buffers, trees }
}

/// Producer and consumer in one loop: `T[i + a] = A`, `C[i] = T[i + b]`.
fn one_nest(rng: &mut StdRng) -> Nest {
    let (a, b) = (rng.random_range(0..3), rng.random_range(0..3));
    let producer = Block {
        name: "T",
        iters: spatial(&["N0"]),
        binding: text(&["i"]),
        loads: vec![("A", text(&["v0"]))],
        store: ("B", vec![shifted("v0", a)]),
        ..Block::default()
    };
    let consumer = Block {
        name: "C",
        iters: spatial(&["N0"]),
        binding: text(&["i"]),
        loads: vec![("B", vec![shifted("v0", b)])],
        store: ("C", text(&["v0"])),
        ..Block::default()
    };
    let mut body = vec![Tree::Block(producer), Tree::Block(consumer)];
    if rng.random_bool(0.3) {
        body.reverse();
    }
    let buffers = vec![argument("A", 1), argument("B", 1), argument("C", 1)];
    Nest { sizes: 1, buffers, trees: vec![over("i", "N0", body)] }
}

/// `B[i] = A`, then a row of `C[i, j] = B[i], C[i, j + a]`, then `D[i] = C[i + b, 0]`: an imperfect nest.
fn rows(rng: &mut StdRng) -> Nest {
    let row = Block {
        name: "B",
        iters: spatial(&["N0"]),
        binding: text(&["i"]),
        loads: vec![("A", text(&["v0"]))],
        store: ("B", text(&["v0"])),
        ..Block::default()
    };
    let cells = Block {
        name: "C",
        iters: spatial(&["N0", "N1"]),
        binding: text(&["i", "j"]),
        loads: vec![
            ("B", vec![shifted("v0", rng.random_range(0..2))]),
            ("C", vec!["v0".into(), shifted("v1", rng.random_range(0..2))]),
        ],
        store: ("C", text(&["v0", "v1"])),
        ..Block::default()
    };
    let mut body = vec![Tree::Block(row), over("j", "N1", vec![Tree::Block(cells)])];
    if rng.random_bool(0.3) {
        body.push(Tree::Block(Block {
            name: "D",
            iters: spatial(&["N0"]),
            binding: text(&["i"]),
            loads: vec![("C", vec![shifted("v0", rng.random_range(0..2)), "v0".into()])],
            store: ("D", text(&["v0"])),
            ..Block::default()
        }));
    }
    let buffers = vec![argument("A", 1), argument("B", 1), argument("C", 2), argument("D", 1)];
    Nest { sizes: 2, buffers, trees: vec![over("i", "N0", body)] }
}

/// How a reduction combines, and the type of its values.
fn combine(rng: &mut StdRng) -> (Reduction, &'static str) {
    let combiner = pick(rng, &["add", "add", "add", "mul", "max", "ordered"]);
    let element = if rng.random_bool(0.3) { "f32" } else { "i32" };
    (Reduction { combiner, has_init: rng.random_bool(0.6) }, element)
}

/// `B[i] += A[i, k]`, over one or two loops.
fn reduction(rng: &mut StdRng) -> Nest {
    let (reduction, element) = combine(rng);
    let is_whole = rng.random_bool(0.25);
    let block = Block {
        name: "R",
        iters: vec![
            (if is_whole { "reduce" } else { "spatial" }, "N0".into()),
            ("reduce", "N1".into()),
        ],
        binding: text(&["i", "k"]),
        loads: vec![("A", text(&["v0", "v1"]))],
        store: ("B", text(&[if is_whole { "2" } else { "v0" }])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let body = vec![Tree::Block(block)];
    let nest = match rng.random_bool(0.3) {
        true => over("k", "N1", vec![over("i", "N0", body)]),
        false => over("i", "N0", vec![over("k", "N1", body)]),
    };
    let mut buffers = vec![argument("A", 2), argument("B", 1)];
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 2, buffers, trees: vec![nest] }
}

/// `C[i, j] += A[i, k] * 3 - B[k, j]`, with nests before or after it.
fn matmul(rng: &mut StdRng) -> Nest {
    let (reduction, element) = combine(rng);
    let block = Block {
        name: "M",
        iters: vec![("spatial", "N0".into()), ("spatial", "N1".into()), ("reduce", "N2".into())],
        binding: text(&["i", "j", "k"]),
        loads: vec![("A", text(&["v0", "v2"])), ("B", text(&["v2", "v1"]))],
        store: ("C", text(&["v0", "v1"])),
        reduction: Some(reduction),
        ..Block::default()
    };
    let nest =
        over("i", "N0", vec![over("j", "N1", vec![over("k", "N2", vec![Tree::Block(block)])])]);
    let mut buffers = vec![argument("A", 2), argument("B", 2), argument("C", 2)];
    let mut trees = vec![nest];
    if rng.random_bool(0.4) {
        let after = Block {
            name: "E",
            iters: spatial(&["N0", "N1"]),
            binding: text(&["p", "q"]),
            loads: vec![("C", text(&["v0", "v1"]))],
            store: ("D", text(&["v0", "v1"])),
            ..Block::default()
        };
        trees.push(over("p", "N0", vec![over("q", "N1", vec![Tree::Block(after)])]));
        buffers.push(argument("D", 2));
    }
    buffers.iter_mut().for_each(|buffer| buffer.element = element);
    Nest { sizes: 3, buffers, trees }
}

/// `B[i + j] = A`, or a function of itself.
fn diagonal(rng: &mut StdRng) -> Nest {
    let at = pick(rng, &["v0 + v1", "v0 + v1 + 1", "v0 * 2 + v1", "v0 - v1 + 6"]);
    let mut loads = vec![("A", text(&["v0", "v1"]))];
    match rng.random_range(0..3) {
        0 => loads.push(("B", text(&[at]))),
        1 => loads.push(("B", text(&["v0 + v1"]))),
        _ => {}
    }
    let reduction = Reduction { combiner: "add", has_init: false };
    let block = Block {
        name: "D",
        iters: spatial(&["N0", "N1"]),
        binding: text(&["i", "j"]),
        loads,
        store: ("B", text(&[at])),
        adds_iters: rng.random_bool(0.5),
        reduction: rng.random_bool(0.2).then_some(reduction),
        ..Block::default()
    };
    let mut block = block;
    if block.reduction.is_some() {
        block.iters.iter_mut().for_each(|iter| iter.0 = "reduce");
        block.loads.truncate(1);
    }
    let nest = over("i", "N0", vec![over("j", "N1", vec![Tree::Block(block)])]);
    let mut buffers = vec![argument("A", 2), argument("B", 1)];
    buffers[1].rank = 1;
    Nest { sizes: 2, buffers, trees: vec![nest] }
}

/// `A[2 i + a] = A[2 i + b]`: elements of different parity are disjoint.
fn strides(rng: &mut StdRng) -> Nest {
    let mut at = || match rng.random_range(0..4) {
        0 => "v0 * 2".to_owned(),
        1 => "v0".to_owned(),
        n => format!("v0 * 2 + {}", n - 1),
    };
    let (store, load) = (vec![at()], vec![at()]);
    let block = Block {
        name: "K",
        iters: spatial(&["N0"]),
        binding: text(&["i"]),
        loads: vec![("A", load)],
        store: ("A", store),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![Tree::Block(block)]);
    Nest { sizes: 1, buffers: vec![argument("A", 1)], trees: vec![nest] }
}

/// Stores in a `loop.if`, blocks in a `loop.if`, predicates.
fn guarded(rng: &mut StdRng) -> Nest {
    let condition = pick(rng, &["v0 - 1 >= 0", "v0 - v1 >= 0", "v1 - 2 >= 0", "v0 - v1 == 0"]);
    let mut block = Block {
        name: "G",
        iters: spatial(&["N0", "N1"]),
        binding: text(&["i", "j"]),
        loads: vec![("A", text(&[pick(rng, &["v0", "v0 + 1"]), "v1"]))],
        store: (pick(rng, &["A", "B"]), text(&["v0", "v1"])),
        ..Block::default()
    };
    let outside = condition.replace("v0", "i").replace("v1", "j");
    let mut body = vec![];
    match rng.random_range(0..4) {
        0 => block.guard = Some(condition.to_owned()),
        1 => block.predicate = Some(outside),
        n => {
            let mut other = block.clone();
            other.name = "H";
            other.store.1 = text(&[pick(rng, &["v0", "v0 + 1"]), "v1"]);
            let then = vec![Tree::Block(block.clone())];
            let otherwise = if n == 2 { vec![] } else { vec![Tree::Block(other)] };
            body = vec![Tree::If { condition: outside, then, otherwise }];
        }
    }
    if body.is_empty() {
        body.push(Tree::Block(block));
    }
    let nest = over("i", "N0", vec![over("j", "N1", body)]);
    Nest { sizes: 2, buffers: vec![argument("A", 2), argument("B", 2)], trees: vec![nest] }
}

/// `A[i, j] = A[j + a, i]` for `j < i + b`.
fn triangle(rng: &mut StdRng) -> Nest {
    let block = Block {
        name: "L",
        iters: spatial(&["N0", "N0 + 1"]),
        binding: text(&["i", "j"]),
        loads: vec![("A", vec![shifted("v1", rng.random_range(0..2)), "v0".into()])],
        store: (pick(rng, &["A", "B"]), text(&["v0", "v1"])),
        ..Block::default()
    };
    let extent = pick(rng, &["i + 1", "i", "N0 - i"]);
    let nest = over("i", "N0", vec![over("j", extent, vec![Tree::Block(block)])]);
    Nest { sizes: 1, buffers: vec![argument("A", 2), argument("B", 2)], trees: vec![nest] }
}

/// A split loop: `A[i * 2 + j]` with a predicate.
fn tiles(rng: &mut StdRng) -> Nest {
    let place = "i * 2 + j";
    let block = Block {
        name: "W",
        iters: spatial(&["N0", "N1"]),
        binding: text(&[place, "k"]),
        predicate: Some(format!("N0 - 1 - ({place}) >= 0")),
        loads: vec![(
            pick(rng, &["A", "B"]),
            vec![shifted("v0", rng.random_range(0..2)), "v1".into()],
        )],
        store: ("B", text(&["v0", "v1"])),
        ..Block::default()
    };
    let inner = over("j", "2", vec![over("k", "N1", vec![Tree::Block(block)])]);
    let nest = over("i", "N0 ceildiv 2", vec![inner]);
    Nest { sizes: 2, buffers: vec![argument("A", 2), argument("B", 2)], trees: vec![nest] }
}

/// `A[i] = A[n - 1 - i]`, with a reversed binding or not.
fn backwards(rng: &mut StdRng) -> Nest {
    let block = Block {
        name: "Z",
        iters: spatial(&["N0"]),
        binding: text(&[pick(rng, &["i", "N0 - 1 - i"])]),
        loads: vec![("A", text(&[pick(rng, &["v0", "v0 + 1", "N0 - 1 - v0", "N0 + 1 - v0"])]))],
        store: ("A", text(&[pick(rng, &["v0", "N0 + v0", "N0 - 1 - v0"])])),
        ..Block::default()
    };
    let nest = over("i", "N0", vec![Tree::Block(block)]);
    Nest { sizes: 1, buffers: vec![argument("A", 1)], trees: vec![nest] }
}

/// A loop that no iter is bound to: it repeats the same instances.
fn repeated(rng: &mut StdRng) -> Nest {
    let block = Block {
        name: "Q",
        iters: spatial(&["N1"]),
        binding: text(&[pick(rng, &["i", "(i + t) mod 6"])]),
        loads: vec![(pick(rng, &["A", "B"]), text(&["v0"]))],
        store: ("B", text(&["v0"])),
        ..Block::default()
    };
    let mut block = block;
    if block.binding[0] != "i" {
        block.iters[0].1 = "6".into();
    }
    let nest = over("t", "N0", vec![over("i", "N1", vec![Tree::Block(block)])]);
    Nest { sizes: 2, buffers: vec![argument("A", 1), argument("B", 1)], trees: vec![nest] }
}
