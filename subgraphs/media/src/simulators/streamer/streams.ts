import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

export interface Stream {
  id: string;
  /** As the client sent it. */
  payload: Record<string, unknown>;
  createdAt: string;
}

export type Streams = Awaited<ReturnType<typeof openStreams>>;

/** Opens the streams of a node, kept in one JSON file. */
export async function openStreams(folder: string) {
  const file = join(folder, 'streams.json');
  const streams = new Map((await readStreams(file)).map((stream) => [stream.id, stream]));
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

async function readStreams(file: string): Promise<Stream[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Stream[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
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
