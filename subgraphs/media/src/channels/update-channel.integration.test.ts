import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openStreams, type StreamsFixture } from '../testing/streams-fixture.ts';
import { updateChannel } from './update-channel.ts';

let own: StreamsFixture;

beforeAll(async () => {
  own = await openStreams();
}, 60_000);
afterAll(() => own.close());

it('a channel whose configuration was stored before there was a limit can be renamed', async () => {
  const id = await own.channelOf('large.stream', '500ms');
  const ingestConfig = { chunkDuration: '500ms', note: 'x'.repeat(16_000) };
  await own.db.channel.update({ where: { id }, data: { ingestConfig } });
  const viewer = { kind: 'legacy-client', permissions: ['media:view', 'media:manage'] } as unknown as Viewer;
  const needs = { ...own.needs, viewer, permissions: {} as never, playbackUrl: '' };
  const change = (changes: object) => updateChannel(needs, { id: String(id), ...changes });
  expect((await change({ name: 'Large' })).channel).toMatchObject({ name: 'Large', ingestConfig });
  expect((await change({ name: 'As it was', ingestConfig })).channel).toMatchObject({ name: 'As it was' });
  const larger = { ...ingestConfig, chunkDuration: '700ms' };
  await expect(change({ ingestConfig: larger })).rejects.toMatchObject({ reason: 'VALIDATION_FAILED' });
});
