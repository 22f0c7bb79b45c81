import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ServerProcess } from '../../support/servers/server-process.ts';
import { ffmpeg } from '../../support/fixtures/video.ts';
import { printFacts } from '../print.ts';
import { media, prepare, upload } from './uploading.ts';

/** The CPU that a process and its buried children have used, in seconds (proc(5): a tick is 10 ms). */
async function cpuOf(pid: number | 'self'): Promise<{ own: number; ofChildren: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const ticks = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = ticks;
  return { own: (user + system) / 100, ofChildren: (userOfChildren + systemOfChildren) / 100 };
}

/** The cost of the rungs of the default ladder without a server. */
async function bareLadder(film: string, folder: string): Promise<number> {
  const rungs = [
    [1080, 5000],
    [720, 2800],
    [480, 1400],
  ] as const;
  const split = `[0:v:0]fps=30,split=3${rungs.map((_, place) => `[s${place}]`).join('')}`;
  const scale = rungs.map(([height], place) => `[s${place}]scale=-2:${height},setsar=1[v${place}]`);
  const outputs = await Promise.all(
    rungs.map(async ([height, rate], place) => {
      const out = join(folder, `bare-${height}`);
      await mkdir(out);
      return [
        `-map [v${place}] -map 0:a:0 -c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high -sc_threshold 0`,
        `-g 60 -keyint_min 60 -b:v ${rate}k -maxrate ${rate}k -bufsize ${2 * rate}k -c:a aac -b:a 128k -ac 2 -ar 48000`,
        `-f hls -hls_time 4 -hls_playlist_type vod -hls_segment_type fmp4 -hls_segment_filename ${out}/seg_%05d.m4s`,
        `${out}/index.m3u8`,
      ];
    }),
  );
  const graph = [split, ...scale].join(';');
  const line = ['-nostdin -y -v error -i', film, '-filter_complex', graph, ...outputs.flat()].join(' ');
  const child = spawn(await ffmpeg(), line.split(' '));
  const before = await cpuOf('self');
  await once(child, 'exit');
  return (await cpuOf('self')).ofChildren - before.ofChildren;
}

/** The ladder of a video through the server, beside the bare command, in seconds of CPU. */
export async function benchLadder(server: ServerProcess, folder: string, filmSeconds: number): Promise<void> {
  const film = join(folder, 'film.mp4');
  const picture = `testsrc2=s=1920x1080:r=30:d=${filmSeconds}`;
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${filmSeconds}`];
  execFileSync(await ffmpeg(), [
    '-v',
    'error',
    ...inputs,
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    film,
  ]);
  const { size } = await stat(film);
  const bare = await bareLadder(film, folder);
  printFacts(`bare ffmpeg, three rungs of ${filmSeconds} s`, `${bare.toFixed(1)} s of CPU`);

  const facts = {
    mediaType: 'video',
    mimeType: 'video/mp4',
    fileSize: size,
    fileName: 'film.mp4',
    transcodingProfileId: 1,
  };
  const uploadToken = await prepare(server, facts);
  await upload(`${server.url}/files/`, film, { size, uploadToken });
  await media(server, 'film.mp4', ['transcode', 'failed']); // loudness and preview are done
  const before = await cpuOf(server.pid);
  const made = await media(server, 'film.mp4');
  if (made.transcodingStage !== 'done') throw new Error(`the ladder failed: ${made.failureReason}`);
  const after = await cpuOf(server.pid);
  const whole = after.own + after.ofChildren - before.own - before.ofChildren;
  printFacts(
    'the same through the server',
    `${whole.toFixed(1)} s of CPU`,
    `${(whole / bare).toFixed(2)} times, the server itself included`,
  );
}
