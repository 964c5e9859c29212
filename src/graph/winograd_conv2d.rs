//! `winograd-conv2d`: compute 3 x 3 convolutions by Winograd's algorithm.
//!
//! ```text
//! Y[n, f, h, w] += X[n, c, h + i, w + j] * W[f, c, i, j]
//!   ->
//! once for all calls: U[a, b, f, c] = sum of G[a, i] * G[b, j] * W[f, c, i, j]
//! V[a, n, c, b, y, x] = sum of B[a, s] * B[b, t] * X[n, c, 2 * y + s, 2 * x + t]
//! M[a, b, n, f, y, x] += U[a, b, f, c] * V[a, n, c, b, y, x]
//! Y[n, f, 2 * y + p, 2 * x + q] = sum of A[p, a] * A[q, b] * M[a, b, n, f, y, x]
//! ```
//! This is F(2 x 2, 3 x 3) of Lavin and Gray, Fast Algorithms for Convolutional Neural Networks (2016). G, B and A are the matrices by
//! which `decompose-composite-ops` lowers upstream's `linalg.winograd_*` ops: all numbers in them are 0, 1, -1 and one half. A tile of 2 x 2 results needs 16 multiplications for each c and f instead of 36.
//! Results differ from those of the direct sum by rounding, as after a change of the order. An infinite element of X makes all
//! results of its tiles NaN.
//!
//! Requires
//! - (C1) the contract of the function is `fast`: the algorithm applies the distributive law
//! - (C2) the op sums products of W and X of one type, f32 or f64, in all loops. W is computed from constants, X is not
//! - (C3) X has one channel index c, an index for each image, and two indices h + i and w + j, with i and j from 0 to 2. W has the
//!   indices f, c, i, j, in any order, and Y those of the image, f, h and w, in any order: a stride, a dilation or groups are refused
//! - (C4) all sizes are known
//! - (C5) it pays ([`Convolution::pays`]): the transformed tensors are written and read again
//!
//! If the number of rows or columns of Y is odd, the last tile has a row or column too many, which is dropped.

use super::weight_product::{FixedValues, sums_products};
use crate::analysis::op_cost::bytes_of;
use crate::compute::decompose_composite_ops::winograd::F_2_3;
use crate::compute::linalg_builder::{
    collapse, element_of, empty, filled, first_elements, generic, loop_index, pad_tensor,
    static_tensor,
};
use crate::dialect::contract::Contract;
use crate::ir::affine::{Expr, Linear, Map};
use crate::ir::{
    Attribute, Builder, Error, FloatKind, IteratorKind, Op, Structured, TypeKind, Value,
    constant_value, predicate, walk,
};
use crate::machine::table::bytes_per_cycle;

/// The rows and columns of a window, of the results of a tile, and of its elements of X.
const WINDOW: usize = F_2_3.g[0].len();
const RESULTS: usize = F_2_3.at.len();
const TILE: usize = F_2_3.bt.len();

/// The vector instructions that begin in a cycle, and those of a vector of tiles of X that become V, and of a vector of results.
const VECTORS_PER_CYCLE: f64 = 2.0;
const IMAGE_INSTRUCTIONS: f64 = 96.0;
const RESULT_INSTRUCTIONS: f64 = 46.0;

/// The processor that convolutions are compared for.
#[derive(Clone, Copy, Debug)]
pub struct WinogradMachine {
    /// The width of a vector register.
    pub vector_bits: i64,
    /// The capacity of the second-level cache, and what a core may use of the last-level cache.
    pub l2_bytes: i64,
    pub l3_bytes: i64,
}

/// Rewrites the convolutions of a function for which it pays. Returns their number.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn convert<'c>(function: Op<'c>, machine: &WinogradMachine) -> Result<usize, Error<'c>> {
    if Contract::of(function)? != Contract::Fast {
        return Ok(0);
    }
    let fixed = FixedValues::of(function);
    let found = walk(function).into_iter().filter_map(|op| Convolution::of(op, &fixed));
    let constants = constant_bytes(function);
    let found: Vec<Convolution> = found.filter(|it| it.pays(machine, constants)).collect();
    found.iter().for_each(Convolution::replace);
    Ok(found.len())
}

