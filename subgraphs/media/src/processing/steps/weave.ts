/** Gray frames, one after another. */
interface Frames {
  pixels: Buffer;
  width: number;
  height: number;
}

/** Smaller differences are noise. */
const MOVED = 12;
/** Less movement decides nothing. */
const LEAST_SHARE_MOVED = 0.001;
/** Of a progressive picture about 0.2 to 0.6, of an interlaced one 0.75 to 1.5. */
const LEAST_MISFIT = 0.75;
/** Both fields of a picture move alike; where one stands still, it is a pattern of lines. */
const LEAST_BALANCE = 0.5;

/**
 * Whether most frames are woven of two fields, each of a moment of its own. Where something moves, lines of one moment
 * fit their neighbors better than they fit those of the frame before; lines of two moments fit them no better.
 */
export function isWoven({ pixels, width, height }: Frames): boolean {
  const size = width * height;
  const count = Math.floor(pixels.length / size);
  let [woven, decided] = [0, 0];
  for (let at = 1; at < count; at += 1) {
    const pair = pixels.subarray((at - 1) * size, (at + 1) * size);
    const { own, crossed, moved, balance } = compare(pair, { width, height });
    if (moved < LEAST_SHARE_MOVED * size) continue;
    decided += 1;
    if (own >= LEAST_MISFIT * crossed && balance >= LEAST_BALANCE) woven += 1;
  }
  return decided > 0 && woven > decided / 2;
}

/**
 * Compares two frames where something moves.
 *
 * @returns how badly the lower field fits the upper one of its own frame, and at best across the frames
 */
function compare(pair: Buffer, { width, height }: Omit<Frames, 'pixels'>) {
  const size = width * height;
  let [own, lowerBefore, upperBefore, moved, upperMoves, lowerMoves] = [0, 0, 0, 0, 0, 0];
  for (let line = 0; line + 2 < height; line += 2) {
    for (let x = 0; x < width; x += 1) {
      const upper = line * width + x;
      const [lower, next] = [upper + width, upper + 2 * width];
      const between = ((pair[size + upper] ?? 0) + (pair[size + next] ?? 0)) / 2;
      const betweenBefore = ((pair[upper] ?? 0) + (pair[next] ?? 0)) / 2;
      const [now, before] = [pair[size + lower] ?? 0, pair[lower] ?? 0];
      const [upperMove, lowerMove] = [Math.abs(between - betweenBefore), Math.abs(now - before)];
      if (upperMove < MOVED && lowerMove < MOVED) continue;
      moved += 1;
      upperMoves += upperMove;
      lowerMoves += lowerMove;
      own += Math.abs(now - between);
      lowerBefore += Math.abs(before - between);
      upperBefore += Math.abs(now - betweenBefore);
    }
  }
  const balance = Math.min(upperMoves, lowerMoves) / Math.max(upperMoves, lowerMoves, 1);
  return { own, crossed: Math.min(lowerBefore, upperBefore), moved, balance };
}
