//! Recurrent layers. The time steps are unrolled.

use super::Row;
use super::activation::{self, Activation};
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

/// The greatest number of time steps: each one appends ops.
pub const MOST_STEPS: i64 = 1024;

/// The greatest hidden size, with which no number of weights overflows.
const MOST_HIDDEN: i64 = 1 << 32;

pub const OPS: &[Row] = &[
    ("GRU", |node| recurrent(node, Cell::Gru)),
    ("LSTM", |node| recurrent(node, Cell::Lstm)),
    ("RNN", |node| recurrent(node, Cell::Rnn)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Rnn,
    Gru,
    Lstm,
}

impl Cell {
    /// The number of gates: parts of the weights.
    fn gates(self) -> i64 {
        match self {
            Cell::Rnn => 1,
            Cell::Gru => 3,
            Cell::Lstm => 4,
        }
    }

    /// The default activations of a direction.
    fn activations(self) -> &'static [&'static str] {
        match self {
            Cell::Rnn => &["Tanh"],
            Cell::Gru => &["Sigmoid", "Tanh"],
            Cell::Lstm => &["Sigmoid", "Tanh", "Tanh"],
        }
    }
}

/// The activations of all directions.
fn activations(
    node: &Node<'_, '_>,
    cell: Cell,
    directions: usize,
) -> Result<Vec<Activation>, Refusal> {
    let defaults = cell.activations();
    let count = defaults.len() * directions;
    let names = match node.strings("activations")? {
        Some(names) if names.len() == count => names,
        // The default of RNN's attribute has an activation for each of two directions.
        Some(names) if names.len() > count && cell == Cell::Rnn => names[..count].to_vec(),
        Some(names) => {
            return Err(Refusal::new(format!("has {} activations, expected {count}", names.len())));
        }
        None => defaults.iter().cycle().take(count).map(|it| (*it).to_owned()).collect(),
    };
    activation::all(node, names)
}

/// What the steps of a direction use.
struct Layer<'a, 'c> {
    cell: Cell,
    /// The operand times the weights plus the bias: of each time step, batch and gate's element.
    inputs: Tensor<'c>,
    /// The recurrent weights.
    weights: Tensor<'c>,
    /// The recurrent bias of a GRU's hidden gate, where it is added before the reset.
    bias: Option<Tensor<'c>>,
    peepholes: Option<[Tensor<'c>; 3]>,
    activations: &'a [Activation],
    input_forget: i64,
}

/// The state after a step: of rank 2, in the accumulator's type.
#[derive(Clone)]
struct State<'c> {
    hidden: Tensor<'c>,
    cell: Option<Tensor<'c>>,
}

/// A row of dimension 0, without this dimension.
fn row<'c>(b: &Builder<'c>, x: &Tensor<'c>, i: i64) -> Result<Tensor<'c>, Refusal> {
    b.squeeze(&b.slice_axis(x, 0, Size::Known(i), Size::Known(1)), &[0])
}

/// Columns of a matrix, or elements of a list.
fn part<'c>(b: &Builder<'c>, x: &Tensor<'c>, start: i64, size: i64) -> Tensor<'c> {
    b.slice_axis(x, x.rank() - 1, Size::Known(start), Size::Known(size))
}

/// `left * right'`, plus `start`, of matrices.
fn product<'c>(
    b: &Builder<'c>,
    start: &Tensor<'c>,
    left: &Tensor<'c>,
    right: &Tensor<'c>,
) -> Tensor<'c> {
    let loops = [Loop::Parallel, Loop::Parallel, Loop::Reduction];
    let (left, right) =
        (Operand::new(left, vec![d(0), d(2)]), Operand::new(right, vec![d(1), d(2)]));
    b.contract_onto(&loops, left, right, Operand::new(start, vec![d(0), d(1)]))
}

