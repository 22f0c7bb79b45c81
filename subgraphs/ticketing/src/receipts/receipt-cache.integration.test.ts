import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { freePort } from '@foyer/prisma/free-port';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { diskReceiptStore } from '../adapters/receipt-store/disk.ts';
import { s3ReceiptStore } from '../adapters/receipt-store/s3.ts';
import { openReceiptCache } from './receipt-cache.ts';

const HOUR = 3_600_000;
const KEY = 'a'.repeat(64);
const ANOTHER = 'b'.repeat(64);
/** No store of these tests is slow, however busy the machine. */
const patient = { timeoutMs: 120_000 };

let parent: string;
let folders = 0;
let now = new Date('2026-12-01T00:00:00Z');
const clock = { now: () => now };
const servers: Server[] = [];
beforeAll(async () => (parent = await mkdtemp(join(tmpdir(), 'foyer-receipts-'))));
afterEach(() => servers.splice(0).forEach((server) => server.close().closeAllConnections()));
afterAll(() => rm(parent, { recursive: true, force: true }));

const newFolder = () => join(parent, `${(folders += 1)}`);
const pdf = (text: string) => new TextEncoder().encode(text);
const textOf = (found: Uint8Array | null) => found && Buffer.from(found).toString();

/** A process with a cache over a store, and what it warns of. */
function aCache(options: Partial<Parameters<typeof openReceiptCache>[0]>) {
  const warnings: unknown[] = [];
  const log = { ...openLog('silent'), warn: (...said: unknown[]) => void warnings.push(said) };
  return {
    warnings,
    ...openReceiptCache({ store: undefined, secret: 'one', clock, log, limits: patient, ...options }),
  };
}

const onDisk = (folder: string, options: Partial<Parameters<typeof openReceiptCache>[0]> = {}) =>
  aCache({ store: diskReceiptStore(folder), ...options });

async function keep(cache: ReturnType<typeof aCache>, key: string, text: string) {
  cache.keep(key, pdf(text));
  await cache.stop();
}

describe('printed receipts', () => {
  it('are read by another process by their key, for a day', async () => {
    const folder = newFolder();
    const [one, another] = [onDisk(folder), onDisk(folder)];
    await keep(one, KEY, '%PDF-1');

    expect(textOf(await another.read(KEY))).toBe('%PDF-1');
    expect(await another.read(ANOTHER)).toBeNull();
    now = new Date(now.getTime() + 24 * HOUR);
    expect(await another.read(KEY)).toBeNull();
    expect(another.warnings).toEqual([]);
  });

  it('are removed after a day', async () => {
    const folder = newFolder();
    await keep(onDisk(folder), KEY, '%PDF-1');
    const files = () => readdir(folder);
    const at = (hours: number) => ({ now: () => new Date(Date.now() + hours * HOUR) });

    await onDisk(folder, { clock: at(23) }).sweep();
    expect(await files()).toHaveLength(1);
    await onDisk(folder, { clock: at(25) }).sweep();
    expect(await files()).toEqual([]);
  });

  it('larger than 256 KiB are not kept', async () => {
    const cache = onDisk(newFolder());
    cache.keep(KEY, new Uint8Array(256 * 1024 + 1));
    cache.keep(ANOTHER, new Uint8Array(256 * 1024));
    await cache.stop();

    expect(await cache.read(KEY)).toBeNull();
    expect(await cache.read(ANOTHER)).toHaveLength(256 * 1024);
  });

  it('can not be read in the store, nor by an installation with another secret', async () => {
    const folder = newFolder();
    await keep(onDisk(folder), KEY, 'Siti binti Ahmad');
    const [name = ''] = await readdir(folder);

    expect(name).not.toContain(KEY.slice(0, 8));
    expect((await readFile(join(folder, name))).toString('latin1')).not.toContain('Siti');
    expect(await onDisk(folder, { secret: 'another' }).read(KEY)).toBeNull();
  });

  it('that are damaged, or lie under the name of another, are printed anew and replaced', async () => {
    const folder = newFolder();
    const cache = onDisk(folder);
    await keep(cache, KEY, '%PDF-1');
    const [name = ''] = await readdir(folder);
    const whole = await readFile(join(folder, name));
    await keep(cache, ANOTHER, '%PDF-2');
    const other = (await readdir(folder)).find((each) => each !== name) ?? '';
    const flipped = Buffer.from(whole);
    flipped[20] = (flipped[20] ?? 0) ^ 1;

    for (const damaged of [Buffer.alloc(0), whole.subarray(0, 30), whole.subarray(0, -1), flipped, Buffer.alloc(99)]) {
      await writeFile(join(folder, name), damaged);
      expect(await cache.read(KEY)).toBeNull();
    }
    await writeFile(join(folder, other), whole);
    expect(await cache.read(ANOTHER)).toBeNull();
    expect(cache.warnings).toHaveLength(6);
    await keep(cache, KEY, '%PDF-3');
    expect(textOf(await cache.read(KEY))).toBe('%PDF-3');
  });

  it('are remembered by nobody else where there is no store', async () => {
    const cache = aCache({});
    await keep(cache, KEY, '%PDF-1');
    await cache.sweep();

    expect(await cache.read(KEY)).toBeNull();
    expect(cache.warnings).toEqual([]);
  });
});

