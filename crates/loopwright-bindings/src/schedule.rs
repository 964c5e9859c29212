//! A function that is scheduled step by step, on a thread of its own: its IR and its context do not leave the thread, so that
//! any thread of the caller may use the schedule.

use crate::compile::{Model, NAME, STACK_BYTES, check_contract, read};
use crate::error::{ApiError, Code};
use crate::log::{self, LogReceiver};
use loopwright::ir;
use loopwright::pipeline::{self, CompileError, ErrorCode, Input, Phase, ScheduleFile, Settings};
use loopwright::schedule::trace::{Spelling, Trace};
use loopwright::schedule::{Argument, Instruction, Schedule, name};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// What is scheduled.
pub struct Scheduled {
    /// The model that has the function.
    pub model: Model<'static>,
    /// The name of the function.
    pub function: String,
    /// The sizes of named dimensions of an ONNX model.
    pub dimensions: Vec<(String, u64)>,
    /// As [`CompileOptions::contract`](crate::compile::CompileOptions::contract).
    pub contract: Option<String>,
}

/// A question on a nest that is scheduled: those of [`Schedule`] with the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// [`Schedule::blocks`].
    Blocks,
    /// [`Schedule::buffers`].
    Buffers,
    /// [`Schedule::children`].
    Children,
    /// [`Schedule::consumers`].
    Consumers,
    /// [`Schedule::find`].
    Find,
    /// [`Schedule::loops`].
    Loops,
    /// [`Schedule::outputs`].
    Outputs,
    /// [`Schedule::producers`].
    Producers,
    /// [`Schedule::reads`].
    Reads,
    /// [`Schedule::writes`].
    Writes,
}

impl Query {
    /// The queries by name.
    const NAMES: [(&str, Query); 10] = [
        ("blocks", Query::Blocks),
        ("buffers", Query::Buffers),
        ("children", Query::Children),
        ("consumers", Query::Consumers),
        ("find", Query::Find),
        ("loops", Query::Loops),
        ("outputs", Query::Outputs),
        ("producers", Query::Producers),
        ("reads", Query::Reads),
        ("writes", Query::Writes),
    ];

    /// The query with a name, such as `loops`.
    pub fn from_name(name: &str) -> Option<Query> {
        Query::NAMES.iter().find(|(of, _)| *of == name).map(|(_, query)| *query)
    }
}

/// A schedule in the making.
struct Session<'i, 'c> {
    input: &'i Input<'c>,
    schedule: Schedule<'c>,
}

/// A request of the caller.
type Request = Box<dyn for<'i, 'c> FnOnce(&mut Session<'i, 'c>) + Send>;

/// The schedule of a function. Dropping it ends the thread.
pub struct ScheduleThread {
    /// None after the drop has begun.
    requests: Mutex<Option<Sender<Request>>>,
    thread: Option<JoinHandle<()>>,
}

impl ScheduleThread {
    /// Reads a model, and lowers it to loop nests without a schedule. `receiver` receives the messages of this and of the steps,
    /// on the thread of the schedule.
    ///
    /// # Errors
    /// As those of a compilation, and [`Code::Function`] if there is no such function.
    pub fn start(
        receiver: impl LogReceiver,
        scheduled: Scheduled,
    ) -> Result<ScheduleThread, ApiError> {
        let (requests, received) = channel();
        let (started, is_started) = channel();
        let run = move || {
            let serve = || serve(&receiver, &scheduled, &started, &received);
            let served = catch_unwind(AssertUnwindSafe(|| log::with_events(&receiver, serve)));
            // The receiver waits for an error; after the start, each request reports its own panic.
            let _ = match served {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => started.send(Err(error)),
                Err(panic) => started.send(Err(ApiError::of_panic(&*panic))),
            };
        };
        let builder = thread::Builder::new().name(NAME.to_owned()).stack_size(STACK_BYTES);
        let thread = builder.spawn(run).map_err(|error| {
            ApiError::new(Code::Internal, format!("cannot start a thread: {error}"))
        })?;
        let this = ScheduleThread { requests: Mutex::new(Some(requests)), thread: Some(thread) };
        is_started.recv().unwrap_or_else(|_| Err(ended()))?;
        Ok(this)
    }