/// The bytes of the constants of a function.
fn constant_bytes(function: Op) -> f64 {
    let results = walk(function).into_iter().filter(|op| op.is_constant()).flat_map(Op::results);
    let bytes = results.filter_map(|value| {
        let (dims, element) = value.ty().shaped()?;
        let elements: Option<Vec<f64>> = dims.iter().map(|size| size.map(|it| it as f64)).collect();
        Some(elements?.into_iter().product::<f64>() * bytes_of(element) as f64)
    });
    bytes.sum()
}

/// A convolution with windows of 3 x 3. Dimensions are those of loops of the op.
struct Convolution<'c> {
    op: Op<'c>,
    image: Value<'c>,
    weights: Value<'c>,
    /// The roles of the dimensions of X, W and Y.
    of_image: Vec<IndexRole>,
    of_weights: Vec<IndexRole>,
    of_results: Vec<IndexRole>,
    sizes: Vec<i64>,
}

/// What an index of a tensor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexRole {
    /// A loop that X and Y share.
    Batch(usize),
    /// The loop over the channels of X.
    Channel(usize),
    /// The loop over the channels of Y.
    Filter(usize),
    /// The loop over the rows (0) or columns (1) of Y; in X, the sum of this and a window loop.
    Space(usize, usize),
    /// The loop over the rows or columns of W.
    Window(usize),
}

impl<'c> Convolution<'c> {
    fn of(op: Op<'c>, fixed: &FixedValues<'c>) -> Option<Convolution<'c>> {
        let loops = Structured::of(op)?;
        let (operands, [result]) = (op.operands(), &op.results()[..]) else { return None };
        (operands.len() == 3 && loops.inputs == 2 && sums_products(op.body(0)?)).then_some(())?;
        let element = element_of(*result);
        let is_wide = matches!(element.kind(), TypeKind::Float(FloatKind::F32 | FloatKind::F64));
        let is_tensor = matches!(result.ty().kind(), TypeKind::Tensor { .. });
        let is_alike = operands.iter().all(|it| element_of(*it) == element);
        (is_wide && is_tensor && is_alike).then_some(())?;
        let place = match [0, 1].map(|i| fixed.contains(operands[i])) {
            [true, false] => 0,
            [false, true] => 1,
            _ => return None,
        };
        let (weights, image) = (operands[place], operands[1 - place]);
        let mut sizes = vec![0; loops.iterators.len()];
        let [of_weights, of_results] = [(weights, place), (*result, 2)].map(|(tensor, place)| {
            let dims = loops.maps[place].plain_dims()?;
            for (dim, size) in dims.iter().zip(tensor.ty().shaped()?.0) {
                sizes[*dim] = size?;
            }
            Some(dims)
        });
        let (of_weights, of_results) = (of_weights?, of_results?);
        let is_reduced = |d: &usize| loops.iterators[*d] == IteratorKind::Reduction;

