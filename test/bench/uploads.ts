/**
 * The time of an upload by tus, beside that of a bare @tus/server with the same store:
 *
 *     pnpm bench:uploads [--megabytes 1024] [--rounds 3] [--only folder|s3]
 *
 * On a folder, and with TEST_S3_ENDPOINT (test/support/s3-server.sh) in a bucket. Each round uploads the same file to the
 * bare server, through the server, and to an upload server of its own, each a process of its own; before each round the disk is
 * told to write what it has. It ends with 1 when the median of the rounds misses a target. Linux only.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startEmbeddedPostgres } from '@foyer/prisma/embedded';

import { startServerProcess, stopServerProcess } from '../support/servers/server-process.ts';
import { startUploadServer } from '../support/servers/upload-server.ts';
import { cpuMsOf } from './gateway/usage.ts';
import { media, MIB, prepare, upload } from './media/uploading.ts';
import { median } from './median.ts';
import { print } from './print.ts';

/** How many times as long as through the bare server an upload may take. */
const most = { folder: 1.15, s3: 1.2 };

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const megabytes = Number(values.megabytes);
const size = megabytes * MIB;

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-uploads-'));
const file = join(folder, 'big.bin');

async function writeFile(): Promise<void> {
  await using handle = await open(file, 'w');
  const block = Buffer.alloc(4 * MIB, 'foyer');
  for (let written = 0; written < size; written += block.length)
    await handle.write(block, 0, Math.min(block.length, size - written));
}

interface Way {
  name: string;
  pid: number;
  /** Uploads the file. */
  send(round: number): Promise<void>;
  /** Waits for what follows the upload, and removes it where possible. */
  settle(round: number): Promise<void>;
}

interface Cost {
  seconds: number;
  /** Of the process that takes the upload, in seconds. */
  cpu: number;
}

async function measured({ pid, send, settle }: Way, round: number): Promise<Cost> {
  execFileSync('sync');
  const [begun, before] = [performance.now(), cpuMsOf(pid)];
  await send(round);
  const cost = { seconds: (performance.now() - begun) / 1000, cpu: (cpuMsOf(pid) - before) / 1000 };
  await settle(round);
  return cost;
}

async function bareWay(s3: Record<string, string> | undefined) {
  const directory = join(folder, 'bare');
  await mkdir(directory, { recursive: true });
  const store = s3 ? ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'].map((name) => s3[name] ?? '') : [];
  const child = fork(join(import.meta.dirname, 'media/bare-tus.ts'), [directory, ...store]);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const way: Way = {
    name: 'a bare @tus/server',
    pid: child.pid ?? 0,
    send: () => upload(url, file, { size, uploadToken: '' }),
    async settle() {
      for (const name of await readdir(directory)) await rm(join(directory, name));
    },
  };
  return { way, stop: () => child.disconnect() };
}

const show = (name: string, costs: readonly Cost[], facts: string) =>
  print(
    `${name.padEnd(22)} ${median(costs.map(({ seconds }) => seconds)).toFixed(2)} s, ` +
      `${median(costs.map(({ cpu }) => cpu)).toFixed(2)} s of CPU   ${facts}`,
  );

/** @returns whether every way met its target */
async function compare(store: keyof typeof most, s3?: Record<string, string>): Promise<boolean> {
  const postgres = await startEmbeddedPostgres(join(folder, `postgres-${store}`));
  const shared = {
    DATABASE_URL: postgres.url,
    HOOK_SECRET: 'a secret of this run',
    MEDIA_DIR: join(folder, 'media'),
    ...s3,
  };
  const foyer = await startServerProcess({ ...shared, LOG_LEVEL: 'warn' }, 'single');
  const alone = await startUploadServer({ ...shared, HOOK_URL: `${foyer.url}/hooks/tusd`, ASSET_BASE_URL: foyer.url });
  const bare = await bareWay(s3);

  const through = (name: string, pid: number, url: string): Way => ({
    name,
    pid,
    async send(round) {
      const facts = { mediaType: 'other', mimeType: 'application/octet-stream', fileSize: size };
      const uploadToken = await prepare(foyer, { ...facts, fileName: `${name}-${round}.bin`.replaceAll(' ', '-') });
      await upload(`${url}/files/`, file, { size, uploadToken });
    },
    async settle(round) {
      const found = await media(foyer, `${name}-${round}.bin`.replaceAll(' ', '-'));
      await fetch(`${foyer.url}/api/media/${found.id}`, { method: 'DELETE' });
    },
  });
  const ways = [
    bare.way,
    through('the server', foyer.pid, foyer.url),
    through('an upload server', alone.pid, alone.url),
  ];

  try {
    const costs = new Map<Way, Cost[]>(ways.map((way) => [way, []]));
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const way of ways) {
        const cost = await measured(way, round);
        if (round > 0) costs.get(way)?.push(cost); // the first one warms up
      }
    }
    const plain = costs.get(bare.way) ?? [];
    print(`${megabytes} MiB, ${store}; load ${loadavg()[0]?.toFixed(1)}`);
    const times = ways.map((way) => {
      const own = costs.get(way) ?? [];
      const ratio = (part: keyof Cost) => median(own.map((cost, at) => cost[part] / (plain[at]?.[part] ?? 1)));
      show(way.name, own, `${ratio('seconds').toFixed(2)} times, ${ratio('cpu').toFixed(2)} times the CPU`);
      return ratio('seconds');
    });
    return times.every((ratio) => ratio <= most[store]);
  } finally {
    bare.stop();
    await alone.kill();
    await stopServerProcess(foyer);
    await postgres.stop();
  }
}

try {
  await writeFile();
  const results: boolean[] = [];
  if (values.only !== 's3') results.push(await compare('folder'));
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  if (endpoint && values.only !== 'folder') {
    const bucket = `bench-${process.pid}-${Date.now().toString(36)}`;
    const keys = { S3_ACCESS_KEY: 'test:tester', S3_SECRET_KEY: 'testing' };
    results.push(await compare('s3', { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, ...keys }));
  }
  if (results.includes(false)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
