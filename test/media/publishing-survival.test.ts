import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ended, mediaOf } from '../support/fixtures/media.ts';
import {
  nothing,
  openSurvival,
  type Survival,
  afterTheSweep,
  at,
  beginFilm,
  frozenIn,
  lacking,
  leftovers,
  metIn,
  programsOf,
  running,
  signal,
} from '../support/servers/survival.ts';
import { until } from '../support/until.ts';

let own: Survival;

beforeAll(async () => {
  own = await openSurvival();
});
afterAll(() => own?.close());

describe('kill -9 of the service', () => {
  const films = new Map<string, number>();

  // One film is held in each of the long steps, the last step first, so that one kill interrupts all of them.
  beforeAll(async () => {
    for (const step of ['transcode', 'normalize'] as const) films.set(step, await frozenIn(own.server, own.film, step));
    await beginFilm(own.server, own.film, 'killed-move');
    await killAndRestart();
    for (const id of [...films.values(), await own.idOf('killed-move')]) await ended(own.server, id);
  }, 300_000);

  async function killAndRestart() {
    await own.server.kill();
    await until('its programs to end', async () => (await programsOf(own.server)).length === 0);
    own.server = await own.server.restart();
  }

  /** The short steps kill a program that takes long, so nothing can be held there. */
  async function killedIn(step: 'probe' | 'thumbnail'): Promise<number> {
    const { where } = await metIn(own.server, own.film, step);
    await killAndRestart();
    return own.idOf(where);
  }

  it('right after the upload, while the file is moved: it ends complete', async () => {
    expect(await lacking(own.server, await own.idOf('killed-move'))).toEqual([]);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });

  it.each([
    ['normalize', () => films.get('normalize')],
    ['probe', () => killedIn('probe')],
    ['thumbnail', () => killedIn('thumbnail')],
    ['transcode', () => films.get('transcode')],
  ] as const)('during the step %s: its programs end with it, and the media ends whole', async (_step, killed) => {
    expect(await lacking(own.server, (await killed()) ?? 0)).toEqual([]);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });

  it('while the ladder is published: no playlist names a file that is not there', async () => {
    await beginFilm(own.server, own.film, 'killed-package');
    const id = await own.idOf('killed-package');
    await until(
      'the first segment',
      async () => {
        const found = await readdir(join(own.server.dataDir, `media/media/acme/killed-package/${id}/hls`)).catch(
          () => [],
        );
        return found.length > 0;
      },
      { everyMs: 1 },
    );
    await own.server.kill();
    own.server = await own.server.restart();
    const before = await mediaOf(own.server, id);
    expect(before.transcodingStage === 'done' || before.manifestKey === null).toBe(true);

    expect(await lacking(own.server, id)).toEqual([]);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });
});

describe('a service that is told to stop', () => {
  it('with its programs, as by a terminal and systemd: the media item is completed after the next start', async () => {
    await beginFilm(own.server, own.film, 'told-to-stop');
    const program = await running(own.server, at.transcode);
    await until('it to write', async () => (await leftovers(own.server)).some((file) => file.endsWith('.m4s')), {
      everyMs: 5,
    });
    const stopped = own.server.stop();
    signal(program.pid, 'SIGTERM');
    expect((await stopped).code).toBe(0);
    own.server = await own.server.restart();

    expect(await lacking(own.server, await own.idOf('told-to-stop'))).toEqual([]);
    expect(await afterTheSweep(own.server)).toEqual(nothing);
  });
});