        // The roles of loops, as X shows them.
        let mut roles: Vec<Option<IndexRole>> = vec![None; loops.iterators.len()];
        let (mut of_image, mut axes) = (vec![], 0);
        for index in &loops.maps[1 - place].results {
            let Linear { terms, constant: 0 } = Linear::of(index) else { return None };
            let dims: Option<Vec<usize>> = terms
                .iter()
                .map(|(atom, times)| match atom {
                    Expr::Dim(d) if *times == 1 => Some(*d),
                    _ => None,
                })
                .collect();
            let role = match dims?[..] {
                [d] if is_reduced(&d) => IndexRole::Channel(d),
                [d] => IndexRole::Batch(d),
                [a, b] => {
                    let (h, i) = if is_reduced(&a) { (b, a) } else { (a, b) };
                    let is_window = !is_reduced(&h) && is_reduced(&i) && sizes[i] == WINDOW as i64;
                    (is_window && roles[i].replace(IndexRole::Window(axes)).is_none())
                        .then_some(())?;
                    axes += 1;
                    IndexRole::Space(axes - 1, h)
                }
                _ => return None,
            };
            let (IndexRole::Channel(d) | IndexRole::Batch(d) | IndexRole::Space(_, d)) = role
            else {
                return None;
            };
            roles[d].replace(role).is_none().then_some(())?;
            of_image.push(role);
        }
        for d in &of_weights {
            roles[*d].get_or_insert(IndexRole::Filter(*d));
        }
        let [of_weights, of_results] = [of_weights, of_results]
            .map(|dims| dims.iter().map(|d| roles[*d]).collect::<Option<Vec<IndexRole>>>());
        let (of_weights, of_results) = (of_weights?, of_results?);
        image.ty().shaped()?.0.iter().all(Option::is_some).then_some(())?;
        let found = Convolution { op, image, weights, of_image, of_weights, of_results, sizes };
        found.has_all_roles().then_some(found)
    }

    /// True if each tensor has the indices that (C3) states.
    fn has_all_roles(&self) -> bool {
        let count = |roles: &[IndexRole], is_it: fn(&IndexRole) -> bool| {
            roles.iter().filter(|it| is_it(it)).count()
        };
        let is_channel = |it: &IndexRole| matches!(it, IndexRole::Channel(_));
        let is_filter = |it: &IndexRole| matches!(it, IndexRole::Filter(_));
        let is_space = |it: &IndexRole| matches!(it, IndexRole::Space(..));
        let is_window = |it: &IndexRole| matches!(it, IndexRole::Window(_));
        let (image, weights, results) = (&self.of_image, &self.of_weights, &self.of_results);
        let batches = image.len().wrapping_sub(3);
        count(image, is_channel) == 1
            && count(image, is_space) == 2
            && weights.len() == 4
            && count(weights, is_filter) == 1
            && count(weights, is_channel) == 1
            && count(weights, is_window) == 2
            && results.len() == batches + 3
            && count(results, is_filter) == 1
            && count(results, is_space) == 2
            && count(results, |it| matches!(it, IndexRole::Batch(_))) == batches
    }

    /// The size of the loop with a role.
    fn size(&self, role: IndexRole) -> i64 {
        match role {
            IndexRole::Batch(d)
            | IndexRole::Channel(d)
            | IndexRole::Filter(d)
            | IndexRole::Space(_, d) => self.sizes[d],
            IndexRole::Window(_) => WINDOW as i64,
        }
    }

    /// The number of tiles along rows or columns.
    fn tiles(&self, role: IndexRole) -> i64 {
        let results = RESULTS as i64;
        (self.size(role) + results - 1) / results
    }

    /// True if the algorithm is expected to take at most nine tenths of the time of the direct sum. Times are in cycles of a processor
    /// with typical rates. What is counted: the multiplications; the other vector instructions, which load, shuffle, add and store; the
    /// bytes of V and M, which are written and read; and the bytes that U is larger than W. U comes from the cache that holds all
    /// constants of the function: each call reads them once.
    fn pays(&self, machine: &WinogradMachine, constants: f64) -> bool {
        let element_bits = match element_of(self.image).kind() {
            TypeKind::Float(FloatKind::F64) => 64,
            _ => 32,
        };
        let lanes = machine.vector_bits / element_bits;
        let bytes = |numbers: usize| (numbers as i64 * element_bits / 8) as f64;
        let sizes = |roles: &[IndexRole]| roles.iter().map(|it| self.size(*it)).collect::<Vec<_>>();
        let tiles =
            |roles: &[IndexRole]| roles.iter().map(|it| self.tile_size(*it)).collect::<Vec<_>>();
        let elements = |sizes: &[i64]| sizes.iter().map(|size| *size as f64).product::<f64>();
        // Vectors are along the last dimension.
        let vectors = |sizes: &[i64]| {
            let (last, outer) = sizes.split_last().expect("checked (C3)");
            elements(outer) * ((last + lanes - 1) / lanes) as f64
        };
        let (square, window) = (TILE * TILE, WINDOW * WINDOW);
        let results = sizes(&self.of_results);
        let [result_tiles, image_tiles] = [&self.of_results, &self.of_image].map(|it| tiles(it));
        let weights = elements(&sizes(&self.weight_channels()));
        let channels = self.of_image.iter().find(|it| matches!(it, IndexRole::Channel(_)));
        let channels = channels.map_or(1, |it| self.size(*it)) as f64;

        let additions_per_cycle = VECTORS_PER_CYCLE * lanes as f64;
        let direct = elements(&results) * channels * window as f64 / additions_per_cycle;
        let products = elements(&result_tiles) * channels * square as f64 / additions_per_cycle;
        let transforms = (vectors(&image_tiles) * IMAGE_INSTRUCTIONS
            + vectors(&results) * RESULT_INSTRUCTIONS)
            / VECTORS_PER_CYCLE;
        let transformed = (elements(&image_tiles) + elements(&result_tiles)) * bytes(square);
        let more_weights = weights * bytes(square - window);
        let caches = [machine.l2_bytes, machine.l3_bytes];
        let cycles = |moved: f64, held: f64| moved / bytes_per_cycle(caches, held);
        // While they compute, the transforms also load and store.
        let transforms = transforms.max(cycles(2.0 * transformed, transformed));
        let weights = cycles(more_weights, constants.max(weights * bytes(square)));
        products + transforms + weights < 0.9 * direct
    }
}

