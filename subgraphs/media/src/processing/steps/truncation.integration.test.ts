import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { madeByFfmpeg } from '../../testing/made-by-ffmpeg.ts';
import { ownTools } from '../../testing/own-tools.ts';
import { streamEntries } from './probed.ts';
import { readStreams } from './streams.ts';
import { endOf, findTruncation, isShorter } from './truncation.ts';

const transcoder = ffmpegTranscoder(ownTools);
const { signal } = new AbortController();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-cut-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function warningOf(file: string) {
  const streams = readStreams(await transcoder.probe(file, streamEntries, { signal, timeoutMs: 60_000 }));
  return findTruncation(transcoder, { file, streams, stated: endOf(streams) }, signal);
}

const picture = '-f lavfi -i testsrc2=s=160x90:r=25:d=3';
const tone = '-f lavfi -i sine=f=440:r=48000:d=3';
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';

/** Where a transport stream breaks off within a frame, but between two packets: before one that continues a frame. */
const packetsOf = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 188 }, (_, at) => at * 188).filter((at) => !((bytes[at + 1] ?? 0) & 0x40));
/** Where an Ogg file breaks off between two pages. */
function pagesOf(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf('OggS'); at >= 0; at = bytes.indexOf('OggS', at + 4)) starts.push(at);
  return starts;
}

/** Where a program stream breaks off between two packs, of 2048 bytes. */
const packsOf = (bytes: Buffer) => Array.from({ length: Math.floor(bytes.length / 2048) }, (_, at) => at * 2048);

const SHARES = [0.4, 0.55, 0.7, 0.85, 0.98];

describe('a file that states no length, and breaks off exactly between two of its units', () => {
  it.each([
    ['H.264 and AAC in a transport stream', 'aac.ts', `${picture} ${tone} ${h264} -c:a aac`, packetsOf],
    ['H.264 alone in a transport stream', 'silent.ts', `${picture} ${h264}`, packetsOf],
    ['MPEG-2 and MP2 in a transport stream', 'mp2.ts', `${picture} ${tone} -c:v mpeg2video -c:a mp2`, packetsOf],
    [
      'MPEG-2 and MP2 in a program stream',
      'program.mpg',
      // A sound that ends with the picture may be the last 0.3 s of the file, which is no loss.
      `${picture} -f lavfi -i sine=f=440:r=48000:d=2 -c:v mpeg2video -q:v 2 -c:a mp2`,
      packsOf,
    ],
    ['Theora and Vorbis in Ogg', 'theora.ogv', `${picture} ${tone} -c:v libtheora -c:a libvorbis`, pagesOf],
    ['Vorbis in Ogg', 'vorbis.ogg', `${tone} -c:a libvorbis -page_duration 100000`, pagesOf],
    ['Opus in Ogg', 'opus.ogg', `${tone} -c:a libopus -page_duration 100000`, pagesOf],
  ])('is TRUNCATED: %s', async (_, name, made, unitsOf) => {
    const whole = join(folder, name);
    await madeByFfmpeg(whole, made.split(' '));
    expect(await warningOf(whole)).toBeNull();

    const bytes = await readFile(whole);
    const units = unitsOf(bytes);
    for (const share of SHARES) {
      const cut = join(folder, `cut-${name}`);
      await writeFile(cut, bytes.subarray(0, units[Math.floor(units.length * share)]));
      expect(await warningOf(cut), `at ${share}`).toMatchObject({ code: 'TRUNCATED' });
    }
  });
});

describe('the tolerance of a stated duration', () => {
  it('is 0.3 s for short films, 1 % for others, and never more than a second', () => {
    expect([isShorter(9.6, 10), isShorter(9.8, 10)]).toEqual([true, false]);
    expect([isShorter(59.3, 60), isShorter(59.5, 60)]).toEqual([true, false]);
    expect([isShorter(7198.5, 7200), isShorter(7199.5, 7200)]).toEqual([true, false]);
  });
});
