import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { asset, processed } from '../support/fixtures/media.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-loudness-'));
  program = await ffmpeg();
  server = await sharedServer();
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const TARGET_LUFS = -23;

/** A picture with B-frames, as cameras make them, and a sound. */
function film(name: string, sound: string, { codec = ['-c:a', 'aac', '-b:a', '192k'], seconds = 6 } = {}): string {
  const file = join(folder, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '2'];
  execFileSync(program, ['-v', 'error', '-y', ...picture, '-f', 'lavfi', '-i', sound, ...video, ...codec, file]);
  return file;
}

const normalized = async (file: string): Promise<{ media: Json; file: string }> => {
  const media = await processed(server, file, { folder: 'sounds' });
  const copy = `${file}.after.mp4`;
  await writeFile(copy, Buffer.from(await (await asset(server, media.storageKey)).arrayBuffer()));
  return { media, file: copy };
};

/** Integrated loudness after EBU R128, in LUFS, and the true peak in dBTP, as ffmpeg's meter has them. */
function measured(file: string): { lufs: number; peak: number } {
  const filter = ['-map', '0:a:0', '-af', 'ebur128=peak=true', '-f', 'null', '-'];
  const said = spawnSync(program, ['-hide_banner', '-nostats', '-i', file, ...filter]).stderr.toString();
  const summary = said.slice(said.lastIndexOf('Summary:'));
  return {
    lufs: Number(/I:\s+(-?[\d.]+|-inf) LUFS/.exec(summary)?.[1]),
    peak: Number(/Peak:\s+(-?[\d.]+|-inf) dBFS/.exec(summary)?.[1]),
  };
}

/** The hash of every packet of the picture, as they lie in the file. */
const packets = (file: string): string[] =>
  execFileSync(program, ['-v', 'error', '-i', file, '-map', '0:v:0', '-c', 'copy', '-f', 'framemd5', '-'])
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '');

const sine = (gain: number) => `sine=f=997:r=48000:d=6,volume=${gain}dB`;
const noise = (amplitude: number) => `anoisesrc=c=pink:r=48000:a=${amplitude}:d=6:seed=7`;
const surround = { codec: ['-ac', '6', '-c:a', 'ac3'], seconds: 6 };

describe('the sound of an uploaded video', () => {
  it.each([
    ['quiet.mp4', sine(-20)],
    ['loud.mp4', sine(12)],
    ['noise.mp4', noise(0.5)],
    ['quiet-noise.mp4', noise(0.02)],
    ['one-channel.mp4', 'sine=f=440:r=44100:d=6,volume=-12dB,aformat=channel_layouts=mono'],
    ['in-bursts.mp4', "aevalsrc='0.4*sin(2*PI*440*t)*gt(mod(t,1),0.3)':s=48000:d=6"],
    ['as-matroska.mkv', sine(-15)],
  ])('ends within half a loudness unit of the target: %s', async (name, sound) => {
    const { media, file } = await normalized(film(name, sound));

    expect(media.transcodingStage).toBe('done');
    expect(Math.abs(measured(file).lufs - TARGET_LUFS)).toBeLessThanOrEqual(0.5);
    expect(measured(file).peak).toBeLessThanOrEqual(0);
  });

  it('ends there with six channels as well', async () => {
    const { file } = await normalized(film('surround.mkv', sine(-12), surround));

    expect(Math.abs(measured(file).lufs - TARGET_LUFS)).toBeLessThanOrEqual(0.5);
  });

  it('stays silent when it is silent', async () => {
    const { media, file } = await normalized(film('silent.mp4', 'anullsrc=r=48000:cl=stereo,atrim=end=6'));

    expect(media.transcodingStage).toBe('done');
    expect(measured(file).lufs).toBeLessThanOrEqual(-70);
  });

  it('that can not reach the target below the highest allowed peak stays quieter, and does not clip', async () => {
    const clicks = "aevalsrc='0.006*sin(2*PI*440*t)+0.7*sin(2*PI*880*t)*lt(mod(t,2),0.004)':s=48000:d=6";
    const { media, file } = await normalized(film('clicks.mp4', clicks));

    expect(media.transcodingStage).toBe('done');
    expect(measured(file).lufs).toBeLessThanOrEqual(TARGET_LUFS + 0.5);
    expect(measured(file).peak).toBeLessThanOrEqual(0);
  });
});

describe('the picture of an uploaded video', () => {
  it('stays identical, bit by bit', async () => {
    const before = film('same-picture.mp4', sine(-20));
    const { media, file } = await normalized(before);

    expect(media.normalizedKey).toBe(media.storageKey);
    expect(packets(file)).toEqual(packets(before));
    expect(packets(file).length).toBe(150);
  });

  it('is cut with the sound when one is more than 0.3 seconds longer, and the rest stays identical', async () => {
    const before = film('long-sound.mp4', 'sine=f=997:r=48000:d=8,volume=-20dB');
    const { media, file } = await normalized(before);

    expect(media.duration).toBeCloseTo(6, 0);
    expect(packets(file)).toEqual(packets(before));
  });
});
