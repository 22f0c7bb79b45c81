import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { extname, join } from 'node:path';

import { findTools } from '@foyer/media/tools';

const cache = join(import.meta.dirname, '../../node_modules/.cache/foyer-films');

/** The ffmpeg that the server itself uses. */
export const ffmpeg = async () => (await findTools()).ffmpeg;

/**
 * Puts a file there that ffmpeg makes of these arguments. It is made once on a machine and kept by them: who makes the same
 * again gets a copy.
 */
export async function madeByFfmpeg(file: string, args: string[]): Promise<void> {
  const program = await ffmpeg();
  const key = createHash('sha256')
    .update(JSON.stringify([program, ...args]))
    .digest('hex')
    .slice(0, 16);
  const kept = join(cache, `${key}${extname(file)}`);
  if (!existsSync(kept)) {
    const making = join(cache, `${key}-${process.pid}${extname(file)}`);
    mkdirSync(cache, { recursive: true });
    execFileSync(program, ['-v', 'error', '-y', ...args, making]);
    renameSync(making, kept);
  }
  copyFileSync(kept, file);
}

/** A real video: a moving test picture with a tone. */
export async function testVideo(folder: string, { seconds = 3, size = '640x360' } = {}): Promise<string> {
  const file = join(folder, `test-picture-${seconds}.mp4`);
  const picture = `testsrc2=s=${size}:r=25:d=${seconds}`;
  const tone = `sine=f=440:r=48000:d=${seconds}`;
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone];
  await madeByFfmpeg(file, [...inputs, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']);
  return file;
}
