import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { openLog } from '@foyer/shared/telemetry/log';
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
});
