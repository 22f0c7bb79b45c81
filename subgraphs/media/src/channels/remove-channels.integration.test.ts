import { newId } from '@foyer/shared/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openStreams, type StreamsFixture } from '../testing/streams-fixture.ts';
import { removeChannels } from './remove-channels.ts';

let own: StreamsFixture;

beforeAll(async () => {
  own = await openStreams();
}, 60_000);
afterAll(() => own.close());

it('the channels of a deleted workspace or organization are removed and their streams end, and no others', async () => {
  const [organizationId, workspaceId] = [newId(), newId()];
  const channel = async (name: string, place: object) => {
    const id = await own.channelOf(name, '500ms');
    await own.db.channel.update({ where: { id }, data: place });
  };
  await channel('named.stream', { workspaceId }); // by a legacy client, which names no organization
  await channel('own.stream', { workspaceId: newId(), organizationId });
  await channel('whole.stream', { organizationId });
  await channel('others.stream', { workspaceId: newId(), organizationId: newId() });
  await channel('nobodys.stream', {});
  const { needs, ends } = own.hearing();
  const left = async () => (await own.db.channel.findMany({ orderBy: { id: 'asc' } })).map(({ name }) => name);

  await removeChannels(needs, { workspaceIds: [workspaceId] });
  expect([await left(), ends]).toEqual([
    ['own.stream', 'whole.stream', 'others.stream', 'nobodys.stream'],
    ['named.stream'],
  ]);

  await removeChannels(needs, { organizationId, workspaceIds: [] });
  expect([await left(), ends]).toEqual([
    ['others.stream', 'nobodys.stream'],
    ['named.stream', 'own.stream', 'whole.stream'],
  ]);
});
