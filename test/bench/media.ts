/**
 * The cost of media, each figure beside a baseline of the same run:
 *
 *     pnpm bench:media [--megabytes 1024] [--objects 100000] [--ranges 3000]
 *
 * - an upload through prepare and tus, by the server and by an upload server of its own, against a plain file
 *   copy and a bare @tus/server; memory of the server during it
 * - reads of 64 KiB ranges of an asset, against `send` on the same file
 * - the storage audit of many objects
 */
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, createServer, get, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { FileStore } from '@tus/file-store';
import { Server as TusServer } from '@tus/server';
import send from 'send';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import type { Json } from '../support/json.ts';
import { startUploadServer } from '../support/servers/upload-server.ts';
import { media, MIB, prepare, upload } from './media/uploading.ts';
import { printFacts } from './print.ts';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    objects: { type: 'string', default: '100000' },
    ranges: { type: 'string', default: '3000' },
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

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function benchUpload(foyer: ServerProcess, file: string): Promise<void> {
  const { size } = await stat(file);
  const rate = (seconds: number) => `${seconds.toFixed(2).padStart(7)} s   ${Math.round(megabytes / seconds)} MiB/s`;

  const copied = await timed(() => copyFile(file, join(folder, 'copy.bin')));
  await rm(join(folder, 'copy.bin'));
  printFacts(`copy of ${megabytes} MiB`, rate(copied.seconds));

  const directory = join(folder, 'bare');
  await mkdir(directory);
  const bare = new TusServer({ path: '/files', datastore: new FileStore({ directory }) });
  const server = createServer((request, response) => void bare.handle(request, response));
  const url = await listening(server);
  const plain = await timed(() => upload(`${url}/files`, file, { size, uploadToken: '' }));
  server.close();
  server.closeAllConnections();
  await rm(directory, { recursive: true });
  printFacts('the same through a bare @tus/server', rate(plain.seconds));

  const through = async (name: string, endpoint: string, fileName: string) => {
    const { seconds, growth, before } = await watchingMemory(foyer, async () => {
      const facts = { mediaType: 'other', mimeType: 'application/octet-stream', fileSize: size, fileName };
      await upload(endpoint, file, { size, uploadToken: await prepare(foyer, facts) });
    });
    printFacts(
      `the same through prepare and ${name}`,
      rate(seconds),
      `${(seconds / plain.seconds).toFixed(2)} times the bare server`,
      `memory of the foyer ${Math.round(before)} MiB and ${Math.round(growth)} more`,
    );
    await media(foyer, fileName);
  };
  await through('the server', `${foyer.url}/files/`, 'big.bin');
  await through('an upload server', `${alone.url}/files/`, 'big-alone.bin');
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

async function benchRanges(foyer: ServerProcess, file: string): Promise<void> {
  const { size } = await stat(file);
  const plain = createServer((request, response) => void send(request, file).pipe(response));
  const url = await listening(plain);
  const yardstick = await readRanges(url, size);
  plain.close();
  plain.closeAllConnections();
  const ours = await readRanges(`${foyer.url}/assets/media/bench/big.bin`, size);
  printFacts('ranges of 64 KiB through `send`', `${Math.round(yardstick)} a second`);
  printFacts('the same as an asset', `${Math.round(ours)} a second`, `${(ours / yardstick).toFixed(2)} times`);
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
    const answer = await fetch(`${foyer.url}/api/media/storage-audit?prefix=bench-audit/&limit=1000000`);
    const audit: Json = await answer.json();
    return audit;
  });
  if (result.data.orphanCount !== objects) throw new Error(`found ${result.data.orphanCount} orphans`);
  printFacts('storage audit of the same', `${seconds.toFixed(2)} s`, `memory ${Math.round(growth)} MiB more`);
}

const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
const shared = { DATABASE_URL: postgres.url, HOOK_SECRET: 'a secret of this run', MEDIA_DIR: join(folder, 'media') };
const foyer = await startServerProcess({ ...shared, LOG_LEVEL: 'info' });
const alone = await startUploadServer({
  ...shared,
  HOOK_URL: `${foyer.url}/hooks/tusd`,
  ASSET_BASE_URL: foyer.url,
});
try {
  const file = await bigFile();
  await benchUpload(foyer, file);
  await benchRanges(foyer, file);
  await benchAudit(foyer);
} finally {
  agent.destroy();
  await alone.kill();
  await stopServerProcess(foyer);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
