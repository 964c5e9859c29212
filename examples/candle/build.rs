//! Lets the program find LLVM's libraries without cargo's loader path.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // From the build script of `loopwright`, by its `links` key.
    if let Ok(libraries) = std::env::var("DEP_LOOPWRIGHT_LIBRARIES") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{libraries}");
    }
}
