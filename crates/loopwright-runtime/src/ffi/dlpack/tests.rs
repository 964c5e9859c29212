//! Export and import of tensors: each refusal, and that the deleter is called once.

use super::*;
use crate::ffi::library::tests::{kernel, pool};
use crate::kernel::Argument::{Index, Input, Output, Raw};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A tensor of another library: the test owns its memory, and its deleter counts calls.
struct Foreign {
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: AtomicUsize,
    managed: DLManagedTensorVersioned,
    legacy: DLManagedTensor,
}

unsafe extern "C" fn count(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `Foreign::new` stored the counter there.
    unsafe { &*(*managed).manager_ctx.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn count_legacy(managed: *mut DLManagedTensor) {
    // SAFETY: as above.
    unsafe { &*(*managed).manager_ctx.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
}

impl Foreign {
    /// f32 elements in the memory of `tensor`; empty `strides` mean that the tensor has none.
    fn new(tensor: &mut Tensor, shape: &[i64], strides: &[i64]) -> Box<Foreign> {
        let table = |data: *mut c_void| DLTensor {
            data,
            device: DLDevice { device_type: CPU, device_id: 0 },
            ndim: shape.len() as i32,
            dtype: data_type(tensor.element_type()),
            shape: ptr::null_mut(),
            strides: ptr::null_mut(),
            byte_offset: 0,
        };
        let mut foreign = Box::new(Foreign {
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            deleted: AtomicUsize::new(0),
            managed: DLManagedTensorVersioned {
                version: VERSION,
                manager_ctx: ptr::null_mut(),
                deleter: Some(count),
                flags: 0,
                dl_tensor: table(ptr::null_mut()),
            },
            legacy: DLManagedTensor {
                dl_tensor: table(ptr::null_mut()),
                manager_ctx: ptr::null_mut(),
                deleter: Some(count_legacy),
            },
        });
        let data = tensor.bytes_mut().as_mut_ptr().cast();
        let context = ptr::from_ref(&foreign.deleted).cast_mut().cast();
        let shape = foreign.shape.as_mut_ptr();
        let strides = foreign.strides.as_mut_ptr();
        let strides = if foreign.strides.is_empty() { ptr::null_mut() } else { strides };
        let Foreign { managed, legacy, .. } = &mut *foreign;
        for table in [&mut managed.dl_tensor, &mut legacy.dl_tensor] {
            (table.data, table.shape, table.strides) = (data, shape, strides);
        }
        (managed.manager_ctx, legacy.manager_ctx) = (context, context);
        foreign
    }

    fn import(&mut self) -> Result<Imported, DlpackError> {
        // SAFETY: the test keeps the tensor and its memory until after the import, and does not use them otherwise.
        unsafe { Imported::from_versioned(&raw mut self.managed) }
    }

    fn import_legacy(&mut self) -> Result<Imported, DlpackError> {
        // SAFETY: as above.
        unsafe { Imported::from_legacy(&raw mut self.legacy) }
    }

    fn deleted(&self) -> usize {
        self.deleted.load(Ordering::Relaxed)
    }
}

fn numbers(len: usize) -> Tensor {
    let values: Vec<f64> = (0..len).map(|i| i as f64).collect();
    Tensor::from_f64s(ElementType::F32, &[len], &values).expect("small")
}

/// The refusal of a tensor of 2x3 f32 after a change; checks that its deleter is called.
fn refusal(change: impl Fn(&mut DLManagedTensorVersioned)) -> String {
    let mut memory = numbers(6);
    let mut foreign = Foreign::new(&mut memory, &[2, 3], &[3, 1]);
    change(&mut foreign.managed);
    let error = foreign.import().expect_err("it is refused");
    assert_eq!(foreign.deleted(), 1, "{error}");
    error.to_string()
}

#[test]
fn tensors_of_all_types_go_out_and_come_back() {
    for ty in ElementType::ALL {
        for shape in [&[][..], &[1], &[2, 3], &[0], &[2, 0, 3], &[1, 1, 7]] {
            let mut tensor = Tensor::zeros(ty, shape).expect("small");
            (0..tensor.len()).for_each(|i| tensor.set_i64(i, i as i64 % 2));
            let address = tensor.bytes().as_ptr().addr();
            let pointers =
                (tensor.clone().into_dlpack_legacy(), tensor.clone().into_dlpack().as_ptr());
            // SAFETY: no other code has these two.
            let imports = unsafe {
                (Imported::from_legacy(pointers.0.as_ptr()), Imported::from_versioned(pointers.1))
            };
            for imported in [imports.0.expect("ours"), imports.1.expect("ours")] {
                assert_eq!((imported.element_type(), imported.shape()), (ty, shape));
                assert_eq!(imported.to_tensor(), Ok(tensor.clone()));
                assert!(!imported.is_read_only());
            }
            let is_empty = tensor.is_empty();
            // SAFETY: no other code has it.
            let mut same =
                unsafe { Imported::from_versioned(tensor.into_dlpack().as_ptr()) }.expect("ours");
            assert!(is_empty || same.input().expect("in place").address() == address);
            assert!(is_empty || same.output().expect("in place").address() == address);
        }
    }
}

#[test]
fn what_is_exported_says_what_it_is() {
    let pointer = Tensor::zeros(ElementType::BF16, &[2, 3, 4]).expect("small").into_dlpack();
    // SAFETY: valid until the deleter is called.
    let managed = unsafe { pointer.as_ref() };
    let table = &managed.dl_tensor;
    assert_eq!((managed.version.major, managed.flags, table.ndim), (1, 0, 3));
    assert_eq!(table.dtype, DLDataType { code: 4, bits: 16, lanes: 1 });
    // SAFETY: there are 3 of them.
    let strides = unsafe { slice::from_raw_parts(table.strides, 3) };
    assert_eq!((strides, table.byte_offset), (&[12, 4, 1][..], 0));
    let deleter = managed.deleter.expect("there is one");
    // SAFETY: it is the only call.
    unsafe { deleter(pointer.as_ptr()) };
    let pointer = Tensor::zeros(ElementType::I8, &[0]).expect("small").into_dlpack();
    // SAFETY: as above.
    assert!(unsafe { pointer.as_ref() }.dl_tensor.data.is_null());
    // SAFETY: as above.
    drop(unsafe { Imported::from_versioned(pointer.as_ptr()) });
}

#[test]
fn the_layout_is_that_of_the_header() {
    // The layout of `dlpack.h` by a C compiler for 64-bit machines.
    assert_eq!((size_of::<DLTensor>(), std::mem::offset_of!(DLTensor, byte_offset)), (48, 40));
    assert_eq!(std::mem::offset_of!(DLTensor, shape), 24);
    assert_eq!(size_of::<DLManagedTensor>(), 64);
    assert_eq!(size_of::<DLManagedTensorVersioned>(), 80);
    assert_eq!(std::mem::offset_of!(DLManagedTensorVersioned, dl_tensor), 32);
}

#[test]
fn a_shared_tensor_is_read_only_and_given_back() {
    let shared = Arc::new(numbers(4));
    // SAFETY: it is imported once, and only read.
    let mut imported =
        unsafe { Imported::from_versioned(shared.clone().share_dlpack().as_ptr()) }.expect("ours");
    assert_eq!((Arc::strong_count(&shared), imported.is_read_only()), (2, true));
    let text =
        "dlpack: found a read-only tensor for a result, expected one that may be written (D10)";
    assert_eq!(imported.output().expect_err("read-only").to_string(), text);
    assert_eq!(imported.to_tensor().as_ref(), Ok(&*shared));
    drop(imported);
    assert_eq!(Arc::strong_count(&shared), 1);
}

#[test]
fn kernels_work_in_place() {
    let (mut from, mut to) = (numbers(6), Tensor::zeros(ElementType::F32, &[6]).expect("small"));
    let mut foreign =
        [Foreign::new(&mut from, &[2, 3], &[3, 1]), Foreign::new(&mut to, &[2, 3], &[])];
    let [from, result] = &mut foreign;
    let (from, mut result) = (from.import().expect("fits"), result.import().expect("fits"));
    let scale = kernel("scale");
    let (input, output) = (from.input().expect("dense"), result.output().expect("dense"));
    scale.call(&pool(2), &mut [Raw(input), Index(2), Raw(output)]).expect("the arguments fit");
    let error = scale
        .call(
            &pool(1),
            &mut [Raw(from.input().expect("dense")), Index(2), Raw(result.input().expect("dense"))],
        )
        .expect_err("an input is no result");
    let text = "scale: argument 2 is a read-only buffer, expected f32[?x?] result (C2)";
    assert_eq!(error.to_string(), text);
    drop((from, result));
    assert_eq!(foreign.each_ref().map(|it| it.deleted()), [1, 1]);
    assert!((0..6).all(|i| to.get_f64(i) == 2.0 * i as f64));
}

#[test]
fn no_element_needs_no_memory_nor_strides() {
    let mut memory = numbers(1);
    let mut foreign = Foreign::new(&mut memory, &[0, 3], &[77, i64::MIN]);
    foreign.managed.dl_tensor.data = ptr::null_mut();
    foreign.managed.dl_tensor.byte_offset = 12;
    let input = foreign.import().expect("there is nothing to refuse");
    assert_eq!(input.to_tensor().expect("small").shape(), [0, 3]);
    let mut output = Tensor::zeros(ElementType::F32, &[0, 3]).expect("small");
    let arguments = &mut [Raw(input.input().expect("dense")), Index(2), Output(&mut output)];
    kernel("scale").call(&pool(1), arguments).expect("the arguments fit");
    let scalar = &mut numbers(1);
    let mut scalar = Foreign::new(scalar, &[], &[]);
    scalar.managed.dl_tensor.shape = ptr::null_mut();
    let tensor = scalar.import().expect("rank 0").to_tensor().expect("small");
    assert_eq!((tensor.shape(), tensor.len()), (&[][..], 1));
}

#[test]
fn other_strides_are_copied() {
    for (shape, strides, offset, expected) in [
        (&[3, 2][..], &[1, 3][..], 0, &[0, 3, 1, 4, 2, 5][..]),
        (&[2, 3], &[-3, -1], 5, &[5, 4, 3, 2, 1, 0]),
        (&[2, 2], &[0, 1], 2, &[2, 3, 2, 3]),
        (&[3], &[2], 1, &[1, 3, 5]),
    ] {
        let mut memory = numbers(6);
        let mut foreign = Foreign::new(&mut memory, shape, strides);
        foreign.managed.dl_tensor.byte_offset = 4 * offset;
        let imported = foreign.import().expect("it is inside");
        let error = imported.input().expect_err("not dense").to_string();
        let text = format!(
            "dlpack: found strides {strides:?} for shape {shape:?}, expected dense row-major \
             elements: copy them, `to_tensor` does (D8)"
        );
        assert_eq!(error, text);
        let copy = imported.to_tensor().expect("small");
        let found: Vec<i64> = (0..copy.len()).map(|i| copy.get_i64(i)).collect();
        assert_eq!(found, expected);
    }
    let mut memory = numbers(6);
    let mut foreign = Foreign::new(&mut memory, &[1, 6, 1], &[i64::MAX, 1, -5]);
    foreign.import().expect("inside").input().expect("strides of size 1 do not matter");
}

#[test]
fn memory_that_is_not_aligned_is_copied() {
    let mut memory = numbers(40);
    let mut foreign = Foreign::new(&mut memory, &[4], &[1]);
    foreign.managed.dl_tensor.byte_offset = 4;
    let mut imported = foreign.import().expect("it is inside");
    let text = imported.input().expect_err("by 4 bytes").to_string();
    let address = foreign.managed.dl_tensor.data.addr() + 4;
    let expected = format!(
        "dlpack: found the first element at address {address:#x}, expected a multiple of 64: copy \
         the elements, `to_tensor` does (D9)"
    );
    assert_eq!(text, expected);
    assert_eq!(imported.output().expect_err("as above").to_string(), expected);
    assert_eq!(imported.to_tensor().expect("small").get_f64(3), 4.0);
    drop(imported);
    foreign.managed.dl_tensor.byte_offset = 64;
    let imported = foreign.import().expect("it is inside");
    assert_eq!(imported.input().expect("aligned").address(), address + 60);
}

#[test]
fn booleans_other_than_0_and_1_are_refused() {
    let mut memory = Tensor::zeros(ElementType::Bool, &[2, 2]).expect("small");
    memory.bytes_mut()[2] = 7;
    let mut foreign = Foreign::new(&mut memory, &[2, 2], &[2, 1]);
    let mut imported = foreign.import().expect("it is boolean");
    let text = "dlpack: found the byte 7 at [1, 0], expected a boolean 0 or 1";
    assert_eq!(imported.input().expect_err("7").to_string(), text);
    assert_eq!(imported.to_tensor().expect_err("7").to_string(), text);
    imported.output().expect("a result replaces it");
}

#[test]
fn a_deleter_may_be_absent() {
    let mut memory = numbers(3);
    let mut foreign = Foreign::new(&mut memory, &[3], &[1]);
    (foreign.managed.deleter, foreign.legacy.deleter) = (None, None);
    drop((foreign.import().expect("fits"), foreign.import_legacy().expect("fits")));
    assert_eq!(foreign.deleted(), 0);
    foreign.legacy.deleter = Some(count_legacy);
    drop(foreign.import_legacy().expect("fits"));
    foreign.legacy.dl_tensor.ndim = -1;
    assert_eq!(foreign.import_legacy().expect_err("rank"), DlpackError::Rank(-1));
    assert_eq!(foreign.deleted(), 2);
}

#[test]
fn d1_null_pointers() {
    // SAFETY: null is allowed.
    let errors = unsafe {
        [
            Imported::from_versioned(ptr::null_mut()).expect_err("null"),
            Imported::from_legacy(ptr::null_mut()).expect_err("null"),
        ]
    };
    assert_eq!(errors, [DlpackError::Null, DlpackError::Null]);
}

#[test]
fn d2_another_major_version() {
    let text = "dlpack: found version 2.0, expected 1.x: ask the producer for it (D2)";
    assert_eq!(refusal(|it| it.version = DLPackVersion { major: 2, minor: 0 }), text);
    let mut memory = numbers(1);
    let mut foreign = Foreign::new(&mut memory, &[1], &[1]);
    foreign.managed.version.minor = 99;
    foreign.import().expect("minor versions only add names");
}

#[test]
fn d3_memory_of_other_devices() {
    let text = "dlpack: found memory of device type 2, expected the CPU's, 1: copy the tensor to the \
                CPU first (D3)";
    assert_eq!(refusal(|it| it.dl_tensor.device.device_type = 2), text);
}

#[test]
fn d4_other_element_types() {
    for (code, bits, lanes) in
        [(1, 8, 1), (2, 32, 4), (2, 32, 0), (5, 64, 1), (6, 1, 1), (4, 32, 1)]
    {
        let text = refusal(|it| it.dl_tensor.dtype = DLDataType { code, bits, lanes });
        let start = format!(
            "dlpack: found elements of type code {code} with {bits} bits in {lanes} lanes, expected"
        );
        assert!(text.starts_with(&start) && text.ends_with("(D4)"), "{text}");
    }
}

#[test]
fn d5_shapes_that_are_none() {
    let text = "dlpack: found rank -1, expected 0 or more (D5)";
    assert_eq!(refusal(|it| it.dl_tensor.ndim = -1), text);
    let text = "dlpack: found no shape for a tensor of rank 2, expected its sizes (D5)";
    assert_eq!(refusal(|it| it.dl_tensor.shape = ptr::null_mut()), text);
    let text = "dlpack: found size -3 in dimension 1, expected 0 or more (D5)";
    // SAFETY: there are two sizes.
    assert_eq!(refusal(|it| unsafe { *it.dl_tensor.shape.add(1) = -3 }), text);
}

#[test]
fn d6_more_than_memory_has() {
    // SAFETY: there are two sizes, and two strides.
    let text = refusal(|it| unsafe { *it.dl_tensor.shape = i64::MAX });
    let expected =
        "dlpack: a f32 tensor of shape [9223372036854775807, 3] does not fit in memory (D6)";
    assert_eq!(text, expected);
    for stride in [i64::MAX, i64::MIN, i64::MAX / 4, i64::MIN / 4, -1 << 60] {
        // SAFETY: as above.
        let text = refusal(|it| unsafe { *it.dl_tensor.strides = stride });
        let expected = format!(
            "dlpack: found strides [{stride}, 1] and a byte offset of 0 that reach past all memory (D6)"
        );
        assert_eq!(text, expected);
    }
    let text = refusal(|it| it.dl_tensor.byte_offset = u64::MAX - 8);
    assert!(text.contains("a byte offset of 18446744073709551607"), "{text}");
}

#[test]
fn d7_no_memory_for_elements() {
    let text =
        "dlpack: found no memory for a tensor of shape [2, 3], expected that of its elements (D7)";
    assert_eq!(refusal(|it| it.dl_tensor.data = ptr::null_mut()), text);
}

#[test]
fn what_is_imported_goes_on_as_a_tensor() {
    let mut memory = numbers(3);
    let mut foreign = Foreign::new(&mut memory, &[3], &[1]);
    let copy = foreign.import_legacy().expect("fits").to_tensor().expect("small");
    let mut to = Tensor::zeros(ElementType::F32, &[1, 3]).expect("small");
    let copy = Tensor::from_byte_slice(ElementType::F32, &[1, 3], copy.bytes()).expect("same");
    let arguments = &mut [Input(&copy), Index(3), Output(&mut to)];
    kernel("scale").call(&pool(1), arguments).expect("the arguments fit");
    assert_eq!(to.get_f64(2), 6.0);
}

impl Foreign {
    fn borrow(&self, is_read_only: bool) -> Imported {
        // SAFETY: as in `import`.
        let borrowed = unsafe { Imported::borrowed(&self.managed.dl_tensor, is_read_only) };
        borrowed.expect("it is as specified")
    }
}

#[test]
fn borrowed_tensors_stay_with_their_owner() {
    let mut tensor =
        Tensor::from_f64s(ElementType::F32, &[4], &[1.0, 2.0, 3.0, 4.0]).expect("small");
    let foreign = Foreign::new(&mut tensor, &[4], &[]);
    let copy = foreign.borrow(true).to_tensor().expect("it has elements");
    assert_eq!((copy.get_f64(3), foreign.deleted()), (4.0, 0));
    // SAFETY: null is permitted.
    let error = unsafe { Imported::borrowed(ptr::null(), false) };
    assert_eq!(error.expect_err("null"), DlpackError::Null);
}

#[test]
fn results_are_written_with_their_strides() {
    let values: Vec<f64> = (0..6).map(f64::from).collect();
    let result = Tensor::from_f64s(ElementType::F32, &[2, 3], &values).expect("small");
    // The positions of the elements in memory, row by row.
    let cases: &[(&[i64], usize, [usize; 6])] = &[
        (&[], 0, [0, 1, 2, 3, 4, 5]),
        (&[1, 2], 0, [0, 2, 4, 1, 3, 5]),
        (&[8, 2], 0, [0, 2, 4, 8, 10, 12]),
        (&[-4, 1], 4, [4, 5, 6, 0, 1, 2]),
    ];
    for (strides, first, positions) in cases {
        let mut memory = Tensor::from_f64s(ElementType::F32, &[16], &[-1.0; 16]).expect("small");
        let mut foreign = Foreign::new(&mut memory, &[2, 3], strides);
        foreign.managed.dl_tensor.byte_offset = 4 * *first as u64;
        foreign.borrow(false).copy_from(&result).expect("each element has memory");
        for at in 0..16 {
            let written = positions.iter().position(|position| *position == at);
            let expected = written.map_or(-1.0, |i| values[i]);
            assert_eq!(memory.get_f64(at), expected, "{strides:?} at {at}");
        }
    }
}

#[test]
fn d10_and_d11_results_that_cannot_be_written() {
    let result = Tensor::zeros(ElementType::F32, &[2, 3]).expect("small");
    let mut memory = Tensor::zeros(ElementType::F32, &[16]).expect("small");
    let error = Foreign::new(&mut memory, &[2, 3], &[]).borrow(true).copy_from(&result);
    assert_eq!(error.expect_err("read-only"), DlpackError::ReadOnly);
    for strides in [[0, 1], [1, 1], [2, 1], [3, 0], [-2, 1]] {
        let mut foreign = Foreign::new(&mut memory, &[2, 3], &strides);
        foreign.managed.dl_tensor.byte_offset = 16;
        let error = foreign.borrow(false).copy_from(&result).expect_err("elements share memory");
        let text = format!(
            "dlpack: found strides {strides:?} for a result of shape [2, 3], expected strides that give each element \
             memory of its own (D11)"
        );
        assert_eq!(error.to_string(), text);
    }
    let error = Foreign::new(&mut memory, &[3, 2], &[]).borrow(false).copy_from(&result);
    let text = "dlpack: found elements of a f32[2, 3], expected a f32[3, 2]";
    assert_eq!(error.expect_err("another shape").to_string(), text);
}
