import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findTools, packagedTools } from '#adapters/tools.ts';
import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { corpus } from '../testing/corpus/corpus.ts';
import { judge } from '../testing/corpus/judge.ts';
import { processCorpus, type ProcessedCorpus } from '../testing/corpus/process-corpus.ts';
import { onDisk } from '../testing/library-fixture.ts';

/** One of each kind of work. */
const chosen = (
  'plain.mp4 transport.ts nine.webm pal-wide.mp4 turned-90.mp4 top-first.mp4 perceptual.mp4 uneven.mp4 late-sound.mp4 ' +
  'five-one.mkv two-languages.mp4 uneven-tracks.mkv subtitles.mkv cut.mp4 nonsense.mp4'
).split(' ');
const sources = corpus.flatMap((group) => group.sources).filter(({ file }) => chosen.includes(file));

describe('an installation without ffmpeg, with the programs from npm', () => {
  let processed: ProcessedCorpus;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-packaged-'));
    const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = await packagedTools();
    const transcoder = ffmpegTranscoder(() => findTools({ ffmpegPath, ffprobePath }));
    processed = await processCorpus(onDisk, { sources, transcoder });
  });
  afterAll(async () => {
    await processed?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has all sources that this test names', () => {
    expect(sources.map(({ file }) => file).toSorted()).toEqual(chosen.toSorted());
  });

  it.each(sources)('makes a whole ladder of $file: $shows', async (source) => {
    expect(await judge(processed, source, join(folder, source.file))).toEqual([]);
  });
});
