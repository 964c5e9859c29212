// A tensor of one element that is computed from constants, such as the scale of an attention, is computed in each group that uses it,
// and is no argument of groups. So the layers of a model have equal groups.
// RUN: lw-opt %s --graph-fuse-ops --outline-fusion-groups | FileCheck %s

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#none = affine_map<(i, j) -> ()>
#scalar = affine_map<() -> ()>

// Both halves call the same function.
// CHECK:      func.func private @[[F:.*]](%{{.*}}: tensor<8x16xf32>) -> tensor<8xf32>
// CHECK:        math.powf
// CHECK:        arith.divf
// CHECK-NOT:  func.func private
// CHECK:      func.func @layers(
// CHECK:        call @[[F]](%{{.*}}) : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK:        call @[[F]](%{{.*}}) : (tensor<8x16xf32>) -> tensor<8xf32>
func.func @layers(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %size = arith.constant 64.0 : f32
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %scale = linalg.generic {indexing_maps = [#scalar], iterator_types = []} outs(%e : tensor<f32>) {
  ^bb0(%o: f32):
    %p = math.powf %size, %half : f32
    linalg.yield %p : f32
  } -> tensor<f32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#map, #none, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %scale : tensor<8x16xf32>, tensor<f32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%p: f32, %s: f32, %o: f32):
    %d = arith.divf %p, %s : f32
    linalg.yield %d : f32
  } -> tensor<8x16xf32>
  %b = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %d = arith.addf %o, %p : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %c = linalg.generic {indexing_maps = [#map, #none, #map], iterator_types = ["parallel", "parallel"]} ins(%y, %scale : tensor<8x16xf32>, tensor<f32>) outs(%e2 : tensor<8x16xf32>) {
  ^bb0(%p: f32, %s: f32, %o: f32):
    %d = arith.divf %p, %s : f32
    linalg.yield %d : f32
  } -> tensor<8x16xf32>
  %d = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<8x16xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %b, %d : tensor<8xf32>, tensor<8xf32>
}
