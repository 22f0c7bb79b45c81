import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FileWriter } from './file-writer.ts';

describe('a writer of a file', () => {
  let folder: string;
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'foyer-file-writer-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('continues at its position, with pieces of any size', async () => {
    const path = join(folder, 'continued');
    await writeFile(path, 'begun');
    const pieces = ['', 'a', 'b'.repeat(70_000), 'c'.repeat(3), 'd'.repeat(2_000_000)];
    await using file = await open(path, 'r+');
    const writer = new FileWriter(file, 5);
    await pipeline(Readable.from(pieces.map((text) => Buffer.from(text))), writer);

    expect(writer.bytesWritten).toBe(pieces.join('').length);
    expect((await readFile(path, 'utf8')) === `begun${pieces.join('')}`).toBe(true);
  });

  it('frees what it has written, but no memory that others use', async () => {
    const [own, shared] = [Buffer.from(new ArrayBuffer(1000)), Buffer.from('of two').subarray(0, 2)];
    await using file = await open(join(folder, 'freed'), 'w');
    await pipeline(Readable.from([own, shared]), new FileWriter(file, 0));

    expect([own.length, shared.toString()]).toEqual([0, 'of']);
  });

  it('writes on when a file takes a part only', async () => {
    const written: string[] = [];
    const slow = {
      async writev([first = Buffer.alloc(0)]: readonly Buffer[], position: number) {
        written.push(`${position}: ${first.subarray(0, 2).toString()}`);
        return { bytesWritten: Math.min(2, first.length) };
      },
      datasync: async () => undefined,
    };
    await pipeline(Readable.from([Buffer.from('abc'), Buffer.from('de')]), new FileWriter(slow, 0));

    expect(written).toEqual(['0: ab', '2: c', '3: de']);
  });

  it('fails when the disk could not keep what it got', async () => {
    const broken = {
      writev: async (pieces: readonly Buffer[]) => ({ bytesWritten: Buffer.concat(pieces).length }),
      datasync: () => Promise.reject(new Error('EIO')),
    };
    const pieces = Readable.from([Buffer.alloc(40 * 2 ** 20)]);

    await expect(pipeline(pieces, new FileWriter(broken, 0))).rejects.toThrow('EIO');
  });
});
