import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { madeByFfmpeg } from '@foyer/media/testing/made-by-ffmpeg';

import { stopServerProcess, startServerProcess, type ServerProcess, type Server } from './server-process.ts';
import { asset, ended, profileId, rowOf, uploadOnly } from '../fixtures/media.ts';
import { send } from '../fixtures/people.ts';
import { until } from '../until.ts';

/** A film that keeps every step of processing busy for a moment. */
async function aFilm(folder: string): Promise<string> {
  const film = join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=5:d=8'];
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:r=48000:d=8'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '40', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await madeByFfmpeg(film, [...picture, ...tone, ...codecs]);
  return film;
}

/** A server that may be killed while it processes, and a film for it to process. */
export interface Survival {
  /** A folder for files of the test. */
  folder: string;
  film: string;
  /** The running server; a test that kills it sets the result of `restart`. */
  server: ServerProcess;
  /** The id of the film that was uploaded into a folder of the library. */
  idOf(where: string): Promise<number>;
  close(): Promise<void>;
}

export async function openSurvival(): Promise<Survival> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-survival-'));
  const survival: Survival = {
    folder,
    film: await aFilm(folder),
    server: await startServerProcess({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' }),
    idOf: async (where) => (await rowOf(survival.server, 'film.mp4', where)).id as number,
    async close() {
      await stopServerProcess(survival.server);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return survival;
}

/** The result of {@link afterTheSweep} when nothing is wrong. */
export const nothing = { orphanCount: 0, missing: [] };

/** Uploads a film with a ladder profile. */
export const beginFilm = async (server: Server, film: string, folder: string) =>
  uploadOnly(server, film, { folder, transcodingProfileId: await profileId(server, 'Compact') });

/** The pattern that recognizes a step in the command line of its program. */
export const at = {
  normalize: /loudnorm/,
  probe: /ffprobe/,
  thumbnail: /-frames:v/,
  transcode: /hls_time/,
};

/** The programs that work on files of this server, by process id and command line. */
export async function programsOf({
  dataDir,
}: Pick<ServerProcess, 'dataDir'>): Promise<{ pid: number; command: string }[]> {
  // Read often, and so in one go: a promise for each process would cost more than the files of /proc do.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), command: commandOf(pid) }))
    .filter(({ command }) => command.includes(`${dataDir}/media/.work`));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // the process has ended
  }
}

/** Waits for the program of a step. */
export const running = (server: ServerProcess, step: RegExp) =>
  until(
    `a program for ${String(step)}`,
    async () => (await programsOf(server)).find(({ command }) => step.test(command)),
    { everyMs: 5 },
  );

/** Kills the program of a step; one that has ended just then does not count. */
export const killProgram = (server: ServerProcess, step: RegExp) =>
  until(
    `a program for ${String(step)} to kill`,
    async () => {
      const program = (await programsOf(server)).find(({ command }) => step.test(command));
      return program && signal(program.pid, 'SIGKILL');
    },
    { everyMs: 5 },
  );

/**
 * Uploads films until the program of a step was met: one that takes milliseconds may be missed.
 *
 * @param meet says whether it was still there
 * @returns where in the library the film is, and the command line of the program
 */
export async function metIn(
  server: ServerProcess,
  film: string,
  step: keyof typeof at,
  meet: (pid: number) => boolean = () => true,
): Promise<{ where: string; command: string }> {
  // The wrappers that limit a program and end it with its parent have become the program by then.
  const isOfStep = (command: string) => at[step].test(command) && !command.includes('pdeathsig');
  for (let count = 1; count <= 10; count += 1) {
    const where = `met-${step}-${randomUUID()}`;
    await beginFilm(server, film, where);
    const look = async () => (await programsOf(server)).find(({ pid, command }) => isOfStep(command) && meet(pid));
    const found = await until(step, look, { everyMs: 2, timeoutMs: 20_000 }).catch(() => undefined); // missed
    if (found) return { where, command: found.command };
  }
  throw new Error(`no film was met in the step ${step}`);
}

/**
 * Uploads films until one is held in a step: its program is stopped, and so is that step of every other film.
 *
 * @returns its id
 */
export async function frozenIn(server: ServerProcess, film: string, step: 'normalize' | 'transcode'): Promise<number> {
  const { command } = await metIn(server, film, step, (pid) => signal(pid, 'SIGSTOP'));
  const [, id] = /\/\.work\/[^/]+\/(\d+)-/.exec(command) ?? [];
  return Number(id);
}

/** Sends a signal; says whether the process was still there. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** The missing parts of a media item with a ladder after its processing; none when it is complete. */
export async function lacking(server: Server, id: number): Promise<string[]> {
  const media = await ended(server, id);
  if (media.transcodingStage !== 'done') return [`failed: ${media.failureReason}`];
  const base = media.manifestKey.replace('master.m3u8', '');
  const rungs = (await (await asset(server, media.manifestKey)).text())
    .split('\n')
    .filter((line) => line.endsWith('index.m3u8'));
  const keys: string[] = [media.storageKey, media.smilKey, media.thumbnailKey];
  for (const rung of ['720p/index.m3u8', '480p/index.m3u8']) {
    if (!rungs.includes(rung)) keys.push(`${rung} in the master playlist`);
    const playlist = await (await asset(server, base + rung)).text();
    if (!playlist.includes('#EXT-X-ENDLIST')) keys.push(`the end of ${rung}`);
    const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1] ?? '';
    const segments = playlist.split('\n').filter((line) => line.endsWith('.m4s'));
    keys.push(...[init, ...segments].map((name) => base + rung.replace('index.m3u8', name)));
  }
  const found = await Promise.all(keys.map(async (key) => [key, (await asset(server, key)).status] as const));
  return found.filter(([, status]) => status !== 200).map(([key]) => key);
}

/** The files of unfinished work and unfinished writes. */
export const leftovers = async ({ dataDir }: ServerProcess): Promise<string[]> =>
  (await readdir(join(dataDir, 'media/.work'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The objects without an owner and the missing objects, after the sweep. */
export async function afterTheSweep(server: ServerProcess) {
  await until('the leftovers to be swept', async () => (await leftovers(server)).length === 0);
  const { data } = (await send(server, 'GET', '/api/media/storage-audit')).json;
  return { orphanCount: data.orphanCount, missing: data.missing };
}
