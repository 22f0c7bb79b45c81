import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Loop } from './playlist.ts';

const SECONDS = 12;
const TIMEOUT_MS = 120_000;

/** A loop with the folder of its segments: `init.mp4`, `0.m4s`, `1.m4s` … */
export interface LoopFiles extends Loop {
  folder: string;
}

/** Makes twelve seconds of moving test picture and a tone, as fMP4 segments; later calls find them. */
export async function makeLoop(parent: string, findFfmpeg: () => Promise<string>): Promise<LoopFiles> {
  const folder = join(parent, 'loop');
  if (!existsSync(folder)) {
    const unfinished = join(parent, 'loop.making');
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true });
    await run(await findFfmpeg(), unfinished);
    await rename(unfinished, folder); // whole or not at all
  }
  const playlist = await readFile(join(folder, 'index.m3u8'), 'utf8');
  const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) =>
    Math.round(Number(seconds) * 1000),
  );
  if (durations.length === 0) throw new Error(`ffmpeg made no loop in ${folder}`);
  return { folder, durations };
}

/** Runs ffmpeg in a process group of its own, because Ctrl-C in the terminal is meant for the server; it ends with us. */
async function run(ffmpeg: string, cwd: string): Promise<void> {
  const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const child = spawn(ffmpeg, film, { cwd, ...limits, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`ffmpeg made no loop: ${said.trim()}`);
  } finally {
    process.off('exit', end);
  }
}

/** A key frame every two seconds: each segment can be the first one played. */
const film = [
  ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
  ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=25:duration=${SECONDS}`],
  ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${SECONDS}`],
  ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-profile:v', 'main', '-b:v', '800k'],
  ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0'],
  ['-af', 'volume=-20dB', '-c:a', 'aac', '-b:a', '64k'],
  ['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', '%d.m4s', 'index.m3u8'],
].flat();