impl<'c> Layer<'_, 'c> {
    /// The state after a time step.
    fn step(
        &self,
        b: &Builder<'c>,
        time: i64,
        before: &State<'c>,
        size: i64,
    ) -> Result<State<'c>, Refusal> {
        let inputs = row(b, &self.inputs, time)?;
        match self.cell {
            Cell::Rnn => {
                let sum = product(b, &inputs, &before.hidden, &self.weights);
                let hidden =
                    b.map(&[&sum], sum.element(), |b, v| self.activations[0].apply(b, v[0]))?;
                Ok(State { hidden, cell: None })
            }
            Cell::Gru => self.gru(b, &inputs, before, size),
            Cell::Lstm => self.lstm(b, &inputs, before, size),
        }
    }

    fn gru(
        &self,
        b: &Builder<'c>,
        inputs: &Tensor<'c>,
        before: &State<'c>,
        size: i64,
    ) -> Result<State<'c>, Refusal> {
        let element = inputs.element();
        let (gate, tanh) = (&self.activations[0], &self.activations[1]);
        let weights = |start: i64, count: i64| {
            b.slice_axis(&self.weights, 0, Size::Known(start * size), Size::Known(count * size))
        };
        let old = &before.hidden;
        let gates = product(b, &part(b, inputs, 0, 2 * size), old, &weights(0, 2));
        let (update, reset) = (part(b, &gates, 0, size), part(b, &gates, size, size));
        let input = part(b, inputs, 2 * size, size);
        let hidden = match &self.bias {
            Some(bias) => {
                let start = b.broadcast(bias, old.sizes());
                let linear = product(b, &start, old, &weights(2, 1));
                b.map(&[&input, &reset, &linear], element, |b, v| {
                    b.add(v[0], b.mul(gate.apply(b, v[1]), v[2]))
                })?
            }
            None => {
                let kept =
                    b.map(&[&reset, old], element, |b, v| b.mul(gate.apply(b, v[0]), v[1]))?;
                product(b, &input, &kept, &weights(2, 1))
            }
        };
        let hidden = b.map(&[&update, &hidden, old], element, |b, v| {
            let update = gate.apply(b, v[0]);
            let new = b.mul(b.sub(b.like(update, 1.0), update), tanh.apply(b, v[1]));
            b.add(new, b.mul(update, v[2]))
        })?;
        Ok(State { hidden, cell: None })
    }

    fn lstm(
        &self,
        b: &Builder<'c>,
        inputs: &Tensor<'c>,
        before: &State<'c>,
        size: i64,
    ) -> Result<State<'c>, Refusal> {
        let element = inputs.element();
        let [f, g, h] = [0, 1, 2].map(|i| &self.activations[i]);
        // The gates are clipped, the cell is not.
        let h = h.unclipped();
        let gates = product(b, inputs, &before.hidden, &self.weights);
        let gate = |i: i64| part(b, &gates, i * size, size);
        let (input, output, forget, new) = (gate(0), gate(1), gate(2), gate(3));
        let old = before.cell.as_ref().ok_or_else(|| Refusal::new("has no cell state"))?;
        let mut operands = vec![&input, &forget, &new, old];
        if let Some([input, _, forget]) = &self.peepholes {
            operands.extend([input, forget]);
        }
        let cell = b.map(&operands, element, |b, v| {
            let peephole = |i: usize| v.get(i).map_or(b.like(v[3], 0.0), |it| b.mul(*it, v[3]));
            let input = f.apply(b, b.add(v[0], peephole(4)));
            let forget = match self.input_forget {
                0 => f.apply(b, b.add(v[1], peephole(5))),
                _ => b.sub(b.like(input, 1.0), input),
            };
            b.add(b.mul(forget, v[3]), b.mul(input, g.apply(b, v[2])))
        })?;
        let mut operands = vec![&output, &cell];
        if let Some([_, output, _]) = &self.peepholes {
            operands.push(output);
        }
        let hidden = b.map(&operands, element, |b, v| {
            let peephole = v.get(2).map_or(b.like(v[1], 0.0), |it| b.mul(*it, v[1]));
            b.mul(f.apply(b, b.add(v[0], peephole)), h.apply(b, v[1]))
        })?;
        Ok(State { hidden, cell: Some(cell) })
    }
}

/// The sizes of a layer.
struct Extent<'c> {
    steps: i64,
    batch: Size<'c>,
    directions: i64,
    hidden: i64,
}

