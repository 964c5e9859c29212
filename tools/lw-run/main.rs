//! `lw-run`.
fn main() {}
