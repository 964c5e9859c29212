//! Traces in three spellings: script, JSON and Rust are equivalent, invalid ones are refused with a location, and
//! a replay does what the schedule did. Verification finds the wrong step.
//!
//! `LOOPWRIGHT_UPDATE=1` rewrites the Rust files below `traces/`.

#[path = "trace/conversion.rs"]
mod conversion;
#[path = "trace/rust.rs"]
mod rust;
#[path = "random_schedules/step.rs"]
mod step;
#[path = "trace/verify.rs"]
mod verify;

use loopwright::ir::{Op, receive_errors, walk};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::rc::Rc;

const CHAIN: &str = include_str!("Inputs/chain.mlir");
const DYNAMIC: &str = include_str!("Inputs/dynamic.mlir");
const MATMUL: &str = include_str!("Inputs/matmul.mlir");
const ODD: &str = include_str!("Inputs/odd.mlir");
const ORDERS: &str = include_str!("Inputs/orders.mlir");
const THREADS: &str = include_str!("Inputs/threads.mlir");
const TILES: &str = include_str!("Inputs/tiles.mlir");

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    Module::parse(context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"))
}

fn main_of<'m>(module: &'m Module) -> Op<'m> {
    let is_main = |op: &Op| op.symbol_name() == Some("main");
    walk(top(module)).into_iter().find(is_main).expect("it has the function")
}

/// The error messages that a context reports.
fn errors(context: &Context) -> Rc<RefCell<Vec<String>>> {
    let errors = Rc::new(RefCell::new(vec![]));
    let received = errors.clone();
    receive_errors(context, move |error| received.borrow_mut().push(error.message));
    errors
}
