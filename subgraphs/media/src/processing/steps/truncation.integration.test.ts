import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { madeByFfmpeg } from '../../testing/made-by-ffmpeg.ts';
import { ownTools } from '../../testing/own-tools.ts';
import { streamEntries } from './probed.ts';
import { readStreams } from './streams.ts';
import { endOf, findTruncation } from './truncation.ts';

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

const SHARES = [0.4, 0.55, 0.7, 0.85, 0.98];

describe('a file that states no length, and breaks off exactly between two of its units', { timeout: 60_000 }, () => {
  it.each([
    ['H.264 and AAC in a transport stream', 'aac.ts', `${picture} ${tone} ${h264} -c:a aac`, packetsOf],
    ['H.264 alone in a transport stream', 'silent.ts', `${picture} ${h264}`, packetsOf],
    ['MPEG-2 and MP2 in a transport stream', 'mp2.ts', `${picture} ${tone} -c:v mpeg2video -c:a mp2`, packetsOf],
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
