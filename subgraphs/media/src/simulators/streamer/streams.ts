import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

import { readKept } from '@foyer/shared/process/read-kept';
import { z } from 'zod';

/** In characters of a path. The name of a channel, which it is made of, has 200; the framework takes 100 by default. */
export const LONGEST_STREAM_ID = 8_000;

export interface Stream {
  id: string;
  /** As the client sent it. */
  payload: Record<string, unknown>;
  createdAt: string;
}

export type Streams = Awaited<ReturnType<typeof openStreams>>;

const Kept = z.array(z.custom<Stream>((each) => typeof each === 'object' && each !== null));

/**
 * Opens the streams of a node, kept in one JSON file.
 *
 * @throws {ConfigError} when it is damaged
 */
export async function openStreams(folder: string) {
  const file = join(folder, 'streams.json');
  const streams = new Map(((await readKept(file, Kept)) ?? []).map((stream) => [stream.id, stream]));
  let lastWrite = Promise.resolve();

  /** Writes one after the other: each write contains all streams. */
  const save = () => (lastWrite = lastWrite.catch(() => undefined).then(() => writeWhole(file, [...streams.values()])));

  return {
    all: () => [...streams.values()],
    find: (id: string) => streams.get(id),
    /** @returns false when there is such a stream already */
    async add(stream: Stream): Promise<boolean> {
      if (streams.has(stream.id)) return false;
      streams.set(stream.id, stream);
      await save();
      return true;
    },
    /** @returns false when there is no such stream */
    async remove(id: string): Promise<boolean> {
      const found = streams.delete(id);
      if (found) await save();
      return found;
    },
  };
}

/** Replaces a file atomically: a reader, also after a crash, finds the old or the new content. */
export async function writeWhole(file: string, content: unknown): Promise<void> {
  const unfinished = `${file}.making`;
  const handle = await open(unfinished, 'w');
  await handle.writeFile(JSON.stringify(content, null, 2));
  await handle.sync();
  await handle.close();
  await rename(unfinished, file);
}
