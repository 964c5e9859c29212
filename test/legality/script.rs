//! Steps from text, as in a script: `reorder ["B:j", "B:i"] proof "assume"`.

use loopwright::schedule::table::{Argument, Instruction, Literal, ParameterKind, Primitive};

/// Reads a step.
pub fn parse(text: &str) -> Result<Instruction, String> {
    let tokens = tokens(text)?;
    let (name, rest) = tokens.split_first().ok_or("there is no step")?;
    let primitive = Primitive::of(name).ok_or(format!("there is no primitive {name}"))?;
    let mut given: Vec<(String, String)> = vec![];
    let mut rest = rest.iter();
    if let Some(first) = rest.next() {
        given.push((primitive.parameters[0].name.to_owned(), first.clone()));
    }
    while let (Some(name), Some(value)) = (rest.next(), rest.next()) {
        given.push((name.clone(), value.clone()));
    }
    let mut arguments = vec![];
    for parameter in primitive.parameters {
        let value = given.iter().find(|(name, _)| name == parameter.name).map(|(_, v)| v.as_str());
        let items = |list: &str| -> Vec<String> {
            let inside = list.trim_start_matches('[').trim_end_matches(']');
            let items = inside.split(',').map(|item| item.trim().trim_matches('"').to_owned());
            items.filter(|item| !item.is_empty()).collect()
        };
        let plain = |value: &str| value.trim_matches('"').to_owned();
        let missing = || format!("parameter {} of {name} is missing", parameter.name);
        let integer = |text: &str| text.parse::<i64>().map_err(|_| format!("{text} is no number"));
        arguments.push(match parameter.kind {
            ParameterKind::OptionalWord => Argument::OptionalText(value.map(plain)),
            ParameterKind::OptionalInteger => {
                Argument::OptionalInteger(value.map(integer).transpose()?)
            }
            ParameterKind::Blocks => Argument::Texts(value.map(items).unwrap_or_default()),
            ParameterKind::Loops => Argument::Texts(items(value.ok_or_else(missing)?)),
            ParameterKind::Integers => {
                let items = items(value.ok_or_else(missing)?);
                Argument::Integers(items.iter().map(|i| integer(i)).collect::<Result<_, _>>()?)
            }
            ParameterKind::Literal => Argument::Literal(Literal::parse(value.ok_or_else(missing)?)),
            _ => Argument::Text(plain(value.ok_or_else(missing)?)),
        });
    }
    if let Some((name, _)) =
        given.iter().find(|(name, _)| primitive.parameters.iter().all(|p| p.name != name))
    {
        return Err(format!("{text}: there is no parameter {name}"));
    }
    Ok(Instruction::new(primitive, arguments))
}

/// Words, `"names"` and `[lists]`.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    let (mut found, mut rest) = (vec![], text.trim());
    while !rest.is_empty() {
        let end = match rest.as_bytes()[0] {
            b'"' => rest[1..].find('"').map(|end| end + 2),
            b'[' => rest.find(']').map(|end| end + 1),
            _ => Some(rest.find(' ').unwrap_or(rest.len())),
        };
        let end = end.ok_or(format!("{text} does not end"))?;
        found.push(rest[..end].to_owned());
        rest = rest[end..].trim_start();
    }
    Ok(found)
}
