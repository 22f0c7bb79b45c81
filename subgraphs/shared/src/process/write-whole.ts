import { randomBytes } from 'node:crypto';
import { open, rename } from 'node:fs/promises';

/** Writes a small file atomically: a crash leaves the new content or the old one. Only its owner may read it. */
export async function writeWhole(file: string, content: string): Promise<void> {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(half, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(half, file);
}
