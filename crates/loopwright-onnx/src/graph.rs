//! Imports the graph of a model: its inputs, constants and nodes, in order.

mod control_flow;
mod repetition;
mod rolled;

use crate::builder::{Builder, Value};
use crate::element::Element;
use crate::error::{ImportError, Refusal};
use crate::file::ModelFile;
use crate::fold;
use crate::node::{Declared, Node};
use crate::ops;
use crate::schema::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use crate::tensor::Tensor;
use control_flow::Site;
use melior::Context;
use melior::ir::attribute::{StringAttribute, TypeAttribute};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationBuilder, OperationLike};
use melior::ir::r#type::FunctionType;
use melior::ir::{Block, Identifier, Location, Module, Region, RegionLike};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

/// The name of the function.
pub const ENTRY: &str = "main";

/// Calls of functions and graphs are nested at most so deeply.
const MOST_CALLS: usize = 64;

/// At most so many nodes are imported, with those that calls and unrolled loops repeat.
const MOST_NODES: usize = 1 << 20;

/// The versions of operator sets that are supported.
const OPSETS: std::ops::RangeInclusive<i64> = 1..=28;

/// The dialects of the ops that are built.
const DIALECTS: &[&str] =
    &["arith", "func", "graph", "linalg", "math", "scf", "tensor", "tm_tensor"];

/// Choices of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// Sizes for dimensions with names.
    pub dims: Vec<(String, u64)>,
}

/// The module of a model: the function `main`, with the names of inputs and outputs in the attributes `input_names` and
/// `output_names`.
///
/// # Errors
/// At the first part of the model that is not supported.
pub fn import<'c>(
    context: &'c Context,
    file: &ModelFile,
    options: &ImportOptions,
) -> Result<Module<'c>, ImportError> {
    for dialect in DIALECTS {
        context.get_or_load_dialect(dialect);
    }
    let importer =
        Importer { context, file, options, constants: HashMap::new(), imported: Cell::new(0) };
    importer.run()
}

struct Importer<'a, 'c> {
    context: &'c Context,
    file: &'a ModelFile,
    options: &'a ImportOptions,
    /// The initializers of the model's graph, by name.
    constants: HashMap<String, Tensor<'c>>,
    /// The number of nodes that were imported.
    imported: Cell<usize>,
}

/// The values that names stand for, in a graph or in the body of a function.
struct Scope<'a, 'c> {
    values: HashMap<String, Tensor<'c>>,
    declared: HashMap<&'a str, Declared>,
    opsets: &'a [OperatorSetIdProto],
    /// Attributes of the call, for references in the body of a function.
    attributes: Vec<AttributeProto>,
    /// The calls around.
    depth: usize,
    /// The names of the outputs.
    results: Vec<String>,
    /// How often loops that are unrolled repeat these nodes.
    copies: i64,
}

/// True for a node of the standard domain.
fn is_standard(proto: &NodeProto) -> bool {
    matches!(proto.domain.as_str(), "" | "ai.onnx")
}

/// True if one of the nodes, also in their graphs, or an output uses a value.
fn is_used(name: &str, nodes: &[NodeProto], outputs: &[String]) -> bool {
    let graphs = |node: &NodeProto| {
        node.attribute.iter().filter_map(|it| it.g.as_ref()).any(|graph| {
            is_used(name, &graph.node, &[]) || graph.output.iter().any(|it| it.name == name)
        })
    };
    outputs.iter().any(|it| it == name)
        || nodes.iter().any(|node| node.input.iter().any(|it| it == name) || graphs(node))
}

impl<'a, 'c> Importer<'a, 'c> {
    fn error(&self, part: impl Into<String>) -> impl FnOnce(Refusal) -> ImportError {
        let (path, part) = (self.file.path().to_owned(), part.into());
        |refusal| ImportError::Part { path, part, refusal }
    }

