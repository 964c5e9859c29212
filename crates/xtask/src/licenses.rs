//! The licence texts of the Rust packages that are linked into the library and the tools. Packages that carry the same text share
//! it.

use crate::dependencies::{Packages, metadata, text};
use crate::package::root;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

#[derive(Args)]
pub struct Arguments {
    /// The file to write
    #[arg(long)]
    output: PathBuf,
}

/// The beginnings of the names of files with a licence or a notice.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// Folders of a package are searched this deep: some packages contain a C library with a licence of its own.
const DEPTH: usize = 4;

/// The text of the MIT licence after the line with the copyright.
const MIT: &str = "\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";

pub fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let written = texts(&metadata()?)
        .and_then(|texts| fs::write(&arguments.output, texts).map_err(|error| error.to_string()));
    if let Err(error) = written {
        eprintln!("error: {}: {error}", arguments.output.display());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The file: each text, and before it the packages that have it.
///
/// # Errors
/// If a package has no text and its licence is not known here.
fn texts(metadata: &Value) -> Result<String, String> {
    let packages = Packages::of(metadata);
    let linked = packages.linked(&packages.roots());
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked.iter().map(|id| packages.by_id[id]) {
        if package["source"].is_null() {
            continue;
        }
        let title = format!(
            "{} {} ({})",
            text(&package["name"]),
            text(&package["version"]),
            text(&package["license"])
        );
        let folder = Path::new(text(&package["manifest_path"])).parent();
        let mut found = vec![];
        if let Some(folder) = folder {
            collect(folder, DEPTH, &mut found).map_err(|error| format!("{title}: {error}"))?;
        }
        if found.is_empty() {
            found.push(of_expression(package).map_err(|error| format!("{title}: {error}"))?);
        }
        for text in found {
            let owners = owners.entry(text).or_default();
            if !owners.contains(&title) {
                owners.push(title.clone());
            }
        }
    }
    let mut sections: Vec<(Vec<String>, String)> =
        owners.into_iter().map(|(text, owners)| (owners, text)).collect();
    sections.sort();
    let mut all = String::from(
        "Loopwright contains the Rust packages below, and code of LLVM, whose licence is that of Loopwright.\n",
    );
    for (owners, text) in sections {
        // Writing to a String cannot fail.
        let _ = write!(all, "\n{}\n{}\n\n{}\n", "=".repeat(80), owners.join("\n"), text.trim_end());
    }
    Ok(all)
}

/// The texts of the files with a licence in a folder.
fn collect(folder: &Path, depth: usize, texts: &mut Vec<String>) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_source = name.ends_with(".RS");
        if path.is_dir() && depth > 0 {
            collect(&path, depth - 1, texts)?;
        } else if path.is_file() && !is_source && NAMES.iter().any(|it| name.starts_with(it)) {
            texts.push(String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n"));
        }
    }
    Ok(())
}

/// The text for a package without one: that of a licence in its manifest.
fn of_expression(package: &Value) -> Result<String, String> {
    let expression = text(&package["license"]);
    let authors = package["authors"].as_array().into_iter().flatten().map(text);
    let authors = authors.collect::<Vec<_>>().join(", ");
    let authors = match authors.is_empty() {
        true => format!("the authors of {}", text(&package["name"])),
        false => authors,
    };
    match expression {
        // The text of Apache-2.0 is the first part of our file.
        "Apache-2.0" | "Apache-2.0 WITH LLVM-exception" => {
            fs::read_to_string(root().join("LICENSE"))
                .map(|license| format!("Copyright {authors}\n\n{license}"))
                .map_err(|error| error.to_string())
        }
        "MIT" => Ok(format!("Copyright (c) {authors}\n\n{MIT}")),
        other => Err(format!("has no file with a licence, and '{other}' has no text in xtask")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_linked_package_has_a_text() {
        let metadata = metadata().expect("cargo reads the manifests");
        let texts = texts(&metadata).expect("all licences are known");
        let packages = Packages::of(&metadata);
        for id in packages.linked(&packages.roots()) {
            let (name, version) = packages.name(id);
            let is_ours = packages.by_id[id]["source"].is_null();
            assert_eq!(texts.contains(&format!("\n{name} {version} (")), !is_ours, "{name}");
        }
        // The C library in a package of its own has a text, and packages that state only a name have that of the licence.
        assert!(texts.contains("Microsoft Corporation, Daan Leijen"));
        assert!(texts.contains("Copyright (c) ") && texts.contains("TERMS AND CONDITIONS FOR USE"));
        assert!(!texts.contains('\r'));
    }
}
