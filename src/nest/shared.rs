//! Copy-on-write values, which copies of a summary share.
//!
//! Checks work on copies of a summary in which one or two loops differ. The rest exists only once.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that copies share until one of them changes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared<T>(Arc<T>);

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_changes_is_one_of_its_own() {
        let first = Shared::from(vec![1]);
        let mut second = first.clone();
        assert!(std::ptr::eq(&*first, &*second));
        second.push(2);
        assert_eq!((&*first, &*second), (&vec![1], &vec![1, 2]));
    }
}
