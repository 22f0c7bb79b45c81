/** By when people notice that sound is too early, in seconds (ITU-R BT.1359). */
const NOTICEABLE_SECONDS = 0.045;

/**
 * Finds tracks that edit lists move against each other (ISO 14496-12, 8.6.6): browsers ignore an edit that delays a track,
 * and would play it too early.
 *
 * @param init an initialization segment
 * @returns by how much, in seconds; null when nobody notices
 */
export function skewIn(init: Buffer): number | null {
  const delays = tracksIn(init).map(delayOf);
  const skew = Math.max(0, ...delays) - Math.min(...delays, Infinity);
  return delays.length > 1 && skew > NOTICEABLE_SECONDS ? skew : null;

  /** How much later its edit list shows a track than its packets say, in seconds. */
  function delayOf(track: Buffer): number {
    const list = track.indexOf('elst');
    if (list < 0) return 0;
    const isLong = track[list + 4] === 1;
    const entries = Array.from({ length: track.readUInt32BE(list + 8) }, (_, at) => {
      const from = list + 12 + at * (isLong ? 20 : 12);
      return isLong
        ? { lasts: Number(track.readBigUInt64BE(from)), begins: Number(track.readBigInt64BE(from + 8)) }
        : { lasts: track.readUInt32BE(from), begins: track.readInt32BE(from + 4) };
    });
    const empty = entries.filter(({ begins }) => begins === -1).reduce((sum, { lasts }) => sum + lasts, 0);
    const begins = entries.find((entry) => entry.begins >= 0)?.begins ?? 0;
    return empty / unitsOf(init, 'mvhd') - begins / unitsOf(track, 'mdhd');
  }
}

/** Returns each track up to the next one. */
function tracksIn(init: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = init.indexOf('trak'); at >= 0; at = init.indexOf('trak', at + 4)) starts.push(at);
  return starts.map((start, at) => init.subarray(start, starts[at + 1]));
}

/** Returns the units per second of a header. */
function unitsOf(bytes: Buffer, header: 'mvhd' | 'mdhd'): number {
  const at = bytes.indexOf(header) + 4;
  return bytes.readUInt32BE(at + (bytes[at] === 1 ? 20 : 12));
}
