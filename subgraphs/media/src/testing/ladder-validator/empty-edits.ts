/** Of encoders: the delay of sound, and of frames that are shown later than they are decoded. */
const MOST_SECONDS = 0.15;

/**
 * Finds a track that an edit list delays (ISO 14496-12, 8.6.6): browsers ignore that, and would play it too early. So each
 * track must begin at the beginning.
 *
 * @param init an initialization segment
 * @returns the longest delay, in seconds; null when there is none
 */
export function delayedTrackIn(init: Buffer): number | null {
  const header = init.indexOf('mvhd') + 4;
  const unitsPerSecond = init.readUInt32BE(header + (init[header] === 1 ? 20 : 12));
  let longest = 0;
  for (let at = init.indexOf('elst'); at >= 0; at = init.indexOf('elst', at + 4)) {
    const isLong = init[at + 4] === 1;
    const [entry, size] = [at + 12, isLong ? 20 : 12];
    for (let number = 0; number < init.readUInt32BE(at + 8); number += 1) {
      const from = entry + number * size;
      const lasts = isLong ? Number(init.readBigUInt64BE(from)) : init.readUInt32BE(from);
      const isEmpty = isLong ? init.readBigInt64BE(from + 8) === -1n : init.readInt32BE(from + 4) === -1;
      if (isEmpty) longest = Math.max(longest, lasts / unitsPerSecond);
    }
  }
  return longest > MOST_SECONDS ? longest : null;
}
