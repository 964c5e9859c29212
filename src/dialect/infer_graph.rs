//! The result types of graph ops that follow from operands and attributes.

use super::graph_op::{AttributeReader, Layout, SlidingWindow, slice_bounds};
use crate::ir::{Attribute, Type, Value};

/// The sizes of a tensor, `None` if dynamic, and the type of its elements.
pub(super) type TensorShape<'c> = (Vec<Option<i64>>, Type<'c>);

/// An op, or one that is to be created.
pub(super) struct OpInputs<'a, 'c> {
    pub name: &'a str,
    pub operands: Vec<Value<'c>>,
    pub read: AttributeReader<'a, 'c>,
}

/// The shapes of the results; `None` if they do not follow from the operands and attributes.
///
/// # Errors
/// If operands and attributes do not fit together. The message continues the name of the op.
pub(super) fn infer<'c>(inputs: &OpInputs<'_, 'c>) -> Result<Option<Vec<TensorShape<'c>>>, String> {
    let shape = match inputs.name {
        "graph.argmax" | "graph.argmin" => inputs.arg()?,
        "graph.compare" | "graph.isfinite" | "graph.isinf" | "graph.isnan" => {
            let (dims, element) = inputs.shape(0)?;
            (dims, Type::integer(element.context(), 1))
        }
        "graph.concat" => inputs.concat()?,
        "graph.conv" => inputs.conv()?,
        "graph.expand_dims" => inputs.expand_dims()?,
        "graph.gather_elements" => inputs.gather_elements()?,
        "graph.gather_nd" => inputs.gather_nd()?,
        "graph.matmul" => inputs.matmul()?,
        "graph.dequantize" | "graph.quantize" => inputs.quantized()?,
        "graph.logsumexp" | "graph.mean" | "graph.reduce" | "graph.std" | "graph.variance" => {
            let (dims, element) = inputs.shape(0)?;
            let reduced = inputs.dims("dims", dims.len())?;
            (inputs.without(&dims, &reduced), element)
        }
        "graph.nonzero" => return inputs.nonzero().map(Some),
        "graph.one_hot" => inputs.one_hot()?,
        "graph.pad" => inputs.pad()?,
        "graph.pool" => inputs.pool()?,
        "graph.repeat" => inputs.repeat()?,
        "graph.slice" => inputs.slice()?,
        "graph.sort" => return inputs.sorted(None).map(Some),
        "graph.split" => return inputs.split().map(Some),
        "graph.squeeze" => inputs.squeeze()?,
        "graph.stack" => inputs.stack()?,
        "graph.take" => inputs.take()?,
        "graph.tile" => inputs.tile()?,
        "graph.topk" => return inputs.sorted(Some(inputs.integer("k")?)).map(Some),
        "graph.unique" => return inputs.unique().map(Some),
        _ => return Ok(None),
    };
    Ok(Some(vec![shape]))
}

/// The result types of an op with this name, operands and dictionary of attributes.
///
/// # Errors
/// If they do not fit together, or the types do not follow from them.
pub(super) fn infer_types<'c>(
    name: &str,
    operands: Vec<Value<'c>>,
    attributes: Attribute<'c>,
) -> Result<Vec<Type<'c>>, String> {
    let read = |name: &str| attributes.entry(name);
    let shapes = infer(&OpInputs { name, operands, read: &read })?;
    let shapes = shapes.ok_or("has result types that do not follow from its operands")?;
    Ok(shapes.into_iter().map(|(dims, element)| Type::tensor(&dims, element)).collect())
}

/// True if two sizes may be equal at run time.
pub(super) fn fits(left: Option<i64>, right: Option<i64>) -> bool {
    left.is_none() || right.is_none() || left == right
}

/// A size as it is written in types.
pub(super) fn shown(size: Option<i64>) -> String {
    size.map_or("?".into(), |size| size.to_string())
}

/// The shape of a tensor.
pub(super) fn shape<'c>(value: Value<'c>) -> Result<TensorShape<'c>, String> {
    value.ty().shaped().ok_or_else(|| format!("has an operand or result of type {}", value.ty()))
}

