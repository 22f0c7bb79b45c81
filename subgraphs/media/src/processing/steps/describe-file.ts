import type { Media } from '@foyer/prisma/client';
import { z } from 'zod';

import type { RunOptions, Transcoder } from '#ports/transcoder.ts';
import type { Services } from '../../context.ts';
import { Probed, streamEntries, type ProbedFile } from './probed.ts';
import { readStreams, type Streams } from './streams.ts';

/** What the records of the steps `normalize` and `probe` say of a file, for the steps behind them. */
const Facts = z.object({
  isInterlaced: z.boolean().optional(),
  /** What ffprobe said of the bytes of this etag. */
  probed: z.object({ etag: z.string(), file: Probed }).optional(),
});

interface Described {
  streams: Streams;
  /** What ffprobe said. */
  probed: ProbedFile;
  /** Undefined where nobody has looked yet. */
  isInterlaced: boolean | undefined;
}

/**
 * Describes the file of an item, of which there is a copy here. What earlier steps of this run have found out about the same
 * bytes is not looked for again.
 *
 * @throws {CannotRead}
 */
export async function describeFile(
  { db, transcoder }: Pick<Services, 'db' | 'transcoder'>,
  { id: mediaId, run, etag }: Pick<Media, 'id' | 'run' | 'etag'>,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<Described> {
  const records = await db.processingCheckpoint.findMany({
    where: { mediaId, run, step: { in: ['normalize', 'probe'] } },
    select: { facts: true },
  });
  const facts = records.flatMap((record) => Facts.safeParse(record.facts).data ?? []);
  const known = facts.find((fact) => fact.probed && fact.probed.etag === etag)?.probed?.file;
  const probed = known ?? (await probeFile(transcoder, file, { signal }));
  const isInterlaced = facts.find((fact) => fact.isInterlaced !== undefined)?.isInterlaced;
  return { streams: readStreams(probed), probed, isInterlaced };
}

/** Returns the facts by which later steps know a file; null when it can't be told from another one. */
export const factsAbout = (etag: string | null, file: ProbedFile) => (etag === null ? {} : { probed: { etag, file } });

/** Asks ffprobe about a file. @throws {CannotRead} */
export const probeFile = async (
  transcoder: Pick<Transcoder, 'probe'>,
  file: string,
  { signal }: Pick<RunOptions, 'signal'>,
): Promise<ProbedFile> => Probed.parse(await transcoder.probe(file, streamEntries, { signal, timeoutMs: 60_000 }));
