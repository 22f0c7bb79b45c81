import { openAddressPolicy } from '@foyer/shared/http/addresses/address-policy';
import { describe, expect, it } from 'vitest';

import { checkChannel, playbackUrlOf, sourceTypeOf, streamIdOf, streamPayload, type ChannelPlan } from './channel.ts';

const multicast: ChannelPlan = {
  name: 'News',
  sourceLabel: 'udp_multicast',
  quality: 'HD',
  sourceType: 'udp',
  ingestConfig: { chunkDuration: '500ms', fragmentDuration: '2s', netTimeout: '1m30s', forceClean: true },
  transcodeConfig: { preset: 'hd' },
  origins: [{ streamerId: '1', ingestUrl: 'udp://239.0.0.1:1234' }],
};

const loop: ChannelPlan = {
  ...multicast,
  sourceType: 'pl',
  ingestConfig: { url: 'pl:///lobby.smil' },
  origins: [{ streamerId: '1', ingestUrl: 'udp://239.0.0.1:1234' }],
};

/** As in production, with one network of nodes. */
const addresses = openAddressPolicy({ networks: ['10.20.0.0/16'], services: [] });

const problems = (plan: ChannelPlan) => {
  try {
    checkChannel(plan, addresses);
    return [];
  } catch (error) {
    return (error as { extensions: { errors: { path: string }[] } }).extensions.errors.map(({ path }) => path);
  }
};

describe('the stream of a channel', () => {
  it.each([
    ['Morning News 2', 'morning_news_2.stream'],
    ['  Sport   HD ', 'sport_hd.stream'],
    ['news', 'news.stream'],
    ['Rock & Roll!', 'rock_roll.stream'],
    ['../etc/passwd', 'etc_passwd.stream'],
    ['新闻 频道', '新闻_频道.stream'],
  ])('is named after it: %s → %s', (name, id) => expect(streamIdOf(name)).toBe(id));

  it('has no name when the channel has no word in its name', () => expect(streamIdOf(' -!- ')).toBeNull());

  it('takes its source from the origin when it is multicast', () => {
    expect(streamPayload(multicast, { ingestUrl: 'udp://239.0.0.1:1234' })).toEqual({
      preset: 'hd',
      chunkDuration: '500ms',
      fragmentDuration: '2s',
      netTimeout: '1m30s',
      forceClean: true,
      url: 'udp://239.0.0.1:1234',
    });
  });

  it('takes its source from the configuration when it is a loop, and ignores that of the origin', () => {
    expect(streamPayload(loop, { ingestUrl: 'udp://239.0.0.1:1234' })).toEqual({
      preset: 'hd',
      url: 'pl:///lobby.smil',
    });
  });

  it('has the playback URL of the template', () => {
    const template = 'http://{host}:{httpPort}/live/{streamId}/playlist.m3u8';
    expect(playbackUrlOf(template, { host: '10.0.0.8', httpPort: 8080 }, 'news.stream')).toBe(
      'http://10.0.0.8:8080/live/news.stream/playlist.m3u8',
    );
    expect(playbackUrlOf(template, { host: 'fd12::1', httpPort: 8080 }, '新闻.stream')).toBe(
      'http://[fd12::1]:8080/live/%E6%96%B0%E9%97%BB.stream/playlist.m3u8',
    );
  });
});

