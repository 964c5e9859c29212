//! The logger of a session receives the messages of its compilation. This is the only test of its process: `tracing` can drop
//! events of a thread while other threads use the same places of the code for the first time.

#[path = "support/models.rs"]
mod models;

use models::{Classifier, SIZES, numbers};
use ort::inputs;
use ort::logging::{LogLevel, LoggerFunction};
use ort::session::Session;
use ort::value::Tensor;
use std::sync::{Arc, Mutex};

#[test]
fn a_logger_receives_the_messages_of_a_compilation() -> ort::Result<()> {
    ort::set_api(loopwright_ort::api());
    let environment = ort::init().build()?;
    let messages = Arc::new(Mutex::new(vec![]));
    let sink = messages.clone();
    let logger: LoggerFunction =
        Arc::new(move |level: LogLevel, category: &str, _: &str, _: &str, message: &str| {
            let text = format!("{level:?} {category}: {message}");
            sink.lock().expect("no panic").push(text);
        });
    let mut builder =
        Session::builder(&environment)?.with_logger(logger)?.with_log_level(LogLevel::Info)?;
    let classifier = Classifier::new();
    let mut session = builder.commit_from_memory(&classifier.encoded())?;
    let gathered = std::mem::take(&mut *messages.lock().expect("no panic"));
    assert!(gathered.iter().all(|it| it.starts_with("Info loopwright: ")), "{gathered:?}");
    assert!(gathered.iter().any(|it| it.contains("loopwright::pipeline")), "{gathered:?}");
    // Runs emit no messages.
    let x = numbers(SIZES[0], 1);
    let (expected, _) = classifier.expected(&x);
    let outputs = session.run(inputs![Tensor::from_array(([1, SIZES[0]], x))?])?;
    let found = f64::from(outputs["p"].try_extract_tensor::<f32>()?.1[0]);
    assert!((found - expected[0]).abs() < 1e-5);
    assert!(messages.lock().expect("no panic").is_empty());
    Ok(())
}
