//! To be written.
use super::{Datum, Options};
use crate::ir::{Error, Op};
pub(super) fn run<'c>(
    module: Op<'c>,
    _: &str,
    _: Vec<Datum>,
    _: Options,
) -> Result<Vec<Datum>, Error<'c>> {
    Err(Error::on(module, "to be written"))
}
