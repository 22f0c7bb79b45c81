import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { compose } from './supergraph/compose.ts';
import { serveSubgraph } from './testing/remote-shops.ts';
import { aClient, watch } from './testing/ws-clients.ts';

const { supergraphSdl: composed } = compose([
  { name: 'users', url: 'http://users.test', typeDefs: 'type Query { me: String }' },
]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-main-'));
});
afterAll(() => rm(folder, { recursive: true }));

const main = join(import.meta.dirname, 'main.mjs');

/** Runs the command to its end; returns the exit code and what it prints. */
async function gateway(
  args: string[],
  { node = [process.execPath], env = {} }: { node?: string[]; env?: Record<string, string> } = {},
): Promise<[number | null, string]> {
  const [program = '', ...options] = node;
  const child = spawn(program, [...options, main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, printed.replaceAll(folder, '')];
}

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** A Node of this machine that is too old for us, if there is one. */
const old = ['/usr/bin/node', '/usr/local/bin/node']
  .filter((node) => existsSync(node))
  .map((node) => ({ node: [node], version: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() }))
  .find(({ version }) => /^v(1\d|2[0-3])\./.test(version));

/** This Node with the version of another. */
function pretendingToBe(version: string): string[] {
  const values = `{ versions: { value: { node: '${version.slice(1)}' } }, version: { value: '${version}' } }`;
  const script = encodeURIComponent(`Object.defineProperties(process, ${values})`);
  return [process.execPath, '--import', `data:text/javascript,${script}`];
}

const ownSupergraph = join(import.meta.dirname, '../supergraph.graphql');

/** Starts the gateway. */
async function opened(env: Record<string, string>, supergraph = ownSupergraph) {
  const child = spawn(process.execPath, [main, '--supergraph', supergraph], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await expect.poll(() => printed, { timeout: 40_000 }).toContain('/graphql');
  const [url = ''] = /http:\S+/.exec(printed) ?? [];
  return { url, child };
}

describe('node gateway/src/main.mjs', () => {
  it('that is told to stop goes on answering for SHUTDOWN_DELAY_MS, and is not ready', async () => {
    const { url, child } = await opened({ SHUTDOWN_DELAY_MS: '60000' });
    child.kill('SIGTERM');
    const ready = async () => (await fetch(new URL('/health/ready', url))).status;
    await expect.poll(ready, { timeout: 15_000 }).toBe(503);
    expect((await fetch(new URL('/health/live', url))).status).toBe(200);
  });

  it('that is told to stop first gives the answers that it owes, and then closes WebSockets', async () => {
    const typeDefs = 'type Query { me: String }';
    const subgraph = await serveSubgraph(buildSubgraphSchema(parse(typeDefs)));
    onTestFinished(subgraph.die);
    const held: ServerResponse[] = [];
    subgraph.misbehave = (response) => Boolean(held.push(response));
    const { supergraphSdl } = compose([{ name: 'users', url: subgraph.url, typeDefs }]);
    const { url, child } = await opened({}, await fileOf('users.graphql', supergraphSdl));
    const exited = once(child, 'exit');
    const closed = Promise.withResolvers<unknown>();
    const client = aClient(url.replace('http', 'ws'), {
      lazy: false,
      onNonLazyError: () => undefined,
      on: { closed: (event) => closed.resolve((event as { code: number }).code) },
    });
    const overWebSocket = watch(client, '{ mine: me }');
    const overHttp = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"{ me }"}',
    });
    await expect.poll(() => held).toHaveLength(2);

    child.kill('SIGTERM');
    const another = async () => JSON.stringify(await watch(client, '{ __typename }').ended);
    await expect.poll(another).toContain('SERVER_STOPPING');
    for (const response of held) response.end('{"data":{"me":"Aminah","mine":"Aminah"}}');

    expect(await (await overHttp).json()).toEqual({ data: { me: 'Aminah' } });
    await overWebSocket.ended;
    expect(overWebSocket.results).toEqual([{ data: { mine: 'Aminah' } }]);
    expect([await closed.promise, await exited]).toEqual([1001, [0, null]]);
  });

  it('says which Node it needs', async () => {
    const { node, version } = old ?? { node: pretendingToBe('v20.20.2'), version: 'v20.20.2' };

    expect(await gateway([], { node })).toEqual([1, `gateway: this needs Node 24 or newer, and is ${version}\n`]);
  });

  it.each([
    ['a syntax error', 'hello {', 'Syntax Error: Unexpected Name "hello".'],
    ['nothing', '', 'Syntax Error: Unexpected <EOF>.'],
    ['a schema', 'type Query { a: Int }', 'Invalid supergraph: must be a core schema'],
    [
      'a type that composition did not make',
      `${composed} enum Extra { A }`,
      'Unexpected error extracting subgraphs from the supergraph: this is either a bug, or the supergraph has been corrupted. Details: Error: Missing @join__type on Extra',
    ],
  ])('says in one line that a file with %s is no supergraph', async (_what, sdl, why) => {
    const file = await fileOf('supergraph.graphql', sdl);

    expect(await gateway(['--supergraph', file])).toEqual([
      1,
      `gateway: /supergraph.graphql is no supergraph: ${why}\n`,
    ]);
  });

  it('shows the stack of what is wrong with a supergraph only in the log for debugging', async () => {
    const file = await fileOf('supergraph.graphql', `${composed} enum Extra { A }`);
    const logOf = async (level: string) => {
      const child = spawn(process.execPath, [main, '--supergraph', file], {
        env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: level },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return text(child.stdout);
    };

    expect(await logOf('debug')).toContain('at extractSubgraphsFromSupergraph');
    expect(await logOf('warn')).toBe('');
  });

  describe('says in one line which setting is wrong:', () => {
    const inFile = async (settings: object, supergraphSdl = composed) => {
      await fileOf('composed.graphql', supergraphSdl);
      const file = { supergraph: { path: 'composed.graphql' }, listen: { port: 0 }, ...settings };
      return ['--config', await fileOf('gateway.yaml', JSON.stringify(file))];
    };
    const without = composed.replace('http://users.test', '');

    it('a port that is taken', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      onTestFinished(() => void other.close());
      const { port } = other.address() as AddressInfo;
      const taken = `${port} is taken by another process\n`;

      expect(await gateway(await inFile({ listen: { port } }))).toEqual([1, `gateway: listen.port: ${taken}`]);
      const byVariable = { env: { PORT: String(port) } };
      expect(await gateway(await inFile({}), byVariable)).toEqual([1, `gateway: PORT: ${taken}`]);
    });

    it.each<[string, object, string, string]>([
      [
        'a host that there is not',
        { listen: { host: 'nobody.invalid', port: 0 } },
        composed,
        'listen.host: nobody.invalid is no address of this machine',
      ],
      [
        'an address of another machine',
        { listen: { host: '192.0.2.1', port: 0 } },
        composed,
        'listen.host: 192.0.2.1 is no address of this machine',
      ],
      [
        'a proxy',
        { trustedProxies: ['loopback', 'foo'] },
        composed,
        'gateway.yaml: trustedProxies[1]: must be an address',
      ],
      ['a subgraph without an address', {}, without, 'overrideSubgraphUrl.users'],
    ])('%s', async (_what, settings, supergraphSdl, why) => {
      const [code, printed] = await gateway(await inFile(settings, supergraphSdl));

      expect([code, printed]).toEqual([1, expect.stringMatching(/^gateway: [^\n]+\n$/)]);
      expect(printed).toContain(why);
    });

    it('a proxy in a variable', async () => {
      const env = { TRUSTED_PROXIES: 'foo' };

      expect(await gateway(await inFile({}), { env })).toEqual([
        1,
        expect.stringMatching(/^gateway: TRUSTED_PROXIES.*: must be an address [^\n]+\n$/),
      ]);
    });

    it('none where the file has the address that the supergraph lacks', async () => {
      const args = await inFile({ overrideSubgraphUrl: { users: 'http://127.0.0.1:9/graphql' } }, without);
      const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void child.kill('SIGKILL'));
      let problems = '';
      child.stderr.on('data', (chunk: Buffer) => (problems += chunk.toString()));
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));

      await expect.poll(() => printed, { timeout: 40_000 }).toContain('The gateway is open');
      expect(printed).not.toContain('missing a url');
      expect(problems).toBe('');
    });
  });

  it('says in one line that the file of the supergraph is missing', async () => {
    expect(await gateway(['--supergraph', join(folder, 'none.graphql')])).toEqual([
      1,
      'gateway: the supergraph /none.graphql can not be read: ENOENT\n',
    ]);
  });

  it('says in one line that it does not know an argument', async () => {
    expect(await gateway(['--nope'])).toEqual([1, expect.stringMatching(/^gateway: Unknown option '--nope'.*\n$/)]);
  });
});
