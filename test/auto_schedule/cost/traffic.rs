//! Predicted traffic, compared with a simulated cache: each access of a nest, in order, through a cache that replaces the
//! line that was used least recently, of all or of the set of the new line.

use super::{function, parse};
use loopwright::auto_schedule::cost;
use loopwright::machine::table::{MachineTable, MemoryLevel};
use loopwright::nest::summary::{BufferId, NodeId, NodeKind, Summary};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use std::collections::{BTreeMap, HashMap};

const LINE: i64 = 64;
const SEEDS: u64 = 24;

/// A product of two matrices, with these sizes in its loops over i, j and k.
fn product([i, j, k]: [i64; 3]) -> String {
    format!(
        r#"
func.func @main(%A: memref<{i}x{k}xf32>, %B: memref<{k}x{j}xf32>, %C: memref<{i}x{j}xf32>) {{
  loop.for serial %i in {i} {{
    loop.for serial %j in {j} {{
      loop.for serial %k in {k} {{
        loop.block "C" [%vi: spatial {i}, %vj: spatial {j}, %vk: reduce {k}] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
            reducer(add, 0.0) {{
          loop.init {{
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<{i}x{j}xf32>
          }}
          %a = memref.load %A[%vi, %vk] : memref<{i}x{k}xf32>
          %b = memref.load %B[%vk, %vj] : memref<{k}x{j}xf32>
          %c = memref.load %C[%vi, %vj] : memref<{i}x{j}xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<{i}x{j}xf32>
        }}
      }}
    }}
  }}
  return
}}
"#
    )
}

/// A cache of whole lines.
struct Cache {
    /// The lines of a set.
    ways: usize,
    /// The lines that are held: when each was used last, and whether it was stored to.
    held: HashMap<(BufferId, i64), (u64, bool)>,
    /// The held lines of each set by the time of their last use. Line `n` of a buffer is in set `n mod sets`.
    by_use: Vec<BTreeMap<u64, (BufferId, i64)>>,
    clock: u64,
    moved: i64,
}

impl Cache {
    fn access(&mut self, line: (BufferId, i64), is_write: bool) {
        self.clock += 1;
        let sets = self.by_use.len();
        let by_use = &mut self.by_use[usize::try_from(line.1).expect("it is a line") % sets];
        let was_written = match self.held.remove(&line) {
            Some((last, was_written)) => {
                by_use.remove(&last);
                was_written
            }
            None => {
                self.moved += LINE;
                if by_use.len() == self.ways {
                    let (_, oldest) = by_use.pop_first().expect("the set is full");
                    let (_, was_written) = self.held.remove(&oldest).expect("it is held");
                    self.moved += if was_written { LINE } else { 0 };
                }
                false
            }
        };
        self.held.insert(line, (self.clock, was_written || is_write));
        by_use.insert(self.clock, line);
    }

    /// The bytes that are moved from beyond the cache and back while a nest runs.
    fn of(summary: &Summary, root: NodeId, bytes: i64, sets: usize) -> i64 {
        let ways = usize::try_from(bytes / LINE).expect("there are lines") / sets;
        let by_use = vec![BTreeMap::new(); sets];
        let mut cache = Cache { ways, held: HashMap::new(), by_use, clock: 0, moved: 0 };
        cache.run(summary, root, &mut vec![0; summary.variables.len()]);
        cache.moved
    }

    fn run(&mut self, summary: &Summary, node: NodeId, variables: &mut Vec<i64>) {
        let children = &summary.nodes[node].children;
        match &summary.nodes[node].kind {
            NodeKind::Loop(this) => {
                for value in 0..this.constant_extent().expect("a constant extent") {
                    variables[this.variable.index()] = value;
                    children.iter().for_each(|child| self.run(summary, *child, variables));
                }
            }
            NodeKind::Block(block) => {
                for (iter, binding) in block.iters.iter().zip(&block.binding) {
                    variables[iter.variable.index()] =
                        binding.evaluate(variables, &[]).expect("it fits");
                }
                let holds = |it: &loopwright::ir::affine::Constraint| {
                    it.expr().evaluate(variables, &[]).expect("it fits") >= 0
                };
                if !block.predicate.iter().all(holds) {
                    return;
                }
                for access in block.accesses().iter().filter(|access| !access.in_init) {
                    let mut at = 0;
                    for (index, size) in
                        access.indices.iter().zip(&summary.buffers[access.buffer].shape)
                    {
                        let index = index.as_ref().expect("it is affine").evaluate(variables, &[]);
                        let size = size.as_ref().and_then(|it| it.constant()).expect("a constant");
                        at = at * size + index.expect("it fits");
                    }
                    self.access((access.buffer, at * 4 / LINE), access.is_write);
                }
            }
            _ => children.iter().for_each(|child| self.run(summary, *child, variables)),
        }
    }
}

