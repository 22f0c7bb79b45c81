/**
 * Frees the memory of a buffer that nobody uses any more, unless it shares it with others. Left to the garbage collector, 8 MiB
 * of buffers cause a collection of the whole heap.
 */
export function freeBuffer({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
