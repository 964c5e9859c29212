//! Parses ONNX's text form (`.onnxtxt`), the syntax of `onnx.parser`:
//!
//! ```text
//! <ir_version: 8, opset_import: ["" : 17]>
//! main (float[N, 4] X) => (float[N, 3] Y) <float[4, 3] W = {1.0, 2.0, ..}> {
//!   [product] P = MatMul(X, W)
//!   Y = LeakyRelu<alpha = 0.1>(P)
//! }
//! ```
//! `#` begins a comment. `float X` is a scalar, `float[] X` has an unknown rank.

mod lexer;

use crate::element::{Element, narrow_pattern, packed};
use crate::schema::{
    AttributeProto, AttributeType, DimensionProto, FunctionProto, GraphProto, ModelProto,
    NodeProto, OperatorSetIdProto, TensorProto, TensorShapeProto, TensorTypeProto, TypeProto,
    ValueInfoProto,
};
use half::{bf16, f16};
use lexer::{Lexer, Token};

pub use lexer::SyntaxError;

type Parsed<T> = Result<T, SyntaxError>;

/// The model of a text.
///
/// # Errors
/// At the first token that was not expected.
pub fn parse(source: &str) -> Parsed<ModelProto> {
    let mut parser = Parser { lexer: Lexer::new(source)? };
    let mut model = ModelProto::default();
    if parser.accepts("<")? {
        parser.header(|parser, key| match key {
            "ir_version" => parser.integer().map(|it| model.ir_version = it),
            "opset_import" => parser.opsets().map(|it| model.opset_import = it),
            _ => parser.skipped_value(),
        })?;
    }
    model.graph = Some(parser.graph()?);
    while !parser.is_at_end() {
        model.functions.push(parser.function()?);
    }
    Ok(model)
}

struct Parser<'s> {
    lexer: Lexer<'s>,
}

