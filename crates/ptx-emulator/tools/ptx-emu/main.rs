//! Runs a kernel of a PTX file.

fn main() {}
