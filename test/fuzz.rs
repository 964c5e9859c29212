//! Fuzz test: passes mutated IR text to `lw-opt` and `lw-run`. They may refuse it, but not crash, panic or hang.
//!
//! The texts are those of the tests. A text gets a command of `COMMANDS`, or that of a `RUN:` line of its own file, so
//! that each pass, primitive and executor sees what it is made for. The arguments of a command are changed as well.
//!
//! Upstream's parsers and verifiers crash on some texts, and the tools then report that in one line. It counts
//! as a failure unless stock `mlir-opt`, which has none of our code, crashes on the same input.
//!
//! By default each of two threads tries the same 100 inputs in each run, so that a failure comes from the change
//! under test. `LOOPWRIGHT_FUZZ_SECONDS` makes it run for so long, from a seed of the clock, which is printed.
//! `LOOPWRIGHT_FUZZ_SEED` sets the seed. An input that fails is saved and its path is printed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, thread};

/// A longer run counts as a hang.
const LIMIT: Duration = Duration::from_secs(60);

/// The bytes of address space of a tool.
const MEMORY: u64 = 16 << 30;

/// What a thread tries by default.
const INPUTS: u64 = 100;

/// A text of a test, and the commands of the test.
#[derive(Clone)]
struct Seed {
    text: String,
    commands: Vec<(&'static str, Vec<String>)>,
}

const COMMANDS: &[(&str, &[&str])] = &[
    (env!("CARGO_BIN_EXE_lw-opt"), &[]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--mlir-print-op-generic"]),
    (
        env!("CARGO_BIN_EXE_lw-opt"),
        &[
            "--pass-pipeline=builtin.module(func.func(convert-graph-to-linalg),convert-linalg-to-loop)",
        ],
    ),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--canonicalize", "--cse", "--inline"]),
    (
        env!("CARGO_BIN_EXE_lw-opt"),
        &[
            "--outline-parallel-loops",
            "--convert-memref-to-pointer",
            "--expand-math",
            "--expand-small-floats",
        ],
    ),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--transform-interpreter"]),
    // The refused steps of all primitives, which are attributes of functions.
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-expect-refusal"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-split=loop=B:i factors=-1,4"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-fuse=loops=B:i,B:j explain=true"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-reorder=loops=B:j,B:i", "--sched-unroll=loop=B:i"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-vectorize=loop=B:i factor=3"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--sched-compute-inline=block=B"]),
    (
        env!("CARGO_BIN_EXE_lw-opt"),
        &["--pass-pipeline=builtin.module(func.func(convert-loop-to-scf,canonicalize,cse,\
             loop-invariant-code-motion,promote-buffers,form-fma))"],
    ),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--lw-x86-pipeline=from=schedule"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--lw-nvptx-pipeline=from=schedule to=gpu"]),
    (env!("CARGO_BIN_EXE_lw-opt"), &["--loop-cost"]),
    (env!("CARGO_BIN_EXE_lw-run"), &["--compile-to", "llvm-ir"]),
    (env!("CARGO_BIN_EXE_lw-run"), &["--execute", "input", "--max-iterations", "100000"]),
    (env!("CARGO_BIN_EXE_lw-run"), &["--execute", "loop", "--max-iterations", "100000"]),
    (env!("CARGO_BIN_EXE_lw-run"), &["--compile-to", "loop"]),
];

#[test]
fn mutated_text_crashes_nothing() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let end = number("LOOPWRIGHT_FUZZ_SECONDS").map(|s| Instant::now() + Duration::from_secs(s));
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let default = || if end.is_some() { clock() } else { 0 };
    let seed = number("LOOPWRIGHT_FUZZ_SEED").unwrap_or_else(default);
    println!("LOOPWRIGHT_FUZZ_SEED={seed}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test");
    let mut corpus = vec![];
    collect(&root, &mut corpus);
    assert!(corpus.len() > 20, "the corpus is the tests: found {}", corpus.len());
    let workers: Vec<_> = (0..2)
        .map(|worker| {
            let corpus = corpus.clone();
            thread::spawn(move || work(Random(seed ^ (worker << 60)), worker, &corpus, end))
        })
        .collect();
    let runs: u64 = workers.into_iter().map(|w| w.join().expect("no input fails")).sum();
    println!("{runs} mutated inputs");
    assert!(runs > 0);
}

