//! Runs `linalg.softmax` by its definition: exp(x - max) / sum along one dimension, with each step rounded to
//! the element type.

use crate::interpreter::env::Env;
use crate::interpreter::graph::Number;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op};

pub fn run<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
    let [input, output] = op.operands()[..] else {
        return Err(Error::on(op, "does not have an input and an output"));
    };
    let array = |datum: &Datum| match datum {
        Datum::Tensor(array) => Ok((**array).clone()),
        Datum::Buffer(buffer) => Ok(buffer.borrow().clone()),
        Datum::Scalar(_) => Err(Error::on(op, "uses a scalar where an array is expected")),
    };
    let x = array(env.get(op, input)?)?;
    let mut y = array(env.get(op, output)?)?;
    if x.shape != y.shape {
        let message =
            format!("has sizes {:?} in operand 0 and {:?} in operand 1", x.shape, y.shape);
        return Err(Error::on(op, message));
    }
    let along = op.attribute("dimension").and_then(|dim| dim.as_i64());
    let along = along.and_then(|dim| usize::try_from(dim).ok());
    let along = along.filter(|dim| *dim < x.shape.len());
    let along =
        along.ok_or_else(|| Error::on(op, "has a dimension that its operands do not have"))?;
    softmax(&x, along, &mut y).map_err(|message| Error::on(op, message))?;
    match env.get(op, output)? {
        Datum::Buffer(buffer) => {
            buffer.borrow_mut().cells = y.cells;
            Ok(vec![])
        }
        _ => Ok(vec![Datum::tensor(y)]),
    }
}

fn softmax(x: &Array, along: usize, y: &mut Array) -> Result<(), String> {
    let n = x.shape[along];
    let step: usize = x.shape[along + 1..].iter().product();
    for first in (0..x.cells.len()).filter(|place| (place / step).is_multiple_of(n)) {
        let places = || (0..n).map(|i| first + i * step);
        let number = |place| Number::of(x, place);
        let max = places().try_fold(Number::smallest(x.ty), |max, place| max.max(number(place)))?;
        let mut sum = Number::zero(x.ty);
        let mut powers = vec![];
        for place in places() {
            let power = number(place).sub(max)?.exp()?;
            sum = sum.add(power)?;
            powers.push(power);
        }
        for (place, power) in places().zip(powers) {
            y.cells[place] = power.div(sum)?.value;
        }
    }
    Ok(())
}
