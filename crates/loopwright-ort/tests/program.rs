//! Programs that are written for the crate `ort`, on this backend. Numbers are compared with a computation in f64.

#[path = "support/direct.rs"]
mod direct;
#[path = "support/models.rs"]
mod models;

use half::{bf16, f16};
use loopwright_onnx::schema::{StringStringEntryProto, TensorProto};
use models::{Classifier, Dim, FLOAT, SIZES, model, node, numbers, tensor};
use ndarray::{Array1, Array2};
use ort::environment::Environment;
use ort::memory::{AllocationDevice, Allocator, AllocatorType, MemoryInfo, MemoryType};
use ort::session::builder::GraphOptimizationLevel;
use ort::session::{OutputSelector, RunOptions, Session};
use ort::value::{PrimitiveTensorElementType, Tensor, TensorElementType, TensorRef, ValueType};
use ort::{Error, ErrorCode, inputs};
use prost::Message;
use std::fmt::Debug;
use std::pin::pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// ONNX's numbers of element types.
const INT64: i32 = 7;
const BOOL: i32 = 9;

/// Sums of at most 20 products in f32, and a softmax.
const TOLERANCE: f64 = 1e-5;

/// A process has one environment.
fn environment() -> &'static Environment {
    static ENVIRONMENT: LazyLock<Environment> = LazyLock::new(|| {
        ort::set_api(loopwright_ort::api());
        ort::init().with_name("test").build().expect("an environment")
    });
    &ENVIRONMENT
}

fn session(model: &[u8]) -> Session {
    let mut builder = Session::builder(environment()).expect("a builder");
    builder.commit_from_memory(model).expect("a session")
}

fn assert_near(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= TOLERANCE, "{found}, expected {expected}");
    }
}

fn assert_fails<T>(result: Result<T, Error>, code: ErrorCode, message: &str) {
    let error = result.err().expect("an error");
    assert_eq!((error.code(), error.message()), (code, message));
}

#[test]
fn a_session_of_a_file_runs_at_several_sizes() -> ort::Result<()> {
    let classifier = Classifier::new();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("classifier.onnx");
    std::fs::write(&path, classifier.encoded()).expect("a file");
    let mut session = Session::builder(environment())?
        .with_optimization_level(GraphOptimizationLevel::Level3)?
        .with_intra_threads(2)?
        .with_inter_threads(1)?
        .with_parallel_execution(false)?
        .with_memory_pattern(true)?
        .commit_from_file(&path)?;
    for rows in [1, 3, 7, 0] {
        let x = Array2::from_shape_vec((rows, SIZES[0]), numbers(rows * SIZES[0], 9));
        let x = x.expect("so many numbers");
        let (probabilities, logits) = classifier.expected(x.as_slice().expect("dense"));
        let outputs = session.run(inputs![TensorRef::from_array_view(&x)?])?;
        let (shape, found) = outputs["p"].try_extract_tensor::<f32>()?;
        assert_eq!(**shape, [rows as i64, SIZES[2] as i64]);
        assert_near(found, &probabilities);
        let found = outputs["logits"].try_extract_array::<f32>()?;
        assert_eq!(found.shape(), [rows, SIZES[2]]);
        assert_near(found.as_slice().expect("dense"), &logits);
    }
    Ok(())
}

#[test]
fn sessions_describe_their_inputs_and_outputs() {
    let session = session(&Classifier::new().encoded());
    let [inputs, _, classes] = SIZES.map(|size| size as i64);
    let described = |outlets: &[ort::value::Outlet]| -> Vec<String> {
        outlets.iter().map(|it| format!("{}: {}", it.name(), it.dtype())).collect()
    };
    assert_eq!(described(session.inputs()), [format!("x: Tensor<f32>(batch, {inputs})")]);
    let outputs = ["p", "logits"].map(|it| format!("{it}: Tensor<f32>(batch, {classes})"));
    assert_eq!(described(session.outputs()), outputs);
    let ValueType::Tensor { ty, shape, dimension_symbols } = session.inputs()[0].dtype() else {
        panic!("not a tensor")
    };
    assert_eq!(*ty, TensorElementType::Float32);
    assert_eq!(**shape, [-1, inputs]);
    assert_eq!((dimension_symbols[0].as_str(), dimension_symbols[1].as_str()), ("batch", ""));
    assert!(session.overridable_initializers().is_empty());
}

