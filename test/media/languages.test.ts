import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lacks, why } from '@foyer/shared/testing/missing';
import { ffmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openPlayer } from '../support/browsers/player.ts';
import { processed, profileId } from '../support/fixtures/media.ts';

import type { Json } from '../support/json.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';

let server: SharedServer;
let folder: string;
let film: Json;

const SECONDS = 10;
const skipped = why('chromium');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-languages-'));
  server = await sharedServer();
  const words = join(folder, 'words.srt');
  await writeFile(words, '1\n00:00:01,000 --> 00:00:02,000\nGuten Abend\n\n');
  const file = join(folder, 'film.mkv');
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1280x720:r=10:d=${SECONDS}`];
  const tones = [440, 880].flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=f=${hertz}:r=48000:d=${SECONDS}`]);
  const maps = [0, 1, 2, 3].flatMap((input) => ['-map', String(input)]);
  const languages = [
    '-metadata:s:a:0',
    'language=eng',
    '-metadata:s:a:1',
    'language=ger',
    '-metadata:s:s:0',
    'language=ger',
  ];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-c:s', 'srt'];
  const args = [...picture, ...tones, '-i', words, ...maps, ...codecs, ...languages];
  execFileSync(await ffmpeg(), ['-v', 'error', '-y', ...args, file]);
  const transcodingProfileId = await profileId(server, 'Compact');
  film = await processed(server, file, { folder: 'languages', transcodingProfileId });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a film in two languages, with subtitles', () => {
  it.skipIf(lacks('chromium'))(`plays each language on every rung, and shows the subtitles${skipped}`, async () => {
    expect(film).toMatchObject({ transcodingStage: 'done' });
    const player = await openPlayer(server);
    try {
      const playing = await player.play(`${server.url}/assets/media/${film.manifestKey}`);
      const { sounds, subtitles, levels } = await playing.facts();
      expect({ sounds, subtitles, levels }).toEqual({
        sounds: ['English en', 'Deutsch de'],
        subtitles: ['Deutsch de'],
        levels: [480, 720],
      });
      await playing.repeat(true);
      for (const [sound, level] of [
        [1, 1],
        [0, 0],
        [1, 0],
      ] as const) {
        const before = (await playing.facts()).audioBytes;
        await playing.listenTo(sound);
        await playing.force(level);
        await until(`sound ${sound} with a picture of ${levels[level]} lines`, async () => {
          const facts = await playing.facts();
          return facts.sound === sound && facts.height === levels[level] && facts.audioBytes > before;
        });
      }
      await playing.show(0);
      const [cue] = await until('the subtitles', async () => {
        const { cues } = await playing.facts();
        return cues.length > 0 && cues;
      });
      expect(cue?.[0]).toBe('Guten Abend');
      expect(Math.abs((cue?.[1] ?? 0) - 1)).toBeLessThan(0.3);
      await playing.repeat(false);
      await playing.seek(SECONDS - 1.5);
      await until('the end', async () => (await playing.facts()).ended);
      expect((await playing.facts()).errors).toEqual([]);
    } finally {
      await player.close();
    }
  });
});
