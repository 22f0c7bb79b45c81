import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { asSegment, convertSubtitles } from './subtitles.ts';

describe('a WebVTT file', () => {
  it('says how its times relate to those of the film', () => {
    expect(asSegment('WEBVTT - a title\r\n\r\n00:01.000 --> 00:02.000\r\nHello\r\n')).toBe(
      'WEBVTT - a title\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\nHello\n',
    );
  });

  it.each(['', 'WEBVTT\n\n', 'nothing\n\n00:01.000 --> 00:02.000\nHello\n'])('is none without a cue: %j', (text) => {
    expect(asSegment(text)).toBeNull();
  });
});

describe('subtitles', () => {
  const MIB = 2 ** 20;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-subtitles-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Converts tracks of which ffmpeg would make files of these sizes. Returns which of them became subtitles, and the warnings. */
  async function converted(sizes: number[]) {
    const track = { codec: 'subrip', isText: true, language: null, title: null, dispositions: [] };
    const tracks = sizes.map((_size, index) => ({ ...track, index }));
    const convert = async ({ after }: { after: readonly string[] }) => {
      const files = after.filter((word) => word.endsWith('.vtt'));
      for (const [at, file] of files.entries()) {
        await writeFile(file, 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n');
        await truncate(file, sizes[at]);
      }
      return '';
    };
    const run = { signal: new AbortController().signal, timeoutMs: 1_000 };
    const transcoder = { convert } as unknown as Parameters<typeof convertSubtitles>[0]['transcoder'];
    const { subtitles, warnings } = await convertSubtitles({ transcoder }, { file: '', folder, tracks, run });
    return { made: subtitles.map(({ track }) => track.index), warnings };
  }

  it('that are longer than those of any film are left out, and never read into memory', async () => {
    const { made, warnings } = await converted([1_000, 20 * MIB, 1_000]);

    expect(made).toEqual([0, 2]);
    expect(warnings).toEqual(['Subtitles 2 (subrip) are too long.']);
  });

  it('of one film are left out as soon as they are too long together', async () => {
    const { made, warnings } = await converted(Array.from({ length: 10 }, () => 10 * MIB));

    expect(made).toEqual([0, 1, 2, 3, 4, 5]);
    expect(warnings).toHaveLength(4);
  });
});