#[test]
fn a_named_dimension_can_be_fixed() -> ort::Result<()> {
    let model = Classifier::new().encoded();
    let builder = || Session::builder(environment());
    let session = builder()?.with_dimension_override("batch", 4)?.commit_from_memory(&model)?;
    let shape = session.outputs()[0].dtype().tensor_shape().expect("a tensor");
    assert_eq!(**shape, [4, SIZES[2] as i64]);
    let other = builder()?.with_dimension_override("rows", 4)?.commit_from_memory(&model);
    let message = "model.onnx: the graph: has no dimension 'rows', expected one of batch";
    assert!(other.is_err_and(|error| error.message().contains(message)));
    Ok(())
}

/// A constant of integers.
fn integer(name: &str, value: i64) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        data_type: INT64,
        int64_data: vec![value],
        ..TensorProto::default()
    }
}

#[test]
fn integers_and_booleans() -> ort::Result<()> {
    let shape = [Dim::Name("n")];
    let bytes = model(
        vec![
            node("Mul", &["ids", "two"], "doubled"),
            node("Neg", &["ids"], "negated"),
            node("Where", &["mask", "doubled", "negated"], "y"),
            node("Greater", &["y", "two"], "large"),
        ],
        vec![integer("two", 2)],
        vec![tensor("ids", INT64, &shape), tensor("mask", BOOL, &shape)],
        vec![tensor("y", INT64, &shape), tensor("large", BOOL, &shape)],
    );
    let mut session = session(&bytes);
    let ids = Tensor::from_array(Array1::from_vec(vec![i64::MAX / 3, -7, 0, 5, 1 << 40]))?;
    let mask = Tensor::from_array(([5], vec![true, false, true, false, true]))?;
    let outputs = session.run(inputs!["mask" => mask, "ids" => ids])?;
    let y = [i64::MAX / 3 * 2, 7, 0, -5, 1 << 41];
    assert_eq!(outputs["y"].try_extract_tensor::<i64>()?.1, y);
    let large = [true, true, false, false, true];
    assert_eq!(outputs["large"].try_extract_tensor::<bool>()?.1, large);
    Ok(())
}

/// Runs a model with one node on two tensors of a type.
fn sum<T: PrimitiveTensorElementType + Copy + Debug + PartialEq + 'static>(
    element: i32,
    op: &str,
    [a, b, expected]: [T; 3],
) -> ort::Result<()> {
    let ports = ["a", "b", "y"].map(|it| tensor(it, element, &[Dim::Size(2), Dim::Name("n")]));
    let [a_port, b_port, y_port] = ports;
    let nodes = vec![node(op, &["a", "b"], "y")];
    let mut session = session(&model(nodes, vec![], vec![a_port, b_port], vec![y_port]));
    let [a, b] = [a, b].map(|it| Tensor::from_array(([2_usize, 3], vec![it; 6])));
    let outputs = session.run(inputs![a?, b?])?;
    assert_eq!(outputs[0].try_extract_tensor::<T>()?.1, [expected; 6], "{op} {element}");
    assert_eq!(outputs[0].dtype().tensor_type(), Some(T::into_tensor_element_type()));
    Ok(())
}

#[test]
fn all_element_types() -> ort::Result<()> {
    sum(1, "Add", [1.5_f32, 0.25, 1.75])?;
    sum(2, "Max", [200_u8, 100, 200])?;
    sum(3, "Add", [100_i8, -120, -20])?;
    sum(4, "Max", [60_000_u16, 7, 60_000])?;
    sum(5, "Add", [-30_000_i16, 7, -29_993])?;
    sum(6, "Mul", [-70_000_i32, 3, -210_000])?;
    sum(7, "Mul", [1_i64 << 40, -3, -3 << 40])?;
    sum(9, "And", [true, false, false])?;
    sum(10, "Add", [1.5, 0.25, 1.75].map(f16::from_f32))?;
    sum(11, "Sub", [1.5_f64, 1e-12, 1.5 - 1e-12])?;
    sum(12, "Max", [3_000_000_000_u32, 7, 3_000_000_000])?;
    sum(13, "Max", [u64::MAX, 7, u64::MAX])?;
    sum(16, "Add", [1.5, 0.25, 1.75].map(bf16::from_f32))
}

