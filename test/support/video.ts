import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { findTools } from '@foyer/media/tools';

/** The ffmpeg that the house itself uses. */
export const ffmpeg = async () => (await findTools()).ffmpeg;

/** A real video: a moving test picture with a tone. */
export async function testVideo(folder: string, { seconds = 3 } = {}): Promise<string> {
  const file = join(folder, `test-picture-${seconds}.mp4`);
  const picture = `testsrc2=s=640x360:r=25:d=${seconds}`;
  const tone = `sine=f=440:r=48000:d=${seconds}`;
  const args = ['-v', 'error', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone];
  execFileSync(await ffmpeg(), [...args, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-y', file]);
  return file;
}
