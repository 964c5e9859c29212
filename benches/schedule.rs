//! The cost of scheduling.
//!
//! `cargo bench --bench schedule` prints
//! - for each primitive the time of one step on a function of 1,000 loops, and the time to read that function;
//! - the time of a replay: a matmul with its producer and consumer is parsed, and scheduled by a trace of 30 steps; the
//!   growth of the process's memory over 10,000 replays; and the throughput of two threads, each with its own context,
//!   relative to one.
//!
//! Times of steps and replays are the thread's processor time. It fails if a figure misses its bar. Contexts are
//! dropped after some replays, since MLIR frees types, attributes and maps only with their context.

#[path = "../test/schedule/legality/script.rs"]
mod script;

use loopwright::ir::{Op, walk};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{
    Argument, Instruction, Parameter, ParameterKind, Primitive,
};
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const STEP_BAR: Duration = Duration::from_millis(5);
const REPLAY_BAR: Duration = Duration::from_millis(5);
const GROWTH_BAR: f64 = 50.0;
const THREADS_BAR: f64 = 1.8;
/// `LOOPWRIGHT_REPLAYS` overrides this number.
const REPLAYS: usize = 10_000;
/// The number of replays after which a context is dropped.
const RECYCLE: usize = 500;
/// The number of rounds for a median.
const ROUNDS: usize = 7;
/// The number of nests; each has two loops.
const NESTS: usize = 500;

