import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeHouse, openHouse, type House } from '../support/house.ts';
import type { Json } from '../support/json.ts';
import { asset, ended, mediaOf, profileId, rowOf, uploadOnly } from '../support/media.ts';
import { until } from '../support/until.ts';
import { ffmpeg } from '../support/video.ts';

let house: House;
let folder: string;
let film: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-survival-'));
  film = join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=8'];
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=8'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync(await ffmpeg(), ['-v', 'error', '-y', ...picture, ...tone, ...codecs, film]);
  house = await openHouse({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' });
});
afterAll(async () => {
  await closeHouse(house);
  await rm(folder, { recursive: true, force: true });
});

/** The ffmpeg and ffprobe programs that work on files of this house, by process id and command line. */
async function programs(): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })),
  );
  return all.filter(
    ({ command }) => /ff(mpeg|probe)/.test(command) && command.includes(`${house.dataDir}/media/.work`),
  );
}

/** What is recognized of a step by the command line of its program. */
const at = {
  normalize: /loudnorm/,
  probe: /ffprobe/,
  thumbnail: /-frames:v/,
  transcode: /-f hls/,
};

const running = (step: RegExp) =>
  until(`a program for ${String(step)}`, async () => (await programs()).find(({ command }) => step.test(command)), {
    everyMs: 5,
  });

const begin = async (where: string) =>
  uploadOnly(house, film, { folder: where, transcodingProfileId: await profileId(house, 'Compact') });

const idOf = async (where: string): Promise<number> => (await rowOf(house, 'film.mp4', where)).id;

/** What a media item with a ladder lacks, when it has ended: nothing, when all is there and whole. */
async function lacking(id: number): Promise<string[]> {
  const media = await ended(house, id);
  if (media.transcodingStage !== 'done') return [`failed: ${media.failureReason}`];
  const base = media.manifestKey.replace('master.m3u8', '');
  const rungs = (await (await asset(house, media.manifestKey)).text())
    .split('\n')
    .filter((line) => line.endsWith('index.m3u8'));
  const keys: string[] = [media.storageKey, media.smilKey, media.thumbnailKey];
  for (const rung of ['720p/index.m3u8', '480p/index.m3u8']) {
    if (!rungs.includes(rung)) keys.push(`${rung} in the master playlist`);
    const playlist = await (await asset(house, base + rung)).text();
    if (!playlist.includes('#EXT-X-ENDLIST')) keys.push(`the end of ${rung}`);
    const segments = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
    keys.push(...['init.mp4', ...segments].map((name) => base + rung.replace('index.m3u8', name)));
  }
  const found = await Promise.all(keys.map(async (key) => [key, (await asset(house, key)).status] as const));
  return found.filter(([, status]) => status !== 200).map(([key]) => key);
}

/** What unfinished work, and unfinished writes to the store, have left. */
const leftovers = async () => {
  const below = async (name: string) =>
    (await readdir(join(house.dataDir, 'media', name), { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return [...(await below('.work')), ...(await below('.tmp'))];
};

describe('kill -9 of the service', { timeout: 120_000 }, () => {
  it('right after the upload, while the file is moved: it ends whole', async () => {
    await begin('killed-move');
    await house.kill();
    house = await house.restart();

    expect(await lacking(await idOf('killed-move'))).toEqual([]);
  });

  it.each(['normalize', 'probe', 'thumbnail', 'transcode'] as const)(
    'during the step %s: its programs end with it, and the media ends whole',
    async (step) => {
      await begin(`killed-${step}`);
      await running(at[step]);
      await house.kill();
      await until('its programs to end', async () => (await programs()).length === 0);
      house = await house.restart();

      expect(await lacking(await idOf(`killed-${step}`))).toEqual([]);
      await until('the leftovers to be swept', async () => (await leftovers()).length === 0);
    },
  );

  it('while the ladder is published: nothing is announced that is not there', async () => {
    await begin('killed-package');
    const id = await idOf('killed-package');
    await until(
      'the first segment',
      async () => {
        const found = await readdir(join(house.dataDir, `media/media/acme/killed-package/${id}/hls`)).catch(() => []);
        return found.length > 0;
      },
      { everyMs: 1 },
    );
    await house.kill();
    house = await house.restart();
    const before = await mediaOf(house, id);
    expect(before.transcodingStage === 'done' || before.manifestKey === null).toBe(true);

    expect(await lacking(id)).toEqual([]);
  });
});

describe('kill -9 of ffmpeg', { timeout: 120_000 }, () => {
  it.each(['normalize', 'probe', 'thumbnail', 'transcode'] as const)(
    'during the step %s: another try makes it whole',
    async (step) => {
      await begin(`ended-${step}`);
      process.kill((await running(at[step])).pid, 'SIGKILL');

      expect(await lacking(await idOf(`ended-${step}`))).toEqual([]);
      expect(await leftovers()).toEqual([]);
    },
  );
});
