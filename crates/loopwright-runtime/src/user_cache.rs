//! The folder in which programs of this package keep what they can make again: measurements and machine code.

use std::ffi::OsString;
use std::path::PathBuf;

/// `$XDG_CACHE_HOME/loopwright`, or `$HOME/.cache/loopwright`. `None` if the environment has no absolute path for it. The
/// folder need not exist.
pub fn folder() -> Option<PathBuf> {
    folder_of(|name| std::env::var_os(name))
}

fn folder_of(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let of = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?;
    Some(cache.join("loopwright"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_follows_the_environment() {
        let of = |pairs: &[(&str, &str)]| {
            folder_of(|name| pairs.iter().find(|(it, _)| *it == name).map(|(_, path)| path.into()))
        };
        let both = [("XDG_CACHE_HOME", "/c"), ("HOME", "/h")];
        assert_eq!(of(&both), Some("/c/loopwright".into()));
        assert_eq!(of(&both[1..]), Some("/h/.cache/loopwright".into()));
        assert_eq!(of(&[("XDG_CACHE_HOME", ""), both[1]]), Some("/h/.cache/loopwright".into()));
        assert_eq!(of(&[("XDG_CACHE_HOME", "c")]), None, "it is relative");
        assert_eq!(of(&[("XDG_CACHE_HOME", "c"), both[1]]), Some("/h/.cache/loopwright".into()));
        assert_eq!(of(&[]), None);
    }
}
