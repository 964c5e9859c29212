// Arithmetic on complex numbers, and results of other types beside them.
func.func @main(%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>) -> (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xcomplex<f32>>
  %e = tensor.empty(%n) : tensor<?xcomplex<f32>>
  %real = tensor.empty(%n) : tensor<?xf32>
  %bool = tensor.empty(%n) : tensor<?xi1>
  %r:4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                          affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>)
      outs(%e, %e, %real, %bool : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %o0: complex<f32>, %o1: complex<f32>, %o2: f32, %o3: i1):
    %two = complex.constant [2.0 : f32, -1.0 : f32] : complex<f32>
    %p = complex.mul %a, %b : complex<f32>
    %s = complex.sub %p, %two : complex<f32>
    %c = complex.conj %a : complex<f32>
    %d = complex.neg %c : complex<f32>
    %re = complex.re %d : complex<f32>
    %im = complex.im %b : complex<f32>
    %q = arith.mulf %re, %im : f32
    %is = complex.eq %a, %b : complex<f32>
    linalg.yield %s, %d, %q, %is : complex<f32>, complex<f32>, f32, i1
  } -> (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>
}
