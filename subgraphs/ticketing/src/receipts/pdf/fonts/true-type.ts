/** Writes TrueType: the outlines of glyphs, and a font for a PDF that consists of nothing else. */
import type { Path } from 'fontkit';

/** The closed curves of a glyph, in thousandths of the font size. */
export interface Outline {
  contours: readonly (readonly Point[])[];
  /** The same as a font file has it. */
  bytes: Buffer;
  leftBearing: number;
}

/** The metrics that all glyphs of a font share, in thousandths of its size. */
export interface Metrics {
  ascent: number;
  descent: number;
}

interface Point {
  x: number;
  y: number;
  onCurve: boolean;
}

const ON_CURVE = 1;
const X_SHORT = 2;
const Y_SHORT = 4;
const X_SAME_OR_POSITIVE = 16;
const Y_SAME_OR_POSITIVE = 32;

/** Takes an outline from a font, without its hints. */
export const outlineOf = (path: Pick<Path, 'commands'>, scale: number): Outline => encoded(contoursOf(path, scale));

/** Puts outlines together as one. */
export const joined = (parts: readonly { outline: Outline; x: number; y: number }[]): Outline =>
  encoded(
    parts.flatMap(({ outline, x, y }) =>
      outline.contours.map((points) => points.map((point) => ({ ...point, x: point.x + x, y: point.y + y }))),
    ),
  );

function encoded(contours: Outline['contours']): Outline {
  const points = contours.flat();
  if (points.length === 0) return { contours, bytes: Buffer.alloc(0), leftBearing: 0 };
  const [left, bottom] = [Math.min(...points.map(({ x }) => x)), Math.min(...points.map(({ y }) => y))];
  const [right, top] = [Math.max(...points.map(({ x }) => x)), Math.max(...points.map(({ y }) => y))];
  let end = -1;
  const numbers = [contours.length, left, bottom, right, top, ...contours.map(({ length }) => (end += length)), 0];
  return { contours, bytes: padded(Buffer.concat([int16s(numbers), ...deltasOf(points)])), leftBearing: left };
}

/** The closed curves of a glyph, each point as it counts in TrueType. */
function contoursOf({ commands }: Pick<Path, 'commands'>, scale: number): Point[][] {
  const contours: Point[][] = [];
  let points: Point[] = [];
  const add = (args: readonly number[], onCurve: boolean, at = 0) =>
    points.push({ x: Math.round((args[at] ?? 0) * scale), y: Math.round((args[at + 1] ?? 0) * scale), onCurve });
  for (const { command, args } of commands) {
    if (command === 'moveTo') {
      points = [];
      contours.push(points);
      add(args, true);
    } else if (command === 'lineTo') add(args, true);
    else if (command === 'quadraticCurveTo') {
      add(args, false);
      add(args, true, 2);
    }
  }
  return contours.map(withoutRepetition).filter(({ length }) => length > 1);
}

/** A contour ends where it began: the last point is implied. */
function withoutRepetition(points: Point[]): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  const isClosed = points.length > 1 && first?.x === last?.x && first?.y === last?.y && last?.onCurve;
  return isClosed ? points.slice(0, -1) : points;
}

/** Flags, horizontal and vertical steps from point to point. */
function deltasOf(points: readonly Point[]): [Buffer, Buffer, Buffer] {
  const flags: number[] = [];
  const [across, up]: [number[], number[]] = [[], []];
  let [lastX, lastY] = [0, 0];
  for (const { x, y, onCurve } of points) {
    let flag = onCurve ? ON_CURVE : 0;
    flag |= step(x - lastX, across, X_SHORT, X_SAME_OR_POSITIVE);
    flag |= step(y - lastY, up, Y_SHORT, Y_SAME_OR_POSITIVE);
    flags.push(flag);
    [lastX, lastY] = [x, y];
  }
  return [Buffer.from(flags), Buffer.from(across), Buffer.from(up)];
}

function step(delta: number, bytes: number[], short: number, sameOrPositive: number): number {
  if (delta === 0) return sameOrPositive;
  if (Math.abs(delta) < 256) {
    bytes.push(Math.abs(delta));
    return delta > 0 ? short | sameOrPositive : short;
  }
  bytes.push((delta >> 8) & 0xff, delta & 0xff);
  return 0;
}

/** An outline, and how far the next glyph is. */
export interface Glyph {
  outline: Outline;
  advance: number;
}

/** Writes a font of these glyphs, with the tables that PDF asks for. */
export function trueTypeFont(glyphs: readonly Glyph[], { ascent, descent }: Metrics): Buffer {
  const offsets = [0];
  for (const { outline } of glyphs) offsets.push((offsets.at(-1) ?? 0) + outline.bytes.length);
  const advanceMax = Math.max(...glyphs.map(({ advance }) => advance));
  return tablesAsFile({
    glyf: Buffer.concat(glyphs.map(({ outline }) => outline.bytes)),
    head: Buffer.concat([
      uint32s([0x00010000, 0x00010000, 0, 0x5f0f3cf5]),
      int16s([0, 1000]),
      Buffer.alloc(16), // the dates of creation and change
      int16s([0, descent, 1000, ascent, 0, 8, 2, 1, 0]),
    ]),
    hhea: Buffer.concat([
      uint32s([0x00010000]),
      int16s([ascent, descent, 0, advanceMax, 0, 0, advanceMax, 1, 0, 0, 0, 0, 0, 0, 0, glyphs.length]),
    ]),
    hmtx: int16s(glyphs.flatMap(({ advance, outline }) => [advance, outline.leftBearing])),
    loca: uint32s(offsets),
    maxp: Buffer.concat([uint32s([0x00010000]), int16s([glyphs.length, 1_000, 200, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0])]),
  });
}

function tablesAsFile(tables: Record<string, Buffer>): Buffer {
  const names = Object.keys(tables);
  const power = 2 ** Math.floor(Math.log2(names.length));
  let offset = 12 + 16 * names.length;
  const entries = names.map((name) => {
    const table = tables[name] ?? Buffer.alloc(0);
    const entry = Buffer.concat([Buffer.from(name), uint32s([checksum(padded(table)), offset, table.length])]);
    offset += padded(table).length;
    return entry;
  });
  const search = [names.length, power * 16, Math.log2(power), (names.length - power) * 16];
  const contents = names.map((name) => padded(tables[name] ?? Buffer.alloc(0)));
  return Buffer.concat([uint32s([0x00010000]), int16s(search), ...entries, ...contents]);
}

function checksum(table: Buffer): number {
  let sum = 0;
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0;
  return sum;
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)]);
}

function int16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value & 0xffff, index * 2));
  return bytes;
}

function uint32s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}
