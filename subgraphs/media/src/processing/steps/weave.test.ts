import { describe, expect, it } from 'vitest';

import { isWoven } from './weave.ts';

const [width, height] = [64, 40];
type Scene = (x: number, y: number, moment: number) => number;

/** Eight frames of two moments each, or of one. */
function frames(scene: Scene, isInterlaced: boolean): Buffer {
  const pixels = Buffer.alloc(8 * width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y, frame] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    pixels[at] = scene(x, y, 2 * frame + (isInterlaced ? y % 2 : 0));
  }
  return pixels;
}

const bars: Scene = (x, _y, moment) => ((x + 3 * moment) % 32 < 12 ? 220 : 30);
const disc: Scene = (x, y, moment) => ((x - 8 - 2 * moment) ** 2 + (y - 20) ** 2 < 100 ? 200 : (x * 7 + y * 3) % 90);
const movingLines: Scene = (x, y, moment) => (y % 2 ? (x * 5 + 8 * moment) % 200 : 16);
const still: Scene = (x, y) => (x * 7 + y * 31) % 256;

describe('a picture', () => {
  it.each([
    ['moving bars', bars],
    ['a disc that moves before a still pattern', disc],
  ])('of two moments is told from one of a single moment: %s', (_what, scene) => {
    expect(isWoven({ pixels: frames(scene, true), width, height })).toBe(true);
    expect(isWoven({ pixels: frames(scene, false), width, height })).toBe(false);
  });

  it.each([
    ['lines that move, of which every other one stands still', movingLines],
    ['a pattern without movement', still],
  ])('is not taken for two moments because of %s', (_what, scene) => {
    expect(isWoven({ pixels: frames(scene, false), width, height })).toBe(false);
  });
});
