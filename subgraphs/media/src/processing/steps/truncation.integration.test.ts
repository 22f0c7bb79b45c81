import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { CannotRead } from '#ports/transcoder.ts';
import { madeByFfmpeg } from '../../testing/made-by-ffmpeg.ts';
import { ownTools } from '../../testing/own-tools.ts';
import { isShorter } from '../file-ends/ending.ts';
import { readMediaEnd } from '../file-ends/read-media-end.ts';
import { streamEntries } from './probed.ts';
import { readStreams } from './streams.ts';
import { isLastFrameTorn } from './torn-frame.ts';
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

/** Between two packets, in the middle of a picture: where the one before and the one behind carry nothing else. */
const withinPictures = (bytes: Buffer) =>
  packetsOf(bytes).filter((at) => [at - 188, at].every((each) => (bytes.readUInt16BE(each + 1) & 0x5fff) === 0x0100));

describe('HEVC in a transport stream that breaks off within a picture', () => {
  const hevc = '-c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=50';

  it.each([
    ['with sound', 'hevc.ts', `${picture} ${tone} ${hevc} -c:a aac`],
    ['alone', 'hevc-alone.ts', `${picture} ${hevc}`],
  ])('is TRUNCATED: %s', async (_, name, made) => {
    const whole = join(folder, name);
    await madeByFfmpeg(whole, made.split(' '));
    expect(await warningOf(whole)).toBeNull();

    const bytes = await readFile(whole);
    const units = withinPictures(bytes);
    for (const share of [0.4, 0.6, 0.98]) {
      const cut = join(folder, `cut-${name}`);
      await writeFile(cut, bytes.subarray(0, units[Math.floor(units.length * share)]));
      expect(await warningOf(cut), `at ${share}`).toMatchObject({ code: 'TRUNCATED' });
    }
  });

  it('has no warning when it ends between two pictures, even where the last one fills its packet', async () => {
    const bytes = await readFile(join(folder, 'hevc-alone.ts'));
    const starts = Array.from({ length: bytes.length / 188 }, (_, at) => at * 188).filter(
      (at) => (bytes.readUInt16BE(at + 1) & 0x5fff) === 0x4100,
    );
    const between = join(folder, 'between.ts');
    await writeFile(between, bytes.subarray(0, starts[50]));
    const streams = readStreams(await transcoder.probe(between, streamEntries, { signal, timeoutMs: 60_000 }));
    expect(await isLastFrameTorn(transcoder, { file: between, streams }, signal)).toBe(false);
  });
});

const aac = '-c:a aac';
const mpeg2 = '-c:v mpeg2video -q:v 2';
const fragments = '-g 10 -movflags +frag_keyframe+empty_moov+default_base_moof';

/** Of each container that the transcoder reads, and of each way in which it states its end. */
const kinds: [string, string][] = [
  ['index-first.mp4', `${picture} ${tone} ${h264} ${aac} -movflags +faststart`],
  ['index-last.mp4', `${picture} ${tone} ${h264} ${aac}`],
  ['fragments.mp4', `${picture} ${tone} ${h264} ${aac} ${fragments}`],
  ['index-of-fragments.mp4', `${picture} ${h264} ${fragments}+dash+global_sidx`],
  ['quicktime.mov', `${picture} ${tone} ${h264} -c:a pcm_s16le -movflags +faststart`],
  ['plain.mkv', `${picture} ${tone} ${h264} ${aac}`],
  ['plain.webm', `${tone} -c:a libopus`],
  ['live.webm', `${tone} -c:a libopus -live 1`],
  ['plain.ts', `${picture} ${tone} ${h264} ${aac}`],
  ['stamped.m2ts', `${picture} ${tone} ${h264} ${aac} -mpegts_m2ts_mode 1`],
  ['plain.mpg', `${picture} ${tone} ${mpeg2} -c:a mp2`],
  ['raw.m2v', `${picture} ${mpeg2}`],
  ['raw.m1v', `${picture} -c:v mpeg1video -q:v 2`],
  ['plain.avi', `${picture} ${tone} -c:v mpeg4 -c:a libmp3lame`],
  ['plain.flv', `${picture} ${tone} ${h264} ${aac}`],
  ['live.flv', `${picture} ${tone} ${h264} ${aac} -flvflags no_duration_filesize`],
  ['plain.mxf', `${picture} ${tone} ${mpeg2} -c:a pcm_s16le`],
  ['plain.wmv', `${picture} ${tone} -c:v wmv2 -c:a wmav2`],
  ['plain.ogg', `${tone} -c:a libvorbis`],
  ['plain.wav', tone],
  ['long.wav', `${tone} -rf64 always`],
  ['header.mp3', `${tone} -c:a libmp3lame`],
  ['frames.mp3', `${tone} -c:a libmp3lame -write_xing 0`],
  ['tags.mp3', `${tone} -c:a libmp3lame -write_xing 0 -id3v2_version 0 -write_id3v1 1 -metadata title=one`],
  ['low.mp3', `-f lavfi -i sine=f=440:r=22050:d=3 -c:a libmp3lame -write_xing 0`],
  ['plain.mp2', `${tone} -c:a mp2`],
  ['plain.aac', `${tone} ${aac}`],
  ['plain.flac', `${tone} -c:a flac`],
];

