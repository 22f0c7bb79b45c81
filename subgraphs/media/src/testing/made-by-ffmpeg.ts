// For tests: films that ffmpeg makes, once on a machine.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

import { packaged } from './own-tools.ts';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../../node_modules/.cache/foyer-films');

/** The ffmpeg from npm. */
export const ffmpeg = async () => (await packaged()).ffmpeg;

/**
 * Puts a file there that ffmpeg makes of these arguments. It is made once on a machine and kept by them: who makes the same
 * again gets a copy.
 *
 * @param by another ffmpeg than that from npm
 */
export async function madeByFfmpeg(file: string, args: readonly string[], by?: string): Promise<void> {
  const program = by ?? (await ffmpeg());
  const key = createHash('sha256')
    .update(JSON.stringify([program, ...args]))
    .digest('hex')
    .slice(0, 16);
  const kept = join(cache, `${key}${extname(file)}`);
  if (!existsSync(kept)) {
    const making = join(cache, `${key}-${process.pid}${extname(file)}`);
    mkdirSync(cache, { recursive: true });
    await run(program, ['-v', 'error', '-nostdin', '-y', ...args, making], { timeout: 300_000 });
    renameSync(making, kept);
  }
  await copyFile(kept, file);
}
