//! Arrays, and their conversion from and to the runtime's tensors.

use super::*;

#[test]
fn tensors_round_trip_in_every_type() {
    for ty in ElementType::ALL {
        let mut tensor = Tensor::zeros(ty, &[2, 3]).expect("it is small");
        tensor.set_i64(4, 1);
        let array = Array::from_tensor(&tensor);
        assert_eq!(array.shape, [2, 3]);
        assert_eq!(array.check_cells(), Ok(()));
        assert_eq!(array.to_tensor(), Ok(tensor));
    }
}

#[test]
fn undefined_cells_have_no_tensor() {
    let array = Array::undefined(ScalarType::Int(8), vec![2, 2]).expect("it is small");
    assert_eq!(array.to_tensor(), Err("is undefined at index [0, 0]".into()));
    let array = Array::undefined(ScalarType::Int(65), vec![0]).expect("it is small");
    assert_eq!(array.to_tensor(), Err("is of type i65".into()));
}

#[test]
fn numbers_of_a_few_bits_are_stored_in_bytes() {
    let mut tensor = Tensor::zeros(ElementType::I8, &[3]).expect("it is small");
    [0x0f, 0x07, -8].into_iter().enumerate().for_each(|(i, value)| tensor.set_i64(i, value));
    let array = Array::from_tensor(&tensor).stored_as(ScalarType::Int(4));
    assert_eq!(array.cells, [-1, 7, -8].map(Scalar::Int));
    let back = array.to_tensor().expect("it is defined");
    assert_eq!((0..3).map(|i| back.get_i64(i)).collect::<Vec<_>>(), [-1, 7, -8]);

    // 1.5, -2 and the largest number of f8E4M3FN, by their bits.
    let float = ScalarType::Float(FloatKind::Narrow(crate::ir::NarrowFloat::F8E4M3FN));
    let bits = [0x3c, 0xc0u8 as i8, 0x7e];
    bits.into_iter().enumerate().for_each(|(i, value)| tensor.set_i64(i, value.into()));
    let array = Array::from_tensor(&tensor).stored_as(float);
    assert_eq!(array.cells, [1.5, -2.0, 448.0].map(Scalar::Float));
    assert_eq!(array.to_tensor(), Ok(tensor));
}

#[test]
fn absurd_sizes_are_no_arrays() {
    assert!(Array::undefined(ScalarType::Index, vec![1 << 40]).is_none());
    assert!(Array::undefined(ScalarType::Index, vec![1 << 40, 1 << 40]).is_none());
    assert!(Array::undefined(ScalarType::Index, vec![0, 1 << 40]).is_none());
    assert_eq!(Array::undefined(ScalarType::Index, vec![]).map(|it| it.cells.len()), Some(1));
}

#[test]
fn places_and_indices_are_inverse() {
    let array = Array::undefined(ScalarType::Index, vec![2, 1, 3]).expect("it is small");
    let mut indices = array.indices();
    for place in 0..6 {
        let at = indices.advance().map(<[i64]>::to_vec);
        assert_eq!(at, Some(array.indices_of(place)));
        assert_eq!(at.and_then(|at| array.offset(&at)), Some(place));
    }
    assert_eq!(indices.advance(), None);
    assert_eq!(array.offset(&[0, 1, 0]), None);
    assert_eq!(array.offset(&[0, 0, -1]), None);
    assert_eq!(array.offset(&[0, 0]), None);
}