#[test]
fn outputs_can_be_selected_and_allocated() -> ort::Result<()> {
    let classifier = Classifier::new();
    let mut session = session(&classifier.encoded());
    let x = numbers(2 * SIZES[0], 5);
    let (_, logits) = classifier.expected(&x);
    let input = Tensor::from_array(([2, SIZES[0]], x))?;
    let allocated = |rows: usize| Tensor::<f32>::new(&Allocator::default(), [rows, SIZES[2]]);
    let selector = OutputSelector::no_default().with("logits").preallocate("logits", allocated(2)?);
    let options = RunOptions::new()?.with_tag("selected")?.with_outputs(selector);
    assert_eq!(options.tag()?, "selected");
    let outputs = session.run_with_options(inputs![&input], &options)?;
    assert_eq!(outputs.len(), 1);
    assert_near(outputs["logits"].try_extract_tensor::<f32>()?.1, &logits);
    drop(outputs);
    let selector = OutputSelector::default().preallocate("p", allocated(3)?);
    let options = RunOptions::new()?.with_outputs(selector);
    assert_fails(
        session.run_with_options(inputs![&input], &options),
        ErrorCode::InvalidArgument,
        "output 'p' is to be written to float 3x5, expected float 2x5",
    );
    // An output that is requested twice has two values.
    let options = RunOptions::new()?.with_outputs(OutputSelector::default().with("logits"));
    let outputs = session.run_with_options(inputs![&input], &options)?;
    assert_near(outputs[1].try_extract_tensor::<f32>()?.1, &logits);
    assert_near(outputs[2].try_extract_tensor::<f32>()?.1, &logits);
    Ok(())
}

#[test]
fn run_options_terminate_runs() -> ort::Result<()> {
    let mut session = session(&Classifier::new().encoded());
    let input = Tensor::from_array(([1, SIZES[0]], numbers(SIZES[0], 5)))?;
    let mut options = RunOptions::new()?;
    options.set("key", "value")?;
    assert_eq!(options.get("key").as_deref(), Some("value"));
    options.terminate()?;
    assert_fails(
        session.run_with_options(inputs![&input], &options),
        ErrorCode::GenericFailure,
        "the run was terminated by its options",
    );
    options.unterminate()?;
    session.run_with_options(inputs![&input], &options)?;
    Ok(())
}

#[test]
fn wrong_inputs_are_refused() -> ort::Result<()> {
    let mut session = session(&Classifier::new().encoded());
    let rows = |count: usize| Tensor::from_array(([1, count], numbers(count, 5)));
    let refused = ErrorCode::InvalidArgument;
    let run = session.run(inputs!["image" => rows(12)?]);
    assert_fails(run, refused, "found no input 'image', expected one of x");
    let doubles = Tensor::from_array(([1, 12], vec![0.0_f64; 12]))?;
    let run = session.run(inputs!["x" => doubles]);
    assert_fails(run, refused, "input 'x' has elements of type double, expected float");
    let run = session.run(inputs!["x" => rows(11)?]);
    assert_fails(run, refused, "input 'x' has the shape 1x11, expected batchx12");
    let flat = Tensor::from_array(([12], numbers(12, 5)))?;
    let run = session.run(inputs!["x" => flat]);
    assert_fails(run, refused, "input 'x' has the shape 12, expected batchx12");
    let none: [(String, Tensor<f32>); 0] = [];
    let run = session.run(none.into_iter().collect::<Vec<_>>());
    assert_fails(run, refused, "the input 'x' is missing");
    let options = RunOptions::new()?.with_outputs(OutputSelector::no_default().with("q"));
    let run = session.run_with_options(inputs![rows(12)?], &options);
    assert_fails(run, refused, "found no output 'q', expected one of p, logits");
    Ok(())
}

#[test]
fn a_name_of_a_dimension_has_one_size() -> ort::Result<()> {
    let ports = ["a", "b", "y"].map(|it| tensor(it, FLOAT, &[Dim::Name("n")]));
    let [a, b, y] = ports;
    let nodes = vec![node("Add", &["a", "b"], "y")];
    let mut session = session(&model(nodes, vec![], vec![a, b], vec![y]));
    let [a, b] = [3, 4].map(|n| Tensor::from_array(([n], vec![1.0_f32; n])));
    assert_fails(
        session.run(inputs![a?, b?]),
        ErrorCode::InvalidArgument,
        "dimension 'n' has the size 4 in input 'b', but 3 in input 'a'",
    );
    Ok(())
}

