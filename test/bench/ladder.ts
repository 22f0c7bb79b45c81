/**
 * The CPU of the ladder of a plain film, beside that of one bare ffmpeg that makes the same rungs:
 *
 *     pnpm bench:ladder [--seconds 5] [--longer 24] [--rounds 3]
 *
 * Each film goes through the server and through ffmpeg in turn, as often as there are rounds; the median of the ratios
 * counts, so that a busy machine disturbs both. It ends with 1 when all programs that the server runs for the ladder need
 * more than 1.1 times the CPU of ffmpeg. The server's own process, which does other things as well, is printed beside it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { madeByFfmpeg } from '@foyer/media/testing/made-by-ffmpeg';
import { findTools } from '@foyer/media/tools';

import { startServerProcess, stopServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { media, prepare, upload } from './media/uploading.ts';
import { median } from './median.ts';
import { print, printFacts } from './print.ts';

const MOST = 1.1;
const TICKS_PER_SECOND = 100; // proc(5), on every Linux

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    longer: { type: 'string', default: '24' },
    rounds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);

/** The rungs of the default profile: lines, kbit/s of the picture, kbit/s of the sound. */
const rungs = [
  { lines: 1080, video: 5000, audio: 160 },
  { lines: 720, video: 2800, audio: 128 },
  { lines: 480, video: 1400, audio: 128 },
];

const short = Number(values.seconds);
/** In short films, starting programs counts most; hardly any upload is that short. */
const films = [
  { name: '1080p, 30 a second', lines: 1080, size: '1920x1080', rate: 30, seconds: short },
  { name: '720p, 25 a second', lines: 720, size: '1280x720', rate: 25, seconds: short },
  { name: '720p, 25 a second', lines: 720, size: '1280x720', rate: 25, seconds: Number(values.longer) },
];

/** The CPU that a process and its ended children have used, in seconds. */
interface Cpu {
  own: number;
  ofChildren: number;
}

async function cpuOf(pid: number | 'self'): Promise<Cpu> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields.slice(11, 15).map(Number);
  return {
    own: (user + system) / TICKS_PER_SECOND,
    ofChildren: (userOfChildren + systemOfChildren) / TICKS_PER_SECOND,
  };
}

/** What a person would type: one decoding, and each rung as segments of fragmented MP4 with the same key frames. */
async function bareLadder(film: string, lines: number, folder: string): Promise<number> {
  const fitting = rungs.filter((rung) => rung.lines <= lines);
  const split = `[0:v:0]split=${fitting.length}${fitting.map((_rung, at) => `[s${at}]`).join('')}`;
  const scaled = fitting.map((rung, at) => `[s${at}]scale=-2:${rung.lines},setsar=1[v${at}]`);
  const outputs = await Promise.all(
    fitting.map(async ({ lines: height, video, audio }, at) => {
      const out = join(folder, String(height));
      await mkdir(out, { recursive: true });
      return (
        `-map [v${at}] -map 0:a:0 -c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high -sc_threshold 0 ` +
        `-g 600 -force_key_frames expr:gte(t,n_forced*2) -b:v ${video}k -maxrate ${Math.round(video * 1.07)}k ` +
        `-bufsize ${Math.round(video * 1.5)}k -c:a aac -b:a ${audio}k -ac 2 -ar 48000 -f hls -hls_time 4 ` +
        `-hls_playlist_type vod -hls_segment_type fmp4 -hls_segment_filename ${out}/seg_%05d.m4s ${out}/index.m3u8`
      );
    }),
  );
  const graph = [split, ...scaled].join(';');
  const line = `-nostdin -y -v error -i ${film} -filter_complex ${graph} ${outputs.join(' ')}`;
  const before = await cpuOf('self');
  // At the priority of the server's programs: on a busy machine, more interruptions cost more CPU.
  const command = ['-n', '10', tools.ffmpeg, ...line.split(' ')];
  const [code] = await once(spawn('nice', command, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  return (await cpuOf('self')).ofChildren - before.ofChildren;
}

/** The step of the server that makes the ladder, from the end of the step before it. */
async function ladderOf(server: ServerProcess, film: string, fileName: string): Promise<Cpu> {
  const { size } = await stat(film);
  const facts = { mediaType: 'video', mimeType: 'video/mp4', fileSize: size, fileName, transcodingProfileId: 1 };
  await upload(`${server.url}/files/`, film, { size, uploadToken: await prepare(server, facts) });
  await media(server, fileName, ['transcode', 'failed']); // loudness and preview are done
  const before = await cpuOf(server.pid);
  const { transcodingStage, failureReason } = await media(server, fileName, undefined, 1_000);
  if (transcodingStage !== 'done') throw new Error(`the ladder failed: ${failureReason}`);
  const after = await cpuOf(server.pid);
  return { own: after.own - before.own, ofChildren: after.ofChildren - before.ofChildren };
}

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-ladder-'));
const tools = await findTools();
const programs = { FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe };
const server = await startServerProcess({ LOG_LEVEL: 'warn', ...programs }, 'single');
try {
  for (const { name, lines, size, rate, seconds } of films) {
    const film = join(folder, `${lines}-${seconds}.mp4`);
    const inputs = `-f lavfi -i testsrc2=s=${size}:r=${rate}:d=${seconds} -f lavfi -i sine=f=440:r=48000:d=${seconds}`;
    await madeByFfmpeg(film, `${inputs} -c:v libx264 -pix_fmt yuv420p -c:a aac`.split(' '));
    const measured: { bare: number; ours: Cpu }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const bare = await bareLadder(film, lines, join(folder, 'bare'));
      measured.push({ bare, ours: await ladderOf(server, film, `${lines}-${seconds}-${round}.mp4`) });
    }
    const times = median(measured.map(({ bare, ours }) => ours.ofChildren / bare));
    printFacts(
      `${name}, ${seconds} s`,
      `ffmpeg ${median(measured.map(({ bare }) => bare)).toFixed(1)} s of CPU`,
      `the programs of the server ${median(measured.map(({ ours }) => ours.ofChildren)).toFixed(1)} s`,
      `${times.toFixed(2)} times`,
      `its own process ${median(measured.map(({ ours }) => ours.own)).toFixed(1)} s`,
    );
    if (times > MOST) process.exitCode = 1;
  }
  print(`wanted: at most ${MOST} times; the load of the last minutes is ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await stopServerProcess(server);
  await rm(folder, { recursive: true, force: true });
}
