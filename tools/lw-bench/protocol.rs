//! The line protocol on stdin, with which a harness compares this compiler with others.
//!
//! ```text
//! build W    compile workload W and run it once, on inputs $PEERS_IN/W.<name>.f32, raw:
//!            {"ok":true,"compile_s":0.05,"out":"/path/of/result.f32"} or {"error":".."}
//! m 0.15     run it for 0.15 s, three times or more: {"times":[seconds, ..],"cpu":1.0,"other":0.0}
//! drop       forget it: {}
//! ```
//! The next line deletes the file of the result.

use crate::compile::{Compiler, WEIGHTS};
use crate::data::{Loaded, draw_weights};
use crate::options;
use crate::usage::Usage;
use crate::workloads::{self, Workload};
use loopwright::pipeline::Phase;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::stdout;
use loopwright_runtime::tensor::Tensor;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, BufRead, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{env, process};

/// An answer; absent fields are not printed.
#[derive(Debug, Default, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compile_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Answers requests until stdin ends.
///
/// # Errors
/// If $PEERS_THREADS is no number of threads, or stdin or stdout fails.
pub fn serve(contract: &str) -> Result<(), String> {
    let mut server = Server {
        compiler: Compiler::new(contract),
        pool: Pool::new(threads()?).map_err(|error| error.to_string())?,
        loaded: None,
        out: env::temp_dir().join(format!("lw-bench-{}.f32", process::id())),
    };
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| format!("cannot read stdin: {error}"))?;
        server.forget_result();
        let answer = server.answer(&String::from_utf8_lossy(&line));
        let answer =
            answer.unwrap_or_else(|error| Answer { error: Some(error), ..Answer::default() });
        let text = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
        stdout::print(&(text + "\n"))?;
    }
    server.forget_result();
    Ok(())
}

fn threads() -> Result<NonZeroUsize, String> {
    let Some(text) = env::var_os("PEERS_THREADS") else { return Ok(NonZeroUsize::MIN) };
    let text = text.to_string_lossy();
    let number = text.parse::<u16>().ok().filter(|n| (1..=options::MOST_THREADS).contains(n));
    number.and_then(|n| NonZeroUsize::new(n.into())).ok_or_else(|| {
        format!("PEERS_THREADS is '{text}', expected a number from 1 to {}", options::MOST_THREADS)
    })
}

struct Server {
    compiler: Compiler,
    pool: Pool,
    loaded: Option<Loaded>,
    /// The file for results.
    out: PathBuf,
}

impl Server {
    fn answer(&mut self, line: &str) -> Result<Answer, String> {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["build", id] => {
                // The previous workload is dropped first to free its memory.
                self.loaded = None;
                match workloads::find(id) {
                    Some(workload) => self.build(workload),
                    None => {
                        Err(format!("found workload '{id}', expected one of {}", workloads::ids()))
                    }
                }
            }
            ["m", seconds] => self.measure(seconds),
            ["drop"] => {
                self.loaded = None;
                Ok(Answer::default())
            }
            _ => Err(format!("found '{}', expected build ID, m SECONDS or drop", line.trim())),
        }
    }

    fn build(&mut self, workload: &Workload) -> Result<Answer, String> {
        let folder =
            env::var_os("PEERS_IN").ok_or("PEERS_IN is not set, expected the folder of inputs")?;
        let shapes = workload.shapes(self.compiler.context())?;
        let file = |name: &str| Path::new(&folder).join(format!("{}.{name}.f32", workload.id));
        let mut weights = draw_weights(&shapes, WEIGHTS)?;
        for ((name, _), weight) in shapes.weights.iter().zip(&mut weights) {
            read(&file(name), weight)?;
        }
        let text = workload.text(&shapes, &weights);
        let (kernel, time) = self.compiler.compile(&text, Phase::Input)?;
        let mut loaded = Loaded::new(kernel, &shapes)?;
        for (name, input) in workload.arguments.iter().zip(&mut loaded.inputs) {
            read(&file(name), input)?;
        }
        loaded.run(&self.pool)?;
        let out = self.out.clone();
        File::create_new(&out)
            .and_then(|mut file| file.write_all(loaded.result.bytes()))
            .map_err(|error| format!("{}: cannot be written: {error}", out.display()))?;
        self.loaded = Some(loaded);
        let compile_s = Some(time.as_secs_f64());
        Ok(Answer { ok: Some(true), compile_s, out: Some(out), ..Answer::default() })
    }

    fn measure(&mut self, seconds: &str) -> Result<Answer, String> {
        let budget =
            options::seconds(seconds).map_err(|error| format!("found '{seconds}', {error}"))?;
        let loaded = self.loaded.as_mut().ok_or("no workload is built")?;
        let usage = Usage::start();
        let samples = loaded.measure(&self.pool, budget)?;
        let shares = usage.shares();
        Ok(Answer {
            times: Some(samples.seconds().collect()),
            cpu: shares.cpu,
            other: shares.other,
            ..Answer::default()
        })
    }

    /// Deletes the file of the result, which the harness has read. A missing file is no error.
    fn forget_result(&self) {
        let _ = fs::remove_file(&self.out);
    }
}

/// Fills a tensor from a raw file of its elements.
fn read(path: &Path, tensor: &mut Tensor) -> Result<(), String> {
    let error = |error: io::Error| format!("{}: cannot be read: {error}", path.display());
    let mut file = File::open(path).map_err(error)?;
    let (found, expected) = (file.metadata().map_err(error)?.len(), tensor.bytes().len());
    if found != expected as u64 {
        return Err(format!("{}: has {found} bytes, expected {expected}", path.display()));
    }
    file.read_exact(tensor.bytes_mut()).map_err(error)
}
