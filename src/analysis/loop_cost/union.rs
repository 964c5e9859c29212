//! Counts the distinct elements that several accesses of a buffer access together.
//!
//! - Boxes whose ends can be ordered form a grid, and each position of the grid is in a box or in none.
//! - Elements whose indices are numbers are enumerated.
//! - Two or three other boxes are counted by inclusion and exclusion.
//!
//! If none of these applies, the sum of all counts and the size of the buffer are upper bounds.

use super::amount::Amount;
use super::figure::Figure;
use super::image::Image;
use std::collections::HashSet;

/// Larger sets of elements are not enumerated.
const MAX_CELLS: i128 = 1 << 18;
/// Grids with more positions are not examined.
const MAX_PLACES: usize = 1 << 12;
/// The overlaps of more boxes are not computed.
const MAX_BOXES: usize = 3;

/// The number of distinct elements of images of one buffer, which has no more than `most` elements.
pub fn union(images: &[Image], most: Option<Amount>) -> Figure {
    let mut distinct: Vec<&Image> = vec![];
    for image in images {
        if !distinct.contains(&image) {
            distinct.push(image);
        }
    }
    // With a common guard, the union is empty exactly where each image is.
    let guard = distinct.first().map(|image| image.guard.clone());
    let have_guard = distinct.iter().all(|image| Some(&image.guard) == guard.as_ref());
    let is_exact = images.iter().all(|image| image.is_exact) && have_guard;
    let figure = |amount| if is_exact { Figure::Exact(amount) } else { Figure::AtMost(amount) };
    let joined = match distinct[..] {
        [] => Some(Amount::from(0)),
        [image] => Some(image.count()),
        _ => {
            let cells = joined_boxes(&distinct)
                .or_else(|| joined_cells(&distinct))
                .or_else(|| overlapping_boxes(&distinct));
            let guard = || if have_guard { distinct[0].guard.clone() } else { 1.into() };
            cells.map(|cells| cells.times(&guard()))
        }
    };
    let sum = || distinct.iter().fold(Amount::from(0), |sum, image| sum.plus(&image.count()));
    joined.map_or_else(|| Figure::AtMost(sum()), figure).or_at_most(most)
}

/// Counts elements by enumeration.
fn joined_cells(images: &[&Image]) -> Option<Amount> {
    let sum: i128 = images
        .iter()
        .map(|image| image.cells_in_groups().constant())
        .try_fold(0i128, |sum, count| sum.checked_add(count?))?;
    if sum > MAX_CELLS {
        return None;
    }
    let mut cells: HashSet<Vec<i64>> = HashSet::new();
    for image in images {
        image.cells(&mut |cell| {
            cells.insert(cell.to_vec());
        })?;
    }
    Some((cells.len() as i128).into())
}

/// Counts boxes whose ends can be ordered: they form a grid, and each of its positions is in a box or not.
fn joined_boxes(images: &[&Image]) -> Option<Amount> {
    let boxes: Vec<Vec<(Amount, Amount)>> =
        images.iter().map(|image| image.ranges()).collect::<Option<_>>()?;
    let dims = images.first()?.dims;
    let mut grid: Vec<Vec<Amount>> = vec![];
    for dim in 0..dims {
        let mut ends: Vec<Amount> = vec![];
        for end in boxes.iter().flat_map(|ranges| [&ranges[dim].0, &ranges[dim].1]) {
            if ends.contains(end) {
                continue;
            }
            let is_below = |other: &Amount| end.minus(other).is_never_negative();
            let place = ends.iter().take_while(|other| is_below(other)).count();
            if !ends[place..].iter().all(|other| other.minus(end).is_never_negative()) {
                return None;
            }
            ends.insert(place, end.clone());
        }
        grid.push(ends);
    }
    let places = grid.iter().map(|ends| ends.len().saturating_sub(1));
    if places
        .clone()
        .try_fold(1usize, |all, n| all.checked_mul(n))
        .is_none_or(|all| all > MAX_PLACES)
    {
        return None;
    }
    let counts: Vec<usize> = places.collect();
    let place_of = |dim: usize, end: &Amount| grid[dim].iter().position(|other| other == end);
    let mut covered: HashSet<Vec<usize>> = HashSet::new();
    for ranges in &boxes {
        let mut spans = vec![];
        for (dim, (low, high)) in ranges.iter().enumerate() {
            spans.push(place_of(dim, low)?..place_of(dim, high)?);
        }
        // All combinations of the positions in each dimension.
        let mut all = vec![vec![]];
        for span in spans {
            all = all
                .into_iter()
                .flat_map(|at: Vec<usize>| span.clone().map(move |i| [&at[..], &[i]].concat()))
                .collect();
        }
        covered.extend(all);
    }
    debug_assert!(covered.iter().all(|at| at.iter().zip(&counts).all(|(i, n)| i < n)));
    let size = |at: &Vec<usize>| {
        at.iter().enumerate().fold(Amount::from(1), |size, (dim, i)| {
            size.times(&grid[dim][i + 1].minus(&grid[dim][*i]))
        })
    };
    let mut all: Vec<_> = covered.into_iter().collect();
    all.sort();
    Some(all.iter().fold(0.into(), |sum, at| sum.plus(&size(at))))
}

/// Counts boxes by inclusion and exclusion of their overlaps.
fn overlapping_boxes(images: &[&Image]) -> Option<Amount> {
    let boxes: Vec<Vec<(Amount, Amount)>> =
        images.iter().map(|image| image.ranges()).collect::<Option<_>>()?;
    if boxes.len() > MAX_BOXES {
        return None;
    }
    let mut sum = Amount::from(0);
    for chosen in 1..1usize << boxes.len() {
        let of = || (0..boxes.len()).filter(|i| chosen >> i & 1 == 1).map(|i| &boxes[i]);
        let overlap = (0..images.first()?.dims).fold(Amount::from(1), |overlap, dim| {
            let low = Amount::least(of().map(|ranges| ranges[dim].0.scaled(-1))).scaled(-1);
            let end = Amount::least(of().map(|ranges| ranges[dim].1.clone()));
            overlap.times(&end.minus(&low).positive())
        });
        sum = if of().count() % 2 == 1 { sum.plus(&overlap) } else { sum.minus(&overlap) };
    }
    Some(sum)
}
