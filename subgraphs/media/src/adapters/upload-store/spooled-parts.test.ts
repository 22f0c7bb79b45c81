import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sendInParts } from './spooled-parts.ts';

let folder: string;
let sent: string[];
let permits: { acquired: number; released: number };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-parts-'));
  sent = [];
  permits = { acquired: 0, released: 0 };
});
afterEach(() => rm(folder, { recursive: true }));

const options = () => ({
  partBytes: 4,
  folder,
  acquire: async () => {
    permits.acquired++;
    return { release: async () => void permits.released++ };
  },
  send: async (part: Readable): Promise<void> => void sent.push(await text(part)),
});

const leftBehind = async () => ({ files: await readdir(folder), permits: permits.acquired - permits.released });

describe('sending bytes in parts', () => {
  it('sends parts of one size and a last one, whatever the sizes in which the bytes come', async () => {
    const bytes = Readable.from(['ab', 'cdefghi', 'j'].map((piece) => Buffer.from(piece)));

    expect(await sendInParts(bytes, options())).toBe(10);

    expect(sent.toSorted()).toEqual(['abcd', 'efgh', 'ij']);
    expect(await leftBehind()).toEqual({ files: [], permits: 0 });
  });

  it('sends nothing where there are no bytes', async () => {
    expect([await sendInParts(Readable.from([]), options()), sent]).toEqual([0, []]);
  });

  it('keeps a part in its folder until it is sent', async () => {
    const kept: string[][] = [];
    const send = async () => void kept.push(await readdir(folder));
    await sendInParts(Readable.from([Buffer.from('abcd')]), { ...options(), send });

    expect(kept).toEqual([[expect.any(String)]]);
    expect(await leftBehind()).toEqual({ files: [], permits: 0 });
  });

  it('sends what is complete when the bytes break off, and leaves nothing behind', async () => {
    const bytes = new PassThrough();
    const sending = sendInParts(bytes, options());
    bytes.write('abcdef');
    await expect.poll(() => sent).toEqual(['abcd']);
    await expect.poll(async () => (await leftBehind()).files.length).toBe(1);
    bytes.destroy(new Error('gone'));

    await expect(sending).rejects.toThrow('gone');
    expect(await leftBehind()).toEqual({ files: [], permits: 0 });
  });

  it('ends when a part can not be sent, although more bytes may come', async () => {
    const bytes = new PassThrough();
    const sending = sendInParts(bytes, { ...options(), send: () => Promise.reject(new Error('refused')) });
    bytes.write('abcdef');

    await expect(sending).rejects.toThrow('refused');
    expect(bytes.destroyed).toBe(true);
    expect(await leftBehind()).toEqual({ files: [], permits: 0 });
  });

  it('lets other parts be sent while the bytes of one still arrive', async () => {
    const slow = new PassThrough();
    const sending = sendInParts(slow, options());
    slow.write('ab');
    await expect.poll(async () => (await leftBehind()).files.length).toBe(1);

    expect(permits).toEqual({ acquired: 0, released: 0 });
    slow.end('cd');
    expect([await sending, permits]).toEqual([4, { acquired: 1, released: 1 }]);
  });

  it('ends when its folder is missing', async () => {
    const missing = { ...options(), folder: join(folder, 'missing') };
    await expect(sendInParts(Readable.from([Buffer.from('ab')]), missing)).rejects.toThrow('ENOENT');
    expect(permits).toEqual({ acquired: 0, released: 0 });
  });
});
