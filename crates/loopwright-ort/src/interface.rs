//! The interface of an ONNX model: its inputs and outputs with their types, and its metadata.
//!
//! Only these fields are decoded. The decoder skips nodes and weights without a copy.

use crate::failure::Failure;
use crate::metadata::Metadata;
use crate::tensor_type::element_of;
use loopwright_onnx::element::Element;
use loopwright_onnx::schema::{StringStringEntryProto, ValueInfoProto};
use ort::sys::OrtErrorCode;
use prost::Message;

/// The inputs, outputs and metadata of a model.
#[derive(Debug)]
pub struct Interface {
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
    pub metadata: Metadata,
}

/// An input or an output.
#[derive(Clone, Debug)]
pub struct Port {
    pub name: String,
    /// None for an output whose type the model does not declare.
    pub element: Option<Element>,
    /// None without a declared shape.
    pub dims: Option<Vec<PortSize>>,
}

/// A size of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortSize {
    Static(i64),
    /// A size that each run chooses, with its name in the model, which may be empty.
    Dynamic(String),
}

#[derive(Clone, PartialEq, Message)]
struct ModelHead {
    #[prost(string, tag = "2")]
    producer_name: String,
    #[prost(string, tag = "4")]
    domain: String,
    #[prost(int64, tag = "5")]
    model_version: i64,
    #[prost(string, tag = "6")]
    doc_string: String,
    #[prost(message, optional, tag = "7")]
    graph: Option<GraphHead>,
    #[prost(message, repeated, tag = "14")]
    metadata_props: Vec<StringStringEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
struct GraphHead {
    #[prost(string, tag = "2")]
    name: String,
    #[prost(message, repeated, tag = "5")]
    initializer: Vec<InitializerHead>,
    #[prost(string, tag = "10")]
    doc_string: String,
    #[prost(message, repeated, tag = "11")]
    input: Vec<ValueInfoProto>,
    #[prost(message, repeated, tag = "12")]
    output: Vec<ValueInfoProto>,
}

#[derive(Clone, PartialEq, Message)]
struct InitializerHead {
    #[prost(string, tag = "8")]
    name: String,
}

impl Interface {
    /// The interface of an encoded model. `path` is the file in messages.
    ///
    /// # Errors
    /// If the bytes are not an ONNX model, or an element type is not supported.
    pub fn decode(path: &str, bytes: &[u8]) -> Result<Interface, Failure> {
        let refused = |message: String| {
            Failure::new(OrtErrorCode::ORT_INVALID_PROTOBUF, format!("{path}: {message}"))
        };
        let head = ModelHead::decode(bytes)
            .map_err(|error| refused(format!("is not an ONNX model: {error}")))?;
        let graph = head
            .graph
            .ok_or_else(|| refused("is not an ONNX model: it has no graph".to_owned()))?;
        // An input with a default is a constant of the compiled code.
        let is_constant =
            |input: &&ValueInfoProto| graph.initializer.iter().any(|it| it.name == input.name);
        let ports = |infos: Vec<&ValueInfoProto>, word: &str| -> Result<Vec<Port>, Failure> {
            let port = |info: &ValueInfoProto| {
                Port::of(info).map_err(|Failure { code, message }| {
                    Failure::new(code, format!("{path}: {word} '{}': {message}", info.name))
                })
            };
            infos.into_iter().map(port).collect()
        };
        let inputs: Vec<_> = graph.input.iter().filter(|it| !is_constant(it)).collect();
        let custom = head.metadata_props.into_iter().map(|it| (it.key, it.value));
        Ok(Interface {
            inputs: ports(inputs, "input")?,
            outputs: ports(graph.output.iter().collect(), "output")?,
            metadata: Metadata {
                producer: head.producer_name,
                graph_name: graph.name,
                domain: head.domain,
                description: head.doc_string,
                graph_description: graph.doc_string,
                version: head.model_version,
                custom: custom.collect(),
            },
        })
    }
}

impl Port {
    fn of(info: &ValueInfoProto) -> Result<Port, Failure> {
        let declared = info.r#type.as_ref();
        let tensor = declared.and_then(|ty| ty.tensor_type.as_ref());
        if declared.is_some() && tensor.is_none() {
            return Err(Failure::unsupported("is not a tensor"));
        }
        let element = tensor.map(|ty| element_of(ty.elem_type)).transpose()?;
        let shape = tensor.and_then(|ty| ty.shape.as_ref());
        let dims = shape.map(|shape| {
            let dims = shape.dim.iter().map(|dim| match dim.dim_value {
                Some(size) if size >= 0 => PortSize::Static(size),
                _ => PortSize::Dynamic(dim.dim_param.clone().unwrap_or_default()),
            });
            dims.collect()
        });
        Ok(Port { name: info.name.clone(), element, dims })
    }

    /// The sizes, -1 for a dynamic one, and the names of dynamic sizes, which are empty for static ones.
    pub fn sizes(&self) -> (Vec<i64>, Vec<&str>) {
        let dims = self.dims.iter().flatten();
        dims.map(|dim| match dim {
            PortSize::Static(size) => (*size, ""),
            PortSize::Dynamic(name) => (-1, name.as_str()),
        })
        .unzip()
    }
}
