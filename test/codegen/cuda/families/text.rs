//! Builds functions of linalg on tensors as text. Sizes have letters: an operand of dimensions `ij` is a tensor of two
//! sizes, and the loops of an op are the letters of its operands.

use std::collections::BTreeMap;

/// A value of a function: its name, and the letters of its dimensions.
#[derive(Clone, Debug)]
pub struct Value {
    name: String,
    dims: &'static str,
}

/// The text of a function under construction.
pub struct Text {
    /// The sizes in the order of loops; dynamic ones have no number.
    sizes: Vec<(char, Option<usize>)>,
    /// The values of dynamic sizes.
    dynamic: BTreeMap<char, String>,
    lines: String,
    count: usize,
}

impl Text {
    /// A function with arguments of these dimensions; `body` adds its ops and returns its result.
    pub fn function(
        name: &str,
        sizes: Vec<(char, Option<usize>)>,
        arguments: &[&'static str],
        body: impl FnOnce(&mut Text, &[Value]) -> Value,
    ) -> String {
        let mut text = Text { sizes, dynamic: BTreeMap::new(), lines: String::new(), count: 0 };
        let value = |(i, dims): (usize, &&'static str)| Value { name: format!("%a{i}"), dims };
        let values: Vec<Value> = arguments.iter().enumerate().map(value).collect();
        for value in &values {
            for (place, letter) in value.dims.chars().enumerate() {
                if text.size(letter).is_none() && !text.dynamic.contains_key(&letter) {
                    let at = text.line(&format!("arith.constant {place} : index"));
                    let ty = text.ty(value.dims);
                    let size = text.line(&format!("tensor.dim {}, {at} : {ty}", value.name));
                    text.dynamic.insert(letter, size);
                }
            }
        }
        let result = body(&mut text, &values);
        let argument = |value: &Value| format!("{}: {}", value.name, text.ty(value.dims));
        let arguments: Vec<String> = values.iter().map(argument).collect();
        let (arguments, ty, lines) = (arguments.join(", "), text.ty(result.dims), &text.lines);
        let result = result.name;
        format!("func.func @{name}({arguments}) -> {ty} {{\n{lines}  return {result} : {ty}\n}}\n")
    }

    fn size(&self, letter: char) -> Option<usize> {
        let found = self.sizes.iter().find(|(name, _)| *name == letter);
        found.unwrap_or_else(|| panic!("there is no size {letter}")).1
    }

    fn ty(&self, dims: &str) -> String {
        let size = |letter| self.size(letter).map_or("?x".to_owned(), |size| format!("{size}x"));
        format!("tensor<{}f32>", dims.chars().map(size).collect::<String>())
    }

    /// Adds an op with one result; returns the result's name.
    pub fn line(&mut self, op: &str) -> String {
        let name = format!("%v{}", self.count);
        self.count += 1;
        self.lines += &format!("  {name} = {op}\n");
        name
    }

    /// Defines a size that no argument has: an expression in other sizes, the first of which is `s0`.
    pub fn define(&mut self, letter: char, expression: &str, of: &str) {
        if self.size(letter).is_none() {
            let of: Vec<String> = of.chars().map(|of| self.index(of)).collect();
            let symbols: Vec<String> = (0..of.len()).map(|i| format!("s{i}")).collect();
            let (symbols, of) = (symbols.join(", "), of.join(", "));
            let apply = format!("affine.apply affine_map<()[{symbols}] -> ({expression})>()[{of}]");
            let size = self.line(&apply);
            self.dynamic.insert(letter, size);
        }
    }

    fn index(&mut self, letter: char) -> String {
        match self.size(letter) {
            Some(size) => self.line(&format!("arith.constant {size} : index")),
            None => self.dynamic[&letter].clone(),
        }
    }

    /// A size converted to the element type.
    pub fn float(&mut self, letter: char) -> String {
        if let Some(size) = self.size(letter) {
            return self.line(&format!("arith.constant {size}.0 : f32"));
        }
        let index = self.index(letter);
        let integer = self.line(&format!("arith.index_cast {index} : index to i64"));
        self.line(&format!("arith.sitofp {integer} : i64 to f32"))
    }

    pub fn empty(&mut self, dims: &'static str) -> Value {
        let is_dynamic = |letter: &char| self.size(*letter).is_none();
        let dynamic = dims.chars().filter(is_dynamic).map(|letter| self.dynamic[&letter].clone());
        let sizes: Vec<String> = dynamic.collect();
        let op = format!("tensor.empty({}) : {}", sizes.join(", "), self.ty(dims));
        Value { name: self.line(&op), dims }
    }

    pub fn filled(&mut self, dims: &'static str, with: &str) -> Value {
        let empty = self.empty(dims);
        let with = self.line(&format!("arith.constant {with} : f32"));
        self.named("linalg.fill", &[Value { name: with, dims: "" }], empty, "")
    }

    /// A named op on tensors or, like a fill, on a scalar.
    pub fn named(&mut self, op: &str, from: &[Value], into: Value, attributes: &str) -> Value {
        let ty = |value: &Value| match op {
            "linalg.fill" => "f32".to_owned(),
            _ => self.ty(value.dims),
        };
        let names: Vec<&str> = from.iter().map(|value| &*value.name).collect();
        let types: Vec<String> = from.iter().map(ty).collect();
        let to = self.ty(into.dims);
        let (from, into_name) =
            (format!("{} : {}", names.join(", "), types.join(", ")), &into.name);
        let op = format!("{op} {attributes} ins({from}) outs({into_name} : {to}) -> {to}");
        Value { name: self.line(&op), dims: into.dims }
    }

    /// Permutes dimensions: dimension i of the result is dimension `permutation[i]` of `from`.
    pub fn transposed(&mut self, from: &Value, dims: &'static str) -> Value {
        let into = self.empty(dims);
        let place = |letter| from.dims.find(letter).expect("the letters are the same").to_string();
        let permutation: Vec<String> = dims.chars().map(place).collect();
        let (from_ty, to) = (self.ty(from.dims), self.ty(dims));
        let op = format!(
            "linalg.transpose ins({} : {from_ty}) outs({} : {to}) permutation = [{}]",
            from.name,
            into.name,
            permutation.join(", ")
        );
        Value { name: self.line(&op), dims }
    }

    /// Broadcasts `from` along the letters that it does not have.
    pub fn spread(&mut self, from: &Value, dims: &'static str) -> Value {
        let into = self.empty(dims);
        let added = (0..dims.len()).filter(|i| !from.dims.contains(&dims[*i..=*i]));
        let added: Vec<String> = added.map(|i| i.to_string()).collect();
        let op = format!(
            "linalg.broadcast ins({} : {}) outs({} : {}) dimensions = [{}]",
            from.name,
            self.ty(from.dims),
            into.name,
            self.ty(dims),
            added.join(", ")
        );
        Value { name: self.line(&op), dims }
    }

    /// Computes `%r` from elements of several tensors, `%x0`, `%x1`, ..
    pub fn map(&mut self, dims: &'static str, from: &[&Value], body: &str) -> Value {
        let empty = self.empty(dims);
        self.generic(from, empty, body)
    }

    /// Like [`Text::map`], with the accumulator `%y`, reduced over all letters that the result does not have.
    pub fn reduced(
        &mut self,
        dims: &'static str,
        start: &str,
        from: &[&Value],
        body: &str,
    ) -> Value {
        let filled = self.filled(dims, start);
        self.generic(from, filled, body)
    }

    fn generic(&mut self, from: &[&Value], into: Value, body: &str) -> Value {
        let all = from.iter().map(|value| value.dims).chain([into.dims]);
        let used: String = all.clone().collect();
        let letters = self.sizes.iter().map(|(letter, _)| *letter);
        let loops: Vec<char> = letters.filter(|letter| used.contains(*letter)).collect();
        let list =
            |letters: &[char]| letters.iter().map(char::to_string).collect::<Vec<_>>().join(", ");
        let map = |dims: &str| {
            let dims: Vec<char> = dims.chars().collect();
            format!("affine_map<({}) -> ({})>", list(&loops), list(&dims))
        };
        let kind = |letter: &char| match into.dims.contains(*letter) {
            true => "\"parallel\"",
            false => "\"reduction\"",
        };
        let maps: Vec<String> = all.map(map).collect();
        let kinds: Vec<&str> = loops.iter().map(kind).collect();
        let names: Vec<&str> = from.iter().map(|value| &*value.name).collect();
        let types: Vec<String> = from.iter().map(|value| self.ty(value.dims)).collect();
        let of_body: Vec<String> = (0..from.len()).map(|i| format!("%x{i}: f32")).collect();
        let op = format!(
            "linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs({} : {to}) {{
  ^bb0({}, %y: f32):
    {}
    linalg.yield %r : f32
  }} -> {to}",
            maps.join(", "),
            kinds.join(", "),
            names.join(", "),
            types.join(", "),
            into.name,
            of_body.join(", "),
            body.replace("; ", "\n    "),
            to = self.ty(into.dims),
        );
        Value { name: self.line(&op), dims: into.dims }
    }
}
