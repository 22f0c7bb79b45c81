import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { logOptions } from '@foyer/shared/telemetry/log';
import { pino } from 'pino';
import { afterEach, beforeEach } from 'vitest';

import { readSettings } from '../configuration-file/settings.ts';
import { openStandalone, type Standalone } from '../standalone.ts';
import { serveSubgraph, type RemoteSubgraph } from './remote-shops.ts';
import { shops, supergraphAt } from './shops.ts';

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { path?: unknown[]; extensions: Record<string, unknown> }[];
}

export const reasonsOf = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions['reason']);

/**
 * Each test has the shops on the network, and may open a gateway over a supergraph file that names them.
 *
 * @param always of its environment
 */
export function gatewayOverRemoteShops(always: Record<string, string> = {}) {
  let folder: string;
  let gateway: Standalone | undefined;
  let remote: Record<string, RemoteSubgraph>;
  /** What the gateway logged, line by line. */
  const log: Record<string, unknown>[] = [];

  beforeEach(async () => {
    log.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'foyer-gateway-'));
    remote = {};
    for (const [name, schema] of Object.entries(shops.schemas)) remote[name] = await serveSubgraph(schema);
  });
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
    for (const subgraph of Object.values(remote)) await subgraph.die().catch(() => undefined);
    await rm(folder, { recursive: true });
  });

  const addresses = () => Object.fromEntries(Object.entries(remote).map(([name, { url }]) => [name, url]));
  function url(): string {
    if (!gateway) throw new Error('open the gateway first');
    return gateway.url;
  }
  function at(name: string): RemoteSubgraph {
    const found = remote[name];
    if (!found) throw new Error(`there is no subgraph ${name}`);
    return found;
  }
  const post = (query: string, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(url(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
      ...(signal && { signal }),
    });
  return {
    at,
    /** Starts another server at the address of a subgraph. */
    async inPlaceOf<S extends Server>(name: string, server: S): Promise<S> {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      at(name).url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return server;
    },
    addresses,
    log,
    /**
     * @param inFile what the supergraph file holds once the gateway has read it, if that is something else
     * @param configuration the text of a configuration file
     */
    async open(
      env: Record<string, string> = {},
      { inFile, configuration }: { inFile?: string; configuration?: string } = {},
    ) {
      const file = join(folder, 'supergraph.graphql');
      const supergraphSdl = supergraphAt(addresses());
      await writeFile(file, inFile ?? supergraphSdl);
      const config = join(folder, 'gateway.yaml');
      if (configuration !== undefined) await writeFile(config, configuration);
      gateway = await openStandalone({
        settings: await readSettings(
          { PORT: '0', SUPERGRAPH_RELOAD_MS: '50', SUBGRAPH_BREAKER_MS: '200', ...always, ...env },
          { supergraph: file, ...(configuration !== undefined && { config }) },
        ),
        supergraphSdl,
        log: pino(logOptions('info'), { write: (line: string) => void log.push(JSON.parse(line)) }),
      });
      return { file };
    },
    async ask(query: string, headers?: Record<string, string>, signal?: AbortSignal): Promise<Answer> {
      return (await (await post(query, headers, signal)).json()) as Answer;
    },
    post,
    url,
    /** The address of its WebSocket. */
    streamUrl: () => url().replace('http', 'ws'),
  };
}
