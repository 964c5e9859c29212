//! The cost of a shared-memory request of a warp, in wavefronts: the bank model.
//!
//! Shared memory has 32 banks of 4 bytes; the word at byte `a` is in bank `a / 4 mod 32`. A request is divided into
//! parts of 32 lanes, of 16 if a lane requests 8 bytes, and of 8 if it requests 16: at most 128 bytes. A part takes
//! as many wavefronts as the bank with the most different words has words. Lanes that request the same word get it
//! together.

/// The threads of a warp.
pub const LANES: usize = 32;
/// The bytes that all banks together deliver in a wavefront.
pub const BYTES: i64 = 128;
/// The bytes that a bank delivers in a wavefront.
pub const WORD: i64 = 4;
const BANKS: i64 = BYTES / WORD;

/// The wavefronts of a request in which each of these lanes requests `bytes` from an address on. Lanes are in
/// ascending order.
pub fn wavefronts(lanes: &[(usize, i64)], bytes: i64) -> u64 {
    parts(lanes, bytes).map(|part| most_words(part, bytes)).sum()
}

/// The wavefronts of such a request without bank conflicts.
pub fn least(lanes: &[(usize, i64)], bytes: i64) -> u64 {
    parts(lanes, bytes).count() as u64
}

fn parts(lanes: &[(usize, i64)], bytes: i64) -> impl Iterator<Item = &[(usize, i64)]> {
    let of_part = usize::try_from(BYTES / bytes.max(WORD)).unwrap_or(1).max(1);
    lanes.chunk_by(move |(one, _), (next, _)| one / of_part == next / of_part)
}

/// The number of different words in the bank that has most.
fn most_words(lanes: &[(usize, i64)], bytes: i64) -> u64 {
    let word = |address: i64| address.div_euclid(WORD);
    let words = lanes.iter().flat_map(|(_, at)| word(*at)..=word(at.saturating_add(bytes - 1)));
    // One word per bank, because a part requests no more bytes than all banks deliver; twice as many if it is not
    // aligned. The different words of each bank are chained: a word, and the position after that of the previous
    // word.
    let mut found = [(0_i64, 0_usize); 2 * BANKS as usize];
    let (mut last, mut of_bank) = ([0_usize; BANKS as usize], [0_u64; BANKS as usize]);
    let mut count = 0;
    for word in words.take(found.len()) {
        let bank = word.rem_euclid(BANKS) as usize;
        let mut at = last[bank];
        while at > 0 && found[at - 1].0 != word {
            at = found[at - 1].1;
        }
        if at == 0 {
            found[count] = (word, last[bank]);
            count += 1;
            last[bank] = count;
            of_bank[bank] += 1;
        }
    }
    of_bank.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lane `i` at address `of(i)`.
    fn all(of: impl Fn(i64) -> i64) -> Vec<(usize, i64)> {
        (0..LANES).map(|lane| (lane, of(lane as i64))).collect()
    }

    #[test]
    fn a_row_costs_one_and_a_column_all() {
        assert_eq!(wavefronts(&all(|i| 4 * i), 4), 1);
        assert_eq!(wavefronts(&all(|i| 128 * i), 4), 32);
        assert_eq!(wavefronts(&all(|i| 132 * i), 4), 1);
        assert_eq!(wavefronts(&all(|i| 8 * i), 4), 2);
        assert_eq!(wavefronts(&all(|_| 64), 4), 1);
    }

    #[test]
    fn halves_of_a_word_do_not_conflict() {
        assert_eq!(wavefronts(&all(|i| 2 * i), 2), 1);
        assert_eq!(wavefronts(&all(|i| 64 * i), 2), 16);
        assert_eq!(wavefronts(&all(|i| 66 * i), 2), 1);
    }

    #[test]
    fn wide_requests_go_by_parts() {
        assert_eq!(wavefronts(&all(|i| 8 * i), 8), 2);
        assert_eq!(wavefronts(&all(|i| 16 * i), 16), 4);
        assert_eq!(wavefronts(&all(|i| 128 * i), 16), 32);
    }

    #[test]
    fn lanes_that_are_off_cost_nothing() {
        assert_eq!(wavefronts(&[], 4), 0);
        assert_eq!(wavefronts(&[(3, 0), (30, 128)], 4), 2);
        assert_eq!(wavefronts(&[(3, 0), (30, 128)], 8), 2);
    }
}
