//! Traces in three spellings: script, JSON and Rust say the same, bad ones are refused with their place, and
//! a replay does what the schedule did; verification finds the step that is wrong.
//!
//! `LOOPWRIGHT_UPDATE=1` writes the Rust files below `traces/` anew.

#[path = "traces/conversion.rs"]
mod conversion;
#[path = "traces/rust.rs"]
mod rust;
#[path = "random_schedules/step.rs"]
mod step;
#[path = "traces/verify.rs"]
mod verify;

use loopwright::ir::{Op, receive_errors, top, walk};
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::rc::Rc;

const CHAIN: &str = include_str!("schedule/Inputs/chain.mlir");
const DYNAMIC: &str = include_str!("schedule/Inputs/dynamic.mlir");
const MATMUL: &str = include_str!("schedule/Inputs/matmul.mlir");
const ODD: &str = include_str!("schedule/Inputs/odd.mlir");
const ORDERS: &str = include_str!("schedule/Inputs/orders.mlir");
const THREADS: &str = include_str!("schedule/Inputs/threads.mlir");
const TILES: &str = include_str!("schedule/Inputs/tiles.mlir");

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    Module::parse(context, text).unwrap_or_else(|| panic!("does not parse:\n{text}"))
}

fn main_of<'m>(module: &'m Module) -> Op<'m> {
    let is_main = |op: &Op| op.symbol_name() == Some("main");
    walk(top(module)).into_iter().find(is_main).expect("it has the function")
}

/// The messages of the errors that a context reports.
fn errors(context: &Context) -> Rc<RefCell<Vec<String>>> {
    let errors = Rc::new(RefCell::new(vec![]));
    let received = errors.clone();
    receive_errors(context, move |error| received.borrow_mut().push(error.message));
    errors
}