/// A machine whose only cache has some bytes, and whose memory moves a byte in a nanosecond.
fn machine(bytes: i64) -> MachineTable {
    let level = |name, bytes| MemoryLevel { name, bytes, gb_per_s: 1.0, wait_ns: 0.0, sharers: 1 };
    MachineTable {
        name: "cache".into(),
        cores: 1,
        vector_bits: 512,
        registers: 32,
        has_fma: true,
        vectors_per_ns: 1.0,
        instructions_per_ns: 1.0,
        add_latency_ns: 1.0,
        levels: vec![level("cache", Some(bytes)), level("memory", None)],
        start_up_ns: 0.0,
        gpu: None,
    }
}

/// Splits each loop by a random number, and orders all loops at random.
fn tile(schedule: &mut Schedule, random: &mut StdRng) {
    for name in ["i", "j", "k"] {
        let size = [2, 4, 7, 8, 16][random.random_range(0..5)];
        schedule.split(&format!("C:{name}"), &[-1, size], None).expect("it is legal");
    }
    let mut loops = loopwright::schedule::query::loops(schedule.summary(), "C").expect("the block");
    loops.shuffle(random);
    let loops: Vec<&str> = loops.iter().map(String::as_str).collect();
    let _ = schedule.reorder(&loops);
}

/// Of the pairs whose second values differ by more than a quarter, the part whose first values have the same order.
fn same_order(values: &[(f64, f64)]) -> f64 {
    let pairs = values.iter().flat_map(|one| values.iter().map(move |other| (one, other)));
    let apart: Vec<_> = pairs.filter(|(one, other)| one.1 > 1.25 * other.1).collect();
    apart.iter().filter(|(one, other)| one.0 > other.0).count() as f64 / apart.len() as f64
}

/// Compares the predictions for random tiles of a product with a cache of so many bytes, which has so many sets.
fn compare(product: &str, bytes: i64, sets: usize) {
    let context = pipeline::context();
    let table = machine(bytes);
    let mut traffic = vec![];
    for seed in 0..SEEDS {
        let mut random = StdRng::seed_from_u64(seed);
        let module = parse(&context, product);
        let mut schedule = Schedule::new(function(&module, "main")).expect("a function");
        tile(&mut schedule, &mut random);
        let summary = schedule.summary();
        let root = summary.nodes[NodeId::FUNCTION].children[0];
        let time = &cost::predict(summary, &[root], &table)[0];
        let memory = time.units.iter().find(|it| it.unit == "memory").expect("it has memory");
        traffic.push((memory.ns, Cache::of(summary, root, bytes, sets) as f64));
    }
    let mut ratios: Vec<f64> =
        traffic.iter().map(|(predicted, simulated)| predicted / simulated).collect();
    ratios.sort_by(f64::total_cmp);
    let tenth = |n: usize| ratios[ratios.len() * n / 10];
    let (low, high, order) = (tenth(1), tenth(9), same_order(&traffic));
    println!(
        "cache of {bytes} bytes in {sets} sets: predicted / simulated from {low:.2} to {high:.2}, {order:.3} of pairs in order"
    );
    assert!(low >= 0.7 && high <= 1.5, "{bytes}: {ratios:?}");
    assert!(order >= 0.9, "{bytes}: {order}");
}

#[test]
fn predicted_traffic_is_that_of_a_simulated_cache() {
    for bytes in [1 << 10, 3 << 10, 8 << 10] {
        compare(&product([48, 56, 40]), bytes, 1);
    }
}

/// The rows of the second factor and of the result start in 4 of 64 sets.
#[test]
fn rows_that_start_in_few_sets_are_moved_more_often() {
    for bytes in [16 << 10, 24 << 10, 32 << 10] {
        compare(&product([24, 256, 40]), bytes, 64);
    }
}

/// What no tiles shorten is not longer than the time of any tiles, with vectors and without, whether the cache holds the matrices or
/// not; and it is not nothing.
#[test]
fn no_tiles_take_less_than_what_no_tiles_shorten() {
    let context = pipeline::context();
    for (cores, bytes) in [(1, 1 << 10), (1, 1 << 20), (4, 1 << 10), (4, 3 << 10)] {
        let table = MachineTable { cores, ..machine(bytes) };
        let times = (0..SEEDS).map(|seed| {
            let mut random = StdRng::seed_from_u64(seed);
            let module = parse(&context, &product([48, 56, 40]));
            let mut schedule = Schedule::new(function(&module, "main")).expect("a function");
            tile(&mut schedule, &mut random);
            if random.random() {
                schedule.vectorize("C:j.1", None).expect("its iterations are independent");
            }
            let summary = schedule.summary();
            let root = summary.nodes[NodeId::FUNCTION].children[0];
            let time = &cost::predict(summary, &[root], &table)[0];
            (time.fixed_ns, time.total_ns)
        });
        let (fixed, total): (Vec<f64>, Vec<f64>) = times.unzip();
        let most = fixed.iter().copied().fold(0.0, f64::max);
        let least = total.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(most > 0.0 && most <= least, "{cores} cores, {bytes} bytes: {fixed:?}, {total:?}");
    }
}