/// A step on [`large`], and a step that must precede it, for primitives for which [`by_kinds`] has no legal step.
const STEPS: &[(&str, Option<&str>)] = &[
    (r#"split "B250:i" factors [-1, 8]"#, None),
    (r#"reorder ["B250:j", "B250:i"]"#, None),
    (r#"vectorize "B250:j" factor 8"#, None),
    (r#"parallel "B250:i""#, None),
    (r#"bind "B250:i" thread "blockIdx.x""#, None),
    (r#"atomic "R""#, Some(r#"decompose_reduction "R" loop "R:k""#)),
    (r#"compute_at "B250" loop "B251:i""#, None),
    (r#"reverse_compute_at "B250" loop "B249:i""#, None),
    (r#"simple_compute_at "B250" loop "B251:j""#, None),
    (r#"cache_read "B250" buffer "T250" scope "global""#, None),
    (r#"cache_write "B250" buffer "T251" scope "global""#, None),
    (r#"reindex "B250" buffer "T250" scope "global""#, None),
    (
        r#"cache_inplace "R" buffer "arg1" scope "global""#,
        Some(r#"decompose_reduction "R" loop "R:k""#),
    ),
    (r#"set_scope "T250" scope "shared""#, None),
    (r#"transform_layout "T250" index_map "(i, j) -> (i floordiv 4, j, i mod 4)""#, None),
    (r#"transform_block_layout "B250" index_map "(i, j)[n, m] -> (i * m + j)""#, None),
    (r#"storage_align "T250" axis 0 factor 32 offset 1"#, None),
    (r#"fold_storage "T251" axis 0 size 1"#, Some(r#"merge ["B250:i", "B251:i"]"#)),
    (r#"rolling_buffer "W" loop "W:i""#, None),
    (r#"prefetch "B250:i" buffer "T250" distance 4"#, None),
    (r#"sync_threads "B250:j""#, Some(r#"bind "B250:i" thread "threadIdx.x""#)),
    (r#"annotate "B250" key "note" value 1"#, None),
    (r#"unannotate "B250" key "note""#, Some(r#"annotate "B250" key "note" value 1"#)),
    (r#"rfactor "R:k""#, None),
    (r#"decompose_reduction "R" loop "R:k""#, None),
    (r#"decompose_padding "G" loop "G:i""#, None),
    (r#"pad_einsum "R" factors [12, 12]"#, None),
    (r#"query "B250" what "buffers""#, None),
    (r#"merge ["B250:j", "B251:j"]"#, None),
    (r#"add_unit_loop "B250""#, None),
    (r#"reorder_block_iter_var "B250" order [1, 0]"#, None),
    (r#"loop_partition "B250:j" factors [8, -1]"#, None),
    (r#"join "B250:j.0""#, Some(r#"loop_partition "B250:j" factors [8, -1]"#)),
    (r#"shift "B250:j" by 2 align 16"#, None),
    (r#"remove_loop "B250:unit""#, Some(r#"add_unit_loop "B250""#)),
    (r#"reorder_statements "W:i" before "B250:i""#, None),
    (r#"unroll_and_jam "B250:i" factor 4"#, None),
    (r#"specialize "D:i" condition "arg4 mod 8 == 0""#, None),
    (r#"tile ["B250:i", "B250:j"] factors [8, 16]"#, None),
    (r#"tensorize "Q:k" intrinsic "dot_4xi8""#, None),
    (
        r#"software_pipeline "B250:j" stages [0, 1] order [0, 1]"#,
        Some(r#"merge ["B250:j", "B251:j"]"#),
    ),
    (r#"double_buffer "B250""#, Some(r#"merge ["B250:j", "B251:j"]"#)),
    (r#"sample_perfect_tile "B250:i" as "tile""#, None),
    (r#"sample_categorical "width" candidates [4, 8, 16]"#, None),
    (r#"sample_compute_location "B250" as "at""#, None),
    (r#"fission "B251" levels 2"#, Some(r#"merge ["B250:j", "B251:j"]"#)),
];

/// The step of a primitive that is not in [`STEPS`]: on schedule block `B250`, without optional arguments.
fn by_kinds(primitive: &'static Primitive) -> Option<Instruction> {
    let argument = |parameter: &Parameter| match parameter.kind {
        ParameterKind::Loop | ParameterKind::Target => Some(Argument::from("B250:j")),
        ParameterKind::Loops => Some(Argument::from(&["B250:i", "B250:j"][..])),
        ParameterKind::Block => Some(Argument::from("B250")),
        ParameterKind::Buffer => Some(Argument::from("T250")),
        ParameterKind::Integers => Some(Argument::Integers(vec![-1, 8])),
        kind => kind.default(),
    };
    let arguments = primitive.parameters.iter().map(argument).collect::<Option<_>>()?;
    Some(Instruction { primitive, arguments })
}

/// `B0`, `B1`, ..: each reads what the one before has written. Then a window, a sum, a copy with a border, a dot
/// product of bytes, and a loop with a dynamic extent.
fn large() -> String {
    let ty = "memref<64x64xf32>";
    let mut text = format!(
        "func.func @main(%T0: {ty}, %S: memref<64xi32>, %I: memref<64x64xi32>, %O: memref<64x64xi32>, \
         %n: index, %P: memref<64x4xi8>, %Q: memref<64xi32>) {{\n"
    );
    text += "%V = loop.buffer \"V\" scope(global) : memref<64xi32>\n";
    for i in 1..NESTS {
        let _ = writeln!(text, "%T{i} = loop.buffer \"T{i}\" scope(global) : {ty}");
    }
    for i in 0..NESTS - 1 {
        let to = i + 1;
        let _ = writeln!(
            text,
            "loop.for serial %i in 64 {{ loop.for serial %j in 64 {{\n\
             loop.block \"B{i}\" [%v: spatial 64, %w: spatial 64] = (%i, %j)\n\
             reads(%T{i}[%v : 1, %w : 1]) writes(%T{to}[%v : 1, %w : 1]) {{\n\
             %x = memref.load %T{i}[%v, %w] : {ty}\n\
             %y = arith.addf %x, %x : f32\n\
             memref.store %y, %T{to}[%v, %w] : {ty}\n\
             }} }} }}"
        );
    }
    text + "loop.for serial %i in 62 { loop.for serial %k in 3 {\n\
            loop.block \"W\" [%v: spatial 64] = (%i + %k) reads(%S[%v : 1]) writes(%V[%v : 1]) {\n\
            %x = memref.load %S[%v] : memref<64xi32>\n\
            memref.store %x, %V[%v] : memref<64xi32>\n\
            } }\n\
            loop.block \"X\" [%v: spatial 62] = (%i) reads(%V[%v : 1]) writes(%I[%v : 1, 0 : 1]) {\n\
            %c0 = arith.constant 0 : index\n\
            %x = memref.load %V[%v] : memref<64xi32>\n\
            memref.store %x, %I[%v, %c0] : memref<64x64xi32>\n\
            } }\n\
            loop.for serial %i in 64 { loop.for serial %k in 64 {\n\
            loop.block \"R\" [%v: spatial 64, %w: reduce 64] = (%i, %k)\n\
            reads(%I[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0) {\n\
            loop.init { %z = arith.constant 0 : i32  memref.store %z, %S[%v] : memref<64xi32> }\n\
            %x = memref.load %I[%v, %w] : memref<64x64xi32>\n\
            %s = memref.load %S[%v] : memref<64xi32>\n\
            %t = arith.addi %s, %x : i32\n\
            memref.store %t, %S[%v] : memref<64xi32>\n\
            } } }\n\
            loop.for serial %i in 64 { loop.for serial %j in 64 {\n\
            loop.block \"G\" [%v: spatial 64, %w: spatial 64] = (%i, %j)\n\
            reads(%I[%v - 1 : 1, %w : 1]) writes(%O[%v : 1, %w : 1]) {\n\
            %x = loop.if (%v - 1 >= 0) -> i32 {\n\
            %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)\n\
            %y = memref.load %I[%u, %w] : memref<64x64xi32>  loop.yield %y : i32\n\
            } else { %z = arith.constant 0 : i32  loop.yield %z : i32 }\n\
            memref.store %x, %O[%v, %w] : memref<64x64xi32>\n\
            } } }\n\
            loop.for serial %i in 64 { loop.for serial %k in 4 {\n\
            loop.block \"Q\" [%v: spatial 64, %w: reduce 4] = (%i, %k)\n\
            reads(%P[%v : 1, %w : 1], %Q[%v : 1]) writes(%Q[%v : 1]) reducer(add, 0) {\n\
            %x = memref.load %P[%v, %w] : memref<64x4xi8>\n\
            %y = arith.extsi %x : i8 to i32\n\
            %m = arith.muli %y, %y : i32\n\
            %s = memref.load %Q[%v] : memref<64xi32>\n\
            %t = arith.addi %s, %m : i32\n\
            memref.store %t, %Q[%v] : memref<64xi32>\n\
            } } }\n\
            loop.for serial %i in %n { loop.block \"D\" [%v: spatial %n] = (%i) { } }\nreturn\n}\n"
}

/// `P = A * 2`, `C = P B`, `E = C + C`.
const MATMUL: &str = r#"
func.func @main(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %E: memref<128x128xf32>) {
  %P = loop.buffer "P" scope(global) : memref<128x128xf32>
  %C = loop.buffer "C" scope(global) : memref<128x128xf32>
  loop.for serial %x in 128 {
    loop.for serial %y in 128 {
      loop.block "P" [%v: spatial 128, %w: spatial 128] = (%x, %y)
          reads(%A[%v : 1, %w : 1]) writes(%P[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<128x128xf32>
        %p = arith.addf %a, %a : f32
        memref.store %p, %P[%v, %w] : memref<128x128xf32>
      }
    }
  }
  loop.for serial %i in 128 {
    loop.for serial %j in 128 {
      loop.for serial %k in 128 {
        loop.block "C" [%v: spatial 128, %w: spatial 128, %u: reduce 128] = (%i, %j, %k)
            reads(%P[%v : 1, %u : 1], %B[%u : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v, %w] : memref<128x128xf32>
          }
          %p = memref.load %P[%v, %u] : memref<128x128xf32>
          %b = memref.load %B[%u, %w] : memref<128x128xf32>
          %c = memref.load %C[%v, %w] : memref<128x128xf32>
          %m = arith.mulf %p, %b : f32
          %s = arith.addf %c, %m : f32
          memref.store %s, %C[%v, %w] : memref<128x128xf32>
        }
      }
    }
  }
  loop.for serial %p in 128 {
    loop.for serial %q in 128 {
      loop.block "E" [%v: spatial 128, %w: spatial 128] = (%p, %q)
          reads(%C[%v : 1, %w : 1]) writes(%E[%v : 1, %w : 1]) {
        %c = memref.load %C[%v, %w] : memref<128x128xf32>
        %e = arith.addf %c, %c : f32
        memref.store %e, %E[%v, %w] : memref<128x128xf32>
      }
    }
  }
  return
}
"#;

const TRACE: &[&str] = &[
    r#"compute_inline "P""#,
    r#"split "C:i" factors [4, 32]"#,
    r#"split "C:j" factors [4, 32]"#,
    r#"split "C:k" factors [16, 8]"#,
    r#"reorder ["C:i.0", "C:j.0", "C:k.0", "C:k.1", "C:i.1", "C:j.1"]"#,
    r#"split "C:i.1" factors [8, 4]"#,
    r#"split "C:j.1" factors [2, 16]"#,
    r#"reorder ["C:i.1.0", "C:j.1.0", "C:k.0", "C:k.1", "C:i.1.1", "C:j.1.1"]"#,
    r#"fuse ["C:i.0", "C:j.0"]"#,
    r#"fuse ["C:i.1.0", "C:j.1.0"]"#,
    r#"split "C:k.1" factors [2, 4]"#,
    r#"unroll "C:k.1.1""#,
    r#"split "C:i.1.1" factors [2, 2]"#,
    r#"unroll "C:i.1.1.1""#,
    r#"vectorize "C:j.1.1" factor 8"#,
    r#"unroll "C:j.1.1.0""#,
    r#"split "C:i.0_j.0_fused" factors [-1, 3]"#,
    r#"parallel "C:i.0_j.0_fused.0""#,
    r#"split "C:i.1.0_j.1.0_fused" factors [2, 8]"#,
    r#"split "C:k.0" factors [-1, 5]"#,
    r#"split "E:p" factors [-1, 16]"#,
    r#"split "E:q" factors [-1, 32]"#,
    r#"reorder ["E:p.0", "E:q.0", "E:p.1", "E:q.1"]"#,
    r#"fuse ["E:p.0", "E:q.0"]"#,
    r#"parallel "E:p.0_q.0_fused""#,
    r#"split "E:p.1" factors [4, 4]"#,
    r#"unroll "E:p.1.1""#,
    r#"vectorize "E:q.1" factor 16"#,
    r#"unroll "E:q.1.0""#,
    r#"split "E:p.1.0" factors [2, 2]"#,
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut missed = vec![];
    let mut bar = |name: &str, found: f64, is_met: bool, expected: &str| {
        let verdict = if is_met { "" } else { "  MISSED" };
        println!("{name:<28}{found:>10.3}  {expected}{verdict}");
        if !is_met {
            missed.push(name.to_owned());
        }
    };
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!("{} loops, ms:", 2 * NESTS);
    let text = large();
    for primitive in PRIMITIVES {
        let entry = STEPS.iter().find(|(step, _)| step.split(' ').next() == Some(primitive.name));
        let time = match entry {
            Some((step, before)) => {
                let before = before.map(script::parse).transpose()?;
                time_of(&text, &script::parse(step)?, before.as_ref())?
            }
            None => match by_kinds(primitive).map(|step| time_of(&text, &step, None)) {
                Some(Ok(time)) => time,
                _ => {
                    println!("{:<28}not measured: STEPS has no step", primitive.name);
                    continue;
                }
            },
        };
        bar(primitive.name, milliseconds(time), time < STEP_BAR, "< 5");
    }

    let trace = TRACE.iter().map(|step| script::parse(step)).collect::<Result<Vec<_>, _>>()?;
    let n = std::env::var("LOOPWRIGHT_REPLAYS").ok().and_then(|text| text.parse().ok());
    let n = n.unwrap_or(REPLAYS);
    println!("{n} replays of {} steps:", trace.len());
    replays(RECYCLE.min(n), &trace)?;
    let before = resident()?;
    let (mut times, one) = timed(|| replays(n, &trace))?;
    let growth = resident()? - before;
    let time = median(&mut times);
    bar("median, ms", milliseconds(time), time <= REPLAY_BAR, "<= 5");
    bar("growth, MB", growth, growth <= GROWTH_BAR, "<= 50");
    let ((), two) = timed(|| {
        std::thread::scope(|scope| {
            let half = || replays(n / 2, &trace).map(drop).map_err(|error| error.to_string());
            let threads = [scope.spawn(half), scope.spawn(half)];
            for thread in threads {
                thread.join().map_err(|_| "a thread panicked")??;
            }
            Ok(())
        })
    })?;
    let gain = one.as_secs_f64() / two.as_secs_f64();
    bar("two threads, times one", gain, gain >= THREADS_BAR, ">= 1.8");
    Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The time of a step on a function, after another step.
fn time_of(
    text: &str,
    step: &Instruction,
    before: Option<&Instruction>,
) -> Result<Duration, Box<dyn Error>> {
    let mut times = vec![];
    for _ in 0..ROUNDS {
        let context = pipeline::context();
        let module = Module::parse(&context, text).ok_or("the function does not parse")?;
        let mut schedule = Schedule::new(main_of(top(&module))).map_err(|e| e.message)?;
        if let Some(before) = before {
            schedule.apply(before).map_err(|error| error.message(before.primitive.name))?;
        }
        let start = busy()?;
        schedule.apply(step).map_err(|error| error.message(step.primitive.name))?;
        times.push(busy()? - start);
    }
    Ok(median(&mut times))
}

/// The result of a function, and the time that all of it took.
fn timed<T>(
    work: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, Duration), Box<dyn Error>> {
    let start = Instant::now();
    Ok((work()?, start.elapsed()))
}

/// The processor time of this thread, which excludes other users of the machine.
fn busy() -> Result<Duration, Box<dyn Error>> {
    // Makes the kernel update its accounting, which it otherwise does only at ticks.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().ok_or("no time of the thread")?;
    Ok(Duration::from_nanos(nanoseconds.parse()?))
}

/// Replays the trace `n` times; returns the time of each replay.
fn replays(n: usize, trace: &[Instruction]) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut times = Vec::with_capacity(n);
    let mut context = pipeline::context();
    for i in 0..n {
        if i % RECYCLE == RECYCLE - 1 {
            context = pipeline::context();
        }
        let start = busy()?;
        replay(&context, trace)?;
        times.push(busy()? - start);
    }
    Ok(times)
}

fn replay(context: &Context, trace: &[Instruction]) -> Result<(), Box<dyn Error>> {
    let module = Module::parse(context, MATMUL).ok_or("the matmul does not parse")?;
    let mut schedule = Schedule::new(main_of(top(&module))).map_err(|e| e.message)?;
    for step in trace {
        schedule.apply(step).map_err(|error| error.message(step.primitive.name))?;
    }
    Ok(())
}

fn main_of(module: Op) -> Op {
    let name = |op: &Op| op.symbol_name() == Some("main");
    walk(module).into_iter().find(name).expect("there is a function @main")
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The resident memory of this process, in MB.
fn resident() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes / 1e3)
}
