//! A program that drops all objects of `ort` has released all objects of this backend.

#[path = "support/models.rs"]
mod models;

use loopwright_ort::live_objects;
use models::{Classifier, SIZES, numbers};
use ort::environment::GlobalThreadPoolOptions;
use ort::inputs;
use ort::memory::{Allocator, MemoryInfo};
use ort::session::{OutputSelector, RunOptions, Session};
use ort::value::Tensor;

#[test]
fn no_object_is_left() -> ort::Result<()> {
    ort::set_api(loopwright_ort::api());
    let classifier = Classifier::new();
    let model = classifier.encoded();
    {
        let threads = GlobalThreadPoolOptions::default().with_intra_threads(1)?;
        let environment = ort::init().with_global_thread_pool(threads).build()?;
        let builder = Session::builder(&environment)?;
        let mut session = builder.clone().commit_from_memory(&model)?;
        assert!(builder.clone().commit_from_memory(b"no model").is_err());
        assert!(session.metadata()?.custom_keys()?.is_empty());
        for round in 0..3 {
            let x = numbers(2 * SIZES[0], round);
            let (expected, _) = classifier.expected(&x);
            let input = Tensor::from_array(([2, SIZES[0]], x))?;
            let allocated = Tensor::<f32>::new(&Allocator::default(), [2, SIZES[2]])?;
            let selector = OutputSelector::default().preallocate("p", allocated);
            let options = RunOptions::new()?.with_outputs(selector);
            let outputs = session.run_with_options(inputs![&input], &options)?;
            let found = f64::from(outputs["p"].try_extract_tensor::<f32>()?.1[0]);
            assert!((found - expected[0]).abs() < 1e-5);
            drop(outputs);
            assert!(session.run(inputs!["y" => &input]).is_err());
            let mut binding = session.create_binding()?;
            binding.bind_output_to_device("logits", &MemoryInfo::default())?;
            assert!(session.run_binding(&binding).is_err());
        }
        assert!(live_objects() > 0);
    }
    assert_eq!(live_objects(), 0);
    Ok(())
}
