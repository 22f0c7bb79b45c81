import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface Options {
  partBytes: number;
  /** Holds each part until it is sent; what is left in it is swept. */
  folder: string;
  /** Waits until another part may be sent. */
  acquire(): Promise<{ release(): Promise<void> }>;
  /** Is called in the order of the parts. */
  send(part: Readable, bytes: number): Promise<unknown>;
}

/**
 * Sends bytes in parts, several at a time, and returns their number. If they break off, the complete parts are sent. A part that
 * is still arriving keeps no other from being sent: a slow client would hold up all.
 *
 * @throws when they break off or a part can't be sent, once nothing more is being sent
 */
export async function sendInParts(bytes: Readable, { partBytes, folder, acquire, send }: Options): Promise<number> {
  const sending: Promise<void>[] = [];
  const failing = new AbortController();
  let total = 0;
  let part: Part | undefined;

  async function complete({ path, file, size }: Part) {
    await file.close();
    const permit = await acquire();
    part = undefined;
    total += size;
    const sent = sendFile(path, (stream) => send(stream, size), permit);
    sent.catch(() => failing.abort());
    sending.push(sent);
  }
  async function spool(pieces: AsyncIterable<Buffer>) {
    try {
      for await (const piece of pieces) {
        let rest = piece;
        while (rest.length > 0) {
          part ??= await newPart(folder);
          const fitting = rest.subarray(0, partBytes - part.size);
          await part.file.appendFile(fitting);
          part.size += fitting.length;
          rest = rest.subarray(fitting.length);
          if (part.size === partBytes) await complete(part);
        }
      }
      if (part) await complete(part);
    } finally {
      await part?.file.close().catch(() => undefined); // its bytes are not needed
      if (part) await discard(part.path);
    }
  }

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

async function newPart(folder: string) {
  const path = join(folder, randomUUID());
  return { path, file: await open(path, 'wx'), size: 0 };
}

/** A file that can't be removed now is swept later. */
const discard = (path: string) => rm(path, { force: true }).catch(() => undefined);

type Permit = Awaited<ReturnType<Options['acquire']>>;

async function sendFile(path: string, send: (file: Readable) => Promise<unknown>, permit: Permit) {
  const file = createReadStream(path);
  try {
    await new Promise((resolve, reject) => {
      file.once('error', reject);
      send(file).then(resolve, reject);
    });
  } finally {
    file.destroy();
    await discard(path);
    await permit.release();
  }
}
