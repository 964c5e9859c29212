//! Parses the head of a source file: its first comment.

/// The head of the file of a primitive or pass.
pub struct Head {
    /// The first sentence, without the name.
    pub summary: String,
    /// The before -> after example, verbatim.
    pub example: String,
    /// The text between the example and the conditions.
    pub description: String,
    /// `(C1)` .. and the text of the condition.
    pub conditions: Vec<(u8, String)>,
    /// The text after the conditions.
    pub notes: String,
}

/// Parses the head of a file, which begins with `name`.
pub fn head(text: &str, name: &str) -> Head {
    let lines: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let first = lines.first().copied().unwrap_or_default();
    let opening = format!("`{name}`: ");
    let summary = first
        .strip_prefix(&opening)
        .unwrap_or_else(|| panic!("the head of {name} does not open with {opening}"));
    let end = lines.iter().position(|line| line.is_empty()).unwrap_or(lines.len());
    let summary = std::iter::once(summary).chain(lines[1..end.max(1)].iter().copied());
    let summary = summary.collect::<Vec<_>>().join(" ");
    let (mut example, mut before, mut after) = (String::new(), vec![], vec![]);
    let mut conditions: Vec<(u8, String)> = vec![];
    let (mut is_example, mut is_over) = (false, false);
    for line in &lines[end..] {
        if line.starts_with("```") {
            is_example = !is_example;
            if is_example && !example.is_empty() {
                example.push('\n');
            }
        } else if is_example {
            example += &format!("{line}\n");
        } else if let Some((number, condition)) = numbered(line) {
            conditions.push((number, condition.to_owned()));
        } else if let (Some(more), Some((_, last)), false) =
            (line.strip_prefix("  "), conditions.last_mut(), is_over)
        {
            *last += &format!(" {more}");
        } else if conditions.is_empty() {
            before.push(*line);
        } else {
            is_over = true;
            after.push(*line);
        }
    }
    let before = before.join("\n");
    let description = before.trim().trim_end_matches(':').trim_end_matches("Requires");
    Head {
        summary: plain(&summary),
        example,
        description: plain(description.trim()),
        conditions: conditions.into_iter().map(|(n, text)| (n, plain(&text))).collect(),
        notes: plain(after.join("\n").trim()),
    }
}

/// `- (C3) two or more factors`.
fn numbered(line: &str) -> Option<(u8, &str)> {
    let (number, condition) = line.strip_prefix("- (C")?.split_once(") ")?;
    Some((number.parse().ok()?, condition))
}

/// The text without links into the code: [`role`](crate::schedule::role) and [`role`] become `role`.
fn plain(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('[') {
        plain += &rest[..open];
        rest = &rest[open..];
        let Some(close) = rest.find(']') else { break };
        let (label, after) = (&rest[1..close], &rest[close + 1..]);
        let target = after.strip_prefix('(').and_then(|it| Some(it.split_once(')')?.0));
        let is_code =
            |it: &str| it.contains("::") || it.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_name = label.len() > 2 && label.starts_with('`') && label.ends_with('`');
        let length = match target {
            Some(target) if is_code(target) => target.len() + 2,
            None if is_name && !label[1..label.len() - 1].contains('`') => 0,
            _ => {
                plain.push('[');
                rest = &rest[1..];
                continue;
            }
        };
        plain += label;
        rest = &after[length..];
    }
    plain + rest
}
