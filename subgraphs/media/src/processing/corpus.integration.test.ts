import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ffmpegTranscoder } from '#adapters/transcoder.ts';
import { corpus } from '../testing/corpus/corpus.ts';
import { judge } from '../testing/corpus/judge.ts';
import { processCorpus, type ProcessedCorpus } from '../testing/corpus/process-corpus.ts';
import { keepingConversions } from '../testing/kept-conversions.ts';
import { onDisk, onS3 } from '../testing/library-fixture.ts';
import { ownTools } from '../testing/own-tools.ts';

const endpoint = process.env['TEST_S3_ENDPOINT'];
const stores = [{ store: 'disk', open: onDisk }, ...(endpoint ? [{ store: 'S3', open: onS3(endpoint) }] : [])];

/** The same sources come out alike: each is converted once, published to every store, and read back from there. */
const kept = keepingConversions(ffmpegTranscoder(ownTools));
afterAll(async () => (await kept).close());

describe.each(stores)('odd sources on $store', ({ open }) => {
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

describe('odd sources on S3', () => {
  it('are only tested with TEST_S3_ENDPOINT', (context) => {
    if (!endpoint && !process.env['CI']) context.skip('TEST_S3_ENDPOINT is unset: see test/support/s3-server.sh');
    expect(endpoint, 'TEST_S3_ENDPOINT').toBeDefined();
  });
});
