//! Whether two nests may be fused, compared with an enumeration of all pairs of iterations.

use super::*;
use loopwright::nest::summary::NodeId;
use loopwright::schedule::legality::mergeable::{Fusable, are_fusable};

/// An index: the coefficients of the two loops, and a constant of 0 or more.
type Index = [i64; 3];

/// Two nests of `n` x `m`: each reads one buffer and writes another.
struct Nests {
    sizes: [i64; 2],
    kind: &'static str,
    /// For read and write of each nest: buffer 0 or 1, and the index.
    accesses: [[(usize, Index); 2]; 2],
}

impl Nests {
    fn drawn(rng: &mut StdRng) -> Nests {
        let index = |rng: &mut StdRng| {
            [rng.random_range(0..4), rng.random_range(0..3), rng.random_range(0..4)]
        };
        let access = |rng: &mut StdRng| (rng.random_range(0..2), index(rng));
        let nest = |rng: &mut StdRng| [access(rng), access(rng)];
        Nests {
            sizes: [rng.random_range(1..5), rng.random_range(1..5)],
            kind: ["serial", "serial", "parallel"][rng.random_range(0..3)],
            accesses: [nest(rng), nest(rng)],
        }
    }

    fn text(&self) -> String {
        let [n, m] = self.sizes;
        let nest = |block: usize| {
            let [(from, read), (to, written)] = self.accesses[block];
            let place = |[a, b, c]: Index| format!("%v * {a} + %w * {b} + {c}");
            let map = |[a, b, c]: Index| {
                format!("affine_map<(d0, d1) -> (d0 * {a} + d1 * {b} + {c})>(%v, %w)")
            };
            format!(
                "loop.for {} %i in {n} {{ loop.for {} %j in {m} {{
                   loop.block \"b{block}\" [%v: spatial {n}, %w: spatial {m}] = (%i, %j)
                       reads(%X{from}[{} : 1]) writes(%X{to}[{} : 1]) {{
                     %r = affine.apply {}
                     %s = affine.apply {}
                     %a = memref.load %X{from}[%r] : memref<32xf32>
                     memref.store %a, %X{to}[%s] : memref<32xf32>
                   }} }} }}\n",
                self.kind,
                self.kind,
                place(read),
                place(written),
                map(read),
                map(written),
            )
        };
        let arguments = "%X0: memref<32xf32>, %X1: memref<32xf32>";
        format!("func.func @f({arguments}) {{\n{}{}return }}", nest(0), nest(1))
    }

    /// True if fusion would reorder a pair of iterations that access the same element.
    fn clashes(&self, depth: usize) -> bool {
        let [n, m] = self.sizes;
        let points: Vec<[i64; 2]> = (0..n).flat_map(|i| (0..m).map(move |j| [i, j])).collect();
        let cell =
            |(buffer, [a, b, c]): (usize, Index), [i, j]: [i64; 2]| (buffer, a * i + b * j + c);
        points.iter().any(|x| {
            points.iter().any(|y| {
                let comes_first = match self.kind {
                    "parallel" => x[..depth] != y[..depth],
                    _ => y[..depth] < x[..depth],
                };
                let [read, write] = self.accesses[0].map(|access| cell(access, *x));
                let [later_read, later_write] = self.accesses[1].map(|access| cell(access, *y));
                comes_first && (write == later_read || write == later_write || read == later_write)
            })
        })
    }
}

/// Each verdict is definite, and equals that of the enumeration.
#[test]
fn nests_are_fusable_where_no_pair_turns() {
    let context = pipeline::context();
    let mut rng = StdRng::seed_from_u64(1);
    let mut proved = 0;
    for case in 0..600 {
        let nests = Nests::drawn(&mut rng);
        let text = nests.text();
        let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{text}"));
        let function = walk(top(&module)).into_iter().find(|op| op.is("func.func"));
        let schedule = Schedule::new(function.expect("a function")).expect("valid");
        let summary = schedule.summary();
        let [first, second] = summary.nodes[NodeId::FUNCTION].children[..] else {
            panic!("two nests")
        };
        for depth in [1, 2] {
            let found = are_fusable(summary, first, second, depth);
            let clashes = nests.clashes(depth);
            proved += usize::from(!clashes);
            match &found {
                Fusable::Proved => assert!(!clashes, "case {case}, {depth} deep\n{text}"),
                Fusable::Refuted(_) => assert!(clashes, "case {case}: {found}\n{text}"),
                other => panic!("case {case}: {other}\n{text}"),
            }
        }
    }
    assert!((200..1100).contains(&proved), "{proved} of 1200 are fusable");
}
