import { randomBytes } from 'node:crypto';

import { freePort } from '@foyer/prisma/free-port';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { noS3, s3Endpoint, whyNoS3 } from '@foyer/shared/testing/s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import {
  stopServerProcess,
  distributed,
  startServerProcess,
  type Server,
  type ServerProcess,
} from '../support/servers/server-process.ts';
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';
import { acmeAdmin, ask, day, nobody, onSale } from '../support/fixtures/storefront.ts';
import { withNewBucket } from '../support/s3.ts';
import { createUpload, mediaNamed, patchUpload, tus } from '../support/tus.ts';
import { prepareUpload } from '../support/fixtures/uploads.ts';
import { until } from '../support/until.ts';

/** The readiness of the server and the check of its store, which only the process of media has. */
async function readiness(of: Server) {
  const { status, json } = await send(of, 'GET', '/health/ready');
  return { status, store: distributed ? json.checks.media : json.checks.store };
}

/** A single process is unready without its store; of many, only media is. */
const notReady = { status: distributed ? 200 : 503, store: false };

const PLACE = `mutation ($input: CreateOrderInput!) { createFreeOrder(input: $input) { orderNo } }`;

describe('a server whose S3 server is away at the start', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    database = await createTestDatabase(); // empty: a first start writes to the store
    server = await startServerProcess({
      ...withNewBucket(`http://127.0.0.1:${await freePort()}`),
      DATABASE_URL: database.url,
      LOGIN_FLOOR_MS: '50',
    });
  });
  afterAll(async () => {
    await stopServerProcess(server);
    await database.drop();
  });

  it('starts, and reports itself unready with the failed check', async () => {
    expect((await send(server, 'GET', '/health/live')).status).toBe(200);
    expect(await readiness(server)).toEqual(notReady);
  });

  it('answers 503 to requests that need the store', async () => {
    const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const token = await prepareUpload(server, { size: 5, fileName: 'x', folder: 'x', mediaType: 'other' });
    for (const answer of [
      await send(server, 'GET', '/assets/media/acme/any.mp4'),
      await send(server, 'GET', '/assets/acme/any.mp4/presign'),
      await send(server, 'GET', '/api/media/storage-audit', { headers }),
    ])
      expect([answer.status, answer.json.code]).toEqual([503, 'STORE_AWAY']);
    const created = await createUpload(server, { token, size: 5 });
    expect([created.status, JSON.parse(await created.text()).code]).toEqual([503, 'STORE_AWAY']);
    const audit = await graphql(server, '{ storageAudit { objectCount } }', {}, headers);
    expect(audit.errors[0].extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'STORE_AWAY' });
  });

  it('does everything else', async () => {
    expect((await send(server, 'GET', '/api/media/')).status).toBe(200);
    expect((await send(server, 'GET', '/streamers')).status).toBe(200);
    await logIn(server, 'orgadmin@acme.test', 'ACME');
  });

  it('prints receipts', async () => {
    const { ticketGroupId, itemId } = await onSale(server, await acmeAdmin(server), { variant: { unitPriceSen: 0 } });
    const items = [{ itemId, quantityBought: 1 }];
    const buyer = { buyerName: 'Guest Tan', buyerEmail: 'away@example.test', langChosen: 'EN' };
    const input = { ticketGroupId, admitDate: day(7), items, ...buyer };
    const { orderNo } = await ask(server, nobody, PLACE, { input });

    const receipt = () => fetch(`${server.url}/pdf/receipt?orderNo=${orderNo}`);
    expect([(await receipt()).status, (await receipt()).status]).toEqual([200, 200]);
    await until('the warning', async () => server.printed().includes('receipts are printed anew'));
    expect(server.printed()).not.toMatch(/"level":50.*receipt/);
  });
});

describe('an S3 server that hangs', () => {
  let proxy: TcpProxy;
  let hung: ServerProcess;
  afterAll(async () => {
    await stopServerProcess(hung);
    await proxy?.shut();
  });

  it.skipIf(noS3)(`holds no asset request for longer than STORE_TIMEOUT_MS${whyNoS3}`, async () => {
    proxy = await startTcpProxy(Number(new URL(s3Endpoint).port));
    hung = await startServerProcess({
      ...withNewBucket(`http://127.0.0.1:${proxy.port}`),
      LOGIN_FLOOR_MS: '50',
      STORE_TIMEOUT_MS: '4000', // a busy S3 server takes seconds
    });
    const token = await prepareUpload(hung, { size: 5, fileName: 'held', folder: 'held', mediaType: 'other' });
    const location = (await createUpload(hung, { token, size: 5 })).headers.get('location') ?? '';
    expect((await patchUpload(hung, location, { offset: 0, body: 'hello' })).status).toBe(204);
    const { assetUrl } = await mediaNamed(hung, 'held', 'held');
    expect((await fetch(assetUrl)).status).toBe(200);

    proxy.hush();
    const held = await fetch(assetUrl);
    expect([held.status, held.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await held.json()).toMatchObject({ code: 'STORE_AWAY' });
    await until('the store to be noticed', async () => !(await readiness(hung)).store);
    // A timeout of another server is a warning, not an error of this one.
    expect(hung.printed()).toMatch(/"level":40.*STORE_AWAY/);
    expect(hung.printed()).toMatch(/The object store (was silent for|gave no byte within) 4000 ms/);
    expect(hung.printed()).not.toMatch(/"level":50/);

    await proxy.shut();
    await proxy.open();
    await until('the store to be back', async () => (await fetch(assetUrl)).status === 200);
  });
});

describe('an S3 server that comes late, and is away for a while', () => {
  let proxy: TcpProxy;
  let late: HostedServer;
  afterAll(async () => {
    await closeServer(late);
    await proxy?.shut();
  });

  it.skipIf(noS3)(`is used once it is there, and nothing that was begun is lost${whyNoS3}`, async () => {
    proxy = await startTcpProxy(Number(new URL(s3Endpoint).port));
    await proxy.shut();
    late = await startServer({ ...withNewBucket(`http://127.0.0.1:${proxy.port}`), LOGIN_FLOOR_MS: '50' });
    expect(await readiness(late)).toEqual(notReady);
    await proxy.open();
    await until('the store to be found', async () => (await readiness(late)).store);

    const bytes = randomBytes(50_000);
    const wish = { size: bytes.length, fileName: 'kept', folder: 'kept', mediaType: 'other' };
    const created = await createUpload(late, { token: await prepareUpload(late, wish), size: bytes.length });
    const location = created.headers.get('location') ?? '';
    await proxy.shut();
    // Ten seconds of retries by the client and by the server.
    const away = Array.from({ length: 10 }, () => patchUpload(late, location, { offset: 0, body: bytes }));
    for (const answer of await Promise.all(away)) expect(answer.status).toBeGreaterThanOrEqual(409);
    await proxy.open();

    await until('the upload to be there', async () => (await tus(late, 'HEAD', location)).ok);
    expect((await patchUpload(late, location, { offset: 0, body: bytes })).status).toBe(204);
    const { assetUrl } = await mediaNamed(late, 'kept', 'kept');
    expect(Buffer.from(await (await fetch(assetUrl)).arrayBuffer()).equals(bytes)).toBe(true);
  });
});
