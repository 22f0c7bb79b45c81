import { parse, type types } from 'hls-parser';
import { describe, expect, it } from 'vitest';

import { masterPlaylist, smilLadder, type MadeAudio, type MadeRung } from './master.ts';
import { describeRenditions } from './renditions.ts';

const rung = (height: number, picture: MadeRung['picture'] = null): MadeRung => ({
  height,
  name: `${height}p`,
  size: { width: (height * 16) / 9, height },
  videoBitrateKbps: 1000,
  audioBitrateKbps: 128,
  peakBandwidth: height * 2000,
  averageBandwidth: height * 1000,
  videoCodec: 'avc1.640028',
  audioCodec: 'mp4a.40.2',
  picture,
});

const sounds = (...languages: string[]): MadeAudio[] =>
  describeRenditions(
    'audio',
    languages.map((language) => ({ language, title: null, dispositions: [] })),
  ).map((each, at) => {
    const bandwidth = { peakBandwidth: 100_000 + at, averageBandwidth: 90_000 + at };
    return { ...each, ...bandwidth, codec: 'mp4a.40.2', channels: 2 };
  });

const plain = { subtitles: [], framesPerSecond: 30_000 / 1001 };
const read = (text: string) => parse(text) as types.MasterPlaylist;

describe('a master playlist', () => {
  it('names each rung with its sound, highest first, then the sound alone', () => {
    const text = masterPlaylist({ ...plain, rungs: [rung(720), rung(360)], audios: sounds('eng'), isSdr: true });

    expect(text.split('\n').slice(3)).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=1440000,AVERAGE-BANDWIDTH=720000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,VIDEO-RANGE=SDR',
      '720p/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=720000,AVERAGE-BANDWIDTH=360000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,VIDEO-RANGE=SDR',
      '360p/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=100000,AVERAGE-BANDWIDTH=90000,CODECS="mp4a.40.2"',
      'audio-1-en/index.m3u8',
      '',
    ]);
  });

  it('of several tracks of sound counts the picture alone and the loudest track', () => {
    const picture = { peakBandwidth: 700_000, averageBandwidth: 600_000 };
    const { variants } = read(masterPlaylist({ ...plain, rungs: [rung(720, picture)], audios: sounds('eng', 'deu') }));

    expect(
      variants.map(({ uri, bandwidth, averageBandwidth, audio }) => [uri, bandwidth, averageBandwidth, audio.length]),
    ).toEqual([
      ['720p/video.m3u8', 800_001, 690_001, 2],
      ['audio-1-en/index.m3u8', 100_001, 90_001, 2],
    ]);
  });

  it('names no other sound where the picture can not be loaded alone', () => {
    const { variants } = read(masterPlaylist({ ...plain, rungs: [rung(720)], audios: sounds('eng', 'deu') }));

    expect(variants.map(({ uri, audio }) => [uri, audio.length])).toEqual([
      ['720p/index.m3u8', 0],
      ['audio-1-en/index.m3u8', 0],
    ]);
  });

  it('of a silent film has no sound', () => {
    const silent = { ...rung(720), audioCodec: null };

    expect(read(masterPlaylist({ ...plain, rungs: [silent], audios: [] })).variants).toMatchObject([
      { uri: '720p/index.m3u8', codecs: 'avc1.640028' },
    ]);
  });
});

describe('a SMIL ladder', () => {
  it('has no rung without a picture', () => {
    const sources = smilLadder([rung(720), rung(360)], '<Tom & "Jerry">').match(/src="[^"]+"/g);

    expect(sources).toEqual(['src="../hls/720p/index.m3u8"', 'src="../hls/360p/index.m3u8"']);
  });
});
