//! Models that are compiled in the background: both codes compute the same, each error is reported, and a drop ends the
//! thread. The tests do not depend on time: a strategy of the tests waits at a gate, so that the scheduled code is not ready
//! before a test opens it.

use loopwright::machine::x86::Processor;
use loopwright::pipeline::{
    BackgroundError, BackgroundJob, BackgroundModel, CodeStage, ErrorCode, JobModel, JobSchedule,
};
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright::strategy::group::NestGroup;
use loopwright::strategy::space::Space;
use loopwright::strategy::{Strategies, Strategy};
use loopwright_runtime::kernel::Argument::{Input, Output};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// A product, and the exponentials and sums of its rows.
const MODEL: &str = "
func.func @main(%x: tensor<12x16xf32>, %w: tensor<16x24xf32>) -> (tensor<12x24xf32>, tensor<12xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x24xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x24xf32>) -> tensor<12x24xf32>
  %y = linalg.matmul ins(%x, %w : tensor<12x16xf32>, tensor<16x24xf32>)
                     outs(%start : tensor<12x24xf32>) -> tensor<12x24xf32>
  %e = graph.exp %y : tensor<12x24xf32>
  %s = graph.reduce add %e dims = [1] : tensor<12x24xf32> -> tensor<12xf32>
  return %e, %s : tensor<12x24xf32>, tensor<12xf32>
}";

/// A strategy that applies to nothing, and waits until the gate is open.
struct Gate(Arc<(Mutex<GateState>, Condvar)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GateState {
    Closed,
    /// Closed, and the compilation waits.
    Reached,
    Open,
    /// Open, and the strategy panics.
    Broken,
}

impl Gate {
    fn new() -> Gate {
        Gate(Arc::new((Mutex::new(GateState::Closed), Condvar::new())))
    }

    fn handle(&self) -> Gate {
        Gate(self.0.clone())
    }

    fn set(&self, state: GateState) {
        *self.0.0.lock().expect("no panic") = state;
        self.0.1.notify_all();
    }

    fn wait_until(&self, is_there: impl Fn(GateState) -> bool) -> GateState {
        let state = self.0.0.lock().expect("no panic");
        *self.0.1.wait_while(state, |state| !is_there(*state)).expect("no panic")
    }
}

impl Strategy<Processor> for Gate {
    fn name(&self) -> &str {
        "test.gate"
    }

    fn summary(&self) -> &str {
        "Waits"
    }

    fn priority(&self) -> u32 {
        90
    }

    fn applies(&self, _: &NestGroup, _: &Processor) -> Result<(), String> {
        if *self.0.0.lock().expect("no panic") == GateState::Closed {
            self.set(GateState::Reached);
        }
        match self.wait_until(|state| matches!(state, GateState::Open | GateState::Broken)) {
            GateState::Broken => std::panic::resume_unwind(Box::new("the gate is broken")),
            _ => Err("it is a gate".into()),
        }
    }

    fn schedule(
        &self,
        _: &mut Schedule,
        _: &NestGroup,
        _: &Processor,
        _: &Space,
    ) -> Result<(), ScheduleError> {
        Ok(())
    }
}

fn job(text: &str) -> BackgroundJob {
    BackgroundJob::new(JobModel::Module { bytes: text.into(), name: "m.mlir".into() })
}

/// Starts a job.
fn start(job: BackgroundJob) -> BackgroundModel {
    loopwright_testing::start(job).expect("a thread")
}

/// Starts the model with a gate before the scheduled code.
fn gated() -> (BackgroundModel, Gate, Arc<Strategies>) {
    let gate = Gate::new();
    let mut strategies = Strategies::default();
    strategies.x86.add(gate.handle()).expect("a new name");
    let strategies = Arc::new(strategies);
    (start(BackgroundJob { strategies: strategies.clone(), ..job(MODEL) }), gate, strategies)
}

fn ramp(shape: &[usize], factor: usize) -> Tensor {
    let count = shape.iter().product::<usize>();
    let values: Vec<f64> = (0..count).map(|i| (i * factor % 17) as f64 / 16.0 - 0.5).collect();
    Tensor::from_f64s(ElementType::F32, shape, &values).expect("small")
}

/// Calls the model; returns the code that ran, and the bytes of the results.
fn call(model: &BackgroundModel) -> Result<(CodeStage, [Vec<u8>; 2]), BackgroundError> {
    let (x, w) = (ramp(&[12, 16], 5), ramp(&[16, 24], 7));
    let zeros = |shape: &[usize]| Tensor::zeros(ElementType::F32, shape).expect("small");
    let (mut e, mut s) = (zeros(&[12, 24]), zeros(&[12]));
    let pool = Pool::new(NonZeroUsize::new(2).expect("not 0")).expect("threads");
    let arguments = &mut [Input(&x), Input(&w), Output(&mut e), Output(&mut s)];
    let stage = model.call("main", &pool, arguments)?;
    Ok((stage, [e.bytes().to_vec(), s.bytes().to_vec()]))
}

#[test]
fn calls_run_unscheduled_code_until_the_scheduled_code_is_ready() {
    let (model, gate, _) = gated();
    let (stage, meanwhile) = call(&model).expect("it runs");
    assert_eq!((stage, model.is_ready()), (CodeStage::Unscheduled, false));
    assert_eq!(model.kernel("main").expect("it is there").0, CodeStage::Unscheduled);
    // A kernel that is in use stays valid.
    let (_, kernel) = model.kernel("main").expect("it is there");
    gate.wait_until(|state| state == GateState::Reached);
    assert_eq!(call(&model).expect("it runs"), (CodeStage::Unscheduled, meanwhile.clone()));
    gate.set(GateState::Open);
    model.wait().expect("it compiles");
    assert!(model.is_ready());
    // The contract is strict: the bits are equal.
    assert_eq!(call(&model).expect("it runs"), (CodeStage::Scheduled, meanwhile.clone()));
    assert_eq!(kernel.signature(), model.kernel("main").expect("it is there").1.signature());
    let sums: f64 = f32::from_le_bytes(meanwhile[1][..4].try_into().expect("a number")).into();
    let expected = first_sum();
    assert!((sums - expected).abs() <= 1e-5 * expected, "found {sums}, expected {expected}");
    drop(model);
    // Kernels outlive the model.
    assert_eq!(kernel.name(), "main");
}

/// The sum of the exponentials of the first row, in f64.
fn first_sum() -> f64 {
    let (x, w) = (ramp(&[12, 16], 5), ramp(&[16, 24], 7));
    let product = |j| (0..16).map(|k| x.get_f64(k) * w.get_f64(k * 24 + j)).sum::<f64>();
    (0..24).map(|j| product(j).exp()).sum()
}

#[test]
fn callers_on_several_threads_see_one_code_or_the_other() {
    let (model, gate, _) = gated();
    let (_, expected) = call(&model).expect("it runs");
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let (stage, results) = call(&model).expect("it runs");
                    assert_eq!(results, expected);
                    if stage == CodeStage::Scheduled {
                        break;
                    }
                }
            });
        }
        gate.set(GateState::Open);
    });
    model.wait().expect("it compiles");
}

