import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { databaseLine, stopping } from '@foyer/prisma/testing/database-line';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { openLog } from '@foyer/shared/telemetry/log';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uploadLocker, type UploadLocker } from './locker.ts';

let database: TestDatabase;
const open: UploadLocker[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(open.map((locker) => locker.stop()));
  await database.drop();
});

/** What one upload server has. */
function aLocker(): UploadLocker {
  const locker = uploadLocker({ databaseUrl: database.url, log: openLog('silent') });
  open.push(locker);
  return locker;
}

const { signal } = new AbortController();

describe('the lock on an upload', { timeout: 30_000 }, () => {
  it('admits one request at a time, across two upload servers', async () => {
    const servers = [aLocker(), aLocker()];
    let inside = 0;
    let most = 0;
    const write = async (server: UploadLocker) => {
      const lock = server.newLock('raced');
      await lock.lock(signal, () => undefined);
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
      await lock.unlock();
    };
    await Promise.all(Array.from({ length: 5 }, () => servers.map(write)).flat());

    expect(most).toBe(1);
  });

  it('asks the request that holds it to end, and waits until it has', async () => {
    const [one, other] = [aLocker().newLock('wanted'), aLocker().newLock('wanted')];
    const steps: string[] = [];
    const requested = new Promise<void>((resolve) => {
      void one.lock(signal, () => resolve()).then(() => steps.push('held'));
    });
    await expect.poll(() => steps).toEqual(['held']);
    const taken = other.lock(signal, () => undefined).then(() => steps.push('taken'));
    await requested;
    steps.push('requested');
    await one.unlock();
    await taken;
    await other.unlock();

    expect(steps).toEqual(['held', 'requested', 'taken']);
  });

  it('is asked for inside of its upload server without a word to the others, and holds up no other upload', async () => {
    const told: (string | undefined)[] = [];
    const listener = new Client({ connectionString: database.url });
    listener.on('notification', ({ payload }) => told.push(payload));
    await listener.connect();
    await listener.query('LISTEN media_upload_wanted');

    const server = aLocker();
    const holder = server.newLock('flooded');
    let asked = 0;
    await holder.lock(signal, () => void asked++);
    const waiters = Array.from({ length: 50 }, async () => {
      const lock = server.newLock('flooded');
      await lock.lock(signal, () => undefined);
      await lock.unlock();
    });
    const ended = Promise.allSettled(waiters);
    await expect.poll(() => asked).toBeGreaterThan(10);
    const other = server.newLock('of another');
    await other.lock(signal, () => undefined); // behind all that was sent for the waiters
    await other.unlock();
    await listener.query("SELECT pg_notify('media_upload_wanted', 'the end')");
    await expect.poll(() => told).toContain('the end');
    await listener.end();
    await holder.unlock();
    await ended;

    expect(told).toEqual(['the end']);
  });

  it('has few requests wait for it, and refuses the others', async () => {
    const server = aLocker();
    const holder = server.newLock('crowded');
    await holder.lock(signal, () => undefined);
    const outcomes: unknown[] = [];
    const waiters = Array.from({ length: 20 }, async () => {
      const lock = server.newLock('crowded');
      await lock.lock(signal, () => undefined);
      await lock.unlock();
      outcomes.push('taken');
    }).map((waiter) => waiter.catch((error: unknown) => outcomes.push(error)));
    const refused = expect.objectContaining({ status_code: 423 });
    await expect.poll(() => outcomes).toEqual(Array.from({ length: 12 }, () => refused));
    await holder.unlock();
    await Promise.all(waiters);

    expect(outcomes.slice(12)).toEqual(Array.from({ length: 8 }, () => 'taken'));
  });

  it('is released when its upload server is gone', async () => {
    const dying = aLocker();
    await dying.newLock('left').lock(signal, () => undefined);
    await dying.stop();

    const lock = aLocker().newLock('left');
    await expect(lock.lock(signal, () => undefined)).resolves.toBeUndefined();
    await lock.unlock();
  });

  it('is not waited for by a request that has ended', async () => {
    const holder = aLocker().newLock('busy');
    await holder.lock(signal, () => undefined);
    await expect(
      aLocker()
        .newLock('busy')
        .lock(AbortSignal.abort(), () => undefined),
    ).rejects.toMatchObject({
      status_code: 500,
    });
    await holder.unlock();
  });

  it('is given up when PostgreSQL hangs, and taken again when it answers', async () => {
    const line = await databaseLine(database.url);
    const server = uploadLocker({ databaseUrl: line.url, log: openLog('silent'), answerMs: 3_000 });
    let askedToEnd = false;
    await server.newLock('held').lock(signal, () => void (askedToEnd = true));
    line.breaks('silent');

    await expect(server.newLock('another').lock(signal, () => undefined)).rejects.toThrow();

    await expect.poll(() => askedToEnd).toBe(true);
    line.breaks(undefined);
    const lock = server.newLock('another');
    await lock.lock(signal, () => undefined);
    await lock.unlock();
    await server.stop();
    await line.stop();
  });

  it('is not held by a request to which PostgreSQL gave it with its last word', async () => {
    const line = await databaseLine(database.url);
    const server = uploadLocker({ databaseUrl: line.url, log: openLog('silent') });
    await server.newLock('before').lock(signal, () => undefined);
    line.breaks('ready');

    await expect(server.newLock('last').lock(signal, () => undefined)).rejects.toThrow('lost');

    const next = aLocker().newLock('last');
    await expect(next.lock(signal, () => undefined)).resolves.toBeUndefined();
    await next.unlock();
    await server.stop();
    await line.stop();
  });

  it('is released, too, when it was taken while the connection before, which is lost, was not closed yet', async () => {
    const connections: Socket[] = [];
    const to = new URL(database.url);
    const line = createServer((client) => {
      connections.push(client);
      client.pipe(connect(Number(to.port), to.hostname)).pipe(client);
    }).listen(0, '127.0.0.1');
    await once(line, 'listening');
    const at = Object.assign(new URL(to), { port: String((line.address() as AddressInfo).port) });
    const server = uploadLocker({ databaseUrl: at.href, log: openLog('silent') });
    let isLost = false;
    await server.newLock('before').lock(signal, () => void (isLost = true));
    const [before] = connections;
    before?.write(stopping);
    await expect.poll(() => isLost).toBe(true);

    const lock = server.newLock('meanwhile');
    await lock.lock(signal, () => undefined);
    before?.end();
    await once(before ?? line, 'close');
    await lock.unlock();

    const next = aLocker().newLock('meanwhile');
    await expect(next.lock(signal, () => undefined)).resolves.toBeUndefined();
    await next.unlock();
    await server.stop();
    for (const connection of connections) connection.destroy();
    line.close();
  });
});