    fn run(mut self) -> Result<Module<'c>, ImportError> {
        let model = &self.file.model;
        let graph = model.graph.as_ref().ok_or_else(|| ImportError::File {
            path: self.file.path().to_owned(),
            message: "is not an ONNX model: it has no graph".into(),
        })?;
        for opset in &model.opset_import {
            if matches!(opset.domain.as_str(), "" | "ai.onnx") && !OPSETS.contains(&opset.version) {
                return Err(self.error("operator set")(Refusal::new(format!(
                    "has version {}, expected {} to {}",
                    opset.version,
                    OPSETS.start(),
                    OPSETS.end()
                ))));
            }
        }
        if !graph.sparse_initializer.is_empty() {
            return Err(self.error("initializers")(Refusal::new(
                "are sparse, expected dense ones",
            )));
        }
        for tensor in &graph.initializer {
            let data = self.file.data(tensor);
            let data = data.map_err(self.error(format!("initializer '{}'", tensor.name)))?;
            self.constants.insert(tensor.name.clone(), Tensor::constant(data, &tensor.name));
        }
        let inputs: Vec<_> =
            graph.input.iter().filter(|it| !self.constants.contains_key(&it.name)).collect();
        let mut types = vec![];
        for input in &inputs {
            let ty = self.input_type(input);
            types.push(ty.map_err(self.error(format!("input '{}'", input.name)))?);
        }
        self.check_dims(&inputs)?;
        let unknown = Location::unknown(self.context);
        let place = |name: &str| Location::name(self.context, name, unknown);
        let module = Module::new(unknown);
        let region = Region::new();
        let block = region.append_block(Block::new(&[]));
        let builder = Builder::new(self.context, block, unknown);
        let mut scope = Scope {
            values: self.constants.clone(),
            declared: declared(graph),
            opsets: &model.opset_import,
            attributes: vec![],
            depth: 0,
            results: graph.output.iter().map(|it| it.name.clone()).collect(),
            copies: 1,
        };
        let mut argument_types = vec![];
        let mut named = HashMap::new();
        for (input, (element, dims)) in inputs.iter().zip(&types) {
            let static_dims: Vec<_> = dims.iter().map(|dim| dim.as_ref().ok().copied()).collect();
            let ty = builder.tensor_type(&static_dims, element.interface());
            argument_types.push(ty);
            let value: Value = block.add_argument(ty, place(&input.name));
            // A name stands for one size.
            let size = |(i, dim): (usize, &Result<u64, String>)| match dim {
                Err(name) if !name.is_empty() => *named
                    .entry(name.clone())
                    .or_insert_with(|| builder.dim_of(value, &static_dims, i)),
                _ => builder.dim_of(value, &static_dims, i),
            };
            let sizes = dims.iter().enumerate().map(size).collect();
            let tensor = Tensor::new(value, element.interface(), sizes);
            scope.values.insert(input.name.clone(), converted(&builder, tensor, *element));
        }
        self.nodes(&builder, &graph.node, &mut scope)?;
        let mut results = vec![];
        for output in &graph.output {
            let found = scope.values.get(&output.name).ok_or_else(|| {
                self.error(format!("output '{}'", output.name))(Refusal::new(
                    "is computed by no node",
                ))
            })?;
            results.push(converted(&builder, found.clone(), found.element().interface()));
        }
        let values: Vec<_> = results.iter().map(|tensor| builder.value(tensor)).collect();
        let result_types: Vec<_> =
            results.iter().map(|it| builder.type_of(it.sizes(), it.element())).collect();
        builder.insert("func.return", &values, &[], &[], vec![]);
        let names = |infos: &[&ValueInfoProto]| {
            let names =
                infos.iter().map(|info| StringAttribute::new(self.context, &info.name).into());
            melior::ir::attribute::ArrayAttribute::new(self.context, &names.collect::<Vec<_>>())
                .into()
        };
        let function_type = FunctionType::new(self.context, &argument_types, &result_types);
        let attributes = [
            ("sym_name", StringAttribute::new(self.context, ENTRY).into()),
            ("function_type", TypeAttribute::new(function_type.into()).into()),
            ("input_names", names(&inputs)),
            ("output_names", names(&graph.output.iter().collect::<Vec<_>>())),
        ];
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (Identifier::new(self.context, name), *value))
            .collect();
        let function = OperationBuilder::new("func.func", unknown)
            .add_attributes(&attributes)
            .add_regions([region])
            .build()
            .expect("a function has no results");
        module.body().append_operation(function);
        match module.as_operation().verify() {
            true => Ok(module),
            false => Err(ImportError::Invalid {
                path: self.file.path().to_owned(),
                message: "the verifier refuses it".into(),
            }),
        }
    }

    /// Checks that the inputs have the dimensions whose sizes the options fix.
    fn check_dims(&self, inputs: &[&ValueInfoProto]) -> Result<(), ImportError> {
        let types =
            inputs.iter().filter_map(|it| it.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref());
        let names = types.flat_map(|shape| &shape.dim).filter_map(|dim| dim.dim_param.as_deref());
        let names: BTreeSet<_> = names.collect();
        let refused = |message: String| Err(self.error("the graph")(Refusal::new(message)));
        for (i, (name, size)) in self.options.dims.iter().enumerate() {
            if i64::try_from(*size).is_err() {
                return refused(format!(
                    "cannot have the size {size} of dimension '{name}', expected at most {}",
                    i64::MAX
                ));
            }
            if self.options.dims[..i].iter().any(|(before, _)| before == name) {
                return refused(format!("has two sizes of dimension '{name}', expected one"));
            }
        }
        match self.options.dims.iter().find(|(name, _)| !names.contains(name.as_str())) {
            None => Ok(()),
            Some((name, _)) => {
                let expected = match names.is_empty() {
                    true => "its dimensions have no names".to_owned(),
                    false => format!(
                        "expected one of {}",
                        names.into_iter().collect::<Vec<_>>().join(", ")
                    ),
                };
                Err(self.error("the graph")(Refusal::new(format!(
                    "has no dimension '{name}', {expected}"
                ))))
            }
        }
    }

    /// The type of an input; the error of a dimension is its name.
    fn input_type(
        &self,
        input: &ValueInfoProto,
    ) -> Result<(Element, Vec<Result<u64, String>>), Refusal> {
        let ty = input.r#type.as_ref().and_then(|ty| ty.tensor_type.as_ref());
        let ty = ty.ok_or_else(|| Refusal::new("is not a tensor"))?;
        let element = Element::of_number(ty.elem_type)?;
        let shape = ty.shape.as_ref();
        let shape = shape.ok_or_else(|| Refusal::new("has no shape, expected one with a rank"))?;
        let dim = |dim: &crate::schema::DimensionProto| {
            if let Some(value) = dim.dim_value {
                let value = u64::try_from(value);
                return value.map(Ok).map_err(|_| Refusal::new("has a negative dimension"));
            }
            let name = dim.dim_param.clone().unwrap_or_default();
            let fixed = self.options.dims.iter().find(|(it, _)| *it == name && !name.is_empty());
            Ok(fixed.map_or(Err(name), |(_, size)| Ok(*size)))
        };
        Ok((element, shape.dim.iter().map(dim).collect::<Result<_, _>>()?))
    }

    /// Imports nodes in order.
    fn nodes(
        &self,
        builder: &Builder<'c>,
        nodes: &[NodeProto],
        scope: &mut Scope<'_, 'c>,
    ) -> Result<(), ImportError> {
        for proto in nodes {
            let part = || match (proto.name.as_str(), proto.output.first()) {
                ("", Some(output)) => format!("node of '{output}' ({})", proto.op_type),
                ("", None) => format!("a node ({})", proto.op_type),
                (name, _) => format!("node '{name}' ({})", proto.op_type),
            };
            let name = if proto.name.is_empty() { proto.output.first() } else { Some(&proto.name) };
            let name = name.map_or(proto.op_type.as_str(), String::as_str);
            let location = Location::name(self.context, name, Location::unknown(self.context));
            let builder = builder.at(location);
            self.imported.set(self.imported.get() + 1);
            if self.imported.get() > MOST_NODES {
                return Err(self.error(part())(Refusal::new(format!(
                    "is one of more than {MOST_NODES} nodes, with those that calls and loops repeat"
                ))));
            }
            let node = self.node(builder, proto, name, scope).map_err(self.error(part()))?;
            let results = match self.function(proto) {
                Some(function) => self.call(function, &node, scope, part())?,
                None if is_standard(proto) && ops::CONTROL.contains(&proto.op_type.as_str()) => {
                    let is_used = |name: &str| is_used(name, nodes, &scope.results);
                    let site = Site {
                        importer: self,
                        node: &node,
                        scope,
                        part: part(),
                        is_used: &is_used,
                    };
                    site.outputs(&proto.op_type)?
                }
                None => self.results(proto, &node).map_err(self.error(part()))?,
            };
            if results.len()
                < proto.output.iter().rposition(|it| !it.is_empty()).map_or(0, |i| i + 1)
            {
                return Err(self.error(part())(Refusal::new(format!(
                    "has {} outputs, of which {} are supported",
                    proto.output.len(),
                    results.len()
                ))));
            }
            for (output, tensor) in proto.output.iter().zip(results) {
                if !output.is_empty() {
                    scope.values.insert(output.clone(), tensor);
                }
            }
        }
        Ok(())
    }

    /// The node with its inputs and attributes.
    fn node(
        &self,
        builder: Builder<'c>,
        proto: &NodeProto,
        name: &str,
        scope: &Scope<'_, 'c>,
    ) -> Result<Node<'a, 'c>, Refusal> {
        let mut inputs = vec![];
        for input in &proto.input {
            let found = scope.values.get(input).cloned();
            if found.is_none() && !input.is_empty() {
                return Err(Refusal::new(format!(
                    "uses '{input}', which no input, constant or node before it defines"
                )));
            }
            inputs.push(found.filter(|_| !input.is_empty()));
        }
        let mut attributes = vec![];
        for attribute in &proto.attribute {
            if attribute.ref_attr_name.is_empty() {
                attributes.push(attribute.clone());
            } else if let Some(given) =
                scope.attributes.iter().find(|it| it.name == attribute.ref_attr_name)
            {
                attributes.push(AttributeProto { name: attribute.name.clone(), ..given.clone() });
            }
        }
        let domain = if proto.domain == "ai.onnx" { "" } else { &proto.domain };
        let opset = scope
            .opsets
            .iter()
            .find(|it| (if it.domain == "ai.onnx" { "" } else { &it.domain }) == domain);
        Ok(Node {
            builder,
            file: self.file,
            name: name.to_owned(),
            opset: opset.map_or(1, |it| it.version),
            inputs,
            attributes,
            outputs: proto.output.iter().map(|it| (!it.is_empty()).then(|| it.clone())).collect(),
            declared: proto
                .output
                .iter()
                .map(|it| scope.declared.get(it.as_str()).cloned())
                .collect(),
            read: RefCell::default(),
        })
    }

    /// The outputs of a node of an operator set.
    fn results(&self, proto: &NodeProto, node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
        let import = ops::find(&proto.domain, &proto.op_type).ok_or_else(|| {
            let domain = if proto.domain.is_empty() { "ai.onnx" } else { &proto.domain };
            Refusal::new(format!("the op {domain}.{} is not supported", proto.op_type))
        })?;
        match fold::folded(&proto.op_type, node).filter(|_| is_standard(proto)) {
            Some(constant) => Ok(vec![constant]),
            None => {
                let outputs = import(node)?;
                node.check_attributes()?;
                let sizes = outputs.iter().flat_map(|output| output.sizes());
                match sizes.filter_map(|size| size.known()).find(|size| *size < 0) {
                    None => Ok(outputs),
                    Some(size) => Err(Refusal::new(format!("has an output of size {size}"))),
                }
            }
        }
    }

    /// The function of the model that a node calls.
    fn function(&self, proto: &NodeProto) -> Option<&'a FunctionProto> {
        self.file.model.functions.iter().find(|function| {
            function.name == proto.op_type
                && function.domain == proto.domain
                && function.overload == proto.overload
        })
    }

    /// Imports the body of a function in the place of a call.
    fn call(
        &self,
        function: &'a FunctionProto,
        node: &Node<'_, 'c>,
        scope: &Scope<'_, 'c>,
        part: String,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        if scope.depth >= MOST_CALLS {
            return Err(self.error(part)(Refusal::new(format!(
                "is in {MOST_CALLS} nested calls of functions: functions must not call themselves"
            ))));
        }
        let mut attributes = node.attributes.clone();
        for default in &function.attribute_proto {
            if !attributes.iter().any(|it| it.name == default.name) {
                attributes.push(default.clone());
            }
        }
        let arguments = function.input.iter().zip(&node.inputs);
        let values =
            arguments.filter_map(|(name, value)| Some((name.clone(), value.clone()?))).collect();
        let mut scope = Scope {
            values,
            declared: HashMap::new(),
            opsets: &function.opset_import,
            attributes,
            depth: scope.depth + 1,
            results: function.output.clone(),
            copies: scope.copies,
        };
        // A node may leave out the last inputs of a function: they are empty names.
        let nodes: Vec<NodeProto> = function
            .node
            .iter()
            .map(|inner| {
                let mut inner = inner.clone();
                for input in &mut inner.input {
                    if function.input.contains(input) && !scope.values.contains_key(input) {
                        input.clear();
                    }
                }
                inner
            })
            .collect();
        self.nodes(&node.builder, &nodes, &mut scope)?;
        let output = |name: &String| scope.values.get(name).cloned();
        let outputs: Option<Vec<_>> = function.output.iter().map(output).collect();
        outputs.ok_or_else(|| {
            self.error(part)(Refusal::new("calls a function that does not compute all its outputs"))
        })
    }
}

