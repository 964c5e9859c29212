//! Exchange of tensors with Python libraries, in both directions, if they are installed: `tests/dlpack.py`.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

/// Cargo puts the libraries of examples beside the folder of the test programs.
fn library() -> PathBuf {
    let program = env::current_exe().expect("a test is a file");
    let folder = program.parent().and_then(|deps| deps.parent()).expect("in target/debug/deps");
    let name = format!("{}dlpack_exchange{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    folder.join("examples").join(name)
}

#[test]
fn numpy_and_torch_take_our_tensors_and_give_theirs() {
    let python = env::var("LOOPWRIGHT_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dlpack.py");
    let library = library();
    assert!(
        library.is_file(),
        "{} is missing: cargo build --example dlpack_exchange makes it, cargo test without --test too",
        library.display()
    );
    let outcome = Command::new(&python).arg(script).arg(library).output();
    // Exit status 77 means that numpy is missing. The message bypasses the capture of test output, so that a skipped
    // test is visible.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let notice = match &outcome {
        Err(error) => format!("{python}: {error}"),
        Ok(output) if output.status.code() == Some(77) => format!("{python} has no numpy"),
        Ok(output) => {
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
            assert!(output.stdout.starts_with(b"numpy"), "{}", text(&output.stdout));
            return;
        }
    };
    let notice = format!(
        "SKIPPED: tensors were not exchanged with numpy: {notice}; LOOPWRIGHT_PYTHON names another\n"
    );
    io::stderr().write_all(notice.as_bytes()).expect("stderr takes a line");
}