#[test]
fn a_job_without_a_schedule_has_one_code() {
    let model = start(BackgroundJob { schedule: JobSchedule::None, ..job(MODEL) });
    model.wait().expect("it compiles");
    assert_eq!(call(&model).expect("it runs").0, CodeStage::Scheduled);
    assert!(model.take_reported().is_empty());
}

#[test]
fn errors_have_a_code_and_a_position() {
    let found = |model: &BackgroundModel, line: usize| {
        let error = model.wait().expect_err("it does not compile");
        let of_call = call(model).expect_err("it does not compile");
        assert_eq!(of_call.to_string(), error.to_string());
        assert_eq!((of_call.code(), of_call.position()), (Some(error.code), error.position()));
        assert!(!model.is_ready());
        let position = error.position().expect("in a file");
        assert_eq!((&*position.file, position.line), ("m.mlir", line), "{error}");
        error.code
    };
    let model = start(job("func.func @main() {\n  not_an_op\n}"));
    assert_eq!(found(&model, 2), ErrorCode::Model);
    let path = "no such file.mlir";
    let model = start(BackgroundJob::new(JobModel::File(path.into())));
    let error = model.wait().expect_err("there is no file");
    assert_eq!(
        (error.code, &*error.position().expect("the file").file),
        (ErrorCode::Unreadable, path)
    );
    let mut of_module = job(MODEL);
    of_module.import.dims.push(("batch".into(), 4));
    assert_eq!(found(&start(of_module), 0), ErrorCode::Option);
    // The unscheduled code is right, but the schedule is not: calls report that, too.
    let script = "{\"version\": 1, \"function\": \"main\",\n \"steps\": [{\"primitive\": \"parallel\", \"loop\": \"matmul:k\"}]}\n";
    let schedule = JobSchedule::Text { bytes: script.into(), name: "s.json".into() };
    let model = start(BackgroundJob { schedule, ..job(MODEL) });
    assert_eq!(found(&model, 6), ErrorCode::Compile);
}

#[test]
fn wrong_calls_are_refused() {
    let model = start(job(MODEL));
    let error = model.kernel("f").expect_err("there is no f");
    assert_eq!(error.to_string(), "found no function 'f', expected one of main");
    let pool = Pool::new(NonZeroUsize::MIN).expect("a thread");
    let error = model.call("main", &pool, &mut []).expect_err("four arguments");
    assert!(matches!(error, BackgroundError::Call(_)), "{error}");
    assert_eq!((error.code(), error.position()), (None, None));
}

#[test]
fn a_panic_of_the_thread_is_an_error() {
    let (model, gate, _) = gated();
    gate.set(GateState::Broken);
    let error = model.wait().expect_err("it panics");
    assert_eq!(error.code, ErrorCode::Compile);
    assert!(error.to_string().contains("the gate is broken"), "{error}");
    assert_eq!(call(&model).expect_err("it panics").to_string(), error.to_string());
}

#[test]
fn a_drop_ends_the_thread_after_the_current_phase() {
    let (model, gate, strategies) = gated();
    gate.wait_until(|state| state == GateState::Reached);
    let dropping = thread::spawn(move || drop(model));
    gate.set(GateState::Open);
    dropping.join().expect("no panic");
    // The thread has ended, and has dropped all that it had.
    assert_eq!(Arc::strong_count(&strategies), 1);
    // At once, and with an outcome.
    drop(start(job(MODEL)));
    let model = start(job(MODEL));
    model.wait().expect("it compiles");
    drop(model);
}

#[test]
fn models_may_be_shared_between_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<BackgroundModel>();
    is_shared::<BackgroundJob>();
    is_shared::<BackgroundError>();
}
