//! The metadata of a model.

/// Who made a model, and what it is for. Absent texts are empty.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    pub producer: String,
    pub graph_name: String,
    pub domain: String,
    pub description: String,
    pub graph_description: String,
    pub version: i64,
    /// Keys and values, in the order of the model.
    pub custom: Vec<(String, String)>,
}
