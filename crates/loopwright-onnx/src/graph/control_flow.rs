//! Nodes with graphs, which use the values around them. `If` becomes `scf.if`.
//!
//! ```text
//! Y = If(C) <then_branch = {..}, else_branch = {..}>    ->    %y = scf.if %c { .. } else { .. }
//! ```
//! - A condition that is known chooses a branch: its nodes are imported without an `scf.if`.
//! - (B1) Otherwise outputs have the same element type and sizes in both branches.

use super::{Importer, MOST_CALLS, Scope, declared};
use crate::builder::{Builder, Value, result_of};
use crate::error::{ImportError, Refusal};
use crate::node::Node;
use crate::schema::{GraphProto, ValueInfoProto};
use crate::size::Size;
use crate::tensor::Tensor;
use melior::ir::Region;

/// A node with graphs, and where it is.
pub(super) struct Site<'s, 'a, 'c> {
    pub importer: &'s Importer<'a, 'c>,
    pub node: &'s Node<'a, 'c>,
    pub scope: &'s Scope<'s, 'c>,
    /// The node in messages.
    pub part: String,
    /// True for the name of a value that a node or an output uses.
    pub is_used: &'s dyn Fn(&str) -> bool,
}

impl<'c> Site<'_, '_, 'c> {
    /// The outputs of a node of [`CONTROL`](crate::ops::CONTROL).
    pub(super) fn outputs(&self, op: &str) -> Result<Vec<Tensor<'c>>, ImportError> {
        let outputs = match op {
            "If" => self.conditional()?,
            "Loop" => self.repeated()?,
            _ => self.scanned()?,
        };
        self.node.check_attributes().map_err(|refusal| self.error(refusal))?;
        Ok(outputs)
    }

    pub(super) fn error(&self, refusal: Refusal) -> ImportError {
        self.importer.error(self.part.as_str())(refusal)
    }

    pub(super) fn refused(&self, message: impl Into<String>) -> ImportError {
        self.error(Refusal::new(message))
    }

    /// A graph of an attribute.
    pub(super) fn graph(&self, name: &str) -> Result<&GraphProto, ImportError> {
        self.node.graph(name).map_err(|refusal| self.error(refusal))
    }

    /// The outputs of a graph with these inputs, whose nodes are appended to the builder's block. `copies`: how often an
    /// unrolled loop repeats them.
    pub(super) fn body(
        &self,
        builder: &Builder<'c>,
        graph: &GraphProto,
        inputs: Vec<Tensor<'c>>,
        copies: i64,
    ) -> Result<Vec<Tensor<'c>>, ImportError> {
        let scope = self.scope;
        if scope.depth >= MOST_CALLS {
            return Err(self.refused(format!("is in {MOST_CALLS} nested graphs")));
        }
        if graph.input.len() != inputs.len() {
            return Err(self.refused(format!(
                "has a graph '{}' with {} inputs, expected {}",
                graph.name,
                graph.input.len(),
                inputs.len()
            )));
        }
        let around = scope.values.iter().map(|(name, it)| (name.clone(), it.for_scope()));
        let mut inner = Scope {
            values: around.collect(),
            declared: declared(graph),
            opsets: scope.opsets,
            attributes: scope.attributes.clone(),
            depth: scope.depth + 1,
            results: graph.output.iter().map(|it| it.name.clone()).collect(),
            copies: scope.copies.saturating_mul(copies),
        };
        if !graph.sparse_initializer.is_empty() {
            return Err(self.refused("has a graph with sparse initializers, expected dense ones"));
        }
        for tensor in &graph.initializer {
            let data = self.importer.file.data(tensor);
            let data =
                data.map_err(self.importer.error(format!("initializer '{}'", tensor.name)))?;
            inner.values.insert(tensor.name.clone(), Tensor::constant(data, &tensor.name));
        }
        let names = graph.input.iter().map(|it| it.name.clone());
        inner.values.extend(names.zip(inputs));
        self.importer.nodes(builder, &graph.node, &mut inner)?;
        let output = |info: &ValueInfoProto| {
            inner.values.get(&info.name).cloned().ok_or_else(|| {
                self.refused(format!("has the output '{}' that no node computes", info.name))
            })
        };
        graph.output.iter().map(output).collect()
    }

    /// The sizes of an output of a graph as values outside of its body.
    ///
    /// # Errors
    /// If they depend on data of the body.
    pub(super) fn sizes_outside(
        &self,
        name: &str,
        output: &Tensor<'c>,
        body: &Builder<'c>,
    ) -> Result<Vec<Size<'c>>, ImportError> {
        let builder = &self.node.builder;
        let sizes = output.sizes().iter().map(|size| builder.hoisted(*size, body));
        sizes.collect::<Option<_>>().ok_or_else(|| {
            self.refused(format!(
                "has a graph whose output '{name}' has sizes that depend on data, expected sizes that are known before the node"
            ))
        })
    }

    /// True if two tensors have one element type and the same sizes.
    pub(super) fn is_same_type(&self, x: &Tensor<'c>, y: &Tensor<'c>) -> bool {
        x.element() == y.element()
            && x.rank() == y.rank()
            && x.sizes().iter().zip(y.sizes()).all(|(x, y)| self.node.is_same_size(*x, *y))
    }

    fn conditional(&self) -> Result<Vec<Tensor<'c>>, ImportError> {
        let (node, builder) = (self.node, &self.node.builder);
        let refused = |refusal| self.error(refusal);
        let condition = node.input(0).map_err(refused)?;
        let graphs = [self.graph("then_branch")?, self.graph("else_branch")?];
        if let Some(known) = condition.integers().and_then(|it| it.first().copied()) {
            return self.body(builder, graphs[usize::from(known == 0)], vec![], 1);
        }
        let condition = node.number(0).map_err(refused)?;
        let [yes, no] = [self.branch(graphs[0])?, self.branch(graphs[1])?];
        if yes.outputs.len() != no.outputs.len() {
            return Err(self.refused(format!(
                "has branches with {} and {} outputs, expected equal numbers (B1)",
                yes.outputs.len(),
                no.outputs.len()
            )));
        }
        for (i, (x, y)) in yes.outputs.iter().zip(&no.outputs).enumerate() {
            if !self.is_same_type(x, y) {
                return Err(self.refused(format!(
                    "has a condition that depends on data and branches whose output {i} is {} and {}, expected equal types (B1)",
                    described(x),
                    described(y)
                )));
            }
        }
        let types: Vec<_> =
            yes.outputs.iter().map(|it| builder.type_of(it.sizes(), it.element())).collect();
        let condition = builder.extract(&condition, &[]);
        let op =
            builder.insert("scf.if", &[condition.value], &types, &[], vec![yes.region, no.region]);
        let result = |(i, it): (usize, &Tensor<'c>)| {
            Tensor::new(result_of(op, i), it.element(), it.sizes().to_vec())
        };
        Ok(yes.outputs.iter().enumerate().map(result).collect())
    }

    /// The region of a branch.
    fn branch(&self, graph: &GraphProto) -> Result<Branch<'c>, ImportError> {
        let (region, inner, _) = self.node.builder.scope(&[]);
        let outputs = self.body(&inner, graph, vec![], 1)?;
        let values: Vec<Value<'c>> = outputs.iter().map(|output| inner.value(output)).collect();
        inner.insert("scf.yield", &values, &[], &[], vec![]);
        let outside = |((output, info), value): ((&Tensor<'c>, &ValueInfoProto), &Value<'c>)| {
            let sizes = self.sizes_outside(&info.name, output, &inner)?;
            Ok(Tensor::new(*value, output.element(), sizes))
        };
        let outputs = outputs.iter().zip(&graph.output).zip(&values);
        let outputs: Result<Vec<_>, ImportError> = outputs.map(outside).collect();
        Ok(Branch { region, outputs: outputs? })
    }
}

/// A branch of an `If` whose condition depends on data.
struct Branch<'c> {
    region: Region<'c>,
    /// The values that the branch yields, with their sizes outside of it.
    outputs: Vec<Tensor<'c>>,
}

/// The element type and the sizes of a tensor, for messages.
pub(super) fn described(tensor: &Tensor) -> String {
    let size = |size: &Size| size.known().map_or("?".to_owned(), |it| it.to_string());
    let sizes: Vec<_> = tensor.sizes().iter().map(size).collect();
    format!("{}[{}]", tensor.element().word(), sizes.join(", "))
}
