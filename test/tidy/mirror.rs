//! Tests stand at the path of what they test: `test/<path>` for `src/<path>`, `tools/<path>` for a tool, and
//! `dialects/<name>` for a dialect.
//!
//! In a folder with one file a pass or a primitive, the stem of a test begins with the stem of that file.

/// Folders of `test/` with suites that cross the tree, or with their inputs.
const SUITES: &[(&str, &str)] = &[
    ("docs", "the generated pages, and that documents are true"),
    ("effect", "one kernel a pass, on which the pass improves something"),
    ("examples", "the commands of the README"),
    ("integration", "conversions against NumPy"),
    ("linked", "a project that links the library"),
    ("lit", "the runner of FileCheck tests"),
    ("models", "whole models, for several suites"),
    ("schedule/cinn_examples", "the examples of CINN's documentation, one file a primitive"),
    ("tidy", "the checks of the sources"),
];

/// Folders of `src/` with one file a pass or primitive.
const ONE_FILE_EACH: &[&str] = &["optimize", "lowering", "schedule/primitive"];

/// The complaints about the files of `test/`; `all` are all files of the repository.
pub fn complaints(tests: &[String], all: &[String]) -> Vec<String> {
    tests.iter().filter_map(|test| complaint(test, all)).collect()
}

fn complaint(test: &str, all: &[String]) -> Option<String> {
    let path = test.strip_prefix("test/")?;
    let (folder, file) = path.rsplit_once('/')?;
    let is_below = |suite: &str| folder == suite || folder.starts_with(&format!("{suite}/"));
    let is_test = file.ends_with(".mlir") || file.ends_with(".rs");
    let is_input = folder.split('/').any(|it| it == "Inputs");
    if !is_test || is_input || SUITES.iter().any(|(suite, _)| is_below(suite)) {
        return None;
    }
    let exists = |path: &str| {
        let (file, below) = (format!("{path}.rs"), format!("{path}/"));
        all.iter().any(|it| *it == file || it.starts_with(&below))
    };
    let name = folder.split('/').nth(1).unwrap_or_default();
    let is_dialect = folder.starts_with("dialect/") && exists(&format!("dialects/{name}"));
    let mirrored = is_dialect || exists(&format!("src/{folder}")) || exists(folder);
    // A test program may have a folder of its own.
    let is_of_program = all.contains(&format!("test/{folder}.rs"));
    if !mirrored && !is_of_program {
        return Some(format!("{test}: neither src/{folder} nor {folder} exists"));
    }
    let is_strict = ONE_FILE_EACH.iter().any(|it| folder.starts_with(&format!("{it}/")));
    if !is_strict || !file.ends_with(".mlir") {
        return None;
    }
    let stem = file.split('.').next().unwrap_or(file);
    let prefix = format!("src/{folder}/");
    let mut stems = all.iter().filter_map(|it| it.strip_prefix(&prefix)?.strip_suffix(".rs"));
    let is_named = stems.any(|it| stem == it || stem.starts_with(&format!("{it}_")));
    (!is_named)
        .then(|| format!("{test}: no file of src/{folder} has a name with which {stem} begins"))
}

#[cfg(test)]
mod self_tests {
    use super::*;

    #[test]
    fn strays_are_found() {
        let all = ["src/optimize/loop/if_fold.rs", "src/analysis.rs", "test/analysis.rs"];
        let all: Vec<String> = all.iter().map(|it| (*it).to_owned()).collect();
        let refused = |test: &str| complaint(test, &all).is_some();
        assert!(!refused("test/optimize/loop/if_fold_kept.mlir"));
        assert!(refused("test/optimize/loop/if_fuse.mlir"));
        assert!(refused("test/optimise/if_fold.mlir"));
        assert!(!refused("test/analysis/anything.mlir"));
        assert!(!refused("test/integration/cases/a.mlir"));
        assert!(!refused("test/other/Inputs/a.mlir"));
    }
}