    /// Applies one step, given as an element of the array `steps` of a trace as JSON; returns the names of what it has created.
    /// New loops around the block of the step's target are named `block:loop`, as later steps name them.
    ///
    /// # Errors
    /// [`Code::Argument`] if it is not a step, and [`Code::Compile`] if it is refused. Then nothing has changed.
    pub fn step(&self, json: String) -> Result<Vec<String>, ApiError> {
        self.ask(move |session| {
            let trace = format!("{{\"version\": 1, \"function\": \"\", \"steps\": [{json}]}}");
            let trace = Trace::from_json(&trace)
                .map_err(|error| ApiError::new(Code::Argument, error.message))?;
            trace.instructions.iter().try_fold(vec![], |_, step| {
                let created = session.apply(step)?;
                Ok(created.into_iter().map(|name| session.in_full(step, name)).collect())
            })
        })
    }

    /// Applies the steps of a trace, as a script or as JSON; `name` is the file in its locations.
    ///
    /// # Errors
    /// [`Code::Schedule`] if it is not a trace of this function, and [`Code::Compile`] if a step is refused. The steps before it
    /// remain applied.
    pub fn replay(&self, text: Vec<u8>, name: String) -> Result<(), ApiError> {
        self.ask(move |session| {
            let trace = session.trace_of(&text, &name)?;
            let (found, expected) = (trace.function, &session.schedule.trace().function);
            if found != *expected {
                let message = format!("is a trace of function '{found}', expected '{expected}'");
                return Err(CompileError::of_file(ErrorCode::Schedule, &name, message).into());
            }
            trace.instructions.iter().try_for_each(|step| session.apply(step).map(drop))
        })
    }

    /// Answers a question on the nest: the names of blocks, loops or buffers, as steps take them. `name` is a block, a loop, or a
    /// pattern; questions on the whole function ignore it.
    ///
    /// # Errors
    /// [`Code::Argument`] if there is no such block or loop.
    pub fn query(&self, query: Query, name: String) -> Result<Vec<String>, ApiError> {
        self.ask(move |session| {
            let schedule = &session.schedule;
            let answer = match query {
                Query::Blocks => Ok(schedule.blocks()),
                Query::Buffers => Ok(schedule.buffers()),
                Query::Children => schedule.children(&name),
                Query::Consumers => schedule.consumers(&name),
                Query::Find => Ok(schedule.find(&name)),
                Query::Loops => schedule.loops(&name),
                Query::Outputs => Ok(schedule.outputs()),
                Query::Producers => schedule.producers(&name),
                Query::Reads => schedule.reads(&name),
                Query::Writes => schedule.writes(&name),
            };
            answer.map_err(|error| ApiError::new(Code::Argument, error.reason.to_string()))
        })
    }

    /// The nest as text.
    ///
    /// # Errors
    /// [`Code::Internal`].
    pub fn nest(&self) -> Result<String, ApiError> {
        self.ask(|session| Ok(session.schedule.show()))
    }

    /// The costs of the function in its present state, as [JSON](loopwright::analysis::loop_cost::Ledger::to_json).
    ///
    /// # Errors
    /// [`Code::Internal`].
    pub fn cost(&self) -> Result<String, ApiError> {
        self.ask(|session| {
            let ledger = session.schedule.cost().map_err(|error| described(&error))?;
            Ok(ledger.to_json(&session.schedule.trace().function))
        })
    }

    /// The steps so far.
    ///
    /// # Errors
    /// [`Code::Internal`].
    pub fn trace(&self, spelling: Spelling) -> Result<String, ApiError> {
        self.ask(move |session| Ok(session.schedule.trace().spelt(spelling)))
    }

