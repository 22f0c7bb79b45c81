import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { House, Server } from './house.ts';
import { asset, ended, profileId, uploadOnly } from './media.ts';
import { send } from './people.ts';
import { until } from './until.ts';
import { ffmpeg } from './video.ts';

/** A film that takes every step of processing a moment. */
export async function aFilm(folder: string): Promise<string> {
  const film = join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25:d=8'];
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=8'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync(await ffmpeg(), ['-v', 'error', '-y', ...picture, ...tone, ...codecs, film]);
  return film;
}

/** Uploads a film that is to get a ladder. */
export const beginFilm = async (house: Server, film: string, folder: string) =>
  uploadOnly(house, film, { folder, transcodingProfileId: await profileId(house, 'Compact') });

/** What is recognized of a step by the command line of its program. */
export const at = {
  normalize: /loudnorm/,
  probe: /ffprobe/,
  thumbnail: /-frames:v/,
  transcode: /-f hls/,
};

/** The programs that work on files of this house, by process id and command line. */
export async function programsOf({ dataDir }: House): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })),
  );
  return all.filter(({ command }) => command.includes(`${dataDir}/media/.work`));
}

/** Waits for the program of a step. */
export const running = (house: House, step: RegExp) =>
  until(
    `a program for ${String(step)}`,
    async () => (await programsOf(house)).find(({ command }) => step.test(command)),
    { everyMs: 5 },
  );

/** What a media item with a ladder lacks, when it has ended: nothing, when all is there and whole. */
export async function lacking(house: Server, id: number): Promise<string[]> {
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

/** What unfinished work and unfinished writes have written so far, or left behind. */
export const leftovers = async ({ dataDir }: House): Promise<string[]> =>
  (await readdir(join(dataDir, 'media/.work'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** What lies in the store for nobody, and what is missing there, once the sweep has been. */
export async function afterTheSweep(house: House) {
  await until('the leftovers to be swept', async () => (await leftovers(house)).length === 0);
  const { data } = (await send(house, 'GET', '/api/media/storage-audit')).json;
  return { orphanCount: data.orphanCount, missing: data.missing };
}
