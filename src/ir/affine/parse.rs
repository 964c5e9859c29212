//! Parses the text of an index map: `(i, j)[n] -> (i floordiv 4, j * n, i mod 4)`.
//!
//! Names are dims and, in brackets, symbols. The notation is that of `affine_map<..>`, but parsing needs no
//! MLIR context, so checks can use it.

use super::{BinaryKind, Expr, Map};

/// The maximum nesting depth of parentheses.
const DEPTH: usize = 32;

impl Map {
    /// Reads a map.
    ///
    /// # Errors
    /// The text that was found and what was expected.
    pub fn parse(text: &str) -> Result<Map, String> {
        let mut reader = MapParser { rest: text, dims: vec![], symbols: vec![] };
        reader.dims = reader.names("(", ")")?;
        if reader.rest.trim_start().starts_with('[') {
            reader.symbols = reader.names("[", "]")?;
        }
        let mut names: Vec<&String> = reader.dims.iter().chain(&reader.symbols).collect();
        names.sort();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("\"{}\" names two things", pair[0]));
        }
        reader.expect("->")?;
        reader.expect("(")?;
        let mut results = vec![];
        if !reader.eat(")") {
            loop {
                results.push(reader.sum(0)?);
                if reader.eat(")") {
                    break;
                }
                reader.expect(",")?;
            }
        }
        match reader.rest.trim() {
            "" => {
                let (dims, symbols) = (reader.dims.len(), reader.symbols.len());
                Ok(Map { dims, symbols, results })
            }
            _ => Err(reader.found("the end")),
        }
    }
}

struct MapParser<'t> {
    rest: &'t str,
    dims: Vec<String>,
    symbols: Vec<String>,
}

impl<'t> MapParser<'t> {
    fn found(&self, expected: &str) -> String {
        match self.word() {
            "" => format!("found the end, expected {expected}"),
            word => format!("found \"{word}\", expected {expected}"),
        }
    }

    /// The next token: a name, a number, or a sign.
    fn word(&self) -> &'t str {
        let rest = self.rest.trim_start();
        let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = match rest.chars().next() {
            Some(c) if in_name(c) => rest.find(|c| !in_name(c)).unwrap_or(rest.len()),
            Some(_) if rest.starts_with("->") => 2,
            Some(c) => c.len_utf8(),
            None => 0,
        };
        &rest[..length]
    }

    fn next(&mut self) -> &'t str {
        let word = self.word();
        let rest = self.rest.trim_start();
        self.rest = &rest[word.len()..];
        word
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_next = self.word() == sign;
        if is_next {
            self.next();
        }
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.found(&format!("\"{sign}\""))),
        }
    }

    fn names(&mut self, open: &str, close: &str) -> Result<Vec<String>, String> {
        self.expect(open)?;
        let mut names = vec![];
        while !self.eat(close) {
            if !names.is_empty() {
                self.expect(",")?;
            }
            let is_name = self.word().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            if !is_name || operator(self.word()).is_some() {
                return Err(self.found("a name"));
            }
            names.push(self.next().to_owned());
        }
        Ok(names)
    }

    fn sum(&mut self, depth: usize) -> Result<Expr, String> {
        let mut sum = self.product(depth)?;
        loop {
            if self.eat("+") {
                sum = sum + self.product(depth)?;
            } else if self.eat("-") {
                sum = sum - self.product(depth)?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Expr, String> {
        let mut product = self.factor(depth)?;
        while let Some(kind) = operator(self.word()) {
            self.next();
            product = Expr::binary(kind, product, self.factor(depth)?);
        }
        Ok(product)
    }

    fn factor(&mut self, depth: usize) -> Result<Expr, String> {
        if depth > DEPTH {
            return Err(format!("parentheses are more than {DEPTH} deep"));
        }
        if self.eat("-") {
            return Ok(Expr::Constant(0) - self.factor(depth + 1)?);
        }
        if self.eat("(") {
            let inner = self.sum(depth + 1)?;
            return self.expect(")").map(|()| inner);
        }
        let word = self.word();
        let place = |names: &[String]| names.iter().position(|name| name == word);
        let known = place(&self.dims)
            .map(Expr::Dim)
            .or_else(|| place(&self.symbols).map(Expr::Symbol))
            .or_else(|| word.parse().ok().map(Expr::Constant));
        match known {
            Some(expr) => {
                self.next();
                Ok(expr)
            }
            None => Err(self.found("an index of the map, a number or \"(\"")),
        }
    }
}

fn operator(word: &str) -> Option<BinaryKind> {
    match word {
        "*" => Some(BinaryKind::Mul),
        "floordiv" => Some(BinaryKind::FloorDiv),
        "ceildiv" => Some(BinaryKind::CeilDiv),
        "mod" => Some(BinaryKind::Mod),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read() {
        let map =
            Map::parse("(i, j)[n] -> (i floordiv 4, j * n - (i + 1), -i mod 4)").expect("a map");
        assert_eq!((map.dims, map.symbols), (2, 1));
        let values: Vec<_> = map.results.iter().map(|e| e.evaluate(&[9, 2], &[5])).collect();
        assert_eq!(values, [Some(2), Some(0), Some(3)]);
        assert_eq!(Map::parse("() -> ()").expect("a map").results, []);
    }

    #[test]
    fn what_is_no_map_is_told() {
        let cases = [
            ("", "found the end, expected \"(\""),
            ("(i) -> (k)", "found \"k\", expected an index of the map, a number or \"(\""),
            ("(i, i) -> (i)", "\"i\" names two things"),
            ("(4) -> (4)", "found \"4\", expected a name"),
            ("(mod) -> (mod)", "found \"mod\", expected a name"),
            ("(i) -> (i", "found the end, expected \",\""),
            ("(i) -> (i) i", "found \"i\", expected the end"),
            ("(i) -> (i +)", "found \")\", expected an index of the map, a number or \"(\""),
            ("(i) => (i)", "found \"=\", expected \"->\""),
        ];
        for (text, message) in cases {
            assert_eq!(Map::parse(text).expect_err("no map"), message, "{text}");
        }
        let deep = format!("(i) -> ({}i", "(".repeat(1000));
        assert_eq!(Map::parse(&deep).expect_err("too deep"), "parentheses are more than 32 deep");
    }
}
