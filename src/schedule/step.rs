//! The primitives as methods of [`Schedule`]. Each method is declared with its primitive: see
//! [`declaration`](super::primitive::declaration).

pub(crate) mod history;
mod queries;

use super::Schedule;
use super::primitive::{
    annotation::*, cache::*, layout::*, location::*, r#loop::*, reduction::*, sampling::*,
    tensorize::*,
};

impl Schedule<'_> {
    super::primitive::methods! {}
}
