import { afterAll, beforeAll, expect, it } from 'vitest';

import { openStreams, type StreamsFixture } from '../testing/streams-fixture.ts';
import { Channel, ChannelOrigin } from './resolvers.ts';

let own: StreamsFixture;

beforeAll(async () => {
  own = await openStreams();
}, 60_000);
afterAll(() => own.close());

it('a channel that is deleted while a list is read spoils no list: it has no origins there, and its origin a streamer', async () => {
  const id = await own.channelOf('deleted.stream', '500ms');
  const { channel, ...origin } = await own.originOf(id);
  expect(await Channel.origins(channel, {}, own.needs)).toMatchObject([{ id: origin.id }]);

  await own.db.channel.delete({ where: { id } });
  expect(await Channel.origins(channel, {}, own.needs)).toEqual([]);
  expect(await ChannelOrigin.streamer(origin, {}, own.needs)).toMatchObject({ id: own.node.id });
});
