import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeStores, s3Variables } from '@foyer/shared/testing/s3';
import { parse, type types } from 'hls-parser';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { packaged } from '../testing/own-tools.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

const stores = [
  { where: 'a disk', env: {} },
  { where: 'an S3 server', isS3: true, env: { ...s3Variables, S3_BUCKET: `early-${randomUUID()}` } },
];

const MEDIA = 'query ($id: ID!) { media(id: $id) { transcodingStage playbackUrl manifestUrl manifestKey } }';
/** Key frames are two seconds apart: four segments of four seconds, which players can begin with. */
const FILM_SECONDS = 16;

describeStores('a film whose ladder is being made, on', stores, ({ env }) => {
  let server: ScratchMedia;
  let files: string;
  let film: string;

  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'foyer-early-'));
    const { ffmpeg } = await packaged();
    // An ffmpeg whose ladders end only when the file `go` is there.
    const slow = join(files, 'ffmpeg');
    const waits = `while [ ! -e ${files}/go ]; do echo out_time_us=1000000; sleep 0.1; done`;
    const ladder = `*hls_time*) ${ffmpeg} "$@" || exit; ${waits}; exit 0;;`;
    await writeFile(slow, `#!/bin/sh\ncase "$*" in ${ladder} esac\nexec ${ffmpeg} "$@"\n`, { mode: 0o755 });
    film = join(files, 'film.mp4');
    const sources = ['testsrc2=s=64x36:r=5', 'sine=f=440:r=48000'].flatMap((each) => ['-f', 'lavfi', '-i', each]);
    const codecs = ['-t', String(FILM_SECONDS), '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
    execFileSync(ffmpeg, ['-v', 'error', '-y', ...sources, ...codecs, film]);
    server = await openScratchMedia({ ...env, FFMPEG_PATH: slow });
  });
  afterAll(async () => {
    await server.stop();
    await rm(files, { recursive: true, force: true });
  });

  const at = async (id: string) => (await server.ask(MEDIA, { id })).data?.['media'] as Record<string, string | null>;
  const get = (url: string) => fetch(url.replace('http://localhost', server.url));

  async function begin(visibility: string): Promise<string> {
    const profile = await server.db.transcodingProfile.findFirstOrThrow({ where: { name: { startsWith: 'Compact' } } });
    const fileName = `${visibility.toLowerCase()}.mp4`;
    const names = { title: 'Film', originalName: fileName, fileName, fileSize: (await stat(film)).size };
    await server.upload(film, await server.prepare({ ...names, visibility, transcodingProfileId: String(profile.id) }));
    return String((await server.db.media.findFirstOrThrow({ where: { fileName } })).id);
  }

  it.each(['PUBLIC', 'PRIVATE'])(
    'can be played as its playbackUrl says, and to the end under the same link: %s',
    async (visibility) => {
      await rm(join(files, 'go'), { force: true });
      const id = await begin(visibility);
      const { playbackUrl: early, ...before } = await vi.waitUntil(
        async () => {
          const media = await at(id);
          return media['playbackUrl'] ? media : null;
        },
        { timeout: 60_000, interval: 100 },
      );
      expect(before).toEqual({ transcodingStage: 'transcode', manifestUrl: null, manifestKey: null });
      if (!early) throw new Error('there is no playbackUrl');
      const growing = parse(await (await get(early)).text()) as types.MediaPlaylist;
      expect(growing).toMatchObject({ endlist: false, playlistType: 'EVENT' });
      const uris = [growing.segments[0]?.map?.uri ?? '', ...growing.segments.map(({ uri }) => uri)];
      expect(uris).toHaveLength(1 + FILM_SECONDS / 4);
      const statuses = (base: string) =>
        Promise.all(uris.map(async (uri) => (await get(new URL(uri, base).href)).status));
      expect(new Set(await statuses(early))).toEqual(new Set([200]));
      // Without its token, whoever guesses the address of a private film learns nothing.
      const bare = early.replace(/\/~[^/]+/, '');
      expect(new Set(await statuses(bare))).toEqual(new Set([visibility === 'PUBLIC' ? 200 : 404]));

      await writeFile(join(files, 'go'), '');
      await vi.waitUntil(async () => (await at(id))['transcodingStage'] === 'done', { timeout: 60_000, interval: 100 });
      const { playbackUrl, manifestUrl } = await at(id);
      expect(playbackUrl).toBe(manifestUrl);
      const grown = parse(await (await get(early)).text()) as types.MediaPlaylist;
      expect(grown).toMatchObject({ endlist: true, playlistType: 'EVENT' });
      expect(grown.segments.map(({ uri }) => uri)).toEqual(uris.slice(1));
      expect(new Set(await statuses(early))).toEqual(new Set([200]));
    },
  );
});
