//! Unique names.

use std::collections::{HashMap, HashSet};

/// Names in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    used: HashSet<String>,
    /// For each base, a number below which all numbered names are in use.
    next: HashMap<String, usize>,
}

impl Names {
    /// Adds a name that is in use.
    pub fn insert(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    /// The first of `base`, `base_1`, .. that is not in use; it then is.
    pub fn fresh(&mut self, base: &str) -> String {
        if self.used.insert(base.to_owned()) {
            return base.to_owned();
        }
        self.numbered(base, 1)
    }

    /// The first of `base_<first>`, `base_<first + 1>`, .. that is not in use; it then is. `first` must be the same for
    /// all calls with a base.
    pub fn numbered(&mut self, base: &str, first: usize) -> String {
        let next = self.next.entry(base.to_owned()).or_insert(first);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_name_is_taken() {
        let mut names = Names::default();
        names.insert("b_1");
        let fresh = ["b", "b", "b", "b_1", "c"].map(|base| names.fresh(base));
        assert_eq!(fresh, ["b", "b_2", "b_3", "b_1_1", "c"]);
        assert_eq!(["d", "d"].map(|base| names.numbered(base, 0)), ["d_0", "d_1"]);
    }
}
