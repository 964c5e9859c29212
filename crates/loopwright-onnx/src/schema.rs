//! The messages of an ONNX file that the importer reads, with the field numbers of `onnx.proto3`.
//!
//! Fields that do not change what a model computes (documentation, training, metadata) are left out; the decoder skips them.
//! `raw_data` is a [`Bytes`]: decoding a memory-mapped file does not copy it.

use bytes::Bytes;
use prost::Message;

/// A model: a graph, the functions that it calls, and the versions of its op sets.
#[derive(Clone, PartialEq, Message)]
pub struct ModelProto {
    /// The version of the file format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// The graph.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<GraphProto>,
    /// The op sets of the graph.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// The functions of the model.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<FunctionProto>,
}

/// An op set: a domain and the version of its ops.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSetIdProto {
    /// The domain; empty for the ops of ONNX.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// The version.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A graph: a model's, or that of an attribute.
#[derive(Clone, PartialEq, Message)]
pub struct GraphProto {
    /// The nodes, in an order in which each value is defined before its uses.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<NodeProto>,
    /// The name of the graph.
    #[prost(string, tag = "2")]
    pub name: String,
    /// The constants. One with the name of an input is the default value of that input.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<TensorProto>,
    /// The inputs.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfoProto>,
    /// The outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfoProto>,
    /// The types of values between nodes, if they are known.
    #[prost(message, repeated, tag = "13")]
    pub value_info: Vec<ValueInfoProto>,
    /// Sparse constants.
    #[prost(message, repeated, tag = "15")]
    pub sparse_initializer: Vec<SparseTensorProto>,
}

/// A sparse tensor: only its presence is read, to refuse it.
#[derive(Clone, PartialEq, Message)]
pub struct SparseTensorProto {
    /// The values that are not zero.
    #[prost(message, optional, tag = "1")]
    pub values: Option<TensorProto>,
}

/// A function of the model: a node whose body is nodes.
#[derive(Clone, PartialEq, Message)]
pub struct FunctionProto {
    /// The name, which nodes have as `op_type`.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The names of the inputs.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// The names of the outputs.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// The names of attributes without a default.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// The nodes of the body.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<NodeProto>,
    /// The op sets of the body.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSetIdProto>,
    /// The domain of the function.
    #[prost(string, tag = "10")]
    pub domain: String,
    /// Attributes with their defaults.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<AttributeProto>,
    /// A word that distinguishes functions of the same domain and name.
    #[prost(string, tag = "13")]
    pub overload: String,
}

/// A node: one call of an op or a function.
#[derive(Clone, PartialEq, Message)]
pub struct NodeProto {
    /// The names of the operands; an empty name is an absent operand.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// The names of the results; an empty name is a result that is not needed.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The name of the node, for messages; may be empty.
    #[prost(string, tag = "3")]
    pub name: String,
    /// The name of the op or function.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// The attributes.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<AttributeProto>,
    /// The domain of the op; empty for the ops of ONNX.
    #[prost(string, tag = "7")]
    pub domain: String,
    /// The overload of the function that is called.
    #[prost(string, tag = "8")]
    pub overload: String,
}

/// An attribute; `type` states which field has its value.
#[derive(Clone, PartialEq, Message)]
pub struct AttributeProto {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The value of type `Float`.
    #[prost(float, tag = "2")]
    pub f: f32,
    /// The value of type `Int`.
    #[prost(int64, tag = "3")]
    pub i: i64,
    /// The value of type `String`: UTF-8 text.
    #[prost(bytes = "bytes", tag = "4")]
    pub s: Bytes,
    /// The value of type `Tensor`.
    #[prost(message, optional, tag = "5")]
    pub t: Option<TensorProto>,
    /// The value of type `Graph`.
    #[prost(message, optional, tag = "6")]
    pub g: Option<GraphProto>,
    /// The value of type `Floats`.
    #[prost(float, repeated, tag = "7")]
    pub floats: Vec<f32>,
    /// The value of type `Ints`.
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    /// The value of type `Strings`.
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub strings: Vec<Bytes>,
    /// An [`AttributeType`]; 0 in files of IR version 1.
    #[prost(int32, tag = "20")]
    pub r#type: i32,
    /// In the body of a function: the attribute of the node that calls it.
    #[prost(string, tag = "21")]
    pub ref_attr_name: String,
}

/// The kinds of attributes that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum AttributeType {
    /// A number of 32 bits.
    Float = 1,
    /// An integer of 64 bits.
    Int = 2,
    /// A text.
    String = 3,
    /// A tensor.
    Tensor = 4,
    /// A graph, such as the body of a loop.
    Graph = 5,
    /// A list of `Float`.
    Floats = 6,
    /// A list of `Int`.
    Ints = 7,
    /// A list of `String`.
    Strings = 8,
}

/// A value with its type.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfoProto {
    /// The name of the value.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type, if it is known.
    #[prost(message, optional, tag = "2")]
    pub r#type: Option<TypeProto>,
}

/// A type. A sequence, map, optional or sparse tensor has no `tensor_type`.
#[derive(Clone, PartialEq, Message)]
pub struct TypeProto {
    /// The type of a dense tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor_type: Option<TensorTypeProto>,
}

/// The type of a dense tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorTypeProto {
    /// The element type: a number of `TensorProto.DataType`.
    #[prost(int32, tag = "1")]
    pub elem_type: i32,
    /// None for a tensor of unknown rank.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShapeProto>,
}

/// The shape of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct TensorShapeProto {
    /// The dimensions, the slowest first.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<DimensionProto>,
}

/// A dimension: a size, a name, or neither.
#[derive(Clone, PartialEq, Message)]
pub struct DimensionProto {
    /// The size.
    #[prost(int64, optional, tag = "1")]
    pub dim_value: Option<i64>,
    /// The name of a size that is not known.
    #[prost(string, optional, tag = "2")]
    pub dim_param: Option<String>,
}

/// A tensor with its elements: in `raw_data`, in one of the typed fields, or in another file.
#[derive(Clone, PartialEq, Message)]
pub struct TensorProto {
    /// The sizes; empty for a scalar.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// The element type: a number of `TensorProto.DataType`.
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// The elements of type float.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// The elements of types of at most 32 bits, except float and uint32; those of float16 and bfloat16 as bits.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// The elements of type int64.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The name of the value.
    #[prost(string, tag = "8")]
    pub name: String,
    /// The elements of any type but string, little-endian and row-major.
    #[prost(bytes = "bytes", tag = "9")]
    pub raw_data: Bytes,
    /// The elements of type double.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// The elements of types uint32 and uint64.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// Where the elements are in another file: `location`, `offset`, `length`.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<StringStringEntryProto>,
    /// 1 if the elements are in another file.
    #[prost(int32, tag = "14")]
    pub data_location: i32,
}

/// A key and its value.
#[derive(Clone, PartialEq, Message)]
pub struct StringStringEntryProto {
    /// The key.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The value.
    #[prost(string, tag = "2")]
    pub value: String,
}