    fn ask<T: Send + 'static>(
        &self,
        run: impl for<'i, 'c> FnOnce(&mut Session<'i, 'c>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (done, is_done) = channel();
        let request: Request = Box::new(move |session| {
            let ran = catch_unwind(AssertUnwindSafe(|| run(session)));
            // The receiver waits for it.
            let _ = done.send(ran.unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic))));
        });
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        requests.and_then(|requests| requests.send(request).ok()).ok_or_else(ended)?;
        is_done.recv().unwrap_or_else(|_| Err(ended()))
    }
}

impl Drop for ScheduleThread {
    fn drop(&mut self) {
        // Without a sender, the thread ends.
        self.requests.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = self.thread.take() {
            // Its panics have been reported to the requests.
            let _ = thread.join();
        }
    }
}

fn ended() -> ApiError {
    ApiError::new(Code::Internal, "internal error: the thread of the schedule has ended")
}

/// The thread: makes the loop nests, and serves the requests one after the other.
fn serve(
    receiver: &impl LogReceiver,
    scheduled: &Scheduled,
    started: &Sender<Result<(), ApiError>>,
    requests: &Receiver<Request>,
) -> Result<(), ApiError> {
    let context = pipeline::context();
    let input = Input::new(&context, NAME);
    let report = || input.take_reported().iter().for_each(|it| log::report(receiver, it));
    check_contract(scheduled.contract.as_deref())?;
    let (mut module, path) = read(&input, &scheduled.model, &scheduled.dimensions)?;
    if pipeline::function(&module, &scheduled.function).is_none() {
        let names = pipeline::functions(&module).into_iter().map(|it| it.name);
        let (name, names) = (&scheduled.function, names.collect::<Vec<_>>().join(", "));
        let message = format!("{path}: found no function '{name}', expected one of {names}");
        return Err(ApiError::new(Code::Function, message));
    }
    let settings = Settings { contract: scheduled.contract.as_deref(), ..Settings::default() };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings)
        .map_err(|error| input.explained(ErrorCode::Compile, &format!("{path}: {error}")))?;
    let schedule =
        Schedule::of(&mut module, &scheduled.function).map_err(|error| described(&error))?;
    let mut session = Session { input: &input, schedule };
    report();
    // The receiver waits for it.
    let _ = started.send(Ok(()));
    for request in requests {
        request(&mut session);
        report();
    }
    Ok(())
}

fn described(error: &ir::Error) -> CompileError {
    CompileError::of_error(ErrorCode::Compile, error)
}

impl Session<'_, '_> {
    fn apply(&mut self, step: &Instruction) -> Result<Vec<String>, ApiError> {
        self.schedule
            .apply(step)
            .map_err(|error| described(&self.schedule.located(&error, step.primitive, true)).into())
    }

    /// The name of a loop around the block of the step's target with the name of this block; any other name as it is.
    fn in_full(&self, step: &Instruction, created: String) -> String {
        let target = match step.arguments.first() {
            Some(Argument::Text(name)) => name,
            Some(Argument::Texts(names)) if !names.is_empty() => &names[0],
            _ => return created,
        };
        let block = target.split_once(':').map_or(target.as_str(), |(block, _)| block);
        let (summary, of_loop) = (self.schedule.summary(), format!("{block}:{created}"));
        let is_block = name::block(summary, &created).is_ok();
        if is_block || name::loop_of(summary, &of_loop).is_err() { created } else { of_loop }
    }

    fn trace_of(&self, text: &[u8], name: &str) -> Result<Trace, CompileError> {
        match self.input.schedule_bytes(text, name)? {
            ScheduleFile::Trace(source) => Ok(source.trace),
            ScheduleFile::Script(script) => Trace::parse(&script)
                .map_err(|error| CompileError::of_error(ErrorCode::Schedule, &error)),
        }
    }
}
