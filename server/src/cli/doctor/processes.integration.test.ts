import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { envOf, newEnv, servicesWith } from '../../distributed/testing/compose-file.ts';
import { runProgram } from '../program.ts';
import type { Finding } from './finding.ts';

let services: ReturnType<typeof servicesWith>;
let ready: Server;
let silent: Server;
let folder: string;

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const answering = (status: number) =>
  new Promise<Server>((done) => {
    const server = createServer((_request, response) => response.writeHead(status).end());
    server.listen(0, '127.0.0.1', () => done(server));
  });

beforeAll(async () => {
  services = servicesWith(await newEnv());
  ready = await answering(200);
  silent = await answering(503);
  folder = await mkdtemp(join(tmpdir(), 'foyer-doctor-'));
});
afterAll(async () => {
  ready.close();
  silent.close();
  await rm(folder, { recursive: true, force: true });
});

/** The findings of doctor in a container of docker-compose.yml, whose services are not there. */
async function findingsIn(service: string, env: NodeJS.ProcessEnv = {}): Promise<Finding[]> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const nowhere = Object.entries(envOf(services[service])).map(([name, value]) => [
    name,
    value?.replace(/(?<=\/\/|@)(postgres|redis|s3|zitadel|mailpit|media)(:\d+)?(?=\/|$)/, '127.0.0.1:1'),
  ]);
  const given = { ...(Object.fromEntries(nowhere) as NodeJS.ProcessEnv), MEDIA_DIR: folder, HOST: '127.0.0.1', ...env };
  await runProgram(['doctor', '--json'], { env: given, out, err, signal: new AbortController().signal });
  out.end();
  return (JSON.parse(await text(out)) as { findings: Finding[] }).findings;
}

const stateOf = (findings: readonly Finding[], part: string) => findings.find((each) => each.part === part)?.state;

describe('the doctor in the container of a process', () => {
  it('misses no database and no identity provider in a gateway, and checks that its subgraphs are ready', async () => {
    const findings = await findingsIn('gateway', {
      IDENTITY_URL: addressOf(ready),
      TICKETING_URL: addressOf(silent),
      MEDIA_URL: 'http://127.0.0.1:1',
      UPLOAD_SERVER_URL: addressOf(ready),
      REDIS_URL: '',
    });
    expect(stateOf(findings, 'configuration of gateway')).toBe('ok');
    expect(Object.fromEntries(findings.map(({ part, state }) => [part, state]))).toMatchObject({
      identity: 'ok',
      ticketing: 'failed',
      media: 'failed',
      'upload server': 'ok',
    });
    expect(findings.find(({ part }) => part === 'ticketing')).toMatchObject({
      found: `answers 503 at ${addressOf(silent)}`,
      cure: expect.stringContaining('/health/ready'),
    });
    expect(findings.find(({ part }) => part === 'media')?.cure).toContain('MEDIA_URL');
    expect(JSON.stringify(findings)).not.toMatch(/DATABASE_URL|IDP_URL|ffmpeg|license/);
  });

  it.each([
    ['identity', ['PostgreSQL', 'Redis', 'license', 'identity provider', 'mail']],
    ['ticketing', ['PostgreSQL', 'Redis', 'identity provider', 'payment gateway', 'mail', 'printed receipts']],
    ['media', ['PostgreSQL', 'Redis', 'media store', 'streamers']],
    ['upload', ['PostgreSQL', 'media store', 'media', 'disk']],
  ])('checks in that of %s what it uses, and nothing else', async (name, parts) => {
    const findings = await findingsIn(name);
    expect(stateOf(findings, `configuration of ${name}`)).toBe('ok');
    const found = findings.map(({ part }) => part).filter((part) => !/^(configuration|port|others)/.test(part));
    expect(found.toSorted()).toEqual(parts.toSorted());
  });

  it('names a variable that the process can not use', async () => {
    const findings = await findingsIn('identity', { LICENSE_PUBLIC_KEY: 'none' });
    expect(findings.find(({ part }) => part === 'configuration of identity')).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('LICENSE_PUBLIC_KEY'),
    });
  });
});
