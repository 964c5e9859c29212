//! Families of producers and their readers, in separate nests.

use super::{argument, intermediate, over, pick, shifted, spatial, text};
use crate::nest::{Block, Buffer, Nest, Tree};
use rand::Rng;
use rand::rngs::StdRng;

/// A block in its own nest, outermost loop first.
pub(super) fn nest(loops: &[(&'static str, &str)], block: Block) -> Tree {
    let inner = Tree::Block(block);
    loops.iter().rev().fold(inner, |body, (name, extent)| over(name, extent, vec![body]))
}

/// A block of spatial iters, each bound to a loop: `store = loads`.
fn map(
    name: &'static str,
    loops: &[(&'static str, &str)],
    loads: Vec<(&'static str, Vec<String>)>,
    store: (&'static str, &[&str]),
) -> Tree {
    nest(loops, mapping(name, loops, loads, store))
}

/// The same block without its loops.
fn mapping(
    name: &'static str,
    loops: &[(&'static str, &str)],
    loads: Vec<(&'static str, Vec<String>)>,
    store: (&'static str, &[&str]),
) -> Block {
    let domains: Vec<&str> = loops.iter().map(|(_, extent)| *extent).collect();
    let names: Vec<&str> = loops.iter().map(|(name, _)| *name).collect();
    Block {
        name,
        iters: spatial(&domains),
        binding: text(&names),
        loads,
        store: (store.0, text(store.1)),
        ..Block::default()
    }
}

fn at(indices: &[&str]) -> Vec<String> {
    text(indices)
}

/// `T = A, B` and `C = T`, element by element or transposed, with or without an added row.
pub fn pointwise(rng: &mut StdRng) -> Nest {
    let is_transposed = rng.random_bool(0.25);
    let (rows, columns) = if is_transposed { ("N1", "N0") } else { ("N0", "N1") };
    let read: &[&str] = if is_transposed { &["v1", "v0"] } else { &["v0", "v1"] };
    let first = [("i", rows), ("j", columns)];
    let second = match rng.random_bool(0.2) {
        true => [("l", "N1"), ("k", "N0")],
        false => [("k", "N0"), ("l", "N1")],
    };
    let mut loads = vec![("A", at(&["v0", "v1"]))];
    if rng.random_bool(0.5) {
        loads.push(("B", at(&[pick(rng, &["v0", "v1"])])));
    }
    let producer = map("T", &first, loads, ("T", &["v0", "v1"]));
    let mut consumer = map("C", &second, vec![("T", at(read))], ("C", &["v0", "v1"]));
    let block = innermost(&mut consumer);
    block.iters = spatial(&["N0", "N1"]);
    block.binding = text(&["k", "l"]);
    if rng.random_bool(0.3) {
        block.loads.push(("B", at(&["v1"])));
    }
    if rng.random_bool(0.2) {
        block.store.1 = at(&["v1", "v0"]);
    }
    // In place: the producer's input is overwritten.
    if rng.random_bool(0.25) {
        block.store.0 = "A";
    }
    let buffers = vec![
        argument("A", 2),
        argument("B", 1),
        intermediate("T", &[rows, columns]),
        argument("C", 2),
    ];
    Nest { sizes: 2, buffers, trees: vec![producer, consumer] }
}

fn innermost(tree: &mut Tree) -> &mut Block {
    match tree {
        Tree::Block(block) => block,
        Tree::Loop { body, .. } | Tree::If { then: body, .. } => innermost(&mut body[0]),
    }
}

/// `T = A` and `C = T[i], T[i + w]`, in one dimension or two.
pub fn window(rng: &mut StdRng) -> Nest {
    let width = rng.random_range(1..3);
    let rows = ["N0 + 1", "N0 + 2"][width - 1];
    let further = shifted("v0", width as i64);
    let (store, to) = match rng.random_bool(0.25) {
        true => ("A", shifted("v0", rng.random_range(0..3))),
        false => ("C", "v0".into()),
    };
    if rng.random_bool(0.5) {
        let producer = map("T", &[("i", rows)], vec![("A", at(&["v0"]))], ("T", &["v0"]));
        let loads = vec![("T", at(&["v0"])), ("T", vec![further])];
        let consumer = map("C", &[("k", "N0")], loads, (store, &[&to]));
        let buffers = vec![argument("A", 1), intermediate("T", &[rows]), argument("C", 1)];
        return Nest { sizes: 1, buffers, trees: vec![producer, consumer] };
    }
    let loads = vec![("A", at(&["v0", "v1"]))];
    let producer = map("T", &[("i", rows), ("j", "N1")], loads, ("T", &["v0", "v1"]));
    let loads = vec![("T", at(&["v0", "v1"])), ("T", vec![further, "v1".into()])];
    let consumer = map("C", &[("k", "N0"), ("l", "N1")], loads, (store, &[&to, "v1"]));
    let buffers = vec![argument("A", 2), intermediate("T", &[rows, "N1"]), argument("C", 2)];
    Nest { sizes: 2, buffers, trees: vec![producer, consumer] }
}

/// `T[i] = A[i]` and `C[i, j] = T[i], B[i, j]`, or by columns.
pub fn broadcast(rng: &mut StdRng) -> Nest {
    let (along, extent) = if rng.random_bool(0.7) { ("v0", "N0") } else { ("v1", "N1") };
    let producer = map("T", &[("i", extent)], vec![("A", at(&["v0"]))], ("T", &["v0"]));
    let loads = vec![("T", at(&[along])), ("B", at(&["v0", "v1"]))];
    let consumer = map("C", &[("k", "N0"), ("l", "N1")], loads, ("C", &["v0", "v1"]));
    let buffers =
        vec![argument("A", 1), argument("B", 2), intermediate("T", &[extent]), argument("C", 2)];
    Nest { sizes: 2, buffers, trees: vec![producer, consumer] }
}

/// `T = A`, `U = T`, `C = U`, and `T` or `A` again.
pub fn stages(rng: &mut StdRng) -> Nest {
    let first = map("T", &[("i", "N0")], vec![("A", at(&["v0"]))], ("T", &["v0"]));
    let second = map("U", &[("j", "N0")], vec![("T", at(&["v0"]))], ("U", &["v0"]));
    let mut loads = vec![("U", at(&["v0"]))];
    match rng.random_range(0..3) {
        0 => loads.push(("T", at(&["v0"]))),
        1 => loads.push(("A", at(&["v0"]))),
        _ => {}
    }
    let third = map("C", &[("k", "N0")], loads, (pick(rng, &["C", "C", "A"]), &["v0"]));
    let buffers = vec![
        argument("A", 1),
        intermediate("T", &["N0"]),
        intermediate("U", &["N0"]),
        argument("C", 1),
    ];
    Nest { sizes: 1, buffers, trees: vec![first, second, third] }
}

/// `T = A`, then something is written to `A` or elsewhere, then `C = T`.
pub fn overwritten(rng: &mut StdRng) -> Nest {
    let first = map("T", &[("i", "N0")], vec![("A", at(&["v0"]))], ("T", &["v0"]));
    // It reads `B`, because a value computed from `T` alone could equal the overwritten value of `A`.
    let mut loads = vec![("B", at(&["v0"]))];
    if rng.random_bool(0.5) {
        loads.push(("T", at(&["v0"])));
    }
    let to = shifted("v0", rng.random_range(0..2));
    let between = map("W", &[("j", "N0")], loads, (pick(rng, &["A", "D"]), &[&to]));
    let last = map("C", &[("k", "N0")], vec![("T", at(&["v0"]))], ("C", &["v0"]));
    let mut buffers = vec![intermediate("T", &["N0"])];
    buffers.extend(["A", "B", "C", "D"].map(|name| argument(name, 1)));
    Nest { sizes: 1, buffers, trees: vec![first, between, last] }
}

/// `B = A` and `C = A`, independent, or one reads the other's result.
pub fn siblings(rng: &mut StdRng) -> Nest {
    let flat = rng.random_bool(0.4);
    let own: &[&str] = if flat { &["v0"] } else { &["v0", "v1"] };
    let loops = |first, second| -> Vec<(&'static str, &str)> {
        if flat { vec![(first, "N0")] } else { vec![(first, "N0"), (second, "N1")] }
    };
    let mut other = at(own);
    other[0] = shifted("v0", rng.random_range(0..2));
    if !flat && rng.random_bool(0.2) {
        other.reverse();
    }
    let from = pick(rng, &["A", "A", "B"]);
    let to = if rng.random_bool(0.2) { "A" } else { "C" };
    let first = map("B", &loops("i", "j"), vec![("A", at(own))], ("B", own));
    let second = map("C", &loops("k", "l"), vec![(from, other)], (to, own));
    let rank = own.len();
    let buffers: Vec<Buffer> = ["A", "B", "C"].map(|name| argument(name, rank)).into();
    Nest { sizes: rank, buffers, trees: vec![first, second] }
}

/// `B = A` and `C = B, A` in one loop, each with or without an inner loop. The second may read what the first
/// writes later, or write what it reads.
pub fn together(rng: &mut StdRng) -> Nest {
    let flat = rng.random_bool(0.5);
    let own: &[&str] = if flat { &["v0"] } else { &["v0", "v1"] };
    let loops = |inner| -> Vec<(&'static str, &str)> {
        if flat { vec![("i", "N0")] } else { vec![("i", "N0"), (inner, "N1")] }
    };
    let mut other = at(own);
    other[0] = shifted("v0", i64::from(rng.random_bool(0.3)));
    let to = if rng.random_bool(0.3) { "A" } else { "C" };
    let first = mapping("B", &loops("j"), vec![("A", at(own))], ("B", own));
    let second = mapping("C", &loops("l"), vec![(pick(rng, &["B", "B", "A"]), other)], (to, own));
    let inside =
        [(first, "j"), (second, "l")].map(|(block, inner)| nest(&loops(inner)[1..], block));
    let rank = own.len();
    let buffers: Vec<Buffer> = ["A", "B", "C"].map(|name| argument(name, rank)).into();
    Nest { sizes: rank, buffers, trees: vec![over("i", "N0", inside.into())] }
}

/// `T = A` and `C = T, B` in one loop, where T is a row that each iteration refills; or an argument, or a whole
/// plane. Sometimes there is another block, which reads results of earlier iterations.
pub fn filled(rng: &mut StdRng) -> Nest {
    let loops = |inner: &'static str| vec![("i", "N0"), (inner, "N1")];
    let own: &[&str] = &["v0", "v1"];
    let is_plane = rng.random_bool(0.2);
    let row: &[&str] = if is_plane { own } else { &["v1"] };
    let from = pick(rng, &["A", "A", "C"]);
    let fill = mapping("T", &loops("j"), vec![(from, at(own))], ("T", row));
    let beside =
        (pick(rng, &["A", "B", "C"]), vec![shifted("v0", rng.random_range(0..2)), "v1".into()]);
    let use_it = mapping("C", &loops("l"), vec![("T", at(row)), beside], ("C", own));
    let mut inside = vec![(fill, "j"), (use_it, "l")];
    if rng.random_bool(0.4) {
        let other = (pick(rng, &["T", "C"]), ["D", "A"][usize::from(rng.random_bool(0.2))]);
        let place = if other.0 == "T" { at(row) } else { at(own) };
        inside.push((mapping("D", &loops("m"), vec![(other.0, place)], (other.1, own)), "m"));
    }
    let body = inside.into_iter().map(|(block, inner)| nest(&loops(inner)[1..], block)).collect();
    let mut buffers: Vec<Buffer> = ["A", "B", "C", "D"].map(|name| argument(name, 2)).into();
    let dims: &[&str] = if is_plane { &["N0", "N1"] } else { &["N1"] };
    buffers.push(match rng.random_bool(0.2) {
        true => argument("T", dims.len()),
        false => intermediate("T", dims),
    });
    Nest { sizes: 2, buffers, trees: vec![over("i", "N0", body)] }
}

/// A copy with a border, of one or two dimensions, forwards or reversed, alone or with a reader.
pub fn padded(rng: &mut StdRng) -> Nest {
    let is_split = rng.random_bool(0.3);
    let (outer, bound) = match rng.random_range(0..4) {
        0 => ("N0 + 2", "N0 + 1 - i"),
        _ if is_split => ("N0", "i * 2 + l"),
        _ => ("N0 + 2", "i"),
    };
    let rows = if bound == "i * 2 + l" { "N0 * 2" } else { "N0 + 2" };
    let condition = match rng.random_range(0..5) {
        0 => "v0 - 1 >= 0",
        1 => "N0 - v0 >= 0",
        2 => "v0 - 1 >= 0, N0 - v0 >= 0, v1 - 1 >= 0",
        3 => "v0 + v1 - 2 >= 0",
        _ => "v0 - 1 >= 0, N0 - v0 >= 0",
    };
    // Elements that several instances store to, or that are read before.
    let (store, from) = match rng.random_range(0..8) {
        0 => (("T", at(&["v0 floordiv 2", "v1"])), "A"),
        1 => (("T", at(&["v0", "v1"])), "T"),
        _ => (("T", at(&["v0", "v1"])), "A"),
    };
    let border = Block {
        name: "T",
        iters: spatial(&[rows, "N1"]),
        binding: text(&[bound, "j"]),
        loads: vec![(from, at(&["v0", "v1"]))],
        store,
        pads: Some(condition.to_owned()),
        ..Block::default()
    };
    let mut loops = vec![("i", outer), ("j", "N1")];
    if rows == "N0 * 2" {
        loops.insert(1, ("l", "2"));
    }
    let mut trees = vec![nest(&loops, border)];
    if rng.random_bool(0.5) {
        trees.push(map(
            "C",
            &[("k", rows), ("m", "N1")],
            vec![("T", at(&["v0", "v1"]))],
            ("C", &["v0", "v1"]),
        ));
    }
    let buffers = vec![argument("A", 2), argument("T", 2), argument("C", 2)];
    Nest { sizes: 2, buffers, trees }
}