describe('a channel', () => {
  it('is of one of two kinds', () => {
    for (const word of ['udp', 'UDP multicast', 'udp_multicast', 'udp-multicast', 'multicast', 'MULTICAST', 'udp://'])
      expect([word, sourceTypeOf(word)]).toEqual([word, 'udp']);
    for (const word of ['pl', 'pl:///', 'pl:/// loop', 'pl_loop', 'playlist', 'Playlist', 'loop'])
      expect([word, sourceTypeOf(word)]).toEqual([word, 'pl']);
    for (const word of ['', 'rtmp', 'plasma', 'udpx', 'multi', '///']) expect(sourceTypeOf(word)).toBeUndefined();
  });

  it('is valid when it has the fields of its kind', () => {
    expect([problems(multicast), problems(loop)]).toEqual([[], []]);
  });

  it('has configurations and an ingest URL of a limited size', () => {
    const large = { note: 'x'.repeat(16_000) };
    const origins = [{ streamerId: '1', ingestUrl: `udp://239.0.0.1:1234?${'x'.repeat(2_000)}` }];
    expect(problems({ ...multicast, ingestConfig: large, transcodeConfig: large, origins })).toEqual([
      'ingestConfig',
      'transcodeConfig',
      'origins.0.ingestUrl',
    ]);
    expect(problems({ ...loop, origins })).toEqual(['origins.0.ingestUrl']);
    expect(problems({ ...multicast, transcodeConfig: { note: 'x'.repeat(15_900) } })).toEqual([]);
  });

  it.each([
    'udp://239.0.0.1:1234',
    'udp://@239.0.0.1:1234?localaddr=10.20.0.4',
    'udp://:1234',
    'rtp://239.0.0.1:5004',
    'RTP://[ff15::1]:5004',
    'srt://encoder.test:9000?mode=caller',
    'srt://:9000?mode=listener',
    'srt://0.0.0.0:9000?mode=listener',
    'srt://[::]:9000?latency=200&mode=listener',
    'rtmp://10.20.0.9/live/key',
    'http://93.184.216.34:8080/source.ts',
    'https://user:secret@source.test/live/index.m3u8',
  ])('takes its stream from %s', (ingestUrl) => {
    expect(problems({ ...multicast, origins: [{ streamerId: '1', ingestUrl }] })).toEqual([]);
  });

  it.each([
    null,
    '',
    '239.0.0.1:1234',
    'file:///etc/passwd',
    'gopher://source.test/',
    'javascript:alert(1)',
    'http:/source.test',
    'http://',
    'rtmp:///live',
    'http://169.254.169.254/latest/meta-data',
    'http://metadata.google.internal/',
    'http://2130706433/',
    'http://127.0.0.1:4000/',
    'http://[::ffff:127.0.0.1]/',
    'http://source.test@127.0.0.1/',
    'https://192.168.1.1/',
    'rtmp://127.0.0.1/live',
    'srt://127.0.0.1:9000',
    'srt://:9000',
    'srt://0.0.0.0:9000',
    'srt://[::]:9000?mode=caller',
    'srt://0.0.0.0:9000?mode=rendezvous',
    'srt://:9000?mode=listener&mode=caller',
    'srt://:9000#?mode=listener',
    'http://0.0.0.0/',
    'http://239.0.0.1/',
    'http://source.test:80:80/',
    String.raw`http://source.test\@127.0.0.1/`,
    String.raw`http://127.0.0.1\@source.test/`,
    'http://127.0.0.1\t@source.test/',
  ])('does not take its stream from %j', (ingestUrl) => {
    expect(problems({ ...multicast, origins: [{ streamerId: '1', ingestUrl }] })).toEqual(['origins.0.ingestUrl']);
  });

  it.each<[string, Partial<ChannelPlan>, string[]]>([
    ['a name without a word', { name: '!' }, ['name']],
    ['a long word for its kind', { sourceLabel: `udp ${'x'.repeat(47)}` }, ['sourceType']],
    ['a control character in the word for its kind', { sourceLabel: 'udp\u0000' }, ['sourceType']],
    ['a long word for its picture', { quality: 'x'.repeat(51) }, ['quality']],
    ['a control character in the word for its picture', { quality: 'HD\n' }, ['quality']],
    ['a duration without a unit at its end', { ingestConfig: { netTimeout: '1m30' } }, ['ingestConfig.netTimeout']],
    ['a duration without a unit', { ingestConfig: { chunkDuration: '500' } }, ['ingestConfig.chunkDuration']],
    ['forceClean in words', { ingestConfig: { forceClean: 'yes' } }, ['ingestConfig.forceClean']],
    ['a loop of nothing', { sourceType: 'pl', ingestConfig: {} }, ['ingestConfig.url']],
    ['a loop of something else', { sourceType: 'pl', ingestConfig: { url: 'http://x' } }, ['ingestConfig.url']],
    ['no origins', { origins: [] }, ['origins']],
    ['multicast without an ingest URL', { origins: [{ streamerId: '1', ingestUrl: null }] }, ['origins.0.ingestUrl']],
    [
      'one streamer twice',
      { origins: ['1', '1'].map((streamerId) => ({ streamerId, ingestUrl: 'udp://239.0.0.1:1' })) },
      ['origins.1.streamerId'],
    ],
  ])('may not have %s', (_what, change, paths) => expect(problems({ ...multicast, ...change })).toEqual(paths));
});
