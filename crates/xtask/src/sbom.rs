//! The list of the Rust packages that the library and the tools are built from, in the format CycloneDX 1.5.
//!
//! The list has no time and no random number: it depends on the manifests, on `Cargo.lock` and on this file only.

use crate::package::root;
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::{fs, io};

/// The packages of which CMake installs the library and the tools.
const INSTALLED: [&str; 2] = ["loopwright", "loopwright-capi"];
/// Packages for other platforms are not in the list.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

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

/// What `cargo metadata` prints.
fn metadata() -> io::Result<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", PLATFORM]);
    let output = command.current_dir(root()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("cargo metadata: {}", output.status)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The list, from the output of `cargo metadata` and the text of `Cargo.lock`.
fn list(metadata: &Value, lock: &str) -> Value {
    let packages = Packages::of(metadata);
    let installed = packages.roots();
    let used = packages.reachable(&installed, |_, kind| kind != Kind::Dev);
    let linked = packages
        .reachable(&installed, |id, kind| kind == Kind::Normal && !packages.is_proc_macro(id));
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

/// What a dependency is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Normal,
    Build,
    Dev,
}

/// The packages and their dependencies, by the ids of `cargo metadata`.
struct Packages<'m> {
    by_id: BTreeMap<&'m str, &'m Value>,
    nodes: BTreeMap<&'m str, &'m Value>,
}

impl<'m> Packages<'m> {
    fn of(metadata: &'m Value) -> Packages<'m> {
        let by_id = |list: &'m Value| {
            let entries = list.as_array().into_iter().flatten();
            entries.map(|entry| (text(&entry["id"]), entry)).collect()
        };
        Packages {
            by_id: by_id(&metadata["packages"]),
            nodes: by_id(&metadata["resolve"]["nodes"]),
        }
    }

    /// The ids of the packages that CMake installs.
    fn roots(&self) -> Vec<&'m str> {
        let is_installed =
            |id: &&str| INSTALLED.contains(&self.name(id).0) && self.by_id[id]["source"].is_null();
        self.by_id.keys().copied().filter(is_installed).collect()
    }

    fn name(&self, id: &str) -> (&'m str, &'m str) {
        let package = self.by_id[id];
        (text(&package["name"]), text(&package["version"]))
    }

    fn is_proc_macro(&self, id: &str) -> bool {
        let targets = self.by_id[id]["targets"].as_array().into_iter().flatten();
        targets.flat_map(|it| it["kind"].as_array()).flatten().any(|kind| kind == "proc-macro")
    }

    /// The dependencies of a package, once for each kind.
    fn edges(&self, id: &str) -> impl Iterator<Item = (&'m str, Kind)> {
        let edges = self.nodes[id]["deps"].as_array().into_iter().flatten();
        edges.flat_map(|edge| {
            let kinds = edge["dep_kinds"].as_array().into_iter().flatten();
            kinds.map(|it| match it["kind"].as_str() {
                None => (text(&edge["pkg"]), Kind::Normal),
                Some("build") => (text(&edge["pkg"]), Kind::Build),
                Some(_) => (text(&edge["pkg"]), Kind::Dev),
            })
        })
    }

    /// The packages that are reached from `roots` by dependencies that are `followed`.
    fn reachable(
        &self,
        roots: &[&'m str],
        followed: impl Fn(&str, Kind) -> bool,
    ) -> BTreeSet<&'m str> {
        let mut found: BTreeSet<_> = roots.iter().copied().collect();
        let mut work = roots.to_vec();
        while let Some(id) = work.pop() {
            let next = self.edges(id).filter(|(to, kind)| followed(to, *kind));
            work.extend(next.map(|(to, _)| to).filter(|to| found.insert(to)));
        }
        found
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

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
