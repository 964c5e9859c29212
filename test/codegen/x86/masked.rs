//! Masked loads and stores of every element type and every number of lanes, with arithmetic between them.
//! LLVM 22 miscompiles some loops of masked bf16 that its own vectorizer creates, and stores of one constant lane.

use super::harness::{Value, compile, run};

/// Adds the first lanes of `%c`, which are 0, to those of `%a`, with constant masks and with a computed mask.
fn text(element: &str, lanes: usize) -> String {
    let vector = format!("vector<{lanes}x{element}>");
    let mask = format!("vector<{lanes}xi1>");
    let zero = if element.starts_with('i') { "0" } else { "0.0" };
    let memref = format!("memref<{lanes}x{element}>");
    let add = if element.starts_with('i') { "arith.addi" } else { "arith.addf" };
    let body = format!(
        "%x = vector.maskedload %a[%at], %mask, %zero : {memref}, {mask}, {vector} into {vector}
          %y = vector.maskedload %c[%at], %mask, %zero : {memref}, {mask}, {vector} into {vector}
          %z = {add} %x, %y : {vector}
          vector.maskedstore %b[%at], %mask, %z : {memref}, {mask}, {vector}
          return"
    );
    let mut functions = format!(
        "func.func @computed(%a: {memref}, %c: {memref}, %b: {memref} {{loop.result}}, %n: index) {{
          %at = arith.constant 0 : index
          %zero = arith.constant dense<{zero}> : {vector}
          %mask = vector.create_mask %n : {mask}
          {body}
        }}\n"
    );
    for on in 0..=lanes {
        functions += &format!(
            "func.func @first_{on}(%a: {memref}, %c: {memref}, %b: {memref} {{loop.result}}) {{
              %at = arith.constant 0 : index
              %zero = arith.constant dense<{zero}> : {vector}
              %mask = vector.constant_mask [{on}] : {mask}
              {body}
            }}\n"
        );
    }
    functions
}

/// The bytes of a result before it is computed; they show a store beyond the lanes of its mask.
const UNTOUCHED: u8 = 0x5a;

#[test]
fn masks_of_every_type_and_width() {
    let types = [
        ("i8", 1),
        ("i16", 2),
        ("i32", 4),
        ("i64", 8),
        ("f16", 2),
        ("bf16", 2),
        ("f32", 4),
        ("f64", 8),
    ];
    for (element, bytes) in types {
        for lanes in [2, 4, 5, 8, 16, 32] {
            let code = compile(&text(element, lanes));
            // Bytes that form a number in every type, and differ between lanes.
            let data: Vec<u8> = (0..lanes * bytes).map(|i| 32 + (i % 64) as u8).collect();
            let buffers = || {
                vec![
                    Value::Buffer(vec![lanes as i64], data.clone()),
                    Value::Buffer(vec![lanes as i64], vec![0; lanes * bytes]),
                    Value::Buffer(vec![lanes as i64], vec![UNTOUCHED; lanes * bytes]),
                ]
            };
            for on in 0..=lanes {
                let mut expected = data[..on * bytes].to_vec();
                expected.resize(lanes * bytes, UNTOUCHED);
                let check = |name: &str, arguments: Vec<Value>| {
                    let Value::Buffer(_, found) = &run(&code, name, arguments, 1)[2] else {
                        panic!("the third argument is a buffer")
                    };
                    assert_eq!(found, &expected, "{element}, {lanes} lanes, {on} on, {name}");
                };
                check(&format!("first_{on}"), buffers());
                let mut arguments = buffers();
                arguments.push(Value::Index(on as i64));
                check("computed", arguments);
            }
        }
    }
}
