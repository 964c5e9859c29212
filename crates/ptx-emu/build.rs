//! Finds the commit for `--version`.

#[path = "../../tools/git_log.rs"]
mod git_log;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../tools/git_log.rs");
    git_log::set_git_log(std::path::Path::new("../.."));
}