#[test]
fn models_that_cannot_be_loaded() -> ort::Result<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.onnx");
    let model_bytes = Classifier::new().encoded();
    std::fs::write(&path, &model_bytes[..model_bytes.len() / 2]).expect("a file");
    let mut builder = Session::builder(environment())?;
    let error = builder.commit_from_file(&path).expect_err("half a model");
    assert_eq!(error.code(), ErrorCode::InvalidProtobuf);
    let start = format!("{}: is not an ONNX model: ", path.display());
    assert!(error.message().starts_with(&start), "{error}");
    let error = builder.commit_from_memory(b"").expect_err("no model");
    assert_eq!(error.message(), "model.onnx: is not an ONNX model: it has no graph");
    let port = |name| tensor(name, FLOAT, &[Dim::Size(2)]);
    let unknown =
        model(vec![node("Frobnicate", &["x"], "y")], vec![], vec![port("x")], vec![port("y")]);
    let error = builder.commit_from_memory(&unknown).expect_err("an unknown op");
    assert_eq!(error.code(), ErrorCode::InvalidGraph);
    assert!(error.message().contains("node 'Frobnicate_y' (Frobnicate)"), "{error}");
    let texts =
        model(vec![node("Identity", &["x"], "y")], vec![], vec![tensor("x", 8, &[])], vec![]);
    let error = builder.commit_from_memory(&texts).expect_err("texts");
    assert_eq!(error.code(), ErrorCode::NotImplemented);
    let start =
        "model.onnx: input 'x': a tensor has the element type string, expected one of float, ";
    assert!(error.message().starts_with(start), "{error}");
    Ok(())
}

#[test]
fn a_session_runs_on_several_threads() -> ort::Result<()> {
    let classifier = Classifier::new();
    let session = session(&classifier.encoded());
    thread::scope(|scope| {
        let run = |rows: usize| {
            let (session, classifier) = (&session, &classifier);
            scope.spawn(move || -> ort::Result<()> {
                for round in 0..20 {
                    let x = numbers(rows * SIZES[0], round);
                    let (expected, _) = classifier.expected(&x);
                    let input = Tensor::from_array(([rows, SIZES[0]], x))?.into_dyn();
                    let output = direct::run(session, ("x", &input), "p")?;
                    assert_near(output.try_extract_tensor::<f32>()?.1, &expected);
                }
                Ok(())
            })
        };
        let threads = [1, 4, 33].map(run);
        threads.into_iter().try_for_each(|it| it.join().expect("no panic"))
    })
}

#[test]
fn a_binding_keeps_its_values() -> ort::Result<()> {
    let classifier = Classifier::new();
    let mut session = session(&classifier.encoded());
    let x = numbers(3 * SIZES[0], 7);
    let (probabilities, logits) = classifier.expected(&x);
    let mut binding = session.create_binding()?;
    // `ort` copies the tensor, by a model of its own.
    binding.bind_input("x", &Tensor::from_array(([3, SIZES[0]], x))?)?;
    let allocated = Tensor::<f32>::new(&Allocator::default(), [3, SIZES[2]])?;
    binding.bind_output("p", allocated)?;
    let cpu =
        MemoryInfo::new(AllocationDevice::CPU, 0, AllocatorType::Device, MemoryType::CPUOutput)?;
    binding.bind_output_to_device("logits", &cpu)?;
    for _ in 0..2 {
        let outputs = session.run_binding(&binding)?;
        assert_near(outputs["p"].try_extract_tensor::<f32>()?.1, &probabilities);
        assert_near(outputs["logits"].try_extract_tensor::<f32>()?.1, &logits);
    }
    binding.clear_inputs();
    let run = session.run_binding(&binding);
    assert_fails(run, ErrorCode::InvalidArgument, "the input 'x' is missing");
    Ok(())
}

#[test]
fn tensors_are_copied() -> ort::Result<()> {
    environment();
    let tensor = Tensor::from_array(([2, 3], vec![1_i64, -2, 3, -4, 5, -6]))?;
    let mut copy = tensor.clone();
    copy.extract_tensor_mut().1[0] = 7;
    assert_eq!(tensor.extract_tensor().1, [1, -2, 3, -4, 5, -6]);
    assert_eq!(copy.extract_array()[[0, 0]], 7);
    assert_eq!(copy[[1_i64, 2]], -6);
    Ok(())
}