impl<'c> Convolution<'c> {
    fn replace(&self) {
        let at = Builder::before(self.op, self.op.location());
        let weights = self.transformed_weights(&at);
        let image = self.transformed_image(&at);
        let products = self.products(&at, weights, image);
        let sums = self.transformed_results(&at, products);
        self.op.result(0).replace_all_uses_with(self.started(&at, sums));
        self.op.erase();
    }

    /// U, with the channels of W in their order.
    fn transformed_weights(&self, at: &Builder<'c>) -> Value<'c> {
        let channels: Vec<IndexRole> = self.weight_channels();
        let place = |role: IndexRole| Expr::Dim(position(&channels, role));
        let inputs = pairs(WINDOW).map(|[i, j]| {
            let index = |role: &IndexRole| match role {
                IndexRole::Window(axis) => Expr::Constant([i, j][*axis]),
                role => place(*role),
            };
            self.of_weights.iter().map(index).collect()
        });
        let (a, b) = (channels.len(), channels.len() + 1);
        let result = [vec![a, b], (0..channels.len()).collect()].concat();
        let sizes: Vec<i64> = channels.iter().map(|it| self.size(*it)).collect();
        let sizes = [vec![TILE as i64; 2], sizes].concat();
        let inputs = inputs.collect();
        TileTransform { matrix: F_2_3.g, from: self.weights, inputs, sizes, result, chosen: [a, b] }
            .built(at)
    }

    /// V: a, the dimensions of X, and b before the first of rows and columns. Then the sixteen vectors that are stored together are not
    /// at a distance of a large power of two if the number of channels is one.
    fn transformed_image(&self, at: &Builder<'c>) -> Value<'c> {
        let image = self.whole_tiles(at);
        let rank = self.of_image.len();
        // Loops: the dimensions of X, with a and b before the last one, whose elements are adjacent.
        let (a, b) = (rank - 1, rank);
        let place = |d: usize| if d == rank - 1 { rank + 1 } else { d };
        let inputs = pairs(TILE).map(|[s, t]| {
            let index = |(d, role): (usize, &IndexRole)| match role {
                IndexRole::Space(axis, _) => {
                    Expr::Dim(place(d)) * Expr::Constant(RESULTS as i64)
                        + Expr::Constant([s, t][*axis])
                }
                _ => Expr::Dim(place(d)),
            };
            self.of_image.iter().enumerate().map(index).collect()
        });
        let space = self.of_image.iter().position(|it| matches!(it, IndexRole::Space(..)));
        let space = space.expect("checked (C3)");
        let mut result: Vec<usize> = (0..rank).map(place).collect();
        result.insert(space, b);
        result.insert(0, a);
        let mut sizes: Vec<i64> = self.of_image.iter().map(|it| self.tile_size(*it)).collect();
        sizes.insert(space, TILE as i64);
        sizes.insert(0, TILE as i64);
        let inputs = inputs.collect();
        TileTransform { matrix: F_2_3.bt, from: image, inputs, sizes, result, chosen: [a, b] }
            .built(at)
    }

    /// M: a, b, and the dimensions of Y.
    fn products(&self, at: &Builder<'c>, weights: Value<'c>, image: Value<'c>) -> Value<'c> {
        let rank = self.of_results.len();
        let (a, b, channel) = (0, 1, rank + 2);
        let place = |role: IndexRole| match role {
            IndexRole::Channel(_) => channel,
            role => 2 + position(&self.of_results, role),
        };
        let of = |roles: &[IndexRole]| roles.iter().map(|it| place(*it)).collect::<Vec<_>>();
        let of_weights = [vec![a, b], of(&self.weight_channels())].concat();
        let mut of_image = of(&self.of_image);
        let space = self.of_image.iter().position(|it| matches!(it, IndexRole::Space(..)));
        of_image.insert(space.expect("checked (C3)"), b);
        of_image.insert(0, a);
        let maps =
            [of_weights, of_image, (0..rank + 2).collect()].map(|dims| plain(rank + 3, &dims));
        let mut iterators = vec![IteratorKind::Parallel; rank + 3];
        iterators[channel] = IteratorKind::Reduction;
        let sizes = self.of_results.iter().map(|it| self.tile_size(*it));
        let sizes: Vec<i64> = [TILE as i64; 2].into_iter().chain(sizes).collect();
        let element = element_of(weights);
        let zero = at.number(element, 0);
        let outs = filled(at, static_tensor(&sizes, element), &[], zero);
        generic(at, &[weights, image], outs, &maps, &iterators, |body, x| {
            let product = body.op("arith.mulf", &[x[0], x[1]], x[0].ty());
            body.op("arith.addf", &[x[2], product], x[2].ty())
        })
    }

    /// Y, without its start values.
    fn transformed_results(&self, at: &Builder<'c>, products: Value<'c>) -> Value<'c> {
        // Loops: the dimensions of M but a and b, each of the space followed by the one within a tile.
        let (mut places, mut groups, mut within) = (vec![], vec![], [0; 2]);
        let (mut sizes, mut loops) = (vec![], 0);
        for role in &self.of_results {
            places.push(loops);
            sizes.push(self.tile_size(*role));
            let first = loops;
            if let IndexRole::Space(axis, _) = role {
                loops += 1;
                within[*axis] = loops;
                sizes.push(RESULTS as i64);
            }
            loops += 1;
            groups.push((first..loops).collect::<Vec<_>>());
        }
        let inputs = pairs(TILE).map(|[a, b]| {
            let dims = places.iter().map(|place| Expr::Dim(*place));
            [Expr::Constant(a), Expr::Constant(b)].into_iter().chain(dims).collect()
        });
        let (inputs, result) = (inputs.collect(), (0..loops).collect());
        let transform = TileTransform {
            matrix: F_2_3.at,
            from: products,
            inputs,
            sizes,
            result,
            chosen: within,
        };
        let tiles = transform.built(at);
        let results = self.op.result(0).ty();
        first_elements(at, collapse(at, tiles, &groups), results)
    }

    /// The results with the start values of the sums.
    fn started(&self, at: &Builder<'c>, sums: Value<'c>) -> Value<'c> {
        let start = self.op.operand(2);
        let fill = start.defining_op().filter(|op| op.is("linalg.fill"));
        let value =
            fill.and_then(|fill| constant_value(fill.operand(0))).and_then(|it| it.as_f64());
        if value == Some(0.0) {
            return sums;
        }
        let rank = self.of_results.len();
        let outs = empty(at, sums.ty(), &[]);
        let maps = vec![Map::identity(rank); 3];
        let parallel = vec![IteratorKind::Parallel; rank];
        generic(at, &[sums, start], outs, &maps, &parallel, |body, x| {
            body.op("arith.addf", &[x[0], x[1]], x[0].ty())
        })
    }

    /// X with a row and a column of zeros where the last tile needs one.
    fn whole_tiles(&self, at: &Builder<'c>) -> Value<'c> {
        let more = |role: &IndexRole| match role {
            IndexRole::Space(..) => self.tiles(*role) * RESULTS as i64 - self.size(*role),
            _ => 0,
        };
        let high: Vec<i64> = self.of_image.iter().map(more).collect();
        let zero = at.number(element_of(self.image), 0);
        pad_tensor(at, self.image, &vec![0; high.len()], &high, zero)
    }

    /// The size of a dimension of V or M.
    fn tile_size(&self, role: IndexRole) -> i64 {
        match role {
            IndexRole::Space(..) => self.tiles(role),
            role => self.size(role),
        }
    }

    /// The channels of W, in their order.
    fn weight_channels(&self) -> Vec<IndexRole> {
        let is_channel =
            |it: &&IndexRole| matches!(it, IndexRole::Channel(_) | IndexRole::Filter(_));
        self.of_weights.iter().filter(is_channel).copied().collect()
    }
}

/// A transform of the rows and then of the columns of squares of elements of a tensor.
struct TileTransform<'c> {
    matrix: &'static [&'static [f64]],
    from: Value<'c>,
    /// The indices of the elements of a square, row by row.
    inputs: Vec<Vec<Expr>>,
    /// The sizes of the result, and the loop over each of its dimensions.
    sizes: Vec<i64>,
    result: Vec<usize>,
    /// The loops over the rows and the columns of the transformed square.
    chosen: [usize; 2],
}

