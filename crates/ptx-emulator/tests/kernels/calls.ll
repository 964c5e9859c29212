target triple = "nvptx64-nvidia-cuda"
define internal i32 @sum(ptr %p, i32 %n, [4 x i32] %q) noinline {
entry:
  %x = extractvalue [4 x i32] %q, 2
  br label %l
l:
  %i = phi i32 [0, %entry], [%j, %l]
  %s = phi i32 [%x, %entry], [%t, %l]
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load volatile i32, ptr %a
  %t = add i32 %s, %v
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %l, label %d
d:
  ret i32 %t
}
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %st = alloca [8 x i32]
  switch i32 %t, label %dd [ i32 0, label %c0
   i32 1, label %c1
   i32 2, label %c2
   i32 3, label %c3
   i32 4, label %c4 ]
c0: br label %e
c1: br label %e
c2: br label %e
c3: br label %e
c4: br label %e
dd: br label %e
e:
  %z = phi i32 [10,%c0],[77,%c1],[3,%c2],[99,%c3],[1234,%c4],[5,%dd]
  br label %fill
fill:
  %i = phi i32 [0,%e],[%j,%fill]
  %a = getelementptr i32, ptr %st, i32 %i
  %y = mul i32 %i, %z
  store volatile i32 %y, ptr %a
  %j = add i32 %i, 1
  %cc = icmp slt i32 %j, 8
  br i1 %cc, label %fill, label %go
go:
  %q = insertvalue [4 x i32] zeroinitializer, i32 1000, 2
  %r = call i32 @sum(ptr %st, i32 8, [4 x i32] %q)
  %g = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %r, ptr addrspace(1) %g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
