import { join, resolve } from 'node:path';

import { diskObjectStore } from '#adapters/object-store/disk.ts';
import { DiskUploadStore } from '#adapters/upload-store/disk.ts';
import type { ObjectStore } from '#ports/object-store.ts';
import type { UploadStore } from '#ports/upload-store.ts';
import type { Config } from './config.ts';
import type { UploadJournal } from './uploads/journal.ts';
import { UPLOADS } from './storage/upload-keys.ts';

/**
 * Opens the object store: S3 where it is configured, else a folder.
 *
 * @param scratch a folder of this process alone, on the file system of the store
 * @param presign makes the links of a store that has none of its own
 */
export async function openObjectStore(
  { store: { folder, bucket, s3 } }: Pick<Config, 'store'>,
  { scratch, presign }: { scratch: string; presign: (key: string, seconds: number) => URL },
): Promise<ObjectStore> {
  if (!s3) return diskObjectStore({ folder: resolve(folder), bucket, scratch, presign });
  // Loaded on demand, like the upload store's: the S3 clients take a third of a second to load.
  const { s3ObjectStore } = await import('#adapters/object-store/s3.ts');
  return s3ObjectStore({ ...s3, bucket });
}

/** Opens the store in which uploads arrive: it lies inside the bucket of the object store. */
export async function openUploadStore(
  { store: { folder, bucket, s3 } }: Pick<Config, 'store'>,
  { scratch, journal }: { scratch: string; journal: UploadJournal },
): Promise<UploadStore> {
  if (!s3)
    return new DiskUploadStore({ bucketFolder: join(resolve(folder), bucket), prefix: UPLOADS, scratch, journal });
  const { S3UploadStore } = await import('#adapters/upload-store/s3.ts');
  return new S3UploadStore({ s3: { ...s3, bucket }, prefix: UPLOADS, scratch, journal });
}
