import { createReadStream } from 'node:fs';
import { open, rm, mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { closeHouse, openHouse } from '../support/house.ts';
import { mkdtemp } from 'node:fs/promises';
const MIB = 2 ** 20;
const mb = 512;
await mkdir('/tmp/prof5', { recursive: true });
const file = '/tmp/prof5/big.bin';
const h = await open(file, 'w');
const b = Buffer.alloc(4 * MIB, 'foyer');
for (let i = 0; i < mb; i += 4) await h.write(b);
await h.close();
const house = await openHouse({ LOG_LEVEL: 'warn', NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof5/cpu' });
try {
  const p = await fetch(house.url + '/api/media/prepare', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'b',
      originalName: 'b',
      tenant: 'bench',
      mediaType: 'other',
      mimeType: 'application/octet-stream',
      fileSize: mb * MIB,
      fileName: 'big.bin',
    }),
  });
  const tok = ((await p.json()) as any).data.uploadToken;
  const b64 = (s: string) => Buffer.from(s).toString('base64');
  let t0 = performance.now();
  const c = await fetch(house.url + '/files/', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(mb * MIB),
      'upload-metadata': 'filename ' + b64('x') + ',uploadToken ' + b64(tok),
    },
  });
  console.log('create', c.status, performance.now() - t0);
  const loc = new URL(c.headers.get('location')!, house.url + '/files/');
  for (let off = 0; off < mb * MIB; off += 64 * MIB) {
    t0 = performance.now();
    await new Promise<void>((res, rej) => {
      const r = request(
        loc,
        {
          method: 'PATCH',
          headers: {
            'tus-resumable': '1.0.0',
            'upload-offset': String(off),
            'content-type': 'application/offset+octet-stream',
            'content-length': 64 * MIB,
          },
        },
        (a) => {
          a.resume().on('end', () => {
            console.log(a.statusCode, off / MIB, Math.round(performance.now() - t0));
            res();
          });
        },
      );
      r.on('error', rej);
      createReadStream(file, { start: off, end: off + 64 * MIB - 1, highWaterMark: 1 * MIB }).pipe(r);
    });
  }
  await new Promise((r) => setTimeout(r, 1500));
  t0 = performance.now();
  const N = 3000;
  let n = 0;
  const { Agent, get } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (n < N) {
        const s = ((n++ * 7919) % (mb * 16 - 1)) * 65536;
        await new Promise<void>((res, rej) =>
          get(
            house.url + '/assets/media/bench/big.bin',
            { agent, headers: { range: `bytes=${s}-${s + 65535}` } },
            (r) => {
              r.resume().on('end', res);
            },
          ).on('error', rej),
        );
      }
    }),
  );
  console.log('ranges/s', (N / (performance.now() - t0)) * 1000);
  agent.destroy();
} finally {
  await house.stop?.();
  await closeHouse(house).catch(() => {});
  await rm(file);
}
