//! The Rust packages of a release, as `cargo metadata` gives them.

use crate::package::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::{Command, Stdio};

/// The packages of which CMake installs the library and the tools.
const INSTALLED: [&str; 2] = ["loopwright", "loopwright-capi"];
/// Packages for other platforms are not in the list.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// What `cargo metadata` prints.
pub fn metadata() -> io::Result<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version=1", "--locked", "--filter-platform", PLATFORM]);
    let output = command.current_dir(root()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("cargo metadata: {}", output.status)));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// What a dependency is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Normal,
    Build,
    Dev,
}

/// The packages and their dependencies, by the ids of `cargo metadata`.
pub struct Packages<'m> {
    pub by_id: BTreeMap<&'m str, &'m Value>,
    nodes: BTreeMap<&'m str, &'m Value>,
}

impl<'m> Packages<'m> {
    pub fn of(metadata: &'m Value) -> Packages<'m> {
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
    pub fn roots(&self) -> Vec<&'m str> {
        let is_installed =
            |id: &&str| INSTALLED.contains(&self.name(id).0) && self.by_id[id]["source"].is_null();
        self.by_id.keys().copied().filter(is_installed).collect()
    }

    pub fn name(&self, id: &str) -> (&'m str, &'m str) {
        let package = self.by_id[id];
        (text(&package["name"]), text(&package["version"]))
    }

    fn is_proc_macro(&self, id: &str) -> bool {
        let targets = self.by_id[id]["targets"].as_array().into_iter().flatten();
        targets.flat_map(|it| it["kind"].as_array()).flatten().any(|kind| kind == "proc-macro")
    }

    /// The dependencies of a package, once for each kind.
    pub fn edges(&self, id: &str) -> impl Iterator<Item = (&'m str, Kind)> {
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

    /// The packages that are linked into what CMake installs.
    pub fn linked(&self, installed: &[&'m str]) -> BTreeSet<&'m str> {
        self.reachable(installed, |id, kind| kind == Kind::Normal && !self.is_proc_macro(id))
    }

    /// The packages that are reached from `roots` by dependencies that are `followed`.
    pub fn reachable(
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

/// A text; empty if the value is none.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
