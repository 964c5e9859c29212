//! A GPU, or the emulator, on a thread of its own: devices belong to the thread that has opened them.

use crate::error::{ApiError, Code};
use crate::ffi;
use loopwright_runtime::device::{Device, DeviceError, Loaded, Place, Program, Settings};
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::kernel::{Argument, Signature};
use loopwright_runtime::tensor::Tensor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// An argument of a run, in memory that the run owns.
pub enum Passed {
    /// A tensor that the function reads.
    Input(Tensor),
    /// A tensor that receives a result.
    Result(Tensor),
    /// A number.
    Index(i64),
}

/// A run of a function.
struct Job {
    function: String,
    arguments: Vec<Passed>,
    done: Sender<Result<Vec<Passed>, ApiError>>,
}

/// A program on a device. Dropping it ends the thread.
pub struct DeviceThread {
    /// None after the drop has begun.
    jobs: Mutex<Option<Sender<Job>>>,
    thread: Option<JoinHandle<()>>,
}

impl DeviceThread {
    /// Opens the device and loads the program; returns the names and signatures of its functions too.
    pub fn open(
        place: Place,
        bundle: Bundle,
    ) -> Result<(DeviceThread, Vec<(String, Signature)>), ApiError> {
        let (jobs, received) = channel();
        let (opened, is_open) = channel();
        let thread = thread::Builder::new()
            .name("loopwright-device".to_owned())
            .spawn(move || serve(place, &bundle, &opened, &received))
            .map_err(|error| {
                ApiError::new(Code::Internal, format!("cannot start a thread: {error}"))
            })?;
        let this = DeviceThread { jobs: Mutex::new(Some(jobs)), thread: Some(thread) };
        let functions = is_open.recv().unwrap_or_else(|_| Err(ended()))?;
        Ok((this, functions))
    }

    /// Runs a function; returns its arguments with the results.
    pub fn run(&self, function: &str, arguments: Vec<Passed>) -> Result<Vec<Passed>, ApiError> {
        let (done, is_done) = channel();
        let job = Job { function: function.to_owned(), arguments, done };
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).clone();
        jobs.and_then(|jobs| jobs.send(job).ok()).ok_or_else(ended)?;
        is_done.recv().unwrap_or_else(|_| Err(ended()))
    }
}

impl Drop for DeviceThread {
    fn drop(&mut self) {
        // Without a sender, the thread ends.
        self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.take() {
            // Its panics have been reported to the runs.
            let _ = thread.join();
        }
    }
}

fn ended() -> ApiError {
    ApiError::new(Code::Internal, "internal error: the thread of the device has ended")
}

/// The thread: opens the device, and does the jobs one after the other.
fn serve(
    place: Place,
    bundle: &Bundle,
    opened: &Sender<Result<Vec<(String, Signature)>, ApiError>>,
    jobs: &Receiver<Job>,
) {
    let device = match ffi::load::device(place, Settings::default()) {
        Ok(device) => device,
        Err(error) => {
            // The receiver waits for it.
            let _ = opened.send(Err(ApiError::new(Code::Target, error.to_string())));
            return;
        }
    };
    let mut loaded = match device.load(Program::Bundle(bundle)) {
        Ok(loaded) => loaded,
        Err(error) => {
            let _ = opened.send(Err(ApiError::new(Code::Load, error.to_string())));
            return;
        }
    };
    // The programs of a bundle are of one model, each for another architecture.
    let functions = bundle.programs.first().map(|program| &program.functions).into_iter().flatten();
    let _ = opened.send(Ok(functions.map(|it| (it.name.clone(), it.signature.clone())).collect()));
    for Job { function, mut arguments, done } in jobs {
        let ran =
            catch_unwind(AssertUnwindSafe(|| run(&device, &mut loaded, &function, &mut arguments)));
        let ran = ran.unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic)));
        // The receiver waits for it.
        let _ = done.send(ran.map(|()| arguments));
    }
}

fn run(
    device: &Device,
    loaded: &mut Loaded,
    function: &str,
    arguments: &mut [Passed],
) -> Result<(), ApiError> {
    let mut bound: Vec<Argument> = arguments
        .iter_mut()
        .map(|passed| match passed {
            Passed::Input(tensor) => Argument::Input(tensor),
            Passed::Result(tensor) => Argument::Output(tensor),
            Passed::Index(index) => Argument::Index(*index),
        })
        .collect();
    let failed = |error: DeviceError| {
        let code = match error {
            DeviceError::Call(_) => Code::Argument,
            _ => Code::Run,
        };
        ApiError::new(code, error.to_string())
    };
    let ran = (|| {
        let mut call = loaded.prepare(function, &mut bound)?;
        call.run()?;
        call.results()
    })();
    // Profiles of launches are not reported.
    device.take_profiles();
    ran.map_err(failed)
}
