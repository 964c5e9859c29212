//! The register tiles of products: their space, and the best one.

use super::{LATENCY, ProductLoops};
use crate::analysis::finite_domain::Term;
use crate::machine::table::MEMORY_BYTES_PER_CYCLE;
use crate::machine::x86::Processor;
use crate::strategy::nest::Nest;
use crate::strategy::space::{ChosenNumber, ChosenNumbers, Space, bytes, registers, what};
use crate::strategy::x86::VECTOR_REGISTERS;

/// The most vectors in a row of a tile.
const MOST_VECTORS: i64 = 4;

/// A tile of several lines must be better by one part in so many of the estimated cost.
const LINES_COST: i64 = 32;

/// The parts into which a reduction may be cut.
const PARTS: [i64; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// The sizes of a tile.
pub struct TileSizes {
    pub columns: ChosenNumber,
    pub rows: ChosenNumber,
    /// The lines of a tile, if it may have several.
    pub lines: Option<ChosenNumber>,
    /// The height of a panel, if the reduction is cut.
    pub depth: Option<ChosenNumber>,
}

impl TileSizes {
    /// The sizes that a schedule of a nest has chosen.
    pub fn of(nest: &Nest, numbers: &ChosenNumbers) -> TileSizes {
        let of = |what| numbers.of(&nest.block, what).cloned();
        TileSizes {
            columns: of(what::COLUMNS).expect("a tile has columns"),
            rows: of(what::ROWS).expect("a tile has rows"),
            lines: of(what::LINES),
            depth: of(what::DEPTH),
        }
    }
}

impl ProductLoops<'_> {
    /// The best tile for all registers.
    pub fn tile(&self, processor: &Processor) -> [i64; 2] {
        self.tile_of(MOST_VECTORS, i64::from(processor.vectors.registers), processor)
    }

    /// Rows and columns of the best tile with up to `most_vectors` vectors a row that fits in `registers` registers.
    pub fn tile_of(&self, most_vectors: i64, registers: i64, processor: &Processor) -> [i64; 2] {
        self.best_tile(most_vectors, registers, processor, |_| true).0
    }

    /// As [`tile_of`](Self::tile_of), of the heights that are allowed, with its estimated cost. The best tile needs the fewest
    /// cycles for all results, estimated from multiplications and loads. A tile of one row and one vector is allowed always.
    pub fn best_tile(
        &self,
        most_vectors: i64,
        registers: i64,
        processor: &Processor,
        is_allowed: impl Fn(i64) -> bool,
    ) -> ([i64; 2], i64) {
        let (values, cost) =
            self.best_in(&self.tiles(most_vectors, registers, processor, is_allowed));
        ([values[1], values[0]], cost)
    }

    /// The columns, rows and lines of the best tile, and its estimated cost. A tile of several lines must be clearly better: its
    /// results are in several parts.
    fn best_in(&self, tiles: &Space) -> (Vec<i64>, i64) {
        let has_lines = |values: &[i64]| values.get(2).is_some_and(|lines| *lines > 1);
        let cost = |values: &[i64]| {
            let cost = self.cost(values);
            if has_lines(values) { cost + cost / LINES_COST + values[2] } else { cost }
        };
        tiles.cheapest(cost).unwrap_or((vec![self.lanes, 1], i64::MAX))
    }

    /// The tiles of a strategy, with the best one as default. If one tile has all columns, there is no choice of columns.
    pub fn tile_space(&self, most_vectors: i64, registers: i64, processor: &Processor) -> Space {
        let mut space = self.tiles(most_vectors, registers, processor, |_| true);
        space.values = self.best_in(&space).0;
        let wide = space.values[0];
        if !self.is_cut(wide) {
            space.choices.choices[0].domain = vec![wide];
        }
        if space.value(&self.nest.block, what::LINES) == Some(1) {
            space.choices.choices[2].domain = vec![1];
        }
        // A tile of one row has no loop over rows, which the steps of others name.
        if space.values[1] > 1 {
            space.choices.choices[1].domain.retain(|rows| *rows > 1);
        }
        space.tighten();
        space
    }

    /// The choices of a tiled product.
    pub fn tiled_space(&self, processor: &Processor) -> Space {
        self.tile_space(MOST_VECTORS, i64::from(processor.vectors.registers), processor)
    }

    /// The choices of a packed product. If a panel with all reduced elements has too many bytes, the height of panels is one
    /// of them; the default is the largest that fits.
    pub fn packed_space(&self, processor: &Processor) -> Space {
        let mut space = self.tiled_space(processor);
        let [k] = self.nest.reductions()[..] else { return space };
        let whole = self.extent(k);
        let (wide, height) = (Term::Variable(0), Term::from(whole));
        let most = self.panel_bytes(processor);
        let of_panel = |depth: Term| bytes(self.b, &[(k, depth), (self.columns, wide.clone())]);
        let fits = |depth: i64| {
            of_panel(depth.into()).value(&space.values).is_some_and(|bytes| bytes <= most)
        };
        if fits(whole) {
            space.at_most("bytes of a panel", of_panel(height), most);
            return space;
        }
        let mut heights: Vec<i64> = PARTS.iter().map(|parts| (whole + parts - 1) / parts).collect();
        // Panels of equal height may exceed the limit where fewer bytes in total do not.
        let all = of_panel(height).value(&space.values);
        let least = all.map_or(whole, |all| (all + most - 1) / most);
        let least = (least..whole).find(|parts| fits((whole + parts - 1) / parts)).unwrap_or(whole);
        let best = (whole + least - 1) / least;
        heights.push(best);
        heights.sort_unstable_by_key(|height| -height);
        heights.dedup();
        let depth = space.knob(&self.nest.block, what::DEPTH, heights);
        *space.values.last_mut().expect("a panel has a height") = best;
        space.at_most("bytes of a panel", of_panel(depth), most);
        space.tighten();
        space
    }

    /// All register tiles.
    fn tiles(
        &self,
        most_vectors: i64,
        most_registers: i64,
        processor: &Processor,
        is_allowed: impl Fn(i64) -> bool,
    ) -> Space {
        let (nest, lanes, rows) = (self.nest, self.lanes, self.row_count());
        let mut space = Space::default();
        let widths = (1..=most_vectors).map(|vectors| vectors * lanes);
        let is_used = |wide: &i64| *wide == lanes || wide - lanes < self.column_count();
        let columns = space.knob(&nest.block, what::COLUMNS, widths.filter(is_used).collect());
        let heights = (1..=rows.min(most_registers).max(1)).filter(|height| is_allowed(*height));
        let height = space.knob(&nest.block, what::ROWS, heights.collect());
        let lines = self.lines.map(|axis| {
            let counts = 1..=self.extent(axis).min(most_registers).max(1);
            (axis, space.knob(&nest.block, what::LINES, counts.collect()))
        });
        let tile: Vec<(usize, Term)> = [(self.columns, columns)]
            .into_iter()
            .chain(self.rows.map(|rows| (rows, height)))
            .chain(lines)
            .collect();
        let needed = registers(nest, &tile, (self.columns, lanes), processor.vectors.has_fma);
        // The smallest tile is allowed on any processor.
        let least = needed.value(&[lanes, 1, 1]).unwrap_or(0);
        space.at_most(VECTOR_REGISTERS, needed, most_registers.max(least));
        space
    }

    /// The estimated cost to read a vector of B from memory, if it is a weight: those of a whole model displace it between two calls. The
    /// unit is that of [`cost`](Self::cost): eight are a cycle, in which two multiplications begin.
    fn vector_from_memory(&self) -> i64 {
        let bytes = (self.lanes * self.b.element_bytes) as f64;
        let cycles = bytes / MEMORY_BYTES_PER_CYCLE;
        match self.b.has_lifted_transforms {
            true => (8.0 * cycles).ceil() as i64,
            false => 0,
        }
    }

    /// The estimated cost of all results, by tiles of so many columns, rows and lines.
    fn cost(&self, tile: &[i64]) -> i64 {
        let (wide, height, lines) = (tile[0], tile[1], tile.get(2).copied().unwrap_or(1));
        let (columns, rows, lanes) = (self.column_count(), self.row_count(), self.lanes);
        let line_count = self.lines.map_or(1, |axis| self.extent(axis));
        let vectors = wide / lanes;
        // The cost of a reduction step: the larger of its multiplications and its loads, because a cycle has
        // as many of either. A quarter of the loads is added: of two tiles with equally many multiplications,
        // the one with fewer loads is better.
        let cycles = |height: i64, vectors: i64| {
            let loads = height + vectors;
            4 * (height * vectors).max(LATENCY).max(loads) + loads
        };
        let across = |height: i64| {
            let rest = columns % wide;
            let tail = if rest > 0 { cycles(height, (rest + lanes - 1) / lanes) } else { 0 };
            columns / wide * cycles(height, vectors) + tail
        };
        let down = |lines: i64| {
            let rest = if rows % height > 0 { across(rows % height * lines) } else { 0 };
            rows / height * across(height * lines) + rest
        };
        let rest = if line_count % lines > 0 { down(line_count % lines) } else { 0 };
        // The first tile of a panel waits for it.
        let first = cycles(rows.min(height) * line_count.min(lines), vectors);
        let waits = columns / wide * (vectors * self.vector_from_memory() - first).max(0);
        let total = line_count / lines * down(lines) + rest + waits;
        // A remainder needs code of its own: of two tiles that are about as fast, the one without a remainder is preferred.
        let has_rest = rows % height > 0 || line_count % lines > 0;
        if has_rest { total + total / 100 } else { total }
    }
}
