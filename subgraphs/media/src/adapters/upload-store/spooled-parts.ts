import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface Options {
  partBytes: number;
  /** Holds each part until it is sent. */
  folder: string;
  /** Waits until another part may be held. */
  acquire(): Promise<{ release(): Promise<void> }>;
  /** Is called in the order of the parts. */
  send(part: Readable, bytes: number): Promise<unknown>;
}

/**
 * Sends bytes in parts, several at a time, and returns their number. If they break off, the complete parts are sent.
 *
 * @throws when they break off or a part can't be sent, once nothing more is being sent
 */
export async function sendInParts(bytes: Readable, { partBytes, folder, acquire, send }: Options): Promise<number> {
  const sending: Promise<void>[] = [];
  const failing = new AbortController();
  let total = 0;
  let part: Part | undefined;
  const complete = async ({ path, file, size, release }: Part) => {
    await file.close();
    part = undefined;
    total += size;
    const sent = sendFile(path, (stream) => send(stream, size), release);
    sent.catch(() => failing.abort());
    sending.push(sent);
  };
  const spool = async (pieces: AsyncIterable<Buffer>) => {
    try {
      for await (const piece of pieces) {
        let rest = piece;
        while (rest.length > 0) {
          part ??= await newPart(folder, acquire);
          const fitting = rest.subarray(0, partBytes - part.size);
          await part.file.appendFile(fitting);
          part.size += fitting.length;
          rest = rest.subarray(fitting.length);
          if (part.size === partBytes) await complete(part);
        }
      }
      if (part) await complete(part);
    } finally {
      await part?.file.close();
      await part?.release();
    }
  };

  let spooling: Promise<void> | undefined;
  const begin = (pieces: AsyncIterable<Buffer>) => (spooling = spool(pieces));
  const spooled = pipeline(bytes, begin, { signal: failing.signal });
  await Promise.allSettled([spooled]);
  await Promise.allSettled([spooling]); // which goes on for a moment when the pipeline is aborted
  await Promise.allSettled(sending);
  await Promise.all([...sending, spooled]);
  return total;
}

type Part = Awaited<ReturnType<typeof newPart>>;

async function newPart(folder: string, acquire: Options['acquire']) {
  const path = join(folder, randomUUID());
  const permit = await acquire();
  const release = async () => {
    await rm(path, { force: true });
    await permit.release();
  };
  try {
    return { path, file: await open(path, 'wx'), size: 0, release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function sendFile(path: string, send: (file: Readable) => Promise<unknown>, release: () => Promise<void>) {
  const file = createReadStream(path);
  try {
    await new Promise((resolve, reject) => {
      file.once('error', reject);
      send(file).then(resolve, reject);
    });
  } finally {
    file.destroy();
    await release();
  }
}
