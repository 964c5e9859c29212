//! The commit from which a tool was built.

/// The digits of a hash that are printed.
const DIGITS: usize = 12;

/// The first digits of the hash of the commit: of the repository, or of the archive that `git archive` has made of one;
/// "unknown" if the source is from neither.
pub fn commit() -> String {
    const BUILT: Option<[u8; DIGITS]> = last_commit(include_bytes!(env!("LOOPWRIGHT_GIT_LOG")));
    const ARCHIVED: Option<[u8; DIGITS]> = archived_commit(include_bytes!("git_archive.txt"));
    let hash = BUILT.or(ARCHIVED);
    hash.map_or_else(|| "unknown".to_owned(), |hash| String::from_utf8_lossy(&hash).into_owned())
}

/// The commit after the last entry of a log of git, each line of which begins with two hashes: before and after.
const fn last_commit(log: &[u8]) -> Option<[u8; DIGITS]> {
    let mut end = log.len();
    if end > 0 && log[end - 1] == b'\n' {
        end -= 1;
    }
    let mut at = end;
    while at > 0 && log[at - 1] != b'\n' {
        at -= 1;
    }
    while at < end && log[at] != b' ' {
        at += 1;
    }
    digits_from(log, at + 1)
}

/// The commit at the beginning of `git_archive.txt`, where git replaces the text `$Format` by the commit.
const fn archived_commit(text: &[u8]) -> Option<[u8; DIGITS]> {
    digits_from(text, 0)
}

/// The digits of a hash that begins at `start`.
const fn digits_from(text: &[u8], start: usize) -> Option<[u8; DIGITS]> {
    if start + DIGITS > text.len() {
        return None;
    }
    let mut hash = [0; DIGITS];
    let mut i = 0;
    while i < DIGITS {
        hash[i] = text[start + i];
        if !hash[i].is_ascii_hexdigit() {
            return None;
        }
        i += 1;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_begins_with_the_commit() {
        let hash = "0123456789abcdef".repeat(3);
        assert_eq!(
            archived_commit(format!("{hash} 1760000000\n").as_bytes()),
            Some(*b"0123456789ab")
        );
        assert_eq!(archived_commit(b"$Format:%H %ct$\n"), None);
    }

    #[test]
    fn the_last_line_has_the_commit() {
        let (a, b) = ("0123456789abcdef".repeat(3), "fedcba9876543210".repeat(3));
        let log = format!("{a} {a} A <a@b> 1 +0\tone\n{a} {b} \u{e9} <a@b> 2 +0\ttwo 2\n");
        assert_eq!(last_commit(log.as_bytes()), Some(*b"fedcba987654"));
        assert_eq!(last_commit(log.trim_end().as_bytes()), Some(*b"fedcba987654"));
        for other in ["", "\n", "no hash", "0123 0123", &a, "0 not-hexadecimal-at-all"] {
            assert_eq!(last_commit(other.as_bytes()), None, "{other}");
        }
    }
}
