/**
 * How much neighboring lines of a frame differ, against lines two apart: combs of moving edges make it larger than 1.
 *
 * @param stride bytes of a line
 */
export function combingOf(pixels: Buffer, stride: number): number {
  let [near, far] = [0, 0];
  for (let at = 0; at + 2 * stride < pixels.length; at++) {
    near += Math.abs((pixels[at] ?? 0) - (pixels[at + stride] ?? 0));
    far += Math.abs((pixels[at] ?? 0) - (pixels[at + 2 * stride] ?? 0));
  }
  return near / Math.max(far, 1);
}