impl<'c> TileTransform<'c> {
    fn built(self, at: &Builder<'c>) -> Value<'c> {
        let loops = self.result.len();
        let map = |results| Map { dims: loops, symbols: 0, results };
        let mut maps: Vec<Map> = self.inputs.into_iter().map(map).collect();
        let ins = vec![self.from; maps.len()];
        maps.push(plain(loops, &self.result));
        let outs = empty(at, static_tensor(&self.sizes, element_of(self.from)), &[]);
        let parallel = vec![IteratorKind::Parallel; loops];
        generic(at, &ins, outs, &maps, &parallel, |body, x| {
            // Which row of the matrix is used, for the rows and for the columns.
            let [rows, columns] = self.chosen.map(|d| {
                let index = loop_index(body, d);
                let is = |row: usize| body.compare(predicate::EQ, index, body.index(row as i64));
                (0..self.matrix.len() - 1).map(is).collect::<Vec<_>>()
            });
            let transformed = |is: &[Value<'c>], x: &[Value<'c>]| {
                let all = self.matrix.iter().map(|row| combination(body, row, x));
                let mut all: Vec<Value> = all.collect();
                let last = all.pop().expect("a matrix has rows");
                is.iter().zip(all).rev().fold(last, |other, (is, value)| {
                    body.op("arith.select", &[*is, value, other], value.ty())
                })
            };
            let size = self.matrix[0].len();
            let row = |t: usize| {
                let column: Vec<Value> = (0..size).map(|s| x[s * size + t]).collect();
                transformed(&rows, &column)
            };
            transformed(&columns, &(0..size).map(row).collect::<Vec<_>>())
        })
    }
}

/// The sum of values times numbers.
fn combination<'c>(b: &Builder<'c>, numbers: &[f64], values: &[Value<'c>]) -> Value<'c> {
    let mut terms: Vec<(f64, Value)> =
        numbers.iter().copied().zip(values.iter().copied()).collect();
    terms.retain(|(number, _)| *number != 0.0);
    // Positive terms first, so that the others are subtracted.
    terms.sort_by(|one, other| other.0.total_cmp(&one.0));
    let scaled = |(number, value): (f64, Value<'c>)| match number.abs() {
        1.0 => value,
        size => {
            let size = b.constant(Attribute::float(value.ty(), size));
            b.op("arith.mulf", &[value, size], value.ty())
        }
    };
    let mut first = scaled(terms[0]);
    if terms[0].0 < 0.0 {
        first = b.op("arith.negf", &[first], first.ty());
    }
    terms[1..].iter().fold(first, |sum, term| {
        let name = if term.0 > 0.0 { "arith.addf" } else { "arith.subf" };
        b.op(name, &[sum, scaled(*term)], sum.ty())
    })
}

/// All pairs of numbers below `n`; the second number changes first.
fn pairs(n: usize) -> impl Iterator<Item = [i64; 2]> {
    (0..n * n).map(move |i| [(i / n) as i64, (i % n) as i64])
}

/// The map from loops to some of them.
fn plain(loops: usize, results: &[usize]) -> Map {
    let results = results.iter().map(|d| Expr::Dim(*d)).collect();
    Map { dims: loops, symbols: 0, results }
}

fn position(roles: &[IndexRole], role: IndexRole) -> usize {
    roles.iter().position(|it| *it == role).expect("checked (C3)")
}
