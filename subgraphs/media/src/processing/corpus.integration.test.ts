import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describeStores } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { corpus } from '../testing/corpus/corpus.ts';
import { judge } from '../testing/corpus/judge.ts';
import { processCorpus, type ProcessedCorpus } from '../testing/corpus/process-corpus.ts';
import { keepingConversions } from '../testing/kept-conversions.ts';
import { onDisk, onS3 } from '../testing/library-fixture.ts';
import { ownTools } from '../testing/own-tools.ts';

const stores = [
  { where: 'disk', open: onDisk },
  { where: 'S3', isS3: true, open: onS3 },
];

/** The same sources come out alike: each is converted once, published to every store, and read back from there. */
const kept = keepingConversions(ffmpegTranscoder(ownTools));
afterAll(async () => (await kept).close());

describeStores('odd sources on', stores, ({ open }) => {
  let processed: ProcessedCorpus;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-corpus-'));
    const { transcoder } = await kept;
    processed = await processCorpus(open, { sources: corpus.flatMap(({ sources }) => sources), transcoder });
  }, 900_000);
  afterAll(async () => {
    await processed?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe.each(corpus)('$about', ({ sources }) => {
    it.each(sources)('$file: $shows', async (source) => {
      expect(await judge(processed, source, join(folder, source.file))).toEqual([]);
    });
  });
});
