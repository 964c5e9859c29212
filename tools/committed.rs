//! Compares generated text with the committed file that contains it.

use std::path::Path;
use std::{env, fs};

/// Fails if the file at `path`, relative to the root of the package, does not contain `text`. With the environment
/// variable `LOOPWRIGHT_UPDATE`, writes the file first.
pub fn assert_up_to_date(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("LOOPWRIGHT_UPDATE").is_some() {
        fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(&file, text).expect("the file can be written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let differs = text.lines().zip(committed.lines()).find(|(a, b)| a != b);
    assert!(
        text == committed,
        "{path} is not up to date, first at {differs:?}: LOOPWRIGHT_UPDATE=1 cargo test --bins"
    );
}
