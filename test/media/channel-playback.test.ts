import { lacks, why } from '@foyer/shared/testing/missing';
import { beforeAll, describe, expect, it } from 'vitest';

import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { send } from '../support/fixtures/people.ts';
import { openPlayer } from '../support/browsers/player.ts';
import { until } from '../support/until.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

describe('a channel on the embedded streamer', () => {
  it.skipIf(lacks('chromium'))(
    `can be watched in a browser, and moves on${why('chromium')}`,
    { timeout: 900_000 },
    async () => {
      const streamers: { id: number; name: string }[] = (await send(server, 'GET', '/streamers?limit=100')).json.data;
      const streamer = streamers.find(({ name }) => name === 'Embedded streamer');
      const { status, json } = await send(server, 'POST', '/channels', {
        body: {
          name: 'Live in the lobby',
          sourceType: 'pl',
          ingestConfig: { url: 'pl:///lobby.smil' },
          transcodeConfig: {},
          origins: [{ streamerId: streamer?.id, ingestUrl: '' }],
        },
      });
      expect(status).toBe(201);
      const [{ playbackUrl }] = json.data.origins;
      await until('its first picture', async () => (await fetch(playbackUrl)).ok);
      const firstNumber = async () => Number(/MEDIA-SEQUENCE:(\d+)/.exec(await (await fetch(playbackUrl)).text())?.[1]);
      const [begun, player] = [await firstNumber(), await openPlayer(server)];
      try {
        const playing = await player.play(playbackUrl);
        const early = await until('a picture', async () => {
          const facts = await playing.facts();
          return facts.frames > 0 && facts.time > 0 && facts;
        });
        // Past the seam of the loop of twelve seconds.
        await until('14 seconds more', async () => (await playing.facts()).time > early.time + 14, {
          timeoutMs: 300_000,
        });
        // A busy browser shows fewer of them in the same time: it is waited for, however long it takes.
        await until('250 pictures more', async () => (await playing.facts()).frames > early.frames + 250, {
          timeoutMs: 300_000,
        });
        const late = await playing.facts();

        expect(late.errors).toEqual([]);
        expect(late).toMatchObject({ ended: false, height: 360 });
        expect(await firstNumber()).toBeGreaterThan(begun + 5);
      } finally {
        await player.close();
      }
    },
  );
});
