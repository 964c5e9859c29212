//! A session of `lw-bench --protocol`: workloads that are built, measured, dropped and refused.

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const CELLS: usize = 64 * 128;

struct Session {
    program: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Session {
    fn new(inputs: Option<&Path>) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lw-bench"));
        command.arg("--protocol").env("PEERS_THREADS", "2").env_remove("PEERS_IN");
        if let Some(folder) = inputs {
            command.env("PEERS_IN", folder);
        }
        let mut program = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tool has been built");
        let stdin = program.stdin.take();
        let stdout = BufReader::new(program.stdout.take().expect("it is piped"));
        Session { program, stdin, stdout }
    }

    fn ask(&mut self, line: &[u8]) -> Value {
        let stdin = self.stdin.as_mut().expect("it is piped");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).expect("it reads on");
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("it answers in UTF-8");
        serde_json::from_str(&answer).expect("an answer is one line of JSON")
    }

    fn error(&mut self, line: &[u8]) -> String {
        let answer = self.ask(line);
        answer["error"].as_str().unwrap_or_else(|| panic!("{answer} is no error")).to_owned()
    }

    /// Closes stdin; returns the exit code.
    fn end(mut self) -> Option<i32> {
        self.stdin = None;
        self.program.wait().expect("it ends").code()
    }
}

fn write(path: &Path, values: impl Iterator<Item = f32>) {
    let bytes: Vec<u8> = values.flat_map(f32::to_le_bytes).collect();
    fs::write(path, bytes).expect("the folder is ours");
}

#[test]
fn a_workload_is_built_measured_and_dropped() {
    let folder = tempfile::tempdir().expect("there is room");
    let x = |i: usize| (i % 100) as f32 * 0.25;
    write(&folder.path().join("W1s.x.f32"), (0..CELLS).map(x));
    write(&folder.path().join("W1s.y.f32"), (0..CELLS).map(|i| i as f32));
    let mut session = Session::new(Some(folder.path()));

    let built = session.ask(b"build W1s");
    assert_eq!(built["ok"], true, "{built}");
    assert!(built["compile_s"].as_f64().is_some_and(|seconds| seconds > 0.0), "{built}");
    let out = built["out"].as_str().expect("a path").to_owned();
    let found = fs::read(&out).expect("the result");
    let expected = (0..CELLS).flat_map(|i| ((x(i) - i as f32) * x(i)).to_le_bytes());
    assert!(found.into_iter().eq(expected));

    let measured = session.ask(b"m 0.01");
    let times = measured["times"].as_array().expect("times");
    assert!(times.len() >= 3 && times.iter().all(|it| it.as_f64().is_some_and(|it| it > 0.0)));
    assert!(measured["cpu"].as_f64().is_some_and(|cpu| cpu > 0.0), "{measured}");
    assert!(!Path::new(&out).exists(), "the result is read before the next line");

    // A workload that is not built also replaces the previous one.
    assert!(session.error(b"build W12").contains("W12.wq.f32: cannot be read: "));
    assert_eq!(session.error(b"m 0.01"), "no workload is built");
    assert_eq!(session.ask(b"build W1s")["ok"], true);
    assert_eq!(session.ask(b"drop"), serde_json::json!({}));
    assert_eq!(session.error(b"m 0.01"), "no workload is built");
    assert_eq!(session.end(), Some(0));
}

#[test]
fn what_cannot_be_done_is_an_answer() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut session = Session::new(Some(folder.path()));
    assert!(session.error(b"build W99").starts_with("found workload 'W99', expected one of W1s, "));
    assert!(session.error(b"build W1s").contains("W1s.x.f32: cannot be read: "));
    write(&folder.path().join("W1s.x.f32"), [1.0].into_iter());
    assert!(session.error(b"build W1s").ends_with("W1s.x.f32: has 4 bytes, expected 32768"));
    let unknown: [&[u8]; 6] = [b"", b"build", b"build W1s W2", b"m", b"sing", b"\xff\xfe \x00"];
    for line in unknown {
        let error = session.error(line);
        assert!(error.ends_with("', expected build ID, m SECONDS or drop"), "{error}");
    }
    for seconds in ["-1", "nan", "1e300", "soon"] {
        let error = session.error(format!("m {seconds}").as_bytes());
        assert!(error.starts_with(&format!("found '{seconds}', expected a number")), "{error}");
    }
    assert_eq!(session.end(), Some(0));

    let mut session = Session::new(None);
    assert_eq!(session.error(b"build W1s"), "PEERS_IN is not set, expected the folder of inputs");
    assert_eq!(session.end(), Some(0));
}