/// Ops of one operand whose result has its sizes.
const SAME_SIZES: &[&str] = &["Cast", "CastLike", "Exp", "Identity", "Log", "Neg", "Sqrt"];

/// The types that a graph states for its values. The operand of a [`SAME_SIZES`] op has the sizes of its result.
fn declared(graph: &GraphProto) -> HashMap<&str, Declared> {
    let infos = graph.value_info.iter().chain(&graph.output);
    let mut declared: HashMap<_, _> = infos
        .filter_map(|info| {
            let ty = info.r#type.as_ref()?.tensor_type.as_ref()?;
            let dims = ty.shape.as_ref()?.dim.iter().map(|dim| dim.dim_value).collect();
            Some((info.name.as_str(), Declared { dims }))
        })
        .collect();
    for node in graph.node.iter().rev().filter(|it| SAME_SIZES.contains(&it.op_type.as_str())) {
        if let (Some(input), Some(output)) = (node.input.first(), node.output.first())
            && let Some(found) = declared.get(output.as_str()).cloned()
        {
            declared.entry(input).or_insert(found);
        }
    }
    declared
}

/// A tensor with its elements converted, or itself.
fn converted<'c>(builder: &Builder<'c>, tensor: Tensor<'c>, to: Element) -> Tensor<'c> {
    if tensor.element() == to {
        return tensor;
    }
    builder.map_to(tensor.sizes(), &[&tensor], to, |b, v| b.cast(v[0], to))
}
