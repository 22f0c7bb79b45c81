import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Media as MediaRow } from '@foyer/prisma/client';
import { parse, setOptions, type types } from 'hls-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ownTools, packaged } from '../testing/own-tools.ts';
import { picturesAsSubtitles } from '../testing/picture-subtitles.ts';
import { openScratchMedia, type ScratchMedia } from '../testing/scratch-media.ts';

let server: ScratchMedia;
let tools: Awaited<ReturnType<typeof packaged>>;
let folder: string;

beforeAll(async () => {
  setOptions({ strictMode: true });
  folder = await mkdtemp(join(tmpdir(), 'foyer-ladders-'));
  tools = await packaged();
  const { ffmpeg: FFMPEG_PATH, ffprobe: FFPROBE_PATH } = await ownTools();
  server = await openScratchMedia({ FFMPEG_PATH, FFPROBE_PATH });
});
afterAll(async () => {
  setOptions({ strictMode: false });
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const picture = (seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`];
const tone = (hertz: number, seconds: number) => ['-f', 'lavfi', '-i', `sine=f=${hertz}:r=48000:d=${seconds}`];
const small = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];

async function withLadder(fileName: string, args: string[]): Promise<MediaRow> {
  const file = join(folder, fileName);
  execFileSync(tools.ffmpeg, ['-v', 'error', '-y', ...args, file]);
  const where = { name: { startsWith: 'Compact' } };
  const { id: profile } = await server.db.transcodingProfile.findFirstOrThrow({ where });
  const input = { title: 'Test', originalName: 'x', fileName, transcodingProfileId: String(profile) };
  const token = await server.prepare({ ...input, fileSize: (await stat(file)).size });
  const uploadId = (await server.upload(file, token)).split('/').at(-1) ?? '';
  return server.ended((await server.db.media.findUniqueOrThrow({ where: { uploadId } })).id);
}

const read = async (key: string) => (await fetch(`${server.url}/assets/${key}`)).text();

async function ladderOf({ manifestKey }: MediaRow) {
  const hls = dirname(manifestKey ?? '');
  const master = parse(await read(`${hls}/master.m3u8`)) as types.MasterPlaylist;
  const playlist = async (uri: string) => parse(await read(`${hls}/${uri}`)) as types.MediaPlaylist;
  return { hls, master, playlist };
}

/** The streams that ffprobe finds in what a media playlist names, and how many packets of each. */
async function played(base: string, { segments }: types.MediaPlaylist) {
  const uris = [segments[0]?.map?.uri, ...segments.map(({ uri }) => uri)];
  const parts = await Promise.all(
    uris.map(async (uri, at) => {
      const range = segments[at - 1]?.byterange;
      const headers = range ? { range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : undefined;
      return Buffer.from(
        await (await fetch(`${server.url}/assets/${base}/${uri}`, { headers: headers ?? {} })).arrayBuffer(),
      );
    }),
  );
  const file = join(folder, 'joined.mp4');
  await writeFile(file, Buffer.concat(parts));
  const entries = ['-count_packets', '-show_entries', 'stream=codec_type,nb_read_packets', '-of', 'json', file];
  // Reads everything: what a damaged file says goes to standard error.
  const { streams } = JSON.parse(execFileSync(tools.ffprobe, ['-v', 'error', ...entries]).toString()) as {
    streams: { codec_type: string; nb_read_packets: string }[];
  };
  return Object.fromEntries(streams.map(({ codec_type: type, nb_read_packets: count }) => [type, Number(count)]));
}

describe('the ladder of a film', () => {
  it('with one track of sound has it in every rung, and alone at the end', async () => {
    const film = await withLadder('one.mp4', [...picture(2), ...tone(440, 2), ...small]);
    const { hls, master, playlist } = await ladderOf(film);

    expect(master.variants.map(({ uri, codecs, audio }) => [uri, codecs, audio.length])).toEqual([
      ['90p/index.m3u8', expect.stringMatching(/^avc1\.\w{6},mp4a\.40\.2$/), 0],
      ['audio-1-und/index.m3u8', 'mp4a.40.2', 0],
    ]);
    expect(master.variants[0]).toMatchObject({ frameRate: 25, resolution: { width: 160, height: 90 } });
    expect(await played(`${hls}/90p`, await playlist('90p/index.m3u8'))).toEqual({
      video: 50,
      audio: expect.any(Number),
    });
    expect(await played(`${hls}/audio-1-und`, await playlist('audio-1-und/index.m3u8'))).toEqual({
      audio: expect.any(Number),
    });
    expect(await read(film.smilKey ?? '')).not.toContain('audio-1');
  });

  it('with several has each in its language, beside the picture, and the first one in the SMIL ladder', async () => {
    const words = join(folder, 'words.srt');
    await writeFile(words, '1\n00:00:00,500 --> 00:00:01,500\nHello\n\n');
    const pictures = join(folder, 'pictures.sup');
    await writeFile(pictures, picturesAsSubtitles);
    const sources = [...picture(2), ...tone(440, 2), ...tone(880, 1), '-i', words, '-i', words, '-i', pictures];
    const maps = [0, 1, 2, 3, 4, 5].flatMap((input) => ['-map', String(input)]);
    const codecs = [...small, '-c:s:0', 'srt', '-c:s:1', 'ass', '-c:s:2', 'copy'];
    const languages = ['a:0=eng', 'a:1=ger', 's:0=eng', 's:1=ger', 's:2=fre'].flatMap((each) => {
      const [stream, language] = each.split('=');
      return [`-metadata:s:${stream}`, `language=${language}`];
    });
    const film = await withLadder('two.bin', [
      ...sources,
      ...maps,
      ...codecs,
      ...languages,
      '-disposition:s:1',
      'forced',
      '-f',
      'matroska',
    ]);
    const { hls, master, playlist } = await ladderOf(film);

    const variants = master.variants.map(({ uri, audio, subtitles }) => [
      uri,
      audio.map((each) => [each.uri, each.language, each.name, each.isDefault, each.autoselect, each.channels]),
      subtitles.map((each) => [each.uri, each.language, each.isDefault, each.forced ?? false]),
    ]);
    const sounds = [
      ['audio-1-en/index.m3u8', 'en', 'English', true, true, '2'],
      ['audio-2-de/index.m3u8', 'de', 'Deutsch', false, true, '2'],
    ];
    const subtitles = [
      ['subtitles-1-en/index.m3u8', 'en', false, false],
      ['subtitles-2-de/index.m3u8', 'de', false, true],
    ];
    expect(variants).toEqual([
      ['90p/video.m3u8', sounds, subtitles],
      ['audio-1-en/index.m3u8', sounds, subtitles],
    ]);
    const durations = new Set<number>();
    const some = expect.any(Number);
    for (const [place, uri, streams] of [
      ['90p', 'index.m3u8', { video: some, audio: some }],
      ['90p', 'video.m3u8', { video: some }],
      ['audio-1-en', 'index.m3u8', { audio: some }],
      ['audio-2-de', 'index.m3u8', { audio: some }],
    ] as const) {
      const media = await playlist(`${place}/${uri}`);
      expect(await played(`${hls}/${place}`, media)).toEqual(streams);
      expect(media.segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(2, 0);
      durations.add(media.targetDuration);
    }
    expect(durations.size).toBe(1);
    expect(await read(film.smilKey ?? '')).toMatch(/src="\.\.\/hls\/90p\/index\.m3u8"/);

    const text = (await playlist('subtitles-1-en/index.m3u8')).segments[0]?.uri ?? '';
    expect(await read(`${hls}/subtitles-1-en/${text}`)).toMatch(
      /^WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00\.000\n[^]*00:00\.5\d\d --> 00:01\.5\d\d\nHello\n/,
    );
    const { data } = await server.ask('query ($id: ID!) { media(id: $id) { warnings { code message } } }', {
      id: String(film.id),
    });
    const warning = { code: 'SUBTITLES_SKIPPED', message: expect.stringMatching(/pictures/) };
    expect(data).toMatchObject({ media: { warnings: expect.arrayContaining([warning]) } });
  });

  it.each([0.08, 0.4])('of %d seconds has a target duration of a second', async (seconds) => {
    const film = await withLadder(`short-${seconds}.mp4`, [...picture(seconds), ...tone(440, seconds), ...small]);
    const { playlist } = await ladderOf(film);

    expect(await playlist('90p/index.m3u8')).toMatchObject({ targetDuration: 1, endlist: true });
  });
});