/// Checks the sizes of the operands and weights. `x` has its time steps first.
fn extent<'c>(node: &Node<'_, 'c>, x: &Tensor<'c>, cell: Cell) -> Result<Extent<'c>, Refusal> {
    let (w, r) = (node.input(1)?, node.input(2)?);
    if w.rank() != 3 || r.rank() != 3 || !x.element().is_float() {
        return Err(Refusal::new(format!(
            "has an operand of {} and weights of rank {} and {}, expected floats and rank 3",
            x.element().word(),
            w.rank(),
            r.rank()
        )));
    }
    let Size::Known(steps) = x.size(0) else {
        return Err(Refusal::new(
            "has a number of time steps that is not known, expected a number: the steps are unrolled",
        ));
    };
    if !(1..=MOST_STEPS).contains(&steps) {
        return Err(Refusal::new(format!(
            "has {steps} time steps, expected 1 to {MOST_STEPS}: the steps are unrolled"
        )));
    }
    let direction = node.string_or("direction", "forward")?;
    let directions = match direction.as_str() {
        "forward" | "reverse" => 1,
        "bidirectional" => 2,
        found => {
            return Err(node.refuse_attribute(
                "direction",
                found,
                "forward, reverse or bidirectional",
            ));
        }
    };
    let hidden =
        r.size(2).known().ok_or_else(|| Refusal::new("has weights of sizes that are not known"))?;
    if let Some(stated) = node.int("hidden_size")?.filter(|stated| *stated != hidden) {
        return Err(Refusal::new(format!(
            "has hidden_size = {stated} and weights of {hidden} hidden elements"
        )));
    }
    let gates = cell.gates().checked_mul(hidden).filter(|_| (1..MOST_HIDDEN).contains(&hidden));
    let gates = gates
        .ok_or_else(|| Refusal::new("has a hidden size that is not positive, or too great"))?;
    let (one, extent) = (Size::Known, Extent { steps, batch: x.size(1), directions, hidden });
    let state = [one(directions), extent.batch, one(hidden)];
    let expected: [(usize, Vec<Size<'c>>); 6] = [
        (1, vec![one(directions), one(gates), x.size(2)]),
        (2, vec![one(directions), one(gates), one(hidden)]),
        (3, vec![one(directions), one(2 * gates)]),
        (4, vec![extent.batch]),
        (
            5,
            if is_batch_first(node)? { vec![state[1], state[0], state[2]] } else { state.to_vec() },
        ),
        (
            6,
            if is_batch_first(node)? { vec![state[1], state[0], state[2]] } else { state.to_vec() },
        ),
    ];
    for (i, expected) in expected {
        let Some(found) = node.optional(i) else { continue };
        let differs =
            |(x, y): (&Size<'c>, &Size<'c>)| x.known().is_some() && y.known().is_some() && x != y;
        if found.rank() != expected.len() || found.sizes().iter().zip(&expected).any(differs) {
            return Err(Refusal::new(format!(
                "has the input {i} of other sizes than the operand, the direction and the hidden size {hidden} give"
            )));
        }
    }
    Ok(extent)
}

/// True for the layout with the batch as the first dimension.
fn is_batch_first(node: &Node<'_, '_>) -> Result<bool, Refusal> {
    match node.int_or("layout", 0)? {
        0 => Ok(false),
        1 => Ok(true),
        found => Err(node.refuse_attribute("layout", &found.to_string(), "0 or 1")),
    }
}

/// The state of all time steps, and the last state.
fn recurrent<'c>(node: &Node<'_, 'c>, cell: Cell) -> Outputs<'c> {
    let x = node.input(0)?;
    if x.rank() != 3 {
        return Err(Refusal::new(format!("has an operand of rank {}, expected 3", x.rank())));
    }
    let (element, wide) = (x.element(), accumulator(x.element()));
    let batch_first = is_batch_first(node)?;
    let x = if batch_first { node.transpose(x, &[1, 0, 2]) } else { x.clone() };
    let extent = extent(node, &x, cell)?;
    let activations = activations(node, cell, extent.directions as usize)?;
    let each = activations.len() / extent.directions as usize;
    let is_reverse = node.string_or("direction", "forward")? == "reverse";
    let mut all: Vec<Vec<Tensor<'c>>> = vec![vec![]; extent.steps as usize];
    let (mut last_hidden, mut last_cell) = (vec![], vec![]);
    for direction in 0..extent.directions {
        let first = direction as usize * each;
        let layer = layer(node, &x, cell, direction, &extent, &activations[first..first + each])?;
        let start = |i: usize| match node.optional(i) {
            Some(given) if batch_first => node
                .squeeze(&node.slice_axis(given, 1, Size::Known(direction), Size::Known(1)), &[1]),
            Some(given) => row(node, given, direction),
            None => {
                Ok(node
                    .filled(&[extent.batch, Size::Known(extent.hidden)], node.scalar(element, 0.0)))
            }
        };
        let mut state = State {
            hidden: node.convert(&start(5)?, wide),
            cell: match cell {
                Cell::Lstm => Some(node.convert(&start(6)?, wide)),
                _ => None,
            },
        };
        let is_backward = is_reverse || direction == 1;
        for step in 0..extent.steps {
            let time = if is_backward { extent.steps - 1 - step } else { step };
            let new = layer.step(node, time, &state, extent.hidden)?;
            let (new, output) = within_length(node, time, new, &state)?;
            all[time as usize].push(output);
            state = new;
        }
        last_hidden.push(state.hidden);
        last_cell.extend(state.cell);
    }
    let stacked = |parts: &[Tensor<'c>], axis: usize| {
        let parts: Result<Vec<_>, _> =
            parts.iter().map(|part| node.unsqueeze(part, &[axis])).collect();
        Ok::<_, Refusal>(node.concat(&parts?, axis))
    };
    // The directions of a state are dimension 0, or 1 behind the batch.
    let axis = usize::from(batch_first);
    let steps: Result<Vec<_>, _> = all.iter().map(|parts| stacked(parts, axis)).collect();
    let mut outputs = vec![stacked(&steps?, axis)?, stacked(&last_hidden, axis)?];
    if cell == Cell::Lstm {
        outputs.push(stacked(&last_cell, axis)?);
    }
    Ok(outputs.iter().map(|output| node.convert(output, element)).collect())
}