impl Parser<'_> {
    fn is_at_end(&self) -> bool {
        *self.lexer.token() == Token::End
    }

    /// Consumes a symbol if it is next.
    fn accepts(&mut self, symbol: &str) -> Parsed<bool> {
        let found = matches!(self.lexer.token(), Token::Symbol(it) if *it == symbol);
        if found {
            self.lexer.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        match self.accepts(symbol)? {
            true => Ok(()),
            false => Err(self.lexer.unexpected(&format!("'{symbol}'"))),
        }
    }

    /// Elements separated by commas, until `end`.
    fn list(&mut self, end: &str, mut element: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        while !self.accepts(end)? {
            element(self)?;
            if !self.accepts(",")? {
                return self.expect(end);
            }
        }
        Ok(())
    }

    fn word(&mut self) -> Parsed<String> {
        match self.lexer.token().clone() {
            Token::Word(word) => self.lexer.advance().map(|()| word.to_owned()),
            _ => Err(self.lexer.unexpected("a name")),
        }
    }

    fn string(&mut self) -> Parsed<String> {
        match self.lexer.token().clone() {
            Token::Text(text) => self.lexer.advance().map(|()| text),
            _ => Err(self.lexer.unexpected("a string")),
        }
    }

    /// A name of a value or node, in quotes or not.
    fn name(&mut self) -> Parsed<String> {
        match self.lexer.token() {
            Token::Text(_) => self.string(),
            _ => self.word(),
        }
    }

    fn integer(&mut self) -> Parsed<i64> {
        match self.lexer.token().clone() {
            Token::Number(digits) => {
                let value = digits.parse().map_err(|_| self.lexer.unexpected("an integer"))?;
                self.lexer.advance().map(|()| value)
            }
            _ => Err(self.lexer.unexpected("an integer")),
        }
    }

    /// `key: value, ..>`
    fn header(&mut self, mut entry: impl FnMut(&mut Self, &str) -> Parsed<()>) -> Parsed<()> {
        self.list(">", |parser| {
            let key = parser.word()?;
            parser.expect(":")?;
            entry(parser, &key)
        })
    }

    fn opsets(&mut self) -> Parsed<Vec<OperatorSetIdProto>> {
        let mut opsets = vec![];
        self.expect("[")?;
        self.list("]", |parser| {
            let domain = parser.string()?;
            parser.expect(":")?;
            opsets.push(OperatorSetIdProto { domain, version: parser.integer()? });
            Ok(())
        })?;
        Ok(opsets)
    }

    /// A string, number or list that does not change what the model computes.
    fn skipped_value(&mut self) -> Parsed<()> {
        if !self.accepts("[")? {
            return self.lexer.advance();
        }
        while !self.accepts("]")? {
            if self.is_at_end() {
                return Err(self.lexer.unexpected("']'"));
            }
            self.lexer.advance()?;
        }
        Ok(())
    }

    fn graph(&mut self) -> Parsed<GraphProto> {
        let mut graph = GraphProto { name: self.name()?, ..GraphProto::default() };
        self.expect("(")?;
        let (mut inputs, mut initializers) = (vec![], vec![]);
        self.list(")", |parser| parser.value(&mut inputs, &mut initializers))?;
        self.expect("=>")?;
        self.expect("(")?;
        let (mut outputs, mut none) = (vec![], vec![]);
        self.list(")", |parser| parser.value(&mut outputs, &mut none))?;
        let mut infos = vec![];
        if self.accepts("<")? {
            self.list(">", |parser| parser.value(&mut infos, &mut initializers))?;
        }
        // An initializer with a type of its own is a constant, not an input.
        (graph.input, graph.output, graph.value_info) = (inputs, outputs, infos);
        graph.initializer = initializers;
        graph.node = self.nodes()?;
        Ok(graph)
    }

    /// A typed value, and its elements if it has some: `float[2] W = {1, 2}`.
    fn value(
        &mut self,
        values: &mut Vec<ValueInfoProto>,
        initializers: &mut Vec<TensorProto>,
    ) -> Parsed<()> {
        let ty = self.tensor_type()?;
        let name = self.name()?;
        if self.accepts("=")? {
            let tensor = self.tensor(&ty)?;
            initializers.push(TensorProto { name: name.clone(), ..tensor });
        }
        values.push(ValueInfoProto { name, r#type: Some(TypeProto { tensor_type: Some(ty) }) });
        Ok(())
    }

    fn tensor_type(&mut self) -> Parsed<TensorTypeProto> {
        let word = self.word()?;
        let elem_type = Element::number_of_word(&word)
            .ok_or_else(|| self.lexer.error(format!("found '{word}', expected an element type")))?;
        if !self.accepts("[")? {
            return Ok(TensorTypeProto { elem_type, shape: Some(TensorShapeProto::default()) });
        }
        if self.accepts("]")? {
            return Ok(TensorTypeProto { elem_type, shape: None });
        }
        let mut dim = vec![];
        self.list("]", |parser| {
            dim.push(match parser.lexer.token().clone() {
                Token::Number(_) => {
                    DimensionProto { dim_value: Some(parser.integer()?), dim_param: None }
                }
                _ if parser.accepts("?")? => DimensionProto::default(),
                _ => DimensionProto { dim_value: None, dim_param: Some(parser.name()?) },
            });
            Ok(())
        })?;
        Ok(TensorTypeProto { elem_type, shape: Some(TensorShapeProto { dim }) })
    }

    /// `{1, 2, ..}` of a type.
    fn tensor(&mut self, ty: &TensorTypeProto) -> Parsed<TensorProto> {
        let element = Element::of_number(ty.elem_type);
        let element =
            element.map_err(|refusal| self.lexer.error(format!("the constant {refusal}")))?;
        let dims = ty.shape.iter().flat_map(|shape| &shape.dim);
        let dims: Option<Vec<i64>> = dims.map(|dim| dim.dim_value).collect();
        let dims =
            dims.ok_or_else(|| self.lexer.error("a constant has a dimension without a size"))?;
        let mut bytes = vec![];
        self.expect("{")?;
        self.list("}", |parser| parser.element(element, &mut bytes))?;
        Ok(TensorProto {
            dims,
            data_type: ty.elem_type,
            raw_data: packed(element, bytes).into(),
            ..TensorProto::default()
        })
    }

    /// An element of a constant, appended to its bytes.
    fn element(&mut self, element: Element, bytes: &mut Vec<u8>) -> Parsed<()> {
        let digits = match self.lexer.token().clone() {
            Token::Number(digits) => digits,
            Token::Word(word @ ("inf" | "nan")) => word,
            Token::Word("true") => "1",
            Token::Word("false") => "0",
            _ => return Err(self.lexer.unexpected(element.word())),
        };
        let invalid = self.lexer.unexpected(element.word());
        if element.is_float() {
            let value: f64 = digits.parse().map_err(|_| invalid.clone())?;
            match element {
                Element::F64 => bytes.extend(value.to_le_bytes()),
                Element::F16 => bytes.extend(f16::from_f64(value).to_le_bytes()),
                Element::Bf16 => bytes.extend(bf16::from_f64(value).to_le_bytes()),
                narrow if narrow.narrow_float().is_some() => {
                    bytes.push(narrow_pattern(narrow, value).ok_or(invalid)?);
                }
                _ => bytes.extend((value as f32).to_le_bytes()),
            }
        } else {
            let value: i128 = digits.parse().map_err(|_| invalid.clone())?;
            let (least, greatest) = element.range();
            if value < least || value > greatest {
                return Err(invalid);
            }
            bytes.extend(&value.to_le_bytes()[..element.bytes()]);
        }
        self.lexer.advance()
    }

    fn nodes(&mut self) -> Parsed<Vec<NodeProto>> {
        self.expect("{")?;
        let mut nodes = vec![];
        while !self.accepts("}")? {
            nodes.push(self.node()?);
        }
        Ok(nodes)
    }

    fn node(&mut self) -> Parsed<NodeProto> {
        let mut node = NodeProto::default();
        if self.accepts("[")? {
            node.name = self.name()?;
            self.expect("]")?;
        }
        self.names("=", &mut node.output)?;
        let mut path = vec![self.word()?];
        while self.accepts(".")? {
            path.push(self.word()?);
        }
        node.op_type = path.pop().expect("there is at least one word");
        node.domain = path.join(".");
        if self.accepts(":")? {
            node.overload = self.word()?;
        }
        if self.accepts("<")? {
            node.attribute = self.attributes()?;
        }
        self.expect("(")?;
        self.names(")", &mut node.input)?;
        if self.accepts("<")? {
            node.attribute = self.attributes()?;
        }
        Ok(node)
    }

    /// Names separated by commas, until `end`. A missing name is an input or output that is left out.
    fn names(&mut self, end: &str, names: &mut Vec<String>) -> Parsed<()> {
        if self.accepts(end)? {
            return Ok(());
        }
        loop {
            let is_left_out =
                matches!(self.lexer.token(), Token::Symbol(it) if *it == "," || *it == end);
            names.push(if is_left_out { String::new() } else { self.name()? });
            if !self.accepts(",")? {
                return self.expect(end);
            }
        }
    }

    fn attributes(&mut self) -> Parsed<Vec<AttributeProto>> {
        let mut attributes = vec![];
        self.list(">", |parser| {
            let mut attribute = AttributeProto { name: parser.word()?, ..Default::default() };
            let ty = if parser.accepts(":")? { Some(parser.word()?) } else { None };
            parser.expect("=")?;
            parser.attribute_value(&mut attribute)?;
            // A list without elements says what it is by its type only.
            if let Some("floats") = ty.as_deref() {
                attribute.floats = match attribute.floats.is_empty() {
                    true => attribute.ints.drain(..).map(|it| it as f32).collect(),
                    false => attribute.floats,
                };
                attribute.r#type = AttributeType::Floats as i32;
            } else if let (Some("float"), true) =
                (ty.as_deref(), attribute.ref_attr_name.is_empty())
            {
                if attribute.r#type == AttributeType::Int as i32 {
                    attribute.f = attribute.i as f32;
                }
                attribute.r#type = AttributeType::Float as i32;
            }
            attributes.push(attribute);
            Ok(())
        })?;
        Ok(attributes)
    }

    fn attribute_value(&mut self, attribute: &mut AttributeProto) -> Parsed<()> {
        let kind = match self.lexer.token().clone() {
            Token::Symbol("@") => {
                self.lexer.advance()?;
                attribute.ref_attr_name = self.word()?;
                return Ok(());
            }
            Token::Symbol("[") => {
                self.lexer.advance()?;
                self.attribute_list(attribute)?
            }
            Token::Text(text) => {
                self.lexer.advance()?;
                attribute.s = text.into();
                AttributeType::String
            }
            Token::Number(digits) => self.number(digits, &mut attribute.i, &mut attribute.f)?,
            Token::Word(word) if Element::number_of_word(word).is_some() => {
                let ty = self.tensor_type()?;
                attribute.t = Some(self.tensor(&ty)?);
                AttributeType::Tensor
            }
            Token::Word(_) => {
                attribute.g = Some(self.graph()?);
                AttributeType::Graph
            }
            _ => return Err(self.lexer.unexpected("the value of an attribute")),
        };
        attribute.r#type = kind as i32;
        Ok(())
    }

    /// The elements of a list of numbers or strings, after its `[`.
    fn attribute_list(&mut self, attribute: &mut AttributeProto) -> Parsed<AttributeType> {
        let mut kind = AttributeType::Ints;
        self.list("]", |parser| {
            match parser.lexer.token().clone() {
                Token::Text(text) => {
                    parser.lexer.advance()?;
                    attribute.strings.push(text.into());
                    kind = AttributeType::Strings;
                }
                Token::Number(digits) => {
                    let (mut integer, mut float) = (0, 0.0);
                    if parser.number(digits, &mut integer, &mut float)? == AttributeType::Float {
                        kind = AttributeType::Floats;
                    }
                    attribute.ints.push(integer);
                    attribute.floats.push(float);
                }
                _ => return Err(parser.lexer.unexpected("a number or a string")),
            }
            Ok(())
        })?;
        match kind {
            AttributeType::Floats => attribute.ints.clear(),
            _ => attribute.floats.clear(),
        }
        Ok(kind)
    }

    /// A number: an integer without a point or exponent, which is a float as well.
    fn number(&mut self, digits: &str, i: &mut i64, f: &mut f32) -> Parsed<AttributeType> {
        let kind = match (digits.parse(), digits.parse()) {
            (Ok(integer), Ok(float)) => {
                (*i, *f) = (integer, float);
                AttributeType::Int
            }
            (Err(_), Ok(float)) => {
                *f = float;
                AttributeType::Float
            }
            _ => return Err(self.lexer.unexpected("a number")),
        };
        self.lexer.advance()?;
        Ok(kind)
    }

    fn function(&mut self) -> Parsed<FunctionProto> {
        let mut function = FunctionProto::default();
        self.expect("<")?;
        self.header(|parser, key| match key {
            "domain" => parser.string().map(|it| function.domain = it),
            "overload" => parser.string().map(|it| function.overload = it),
            "opset_import" => parser.opsets().map(|it| function.opset_import = it),
            _ => parser.skipped_value(),
        })?;
        function.name = self.name()?;
        if self.accepts("<")? {
            self.list(">", |parser| {
                let name = parser.word()?;
                if parser.accepts(":")? {
                    parser.word()?;
                }
                if parser.accepts("=")? {
                    let mut attribute = AttributeProto { name, ..Default::default() };
                    parser.attribute_value(&mut attribute)?;
                    function.attribute_proto.push(attribute);
                } else {
                    function.attribute.push(name);
                }
                Ok(())
            })?;
        }
        self.expect("(")?;
        self.names(")", &mut function.input)?;
        self.expect("=>")?;
        self.expect("(")?;
        self.names(")", &mut function.output)?;
        function.node = self.nodes()?;
        Ok(function)
    }
}
