/**
 * The cost of media, each figure beside a baseline of the same run:
 *
 *     pnpm bench:media [--megabytes 1024] [--objects 100000] [--ranges 2000] [--rounds 5]
 *
 * - reads of 64 KiB ranges of an asset, against `send` on the same file, in turn; it ends with 1 when `send`, in a process of
 *   its own, serves more of them a second (median of the rounds)
 * - the storage audit of many objects
 *
 * `pnpm bench:uploads` measures uploads. Linux only.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import type { Json } from '../support/json.ts';
import { cpuMsOf } from './gateway/usage.ts';
import { media, MIB, prepare, upload } from './media/uploading.ts';
import { median } from './median.ts';
import { print, printFacts } from './print.ts';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    objects: { type: 'string', default: '100000' },
    ranges: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
  },
});
const megabytes = Number(values.megabytes);
const objects = Number(values.objects);
const ranges = Number(values.ranges);

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-media-'));

async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const started = performance.now();
  const result = await work();
  return { seconds: (performance.now() - started) / 1000, result };
}

async function residentMiB(foyer: ServerProcess): Promise<number> {
  const text = await (await fetch(`${foyer.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? 0) / MIB;
}

/** The peak memory of the server during some work. */
async function watchingMemory<Result>(foyer: ServerProcess, work: () => Promise<Result>) {
  const before = await residentMiB(foyer);
  let most = before;
  const end = new AbortController();
  const ended = end.signal;
  const watch = (async () => {
    while (!ended.aborted) {
      most = Math.max(most, await residentMiB(foyer));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  const measured = await timed(work);
  end.abort();
  await watch;
  return { ...measured, before, growth: most - before };
}

async function bigFile(): Promise<string> {
  const file = join(folder, 'big.bin');
  const handle = await open(file, 'w');
  const block = Buffer.alloc(4 * MIB, 'foyer');
  for (let written = 0; written < megabytes; written += 4)
    await handle.write(block, 0, Math.min(4, megabytes - written) * MIB);
  await handle.close();
  return file;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Reads ranges of 64 KiB from all over a file, eight at a time. */
async function readRanges(url: string, size: number): Promise<number> {
  let next = 0;
  const one = async () => {
    while (next < ranges) {
      const start = ((next++ * 7_919) % Math.max(1, Math.floor(size / 65_536) - 1)) * 65_536;
      await new Promise<void>((resolve, reject) => {
        get(url, { agent, headers: { range: `bytes=${start}-${start + 65_535}` } }, (response) => {
          if (response.statusCode !== 206) reject(new Error(`answered ${response.statusCode}`));
          response.resume().on('end', resolve);
        }).on('error', reject);
      });
    }
  };
  const { seconds } = await timed(() => Promise.all(Array.from({ length: 8 }, one)));
  return ranges / seconds;
}

/** The ranges that a server sends in a second, and its CPU for each in milliseconds. */
async function measureRanges(url: string, pid: number, size: number) {
  const before = cpuMsOf(pid);
  const rate = await readRanges(url, size);
  return { rate, cpu: (cpuMsOf(pid) - before) / ranges };
}

async function benchRanges(foyer: ServerProcess, file: string): Promise<void> {
  const { size } = await stat(file);
  const child = fork(join(import.meta.dirname, 'media/bare-send.ts'), [file]);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const rounds: Record<'plain' | 'ours', Awaited<ReturnType<typeof measureRanges>>>[] = [];
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const plain = await measureRanges(url, child.pid ?? 0, size);
    const ours = await measureRanges(`${foyer.url}/assets/media/bench/big.bin`, foyer.pid, size);
    if (round > 0) rounds.push({ plain, ours }); // the first one warms up
  }
  child.disconnect();

  const show = (name: string, way: 'plain' | 'ours') =>
    printFacts(
      name,
      `${Math.round(median(rounds.map((round) => round[way].rate)))} a second`,
      `${median(rounds.map((round) => round[way].cpu)).toFixed(2)} ms of CPU for each`,
    );
  show('ranges of 64 KiB through `send`', 'plain');
  show('the same as an asset', 'ours');
  const times = median(rounds.map(({ plain, ours }) => ours.rate / plain.rate));
  const cpu = median(rounds.map(({ plain, ours }) => ours.cpu / plain.cpu));
  print(`${times.toFixed(2)} times as many, ${cpu.toFixed(2)} times the CPU; load ${loadavg()[0]?.toFixed(1)}`);
  if (times < 1) process.exitCode = 1;
}

async function benchAudit(foyer: ServerProcess): Promise<void> {
  const bucket = join(folder, 'media/media/bench-audit');
  for (let number = 0; number < objects; number++) {
    const place = join(bucket, String(Math.floor(number / 1000)));
    if (number % 1000 === 0) await mkdir(place, { recursive: true });
    await writeFile(join(place, `object-${number}`), '');
  }
  const walk = await timed(() => readdir(bucket, { recursive: true }));
  printFacts(`listing of ${objects} files`, `${walk.seconds.toFixed(2)} s`);
  const { seconds, growth, result } = await watchingMemory(foyer, async () => {
    const answer = await fetch(`${foyer.url}/api/media/storage-audit?prefix=bench-audit/&limit=250000`);
    const audit: Json = await answer.json();
    return audit;
  });
  if (result.data.orphanCount !== objects) throw new Error(`found ${result.data.orphanCount} orphans`);
  printFacts('storage audit of the same', `${seconds.toFixed(2)} s`, `memory ${Math.round(growth)} MiB more`);
}

const foyer = await startServerProcess({ MEDIA_DIR: join(folder, 'media'), LOG_LEVEL: 'warn' }, 'single');
try {
  const file = await bigFile();
  const { size } = await stat(file);
  const facts = { mediaType: 'other', mimeType: 'application/octet-stream', fileSize: size, fileName: 'big.bin' };
  await upload(`${foyer.url}/files/`, file, { size, uploadToken: await prepare(foyer, facts) });
  await media(foyer, 'big.bin');
  await benchRanges(foyer, file);
  if (objects > 0) await benchAudit(foyer);
} finally {
  agent.destroy();
  await stopServerProcess(foyer);
  await rm(folder, { recursive: true, force: true });
}