/** An S3 server that does what a test says. */
async function onS3(listener: RequestListener) {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return s3At((server.address() as AddressInfo).port);
}

const s3At = (port: number) =>
  s3ReceiptStore({
    endpoint: new URL(`http://127.0.0.1:${port}`),
    bucket: 'foyer-receipts',
    region: 'us-east-1',
    accessKey: 'key',
    secretKey: 'secret',
    timeoutMs: 120_000,
  });

describe('a store of printed receipts that can not be used', () => {
  it('is not there: nothing fails, one warning is logged, and it is asked again after a pause', async () => {
    const cache = aCache({ store: s3At(await freePort()) });
    for (let time = 0; time < 3; time += 1) {
      expect(await cache.read(KEY)).toBeNull();
      await keep(cache, KEY, '%PDF-1');
      await cache.sweep();
      now = new Date(now.getTime() + 6_000);
    }

    expect(cache.warnings).toHaveLength(1);
  });

  it('never answers, or stops in the middle: it is given up', async () => {
    let isSilent = true;
    const store = await onS3((_request, response) => {
      if (isSilent) return;
      response.setHeader('content-length', 100);
      response.write('half');
    });
    const cache = aCache({ store, limits: { timeoutMs: 100, sweepTimeoutMs: 100, pauseMs: 0 } });

    for (const silent of [true, false]) {
      isSilent = silent;
      expect(await cache.read(KEY)).toBeNull();
      await keep(cache, KEY, '%PDF-1');
      await cache.sweep();
    }
    expect(cache.warnings).toHaveLength(1);
  });

  it('is asked for nothing more while many calls hang', async () => {
    let requests = 0;
    const store = await onS3(() => void (requests += 1));
    const cache = aCache({ store, limits: { timeoutMs: 500, pauseMs: 0, mostCalls: 2 } });
    const all = await Promise.all(Array.from({ length: 10 }, () => cache.read(KEY)));

    expect(all).toEqual(Array.from({ length: 10 }, () => null));
    expect(await cache.read(KEY)).toBeNull();
    expect(requests).toBeLessThanOrEqual(2);
  });

  it.each([
    [403, 'AccessDenied'],
    [500, 'InternalError'],
    [507, 'InsufficientStorage'],
  ])('answers %i: it is left alone for a while, then used again', async (status, code) => {
    let requests = 0;
    let isWell = false;
    const objects = new Map<string, Buffer>();
    const store = await onS3((request, response) => {
      requests += 1;
      const { method, url = '' } = request;
      void buffer(request).then((sent) => {
        if (!isWell) return response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
        if (method === 'PUT') objects.set(url, sent);
        return response.setHeader('etag', '"1"').end(objects.get(url));
      });
    });
    const cache = aCache({ store });

    expect(await cache.read(KEY)).toBeNull();
    const before = requests;
    await keep(cache, KEY, '%PDF-1');
    expect(requests).toBe(before);
    isWell = true;
    now = new Date(now.getTime() + 6_000);
    await keep(cache, KEY, '%PDF-1');
    expect(textOf(await cache.read(KEY))).toBe('%PDF-1');
    expect(cache.warnings).toHaveLength(1);
  });

  it('is a full disk, or a folder that can not be made: receipts are printed anew', async () => {
    const file = newFolder();
    await writeFile(file, 'in the way');
    const cache = onDisk(join(file, 'receipts'));

    await keep(cache, KEY, '%PDF-1');
    expect(await cache.read(KEY)).toBeNull();
    expect(cache.warnings).toHaveLength(1);
  });
});
