import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { readConfig as readMediaConfig } from '@foyer/media/config';
import { openObjectStore } from '@foyer/media/stores';
import { readConfig as readTicketingConfig } from '@foyer/ticketing/config';
import { openReceiptStore } from '@foyer/ticketing/stores';

import { failed, ok, reasonOf, TIMEOUT_MS, warning, type Finding } from './finding.ts';

const GIB = 2 ** 30;
const TOO_LITTLE_GIB = 1;
const LITTLE_GIB = 10;

/** Checks that the store keeps an object, and removes it again. */
export async function checkStore(env: NodeJS.ProcessEnv): Promise<Finding> {
  const config = readMediaConfig(env);
  const { s3, bucket, folder } = config.store;
  const where = s3 ? `bucket ${bucket} at ${s3.endpoint.host}` : resolve(folder);
  const scratch = join(resolve(folder), '.work', `doctor-${randomUUID()}`);
  try {
    await mkdir(scratch, { recursive: true });
    const store = await openObjectStore(config, { scratch, presign: () => new URL('http://localhost') });
    const key = `uploads/doctor-${randomUUID()}`; // no request can reach it there
    await store.put(key, Buffer.from('well'));
    const found = await store.stat(key);
    await store.remove(key);
    if (found?.size !== 4) throw new Error('it did not keep the object');
    return ok('media store', `${where} can be read and written`);
  } catch (error) {
    const cure = s3
      ? 'mend S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY or S3_SECRET_KEY, or the rights of that key'
      : 'let the account of the server write there, or set MEDIA_DIR to another folder';
    return failed('media store', `${where} can not be read and written: ${reasonOf(error)}`, cure);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Checks that processes can share printed receipts. What it writes there is swept after a day, like a receipt. */
export async function checkReceipts(env: NodeJS.ProcessEnv): Promise<Finding> {
  const part = 'printed receipts';
  const { receipts } = readTicketingConfig(env);
  const store = await openReceiptStore({ receipts });
  if (!store) return ok(part, 'each process remembers only those that it has printed itself');
  const { s3, folder = '' } = receipts;
  const where = s3 ? `bucket ${s3.bucket} at ${s3.endpoint.host}` : resolve(folder);
  const [name, signal] = [randomBytes(32).toString('hex'), AbortSignal.timeout(TIMEOUT_MS)];
  try {
    await store.keep(name, Buffer.from('well'), signal);
    if ((await store.find(name, signal))?.length !== 4) throw new Error('it did not keep the bytes');
    return ok(part, `${where} can be read and written`);
  } catch (error) {
    const cure = s3
      ? 'mend RECEIPTS_BUCKET or the rights of its key: until then each process prints for itself'
      : 'let the account of the server write there, or set RECEIPTS_DIR to another folder';
    return warning(part, `${where} can not be read and written: ${reasonOf(error)}`, cure);
  }
}

/** Checks the free space of the disk that the server writes to. */
export async function checkDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearest(folder));
  const gib = (bavail * bsize) / GIB;
  const found = `${gib.toFixed(1)} GiB free at ${folder}`;
  const cure =
    'free some space, or move DATA_DIR and MEDIA_DIR to a bigger disk: videos need several times their own size';
  if (gib < TOO_LITTLE_GIB) return failed('disk', found, cure);
  return gib < LITTLE_GIB ? warning('disk', found, cure) : ok('disk', found);
}

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)));