describe('a file that breaks off within one of its units', () => {
  it.each(kinds)('is TRUNCATED, or can not be read, and has no warning when it is whole: %s', async (name, made) => {
    const whole = join(folder, name);
    await madeByFfmpeg(whole, made.split(' '));
    expect(await warningOf(whole)).toBeNull();

    const bytes = await readFile(whole);
    const cut = join(folder, `cut-${name}`);
    await writeFile(cut, bytes.subarray(0, bytes.length * 0.617));
    const end = await warningOf(cut).catch((error: unknown) => {
      if (!(error instanceof CannotRead)) throw error;
      return { code: 'failed' };
    });
    expect(end?.code).toBe(name === 'index-last.mp4' ? 'failed' : 'TRUNCATED');
  });
});

describe('FLAC', () => {
  const samplesIn = (bytes: Buffer, count: number) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt32BE(count, 22); // its lowest bits
    return changed;
  };
  /** Where its frames begin: the same first bytes, then their numbers. */
  const framesOf = (bytes: Buffer) => {
    const starts: number[] = [];
    for (let at = bytes.indexOf('fff8', 0, 'hex'); at >= 0; at = bytes.indexOf('fff8', at + 1, 'hex'))
      if (bytes[at + 4] === starts.length) starts.push(at);
    return starts;
  };

  it('is TRUNCATED at any byte, also when it states no length, and between two frames when it does', async () => {
    const whole = join(folder, 'whole.flac');
    await madeByFfmpeg(whole, `${tone} -c:a flac`.split(' '));
    const stated = await readFile(whole);
    const open = samplesIn(stated, 0);
    const [last = 0] = framesOf(stated).slice(-1);
    const cut = join(folder, 'cut-whole.flac');
    const endOf = async (bytes: Buffer) => {
      await writeFile(cut, bytes);
      return readMediaEnd(cut, 'flac', 3);
    };

    expect([await endOf(stated), await endOf(open)]).toEqual(['whole', 'whole']);
    expect(await endOf(Buffer.concat([stated, Buffer.alloc(500)]))).toBe('whole'); // padding
    for (const bytes of [1, 40, 3_000])
      for (const given of [stated, open]) expect(await endOf(given.subarray(0, -bytes)), `${bytes} less`).toBe('cut');
    expect([await endOf(stated.subarray(0, last)), await endOf(open.subarray(0, last))]).toEqual(['cut', 'whole']);
  });
});

describe('sound that was written to a pipe', () => {
  it('has no warning although its header states the greatest length', async () => {
    const piped = join(folder, 'piped.wav');
    await madeByFfmpeg(piped, tone.split(' '));
    const bytes = await readFile(piped);
    bytes.fill(0xff, 4, 8);
    bytes.fill(0xff, bytes.indexOf('data') + 4, bytes.indexOf('data') + 8);
    await writeFile(piped, bytes);
    expect(await warningOf(piped)).toBeNull();
  });
});

describe('the tolerance of a stated duration', () => {
  it('is 0.3 s for short films, 1 % for others, and never more than a second', () => {
    expect([isShorter(9.6, 10), isShorter(9.8, 10)]).toEqual([true, false]);
    expect([isShorter(59.3, 60), isShorter(59.5, 60)]).toEqual([true, false]);
    expect([isShorter(7198.5, 7200), isShorter(7199.5, 7200)]).toEqual([true, false]);
  });
});