/// The products of all time steps of a direction with its weights, and what its steps use.
fn layer<'a, 'c>(
    node: &Node<'_, 'c>,
    x: &Tensor<'c>,
    cell: Cell,
    direction: i64,
    extent: &Extent<'c>,
    activations: &'a [Activation],
) -> Result<Layer<'a, 'c>, Refusal> {
    let wide = accumulator(x.element());
    let (size, gates) = (extent.hidden, cell.gates() * extent.hidden);
    let w = row(node, node.input(1)?, direction)?;
    let weights = row(node, node.input(2)?, direction)?;
    let mut inputs = node.contract(
        &[Loop::Parallel, Loop::Parallel, Loop::Parallel, Loop::Reduction],
        Operand::new(x, vec![d(0), d(1), d(3)]),
        Operand::new(&w, vec![d(2), d(3)]),
        &[x.size(0), x.size(1), Size::Known(gates)],
        vec![d(0), d(1), d(2)],
        wide,
    );
    let is_linear = cell == Cell::Gru && node.flag("linear_before_reset", false)?;
    let mut hidden_bias = None;
    if let Some(bias) = node.optional(3) {
        let bias = node.convert(&row(node, bias, direction)?, wide);
        let (of_input, of_hidden) = (part(node, &bias, 0, gates), part(node, &bias, gates, gates));
        if is_linear {
            hidden_bias = Some(part(node, &of_hidden, 2 * size, size));
        }
        inputs = node.map(&[&inputs, &of_input, &of_hidden], wide, |b, v| {
            let sum = b.add(v[0], v[1]);
            match is_linear {
                // The bias of the hidden gate is added before the reset.
                true => {
                    let is_gate =
                        b.compare(Compare::Less, b.loop_index(2), b.index_scalar(2 * size));
                    b.select(is_gate, b.add(sum, v[2]), sum)
                }
                false => b.add(sum, v[2]),
            }
        })?;
    } else if is_linear {
        hidden_bias = Some(node.filled(&[Size::Known(size)], node.scalar(wide, 0.0)));
    }
    let peepholes = match node.optional(7).filter(|_| cell == Cell::Lstm) {
        Some(given) => {
            let fits = given.rank() == 2 && given.size(0) == Size::Known(extent.directions);
            if !fits || given.size(1) != Size::Known(3 * size) {
                return Err(Refusal::new("has peepholes of other sizes than three hidden sizes"));
            }
            let given = node.convert(&row(node, given, direction)?, wide);
            Some([0, 1, 2].map(|i| part(node, &given, i * size, size)))
        }
        None => None,
    };
    let input_forget = node.int_or("input_forget", 0)?;
    Ok(Layer { cell, inputs, weights, bias: hidden_bias, peepholes, activations, input_forget })
}

/// The state and the output after a time step: behind the length of a sequence the state stays and the output is zero.
fn within_length<'c>(
    node: &Node<'_, 'c>,
    time: i64,
    new: State<'c>,
    before: &State<'c>,
) -> Result<(State<'c>, Tensor<'c>), Refusal> {
    let Some(lengths) = node.optional(4) else {
        let output = new.hidden.clone();
        return Ok((new, output));
    };
    // Lengths that are known to reach this step change nothing.
    if lengths.integers().is_some_and(|lengths| lengths.iter().all(|length| *length > time)) {
        let output = new.hidden.clone();
        return Ok((new, output));
    }
    let lengths = node.unsqueeze(lengths, &[1])?;
    let chosen = |new: &Tensor<'c>, old: &Tensor<'c>| {
        node.map(&[&lengths, new, old], new.element(), |b, v| {
            let time = Scalar { value: b.integer(v[0].element, time), ..v[0] };
            b.select(b.compare(Compare::Greater, v[0], time), v[1], v[2])
        })
    };
    let zero = node.number_tensor(new.hidden.element(), 0.0);
    let output = chosen(&new.hidden, &zero)?;
    let hidden = chosen(&new.hidden, &before.hidden)?;
    let cell = match (&new.cell, &before.cell) {
        (Some(new), Some(old)) => Some(chosen(new, old)?),
        _ => None,
    };
    Ok((State { hidden, cell }, output))
}
