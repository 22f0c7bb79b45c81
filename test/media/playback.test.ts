import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../support/json.ts';
import { asset, processed, profileId } from '../support/fixtures/media.ts';
import { openPlayer } from '../support/browsers/player.ts';
import { until } from '../support/until.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

let server: SharedServer;
let folder: string;
let media: Json;

const SECONDS = 8;
const skipped = why('chromium');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-playback-'));
  server = await sharedServer();
  const file = join(folder, 'film.mp4');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=10:d=${SECONDS}`];
  const tone = ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${SECONDS}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  execFileSync(await ffmpeg(), ['-v', 'error', '-y', ...picture, ...tone, ...codecs, file]);
  media = await processed(server, file, { folder: 'films', transcodingProfileId: await profileId(server, 'Standard') });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const urlOf = (key: string) => `${server.url}/assets/media/${key}`;

describe('a ladder of three rungs', () => {
  it('is published whole, with every key of the document', () => {
    const prefix = `acme/films/${media.id}`;
    expect(media).toMatchObject({
      status: 'ready',
      transcodingStage: 'done',
      storageKey: `${prefix}/source/film.mp4`,
      manifestKey: `${prefix}/hls/master.m3u8`,
      smilKey: `${prefix}/smil/ladder.smil`,
    });
  });

  it.skipIf(lacks('chromium'))(`plays every rung to its end in a browser${skipped}`, async () => {
    const player = await openPlayer(server);
    try {
      for (const rung of ['480p', '720p', '1080p']) {
        const playing = await player.play(urlOf(media.manifestKey.replace('master.m3u8', `${rung}/index.m3u8`)));
        await until(`the end of ${rung}`, async () => (await playing.facts()).ended);
        const facts = await playing.facts();
        expect(facts).toMatchObject({ errors: [], height: Number.parseInt(rung, 10) });
        expect(facts.duration).toBeCloseTo(SECONDS, 0);
        expect(facts.frames).toBeGreaterThan(0);
        expect(facts.audioBytes).toBeGreaterThan(0);
        await playing.close();
      }
    } finally {
      await player.close();
    }
  });

  it.skipIf(lacks('chromium'))(
    `switches to each rung while it plays, and seeks${skipped}`,
    async () => {
      const player = await openPlayer(server);
      try {
        const playing = await player.play(urlOf(media.manifestKey));
        const { levels } = await playing.facts();
        expect(levels).toEqual([480, 720, 1080]);
        await playing.repeat(true); // a slow machine may need longer for a switch than the film lasts
        for (const level of [2, 0, 1]) {
          await playing.seek(0);
          await playing.force(level);
          await expect
            .poll(
              async () => {
                const { switched, height, errors } = await playing.facts();
                return { level: switched.at(-1), height, errors };
              },
              { timeout: 300_000 },
            )
            .toEqual({ level, height: levels[level], errors: [] });
        }
        await playing.repeat(false);
        await playing.seek(SECONDS - 1.5);
        await until('the end', async () => (await playing.facts()).ended);
        expect((await playing.facts()).errors).toEqual([]);
      } finally {
        await player.close();
      }
    },
    1_200_000,
  );

  it('has a SMIL ladder that is valid XML and names existing files', async () => {
    const text = await (await asset(server, media.smilKey)).text();
    expect(XMLValidator.validate(text)).toBe(true);

    const parsed: Json = new XMLParser({ ignoreAttributes: false }).parse(text);
    const videos: Json[] = parsed.smil.body.switch.video;
    expect(videos.map((video) => [video['@_width'], video['@_height']])).toEqual([
      ['1920', '1080'],
      ['1280', '720'],
      ['854', '480'],
    ]);
    for (const video of videos) {
      const key = new URL(video['@_src'], `http://store/${media.smilKey}`).pathname.slice(1);
      expect((await asset(server, key)).status).toBe(200);
      expect(Number(video['@_system-bitrate'])).toBeGreaterThan(0);
    }
  });

  it('names only existing segments', async () => {
    for (const rung of ['1080p', '720p', '480p']) {
      const base = media.manifestKey.replace('master.m3u8', `${rung}/`);
      const playlist = await (await asset(server, `${base}index.m3u8`)).text();
      const [init, ...names] = playlist.match(/[\w-]+\.(mp4|m4s)/g) ?? [];
      expect(init).toMatch(/^init/);
      expect(names.length).toBeGreaterThan(0);
      for (const name of [init, ...names]) expect((await asset(server, base + name)).status).toBe(200);
    }
  });
});