fn work(mut random: Random, worker: u64, corpus: &[Seed], end: Option<Instant>) -> u64 {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&folder).expect("a folder for inputs");
    let path = folder.join(format!("input{worker}.mlir"));
    let mut runs = 0;
    while end.map_or(runs < INPUTS, |end| Instant::now() < end) {
        let seed = random.pick(corpus);
        fs::write(&path, mutated(&mut random, &seed.text, corpus)).expect("a file in it");
        let (program, arguments) = command(&mut random, seed);
        if let Err(what) = run(program, &arguments, &path) {
            let kept = folder.join(format!("failed{worker}.mlir"));
            fs::copy(&path, &kept).expect("a copy");
            panic!("{program} {arguments:?} {}: {what}", kept.display());
        }
        runs += 1;
    }
    runs
}

/// A command for a text: the program and its arguments besides the file.
fn command(random: &mut Random, seed: &Seed) -> (&'static str, Vec<String>) {
    if seed.commands.is_empty() || random.below(3) == 0 {
        let (program, arguments) = random.pick(COMMANDS);
        return (program, arguments.iter().map(|it| (*it).to_owned()).collect());
    }
    let (program, mut arguments) = random.pick(&seed.commands).clone();
    if !arguments.is_empty() && random.below(4) == 0 {
        let i = random.below(arguments.len());
        let mut text = arguments[i].clone().into_bytes();
        change_number(random, &mut text);
        // An argument is text without NUL.
        arguments[i] = String::from_utf8_lossy(&text).replace('\0', " ");
    }
    (program, arguments)
}

/// Runs a tool; an error if it dies from a signal, panics or does not end.
fn run(program: &str, arguments: &[String], path: &Path) -> Result<(), String> {
    let log = path.with_extension("log");
    let stderr = File::create(&log).map_err(|e| e.to_string())?;
    // A result of 2^40 elements is refused by the system at once, and not when the machine has no memory left.
    let mut child = Command::new("prlimit")
        .arg(format!("--as={MEMORY}"))
        .arg(program)
        .arg(path)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
        .map_err(|e| e.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                child.kill().map_err(|e| e.to_string())?;
                // It interprets each large function for up to half a minute.
                if arguments.iter().any(|argument| argument == "--verify-each=numeric") {
                    return Ok(());
                }
                return Err(format!("runs longer than {LIMIT:?}"));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let text = String::from_utf8_lossy(&fs::read(&log).map_err(|e| e.to_string())?).into_owned();
    if status.code().is_none() || text.contains("panicked") {
        return Err(format!("{status}: {text}"));
    }
    if text.contains("internal error: crashed") && !stock_crashes(arguments, path) {
        return Err("crashes, and stock mlir-opt does not".into());
    }
    Ok(())
}

/// True if stock mlir-opt crashes on the input, when it parses it or in upstream's passes.
fn stock_crashes(arguments: &[String], path: &Path) -> bool {
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let upstream = |a: &&String| ["--canonicalize", "--cse", "--inline"].contains(&a.as_str());
    [vec![], arguments.iter().filter(upstream).collect()].into_iter().any(|passes| {
        Command::new(Path::new(&prefix).join("bin/mlir-opt"))
            .arg(path)
            .arg("--allow-unregistered-dialect")
            .args(passes)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.code().is_none())
    })
}

/// All small .mlir files below a folder; files with several modules are split.
fn collect(folder: &Path, corpus: &mut Vec<Seed>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, corpus);
        } else if path.extension().is_some_and(|e| e == "mlir") {
            let text = fs::read_to_string(&path).expect("text");
            let commands = commands(&text, folder);
            let small = |part: &&str| part.len() < 40_000;
            let parts = text.split("// -----").filter(small);
            corpus.extend(parts.map(|part| Seed { text: part.into(), commands: commands.clone() }));
        }
    }
}

