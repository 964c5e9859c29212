func.func @main(%x: !unheard.of) {
  return
}