/// The list as distinct dimensions below `rank`.
pub(super) fn distinct(list: &[i64], rank: usize, name: &str) -> Result<Vec<usize>, String> {
    let mut dims = vec![];
    for number in list {
        match usize::try_from(*number) {
            Ok(dim) if dim < rank && !dims.contains(&dim) => dims.push(dim),
            _ => {
                return Err(format!(
                    "has {number} in '{name}', expected distinct numbers below {rank}"
                ));
            }
        }
    }
    Ok(dims)
}

impl<'c> OpInputs<'_, 'c> {
    pub fn shape(&self, i: usize) -> Result<TensorShape<'c>, String> {
        shape(*self.operands.get(i).ok_or_else(|| format!("has no operand {i}"))?)
    }

    pub fn has(&self, name: &str) -> bool {
        (self.read)(name).is_some()
    }

    pub fn integer(&self, name: &str) -> Result<i64, String> {
        (self.read)(name).and_then(Attribute::as_i64).ok_or_else(|| format!("has no '{name}'"))
    }

    pub fn integers(&self, name: &str) -> Result<Vec<i64>, String> {
        (self.read)(name).and_then(Attribute::as_integers).ok_or_else(|| format!("has no '{name}'"))
    }

    /// The list of integers `name`, of this length.
    fn integers_of(&self, name: &str, len: usize, least: i64) -> Result<Vec<i64>, String> {
        let list = self.integers(name)?;
        match list.len() == len && list.iter().all(|it| *it >= least) {
            true => Ok(list),
            false => {
                let numbers = match least {
                    i64::MIN => "numbers".into(),
                    _ => format!("numbers of {least} or more"),
                };
                Err(format!("has {list:?} in '{name}', expected {len} {numbers}"))
            }
        }
    }

    /// The dimensions `name` of a tensor.
    pub fn dims(&self, name: &str, rank: usize) -> Result<Vec<usize>, String> {
        distinct(&self.integers(name)?, rank, name)
    }

    /// The dimension `dim` of a tensor.
    pub fn dim(&self, rank: usize) -> Result<usize, String> {
        let number = self.integer("dim")?;
        let dim = usize::try_from(number).ok().filter(|dim| *dim < rank);
        dim.ok_or_else(|| format!("has dim = {number}, expected a number from 0 and below {rank}"))
    }

    fn layout(&self) -> Result<Layout, String> {
        let layout = self.integer("layout").map(Layout::from_value)?;
        layout.ok_or_else(|| "has no valid 'layout'".into())
    }

    /// The sizes without the reduced ones, or with 1 for each of them.
    fn without(&self, dims: &[Option<i64>], reduced: &[usize]) -> Vec<Option<i64>> {
        let keeps = self.has("keep_dims");
        let size = |(i, size): (usize, &Option<i64>)| match reduced.contains(&i) {
            true => keeps.then_some(Some(1)),
            false => Some(*size),
        };
        dims.iter().enumerate().filter_map(size).collect()
    }

    fn arg(&self) -> Result<TensorShape<'c>, String> {
        let (dims, element) = self.shape(0)?;
        let dim = self.dim(dims.len())?;
        if dims[dim] == Some(0) {
            return Err(format!("takes an index of dimension {dim}, which has no elements"));
        }
        Ok((self.without(&dims, &[dim]), Type::integer(element.context(), 64)))
    }

    fn matmul(&self) -> Result<TensorShape<'c>, String> {
        let ((mut a, element), (mut b, other)) = (self.shape(0)?, self.shape(1)?);
        if a.len() < 2 || a.len() != b.len() {
            return Err(format!(
                "multiplies tensors of rank {} and {}, expected equal ranks of 2 or more",
                a.len(),
                b.len()
            ));
        }
        if element != other {
            return Err(format!("multiplies elements of type {element} and {other}"));
        }
        let batches = a.len() - 2;
        if self.has("transpose_a") {
            a[batches..].reverse();
        }
        if self.has("transpose_b") {
            b[batches..].reverse();
        }
        if !fits(a[batches + 1], b[batches]) {
            let (a, b) = (shown(a[batches + 1]), shown(b[batches]));
            return Err(format!("sums over size {a} in a and size {b} in b"));
        }
        for i in 0..batches {
            if !fits(a[i], b[i]) {
                let (a, b) = (shown(a[i]), shown(b[i]));
                return Err(format!("has size {a} in a and size {b} in b in dimension {i}"));
            }
        }
        let mut dims: Vec<_> = (0..batches).map(|i| a[i].or(b[i])).collect();
        dims.extend([a[batches], b[batches + 1]]);
        Ok((dims, element))
    }

    fn conv(&self) -> Result<TensorShape<'c>, String> {
        let ((x, element), (w, other)) = (self.shape(0)?, self.shape(1)?);
        let rank = x.len();
        if !(3..=5).contains(&rank) || w.len() != rank {
            let found = format!("operands of rank {rank} and {}", w.len());
            return Err(format!("has {found}, expected equal ranks from 3 to 5"));
        }
        if element != other {
            return Err(format!("multiplies elements of type {element} and {other}"));
        }
        let layout = self.layout()?;
        let (window, in_group, outputs) = match layout {
            Layout::ChannelsFirst => (&w[2..], w[1], w[0]),
            Layout::ChannelsLast => (&w[..rank - 2], w[rank - 2], w[rank - 1]),
        };
        let groups = (self.read)("groups").and_then(Attribute::as_i64).unwrap_or(1);
        let channels = x[layout.channels(rank)];
        if groups < 1 || groups > 1 && (channels.is_none() || outputs.is_none()) {
            return Err(format!(
                "has {groups} groups, {} channels and {} outputs, expected 1 group or more, and static sizes if there \
                 are several",
                shown(channels),
                shown(outputs)
            ));
        }
        if channels.zip(in_group).is_some_and(|(all, each)| each.checked_mul(groups) != Some(all))
            || outputs.is_some_and(|outputs| outputs % groups != 0)
        {
            return Err(format!(
                "has {} channels, weights for {groups} groups of {} channels, and {} outputs, expected groups of equal \
                 sizes",
                shown(channels),
                shown(in_group),
                shown(outputs)
            ));
        }
        let window: Option<Vec<i64>> = window.iter().copied().collect();
        let window = window.ok_or("has weights of a dynamic window, expected static sizes")?;
        let window = SlidingWindow::of(window, self.read)?;
        Ok((self.windowed(&x, layout, &window, outputs)?, element))
    }

    fn pool(&self) -> Result<TensorShape<'c>, String> {
        let (x, element) = self.shape(0)?;
        if !(3..=5).contains(&x.len()) {
            return Err(format!("has an operand of rank {}, expected 3 to 5", x.len()));
        }
        let layout = self.layout()?;
        let sizes = self.integers_of("window", x.len() - 2, 1)?;
        let window = SlidingWindow::of(sizes, self.read)?;
        let channels = x[layout.channels(x.len())];
        Ok((self.windowed(&x, layout, &window, channels)?, element))
    }

    /// The sizes of the results of a window that moves over `x`.
    fn windowed(
        &self,
        x: &[Option<i64>],
        layout: Layout,
        window: &SlidingWindow,
        channels: Option<i64>,
    ) -> Result<Vec<Option<i64>>, String> {
        let mut dims = x.to_vec();
        dims[layout.channels(x.len())] = channels;
        for i in 0..x.len() - 2 {
            let size = &mut dims[layout.positions() + i];
            *size = size.map(|size| window.results(i, size)).transpose()?;
        }
        Ok(dims)
    }

    fn expand_dims(&self) -> Result<TensorShape<'c>, String> {
        let (dims, element) = self.shape(0)?;
        let rank = dims.len() + self.integers("dims")?.len();
        let new = self.dims("dims", rank)?;
        let mut rest = dims.into_iter();
        let size = |i| if new.contains(&i) { Some(1) } else { rest.next().flatten() };
        Ok(((0..rank).map(size).collect(), element))
    }

    fn squeeze(&self) -> Result<TensorShape<'c>, String> {
        let (dims, element) = self.shape(0)?;
        let removed = self.dims("dims", dims.len())?;
        if let Some(dim) = removed.iter().find(|dim| !fits(dims[**dim], Some(1))) {
            let size = shown(dims[*dim]);
            return Err(format!("removes dimension {dim} of size {size}, expected size 1"));
        }
        let kept = dims.iter().enumerate().filter(|(i, _)| !removed.contains(i));
        Ok((kept.map(|(_, size)| *size).collect(), element))
    }

    fn slice(&self) -> Result<TensorShape<'c>, String> {
        let (mut sizes, element) = self.shape(0)?;
        let dims = self.dims("dims", sizes.len())?;
        let starts = self.integers_of("starts", dims.len(), i64::MIN)?;
        let ends = self.integers_of("ends", dims.len(), i64::MIN)?;
        let steps = self.integers_of("steps", dims.len(), 1)?;
        for (i, dim) in dims.into_iter().enumerate() {
            let len = |size| slice_bounds(size, starts[i], ends[i], steps[i]).1;
            sizes[dim] = sizes[dim].map(len);
        }
        Ok((sizes, element))
    }

    /// The shape that all operands have except for one dimension, and their sizes in that dimension.
    fn parts(&self, dim: usize) -> Result<(TensorShape<'c>, Vec<Option<i64>>), String> {
        let (mut dims, element) = self.shape(0)?;
        let mut along = vec![];
        for i in 0..self.operands.len() {
            let (sizes, other) = self.shape(i)?;
            let pairs = || dims.iter().zip(&sizes).enumerate().filter(|(at, _)| *at != dim);
            let same = sizes.len() == dims.len() && pairs().all(|(_, (a, b))| fits(*a, *b));
            if !same || element != other {
                let (first, this) = (self.operands[0].ty(), self.operands[i].ty());
                return Err(format!(
                    "joins tensors of type {first} and {this}, expected the same type except for the size of dimension \
                     {dim}"
                ));
            }
            along.push(sizes.get(dim).copied().flatten());
            dims = dims.iter().zip(&sizes).map(|(a, b)| a.or(*b)).collect();
        }
        Ok(((dims, element), along))
    }

    fn concat(&self) -> Result<TensorShape<'c>, String> {
        let dim = self.dim(self.shape(0)?.0.len())?;
        let ((mut dims, element), along) = self.parts(dim)?;
        dims[dim] = match along.iter().copied().collect::<Option<Vec<i64>>>() {
            Some(sizes) => Some(sum(&sizes)?),
            None => None,
        };
        Ok((dims, element))
    }

    fn stack(&self) -> Result<TensorShape<'c>, String> {
        let rank = self.shape(0)?.0.len();
        let dim = self.dim(rank + 1)?;
        let ((mut dims, element), _) = self.parts(usize::MAX)?;
        dims.insert(dim, Some(self.operands.len() as i64));
        Ok((dims, element))
    }

    fn split(&self) -> Result<Vec<TensorShape<'c>>, String> {
        let (dims, element) = self.shape(0)?;
        let dim = self.dim(dims.len())?;
        let sizes = self.integers("sizes")?;
        let total = sum(&sizes)?;
        if sizes.iter().any(|size| *size < 0) || dims[dim] != Some(total) {
            return Err(format!(
                "has parts of sizes {sizes:?}, expected sizes whose sum is the size {} of dimension {dim}, which is \
                 static",
                shown(dims[dim])
            ));
        }
        let part = |size: i64| {
            let mut dims = dims.clone();
            dims[dim] = Some(size);
            (dims, element)
        };
        Ok(sizes.into_iter().map(part).collect())
    }

    fn pad(&self) -> Result<TensorShape<'c>, String> {
        let (dims, element) = self.shape(0)?;
        let value = self.operands.get(1).ok_or("has no value")?.ty();
        if value != element {
            return Err(format!("adds elements of type {value} to elements of type {element}"));
        }
        let low = self.integers_of("low", dims.len(), 0)?;
        let high = self.integers_of("high", dims.len(), 0)?;
        let padded = |(i, size): (usize, &Option<i64>)| match size {
            Some(size) => sum(&[*size, low[i], high[i]]).map(Some),
            None => Ok(None),
        };
        Ok((dims.iter().enumerate().map(padded).collect::<Result<_, _>>()?, element))
    }

    fn tile(&self) -> Result<TensorShape<'c>, String> {
        let (dims, element) = self.shape(0)?;
        let repeats = self.integers_of("repeats", dims.len(), 0)?;
        let size = |(size, count): (&Option<i64>, &i64)| times(*size, *count);
        Ok((dims.iter().zip(&repeats).map(size).collect::<Result<_, _>>()?, element))
    }

    fn repeat(&self) -> Result<TensorShape<'c>, String> {
        let (mut dims, element) = self.shape(0)?;
        let (dim, count) = (self.dim(dims.len())?, self.integer("count")?);
        if count < 0 {
            return Err(format!("has count = {count}, expected 0 or more"));
        }
        dims[dim] = times(dims[dim], count)?;
        Ok((dims, element))
    }

    /// The values and the indices of the first elements in order, or of all.
    fn sorted(&self, count: Option<i64>) -> Result<Vec<TensorShape<'c>>, String> {
        let (mut dims, element) = self.shape(0)?;
        let dim = self.dim(dims.len())?;
        if let Some(count) = count {
            if count < 0 || dims[dim].is_some_and(|size| count > size) {
                let size = shown(dims[dim]);
                return Err(format!(
                    "has k = {count}, expected a number from 0 to the size {size} of dimension {dim}"
                ));
            }
            dims[dim] = Some(count);
        }
        Ok(vec![(dims.clone(), element), (dims, Type::integer(element.context(), 64))])
    }

    /// A tensor converted between floats and integers, by a scale and a zero point.
    fn quantized(&self) -> Result<TensorShape<'c>, String> {
        let ((dims, x), (scale, float)) = (self.shape(0)?, self.shape(1)?);
        let (zero_point, int) = self.shape(2)?;
        let expected = match (self.read)("dim") {
            Some(_) => vec![dims[self.dim(dims.len())?]],
            None => vec![],
        };
        let has_sizes = |sizes: &[Option<i64>]| {
            sizes.len() == expected.len() && sizes.iter().zip(&expected).all(|(a, b)| fits(*a, *b))
        };
        let is_quantize = self.name == "graph.quantize";
        let has_elements = if is_quantize { float == x } else { int == x };
        if !has_sizes(&scale) || !has_sizes(&zero_point) || !has_elements {
            let (float, int) = if is_quantize { (x, int) } else { (float, x) };
            return Err(format!(
                "has a scale of type {} and a zero point of type {}, expected {} and {}",
                self.operands[1].ty(),
                self.operands[2].ty(),
                Type::tensor(&expected, float),
                Type::tensor(&expected, int)
            ));
        }
        Ok((dims, if is_quantize { int } else { float }))
    }

    fn nonzero(&self) -> Result<Vec<TensorShape<'c>>, String> {
        let (dims, element) = self.shape(0)?;
        if dims.is_empty() {
            return Err("has an operand of rank 0, expected 1 or more".into());
        }
        let i64_type = Type::integer(element.context(), 64);
        let mut count = Some(1);
        for size in &dims {
            count = match (count, size) {
                (Some(count), Some(size)) => times(Some(count), *size)?,
                _ => None,
            };
        }
        Ok(vec![(vec![count, Some(dims.len() as i64)], i64_type), (vec![], i64_type)])
    }

    fn unique(&self) -> Result<Vec<TensorShape<'c>>, String> {
        let (dims, element) = self.shape(0)?;
        if dims.len() != 1 {
            return Err(format!("has an operand of rank {}, expected 1", dims.len()));
        }
        let i64_type = Type::integer(element.context(), 64);
        let list = (dims.clone(), i64_type);
        Ok(vec![(dims, element), list.clone(), list.clone(), list, (vec![], i64_type)])
    }

    fn one_hot(&self) -> Result<TensorShape<'c>, String> {
        let (mut dims, _) = self.shape(0)?;
        let (dim, depth) = (self.dim(dims.len() + 1)?, self.integer("depth")?);
        if depth < 0 {
            return Err(format!("has depth = {depth}, expected 0 or more"));
        }
        dims.insert(dim, Some(depth));
        Ok((dims, self.operands.get(1).ok_or("has no value")?.ty()))
    }

    fn take(&self) -> Result<TensorShape<'c>, String> {
        let ((dims, element), (indices, _)) = (self.shape(0)?, self.shape(1)?);
        let dim = self.dim(dims.len())?;
        if dims[dim] == Some(0) && !indices.contains(&Some(0)) {
            return Err(format!("takes slices of dimension {dim}, which has no elements"));
        }
        Ok(([&dims[..dim], &indices, &dims[dim + 1..]].concat(), element))
    }

    fn gather_elements(&self) -> Result<TensorShape<'c>, String> {
        let ((dims, element), (indices, _)) = (self.shape(0)?, self.shape(1)?);
        let dim = self.dim(dims.len())?;
        let is_larger = |i: usize| dims[i].zip(indices[i]).is_some_and(|(x, all)| all > x);
        if indices.len() != dims.len() || (0..dims.len()).any(|i| i != dim && is_larger(i)) {
            let (x, indices) = (self.operands[0].ty(), self.operands[1].ty());
            return Err(format!(
                "has indices of type {indices} for elements of type {x}, expected the same rank, and sizes that are not \
                 larger except in dimension {dim}"
            ));
        }
        if dims[dim] == Some(0) && !indices.contains(&Some(0)) {
            return Err(format!("takes elements of dimension {dim}, which has none"));
        }
        Ok((indices, element))
    }

    /// The number of indices in each list of operand 1, which are indices of the first dimensions of operand 0 behind `batches`.
    pub fn list_len(&self, batches: usize) -> Result<usize, String> {
        let ((dims, _), (indices, _)) = (self.shape(0)?, self.shape(1)?);
        let len = indices.last().copied().flatten().and_then(|len| usize::try_from(len).ok());
        let most = dims.len().saturating_sub(batches);
        len.filter(|len| (1..=most).contains(len) && batches < indices.len()).ok_or_else(|| {
            format!(
                "has indices of type {} for elements of type {} and {batches} batch dimensions, expected lists of 1 to \
                 {most} indices, in a last dimension of static size",
                self.operands[1].ty(),
                self.operands[0].ty()
            )
        })
    }

    fn gather_nd(&self) -> Result<TensorShape<'c>, String> {
        let ((dims, element), (indices, _)) = (self.shape(0)?, self.shape(1)?);
        let batches = (self.read)("batch_dims").and_then(Attribute::as_i64).unwrap_or(0);
        let batches = usize::try_from(batches)
            .map_err(|_| format!("has batch_dims = {batches}, expected 0 or more"))?;
        let len = self.list_len(batches)?;
        let mut result: Vec<_> = indices[..indices.len() - 1].to_vec();
        for i in 0..batches {
            if !fits(dims[i], indices[i]) {
                let (x, indices) = (shown(dims[i]), shown(indices[i]));
                return Err(format!(
                    "has size {x} in x and size {indices} in the indices in batch dimension {i}"
                ));
            }
            result[i] = result[i].or(dims[i]);
        }
        result.extend(&dims[batches + len..]);
        let is_empty = |dim: &usize| dims[*dim] == Some(0);
        match (batches..batches + len).find(is_empty) {
            Some(dim) if !result.contains(&Some(0)) => {
                Err(format!("takes elements of dimension {dim}, which has none"))
            }
            _ => Ok((result, element)),
        }
    }
}

fn sum(sizes: &[i64]) -> Result<i64, String> {
    let total = sizes.iter().try_fold(0i64, |sum, size| sum.checked_add(*size));
    total.ok_or_else(|| format!("has a result with a size beyond 64 bits: the sum of {sizes:?}"))
}

fn times(size: Option<i64>, count: i64) -> Result<Option<i64>, String> {
    let too_large =
        || format!("has a result with a size beyond 64 bits: {count} times {}", shown(size));
    size.map(|size| size.checked_mul(count).ok_or_else(too_large)).transpose()
}

#[cfg(test)]
#[path = "../../test/dialect/infer_graph.rs"]
mod tests;
