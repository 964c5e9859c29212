//! The terms of a sum: atoms with coefficients, in the order of the atoms.
//!
//! Most sums have one to three terms, and thousands are created: a sorted list is cheaper than a tree.

use super::Expr;

/// Coefficients of atoms; each atom occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(Vec<(Expr, i64)>);

impl Terms {
    /// One atom with coefficient 1.
    pub fn one(atom: Expr) -> Terms {
        Terms(vec![(atom, 1)])
    }

    /// True if there are no terms.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn place(&self, atom: &Expr) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(atom))
    }

    /// The coefficient of an atom, if the sum has it.
    pub fn get(&self, atom: &Expr) -> Option<&i64> {
        self.place(atom).ok().map(|place| &self.0[place].1)
    }

    /// Sets the coefficient of an atom; returns its previous one.
    pub fn insert(&mut self, atom: Expr, coefficient: i64) -> Option<i64> {
        match self.place(&atom) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, coefficient)),
            Err(place) => {
                self.0.insert(place, (atom, coefficient));
                None
            }
        }
    }

    /// Removes an atom; returns its coefficient.
    pub fn remove(&mut self, atom: &Expr) -> Option<i64> {
        self.place(atom).ok().map(|place| self.0.remove(place).1)
    }

    /// Adds to the coefficient of an atom; `None` on overflow. A coefficient of 0 stays in the list.
    pub fn add(&mut self, atom: Expr, coefficient: i64) -> Option<()> {
        match self.place(&atom) {
            Ok(place) => self.0[place].1 = self.0[place].1.checked_add(coefficient)?,
            Err(place) => self.0.insert(place, (atom, coefficient)),
        }
        Some(())
    }

    /// The atoms with their coefficients.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Expr, &i64)> + Clone {
        self.0.iter().map(|(atom, coefficient)| (atom, coefficient))
    }

    /// The atoms.
    pub fn keys(&self) -> impl Iterator<Item = &Expr> {
        self.0.iter().map(|(atom, _)| atom)
    }

    /// The atoms, by value.
    pub fn into_keys(self) -> impl Iterator<Item = Expr> {
        self.0.into_iter().map(|(atom, _)| atom)
    }

    /// The coefficients, in the order of the atoms.
    pub fn values(&self) -> impl Iterator<Item = &i64> {
        self.0.iter().map(|(_, coefficient)| coefficient)
    }

    /// The coefficients, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut i64> {
        self.0.iter_mut().map(|(_, coefficient)| coefficient)
    }

    /// Keeps the terms for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Expr, &mut i64) -> bool) {
        self.0.retain_mut(|(atom, coefficient)| keep(atom, coefficient));
    }
}

impl FromIterator<(Expr, i64)> for Terms {
    fn from_iter<I: IntoIterator<Item = (Expr, i64)>>(all: I) -> Terms {
        let mut terms = Terms::default();
        for (atom, coefficient) in all {
            terms.insert(atom, coefficient);
        }
        terms
    }
}

impl IntoIterator for Terms {
    type Item = (Expr, i64);
    type IntoIter = std::vec::IntoIter<(Expr, i64)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Terms {
    type Item = (&'a Expr, &'a i64);
    type IntoIter = std::iter::Map<
        std::slice::Iter<'a, (Expr, i64)>,
        fn(&'a (Expr, i64)) -> (&'a Expr, &'a i64),
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(atom, coefficient)| (atom, coefficient))
    }
}
