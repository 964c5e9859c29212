//! The list of the Rust packages that the library and the tools are built from, in the format CycloneDX 1.5.
//!
//! The list has no time and no random number: it depends on the manifests, on `Cargo.lock` and on this file only.

use crate::dependencies::{Kind, Packages, metadata};
use crate::package::root;
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

#[derive(Args)]
pub struct Arguments {
    /// The file to write
    #[arg(long)]
    output: PathBuf,
}

pub fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let list = list(&metadata()?, &fs::read_to_string(root().join("Cargo.lock"))?);
    if let Err(error) = fs::write(&arguments.output, format!("{list:#}\n")) {
        eprintln!("error: {}: cannot be written: {error}", arguments.output.display());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The list, from the output of `cargo metadata` and the text of `Cargo.lock`.
fn list(metadata: &Value, lock: &str) -> Value {
    let packages = Packages::of(metadata);
    let installed = packages.roots();
    let used = packages.reachable(&installed, |_, kind| kind != Kind::Dev);
    let linked = packages.linked(&installed);
    let hashes = hashes(lock);
    let components = used.iter().map(|id| {
        let (name, version) = packages.name(id);
        let mut component = json!({
            "type": "library",
            "bom-ref": purl(name, version),
            "name": name,
            "version": version,
            "purl": purl(name, version),
            // "excluded" is what runs at build time only.
            "scope": if linked.contains(id) { "required" } else { "excluded" },
        });
        component["licenses"] = json!([license(packages.by_id[id])]);
        if let Some(hash) = hashes.get(&(name, version)) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": hash }]);
        }
        component
    });
    let reference = |id: &&str| {
        let (name, version) = packages.name(id);
        purl(name, version)
    };
    let dependencies = used.iter().map(|id| {
        let on = packages.edges(id).filter(|(_, kind)| *kind != Kind::Dev).map(|(to, _)| to);
        let on: BTreeSet<_> = on.map(|id| reference(&id)).collect();
        json!({ "ref": reference(id), "dependsOn": on })
    });
    let (_, version) = packages.name(installed[0]);
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "name": "Loopwright",
            "version": version,
            "licenses": [{ "expression": packages.by_id[installed[0]]["license"] }],
        } },
        "components": components.collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    })
}

/// The licence of a package: an expression, or the name of the file that the package has instead.
fn license(package: &Value) -> Value {
    match (package["license"].as_str(), package["license_file"].as_str()) {
        (Some(expression), _) => json!({ "expression": expression.replace('/', " OR ") }),
        (None, file) => json!({ "license": { "name": file.unwrap_or("unknown") } }),
    }
}

/// The checksums of packages, by name and version.
fn hashes(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let of = |entry| {
        Some(((field(entry, "name")?, field(entry, "version")?), field(entry, "checksum")?))
    };
    lock.split("[[package]]").skip(1).filter_map(of).collect()
}

/// The value of a field in an entry of `Cargo.lock`.
fn field<'e>(entry: &'e str, key: &str) -> Option<&'e str> {
    let lines = entry.lines().filter_map(|line| line.split_once(" = "));
    let mut value =
        lines.filter(|(found, _)| *found == key).map(|(_, value)| value.trim_matches('"'));
    value.next_back()
}

/// The URL of a package, by the specification of package URLs.
fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dependencies::text;

    #[test]
    fn the_list_has_what_is_linked_and_what_builds() {
        let lock = fs::read_to_string(root().join("Cargo.lock")).expect("it is committed");
        let list = list(&metadata().expect("cargo reads the manifests"), &lock);
        let components = list["components"].as_array().expect("a list");
        let find = |name: &str| components.iter().find(|it| it["name"] == name);
        let scope = |name: &str| find(name).map(|it| text(&it["scope"]));
        assert_eq!(scope("melior"), Some("required"));
        assert_eq!(scope("cc"), Some("excluded"));
        assert_eq!(scope("clap_derive"), Some("excluded"));
        assert_eq!(scope("proptest"), None);
        for component in components {
            let hashed = component["hashes"][0]["content"].as_str().map(str::len);
            let name = text(&component["name"]);
            let is_ours = name.starts_with("loopwright") || name == "ptx-emulator";
            assert_eq!(hashed, (!is_ours).then_some(64), "{component}");
            let license = &component["licenses"][0];
            let named = license["license"]["name"].as_str();
            assert!(license["expression"].is_string() || named == Some("LICENSE"), "{component}");
        }
        let refs: BTreeSet<_> = components.iter().map(|it| text(&it["bom-ref"])).collect();
        assert_eq!(refs.len(), components.len());
        for dependency in list["dependencies"].as_array().expect("a list") {
            let on = dependency["dependsOn"].as_array().expect("a list").iter().map(text);
            assert!(on.chain([text(&dependency["ref"])]).all(|it| refs.contains(it)));
        }
    }
}