/// The commands of the `RUN:` lines on the file itself, without other files. What runs as machine code is left out:
/// a changed program may read outside its buffers, and need not end.
fn commands(text: &str, folder: &Path) -> Vec<(&'static str, Vec<String>)> {
    let joined: Vec<_> =
        text.lines().filter_map(|l| Some(l.split_once("RUN:")?.1.trim())).collect();
    let joined = joined.join("\n").replace("\\\n", "");
    let mut found = vec![];
    for line in joined.lines() {
        let words = shlex::split(line).unwrap_or_default();
        let ends = |word: &String| word == "2>&1" || word.starts_with(['|', '>', '<', '&', ';']);
        let end = words.iter().position(ends);
        let mut words = words[..end.unwrap_or(words.len())].iter().peekable();
        words.next_if(|word| *word == "not");
        let program = match words.next().map(String::as_str) {
            Some("lw-opt") => env!("CARGO_BIN_EXE_lw-opt"),
            Some("lw-run") => env!("CARGO_BIN_EXE_lw-run"),
            _ => continue,
        };
        let mut arguments = vec![];
        let mut has_file = false;
        while let Some(word) = words.next() {
            match word.as_str() {
                "%s" => has_file = true,
                "--input" | "--check" | "--output" | "-o" => drop(words.next()),
                word => arguments.push(word.replace("%S", &folder.display().to_string())),
            }
        }
        let has = |word: &str| arguments.iter().any(|it| it == word);
        let runs = program == env!("CARGO_BIN_EXE_lw-run") && !has("--compile-to");
        let is_endless = !has("--max-iterations") && !has("--target");
        if !has_file || runs && has("x86") || arguments.iter().any(|it| it.contains('%')) {
            continue;
        }
        if runs {
            arguments.extend(["--input", "random"].map(String::from));
        }
        if runs && is_endless {
            arguments.extend(["--max-iterations", "100000"].map(String::from));
        }
        found.push((program, arguments));
    }
    found
}

/// A text with one to four changes.
fn mutated(random: &mut Random, text: &str, corpus: &[Seed]) -> Vec<u8> {
    let mut text = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        change(random, &mut text, corpus);
    }
    text
}

fn change(random: &mut Random, text: &mut Vec<u8>, corpus: &[Seed]) {
    const WORDS: &[&str] = &[
        "spatial",
        "reduce",
        "opaque",
        "serial",
        "parallel",
        "vectorize",
        "thread_bind[threadIdx.x]",
        "*",
        "min",
        "mod 0",
        "floordiv 0",
        "symbol(%n)",
        "f32",
        "i1",
        "i8",
        "index",
        "bf16",
        "f64",
        "tensor<?x?xf32>",
        "memref<?xf32>",
        "tensor<*xf32>",
        "dense<>",
        "loop.result",
        "argmax",
        "ordered",
        "add",
        "%arg0",
        "affine_map<() -> ()>",
        "{}",
        "[",
        ")",
        "\"\"",
        "d0",
        "s0",
    ];
    let (tokens, spaces) = tokens(text);
    if tokens.is_empty() {
        return;
    }
    let token = random.pick(&tokens).clone();
    match random.below(8) {
        0 => replace(text, token, b""),
        1 => replace(text, token, random.pick(WORDS).as_bytes()),
        2 => change_number(random, text),
        3 => {
            let other = text[random.pick(&tokens).clone()].to_vec();
            replace(text, token, &other);
        }
        4 => {
            let i = random.below(text.len());
            text[i] = random.next() as u8;
        }
        5 | 6 => {
            let mut lines: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let (i, j) = (random.below(lines.len()), random.below(lines.len()));
            match random.below(3) {
                0 => lines.swap(i, j),
                1 => lines[i] = lines[j].clone(),
                _ => drop(lines.remove(i)),
            }
            *text = lines.join(&b'\n');
        }
        _ => {
            let other = random.pick(corpus).text.as_bytes();
            let cut = *random.pick(&spaces);
            let from = random.below(other.len().max(1));
            text.truncate(cut);
            text.extend(&other[from..]);
        }
    }
}

/// Replaces a number by another one, often by one at the end of the range of a type.
fn change_number(random: &mut Random, text: &mut Vec<u8>) {
    const NUMBERS: &[&str] = &[
        "0",
        "1",
        "-1",
        "2",
        "7",
        "9223372036854775807",
        "9223372036854775806",
        "-9223372036854775808",
        "-9223372036854775807",
        "4611686018427387904",
        "2147483648",
        "4294967296",
        "?",
    ];
    let (mut numbers, _) = tokens(text);
    numbers.retain(|token| text[token.start].is_ascii_digit());
    if !numbers.is_empty() {
        let number = random.pick(&numbers).clone();
        replace(text, number, random.pick(NUMBERS).as_bytes());
    }
}

fn replace(text: &mut Vec<u8>, range: std::ops::Range<usize>, by: &[u8]) {
    text.splice(range, by.iter().copied());
}

/// The ranges of the words of a text, and their start indices.
fn tokens(text: &[u8]) -> (Vec<std::ops::Range<usize>>, Vec<usize>) {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_.%$#@".contains(&b);
    let mut found = vec![];
    let mut start = None;
    for (i, byte) in text.iter().enumerate() {
        match (is_word(*byte), start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                found.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    let starts = found.iter().map(|range| range.start).collect();
    (found, starts)
}

/// splitmix64
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
