"""Exchanges tensors with `libdlpack_exchange`: numpy, and torch if it is there. Prints what it did.

    dlpack.py PATH-OF-THE-LIBRARY
"""

import ctypes
import gc
import sys
import weakref

try:
    import numpy
except ImportError:
    print("no numpy")
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

NEW, USED = b"dltensor_versioned", b"used_dltensor_versioned"
LEGACY, USED_LEGACY = b"dltensor", b"used_dltensor"

library = ctypes.CDLL(sys.argv[1])
for name, result, arguments in [
    ("new_tensor", ctypes.c_void_p, [ctypes.c_size_t]),
    ("new_legacy_tensor", ctypes.c_void_p, [ctypes.c_size_t]),
    ("shared_tensor", ctypes.c_void_p, []),
    ("shared_count", ctypes.c_size_t, []),
    ("double_in_place", ctypes.c_size_t, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]),
    ("dense_copy", ctypes.c_void_p, [ctypes.c_void_p]),
]:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments

python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Ours:
    """A pointer of ours, for `from_dlpack`, which takes it over."""

    def __init__(self, pointer, name=NEW):
        assert pointer
        self.capsule = python.PyCapsule_New(pointer, name, None)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def pointer_of(capsule, name=NEW, used=USED):
    """Takes a tensor out of a capsule, which is the receiver's from then on."""
    pointer = python.PyCapsule_GetPointer(capsule, name)
    python.PyCapsule_SetName(capsule, used)
    return pointer


def versioned(array):
    return pointer_of(array.__dlpack__(max_version=(1, 0)))


def double(source, target):
    text = ctypes.create_string_buffer(500)
    length = library.double_in_place(versioned(source), versioned(target), text, 500)
    return text.raw[:length].decode()


def aligned(count, address=0):
    """f64 of numpy whose first byte is at `address` past a multiple of 64."""
    memory = numpy.zeros(8 * count + 128, numpy.uint8)
    start = -memory.ctypes.data % 64 + address
    return memory[start : start + 8 * count].view(numpy.float64)


def exchange_with_numpy():
    types = "bool int8 int16 int32 int64 float16 - float32 float64".split()
    for number, name in enumerate(types):
        if name == "-":
            continue
        for pointer, capsule in [(library.new_tensor(number), NEW), (library.new_legacy_tensor(number), LEGACY)]:
            array = numpy.from_dlpack(Ours(pointer, capsule))
            expected = numpy.arange(6).reshape(2, 3) % (2 if name == "bool" else 6)
            assert array.dtype == name and (array == expected).all() and array.flags.c_contiguous, name
            assert array.ctypes.data % 64 == 0
            del array
    shared = numpy.from_dlpack(Ours(library.shared_tensor()))
    assert not shared.flags.writeable and shared.sum() == 15 and library.shared_count() == 1
    del shared
    gc.collect()
    assert library.shared_count() == 0

    source, target = aligned(1000), aligned(1000)
    source[:] = numpy.arange(1000)
    references = sys.getrefcount(source)
    assert double(source, target) == ""
    assert (target == 2 * source).all()
    assert sys.getrefcount(source) == references
    text = double(aligned(10, address=8), target)
    assert "expected a multiple of 64" in text, text
    text = double(source[::2], target[:500])
    assert "found strides [2] for shape [500]" in text, text
    text = double(source, target[:8])
    assert "does not work with the sizes [1000, 8]" in text, text
    text = double(source.astype(numpy.complex64), target)
    assert "type code 5 with 64 bits" in text, text
    target.flags.writeable = False
    text = double(source, target)
    assert "read-only tensor for a result" in text, text
    assert sys.getrefcount(source) == references

    for array in [
        numpy.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1),
        numpy.arange(12, dtype=numpy.int16)[::-3],
        numpy.float32(7) * numpy.ones(()),
        numpy.zeros((3, 0, 2), numpy.float16),
        aligned(10, address=24) + 1,
    ]:
        array = numpy.asarray(array)
        copy = library.dense_copy(pointer_of(array.__dlpack__(), LEGACY, USED_LEGACY))
        copy = numpy.from_dlpack(Ours(copy))
        assert copy.shape == array.shape and copy.dtype == array.dtype and (copy == array).all()


def exchange_with_torch():
    names = "bool int8 int16 int32 int64 float16 bfloat16 float32 float64".split()
    for number, name in enumerate(names):
        for pointer, capsule in [(library.new_tensor(number), NEW), (library.new_legacy_tensor(number), LEGACY)]:
            tensor = torch.from_dlpack(Ours(pointer, capsule))
            expected = torch.arange(6).reshape(2, 3) % (2 if name == "bool" else 6)
            assert tensor.dtype == getattr(torch, name) and (tensor == expected).all(), name
    source, target = torch.arange(1000, dtype=torch.float64), torch.zeros(1000, dtype=torch.float64)
    gone = weakref.ref(source)
    assert double(source, target) == ""
    assert (target == 2 * source).all()
    turned = torch.arange(24, dtype=torch.bfloat16).reshape(4, 6).T
    copy = library.dense_copy(pointer_of(turned.__dlpack__(), LEGACY, USED_LEGACY))
    assert (torch.from_dlpack(Ours(copy)) == turned).all()
    del source
    gc.collect()
    assert gone() is None


exchange_with_numpy()
print("numpy", numpy.__version__)
if torch:
    exchange_with_torch()
    print("torch", torch.__version__)