/// Wakes the thread that polls a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[test]
fn a_run_can_be_awaited() -> ort::Result<()> {
    let classifier = Classifier::new();
    let mut session = session(&classifier.encoded());
    let x = numbers(SIZES[0], 11);
    let (expected, _) = classifier.expected(&x);
    let input = Tensor::from_array(([1, SIZES[0]], x))?;
    let options = RunOptions::new()?;
    let mut run = pin!(session.run_async(inputs![input], &options)?);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let outputs = loop {
        match run.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(outputs) => break outputs?,
            Poll::Pending => thread::park(),
        }
    };
    assert_near(outputs["p"].try_extract_tensor::<f32>()?.1, &expected);
    Ok(())
}

/// The fields of a model that the importer does not read.
#[derive(Clone, PartialEq, Message)]
struct Metadata {
    #[prost(string, tag = "2")]
    producer_name: String,
    #[prost(string, tag = "4")]
    domain: String,
    #[prost(int64, tag = "5")]
    model_version: i64,
    #[prost(string, tag = "6")]
    doc_string: String,
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<StringStringEntryProto>,
}

#[test]
fn metadata_is_read() -> ort::Result<()> {
    let mut model = Classifier::new().encoded();
    let metadata = Metadata {
        producer_name: "a test".to_owned(),
        domain: "org.example".to_owned(),
        model_version: 3,
        doc_string: "classifies".to_owned(),
        metadata_props: vec![StringStringEntryProto { key: "author".into(), value: "me".into() }],
    };
    // Fields of a message may be in any order.
    model.extend(metadata.encode_to_vec());
    let session = session(&model);
    let metadata = session.metadata()?;
    assert_eq!(metadata.producer().as_deref(), Some("a test"));
    assert_eq!(metadata.name().as_deref(), Some("test"));
    assert_eq!(metadata.domain().as_deref(), Some("org.example"));
    assert_eq!(metadata.description().as_deref(), Some("classifies"));
    assert_eq!(metadata.graph_description().as_deref(), Some(""));
    assert_eq!(metadata.version(), Some(3));
    assert_eq!(metadata.custom_keys()?, ["author"]);
    assert_eq!(metadata.custom("author").as_deref(), Some("me"));
    assert_eq!(metadata.custom("licence"), None);
    Ok(())
}

#[test]
fn the_contract_of_sums_can_be_set() -> ort::Result<()> {
    let model = Classifier::new().encoded();
    let builder = || Session::builder(environment());
    builder()?.with_config_entry("loopwright.fp", "strict")?.commit_from_memory(&model)?;
    let wrong = builder()?.with_config_entry("loopwright.fp", "loose")?.commit_from_memory(&model);
    let error = wrong.expect_err("no contract");
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    let message = "found contract 'loose', expected strict, reassoc or fast";
    assert!(error.message().ends_with(message), "{error}");
    Ok(())
}

#[test]
fn memory_is_that_of_the_cpu() -> ort::Result<()> {
    environment();
    assert!(ort::info().starts_with("loopwright "));
    let allocator = Allocator::default();
    let mut block = allocator.alloc::<u64>(100)?;
    assert_eq!(block.as_mut_ptr().addr() % 64, 0);
    drop(block);
    let info = allocator.memory_info();
    assert_eq!((info.allocation_device().as_str(), info.device_id()), ("Cpu", 0));
    assert!(info.is_cpu_accessible());
    assert_fails(
        MemoryInfo::new(AllocationDevice::CUDA, 0, AllocatorType::Device, MemoryType::Default),
        ErrorCode::NotImplemented,
        "found memory of device 'Cuda', expected Cpu",
    );
    assert_fails(
        Tensor::<f32>::new(&allocator, [1_i64 << 40, 1 << 40]),
        ErrorCode::InvalidArgument,
        "a f32 tensor of shape [1099511627776, 1099511627776] does not fit in memory",
    );
    Ok(())
}

#[test]
fn entries_that_are_not_implemented_say_so() {
    environment();
    for (name, status) in direct::not_implemented() {
        let error = direct::error(status);
        assert_eq!(error.code(), ErrorCode::NotImplemented);
        assert_eq!(error.message(), format!("not implemented by loopwright: {name}"));
    }
    let builder = Session::builder(environment()).expect("a builder");
    let profiled = builder.with_profiling("profile").map(drop).map_err(Error::from);
    let message = "not implemented by loopwright: EnableProfiling";
    assert_fails(profiled, ErrorCode::NotImplemented, message);
}
