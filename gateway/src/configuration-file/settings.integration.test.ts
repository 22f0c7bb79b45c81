import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { variablesOf } from '@foyer/shared/config/variables';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Env } from '../config.ts';
import { readSettings } from './settings.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-settings-'));
  file = join(folder, 'gateway.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

async function settings(text: string, env: NodeJS.ProcessEnv = {}) {
  await writeFile(file, text);
  return readSettings(env, { config: file, supergraph: 'some.graphql' });
}

describe('the settings', () => {
  it('come from the file, and an environment variable wins over it', async () => {
    const text = 'limits: { maxDepth: 7, maxAliases: 8 }\nlisten: { port: 4444 }';

    const { config, standalone } = await settings(text, { GRAPHQL_MAX_ALIASES: '9' });

    expect([config.limits.depth, config.limits.aliases, standalone.port]).toEqual([7, 9, 4444]);
  });

  it('have FORWARD_HEADERS after the rules of the file for all subgraphs', async () => {
    const text = 'headers: { all: { request: [{ remove: { named: x-a } }] } }';

    const { config } = await settings(text, { FORWARD_HEADERS: 'X-A' });

    expect(config.subgraphs.headers.all.request).toEqual([
      { remove: { named: 'x-a' } },
      { propagate: { named: 'x-a' } },
    ]);
  });

  it('find the files that the file names beside it', async () => {
    await writeFile(file, 'supergraph: { path: a.graphql }\ntrustedDocuments: { path: b.json, only: true }');

    const { supergraphFile, config } = await readSettings({}, { config: file });

    expect(supergraphFile).toBe(join(folder, 'a.graphql'));
    expect(config.trustedDocuments).toEqual({ file: join(folder, 'b.json'), only: true });
    expect((await readSettings({}, { config: file, supergraph: 'c.graphql' })).supergraphFile).toBe('c.graphql');
  });

  it('need a supergraph', async () => {
    await expect(readSettings({}, {})).rejects.toThrow('--supergraph FILE');
  });

  it('give requests 2 s longer to end than the slowest subgraph may take, unless DRAIN_MS or drain says how long', async () => {
    const slow = 'trafficShaping: { all: { timeout: 20s }, subgraphs: { users: { timeout: 40s } } }';
    expect((await settings(slow)).config.drainMs).toBe(42_000);
    expect((await settings(`${slow}\ndrain: 5s`)).config.drainMs).toBe(5_000);
    expect((await settings(slow, { DRAIN_MS: '0' })).config.drainMs).toBe(0);
  });

  it('share no subscription unless it is named', async () => {
    expect((await settings('')).config.streams.shared).toEqual([]);
    expect((await settings('subscriptions: { shared: [reviewed] }')).config.streams.shared).toEqual(['reviewed']);
  });
});

describe('every setting of the gateway', () => {
  /** What a file does not say: where the process runs, and the rules that `headers` has. */
  const ofProcessesOnly = ['NODE_ENV', 'AUTH_FRONTEND_URL', 'FORWARD_HEADERS', 'SUBGRAPH_COMPILED'];
  const everything = {
    introspection: false,
    sandbox: false,
    cors: { origins: ['https://a.example'] },
    limits: {
      maxRequestBytes: 1,
      maxTokens: 2,
      maxDepth: 3,
      maxAliases: 4,
      maxRootFields: 5,
      maxFields: 6,
      maxCost: 7,
      maxPlanningTime: '8ms',
      assumedListSize: 9,
      maxRequestsPerViewer: 10,
      maxRequestsPerAddress: 11,
      maxStreamsPerViewer: 12,
      webSocket: {
        maxConnections: 13,
        maxConnectionsPerAddress: 14,
        maxOperations: 15,
        maxMessagesPerMinute: 16,
        maxUnreadBytes: 17,
        queue: 18,
        pingInterval: '19ms',
        initTimeout: '20ms',
      },
    },
    trafficShaping: {
      all: {
        timeout: '21ms',
        connections: 22,
        retryShare: 0.5,
        breakerFailures: 23,
        breakerPause: '24ms',
        maxAnswerBytes: 25,
      },
    },
    trustedDocuments: { path: 'd.json', only: true },
    subscriptions: { shared: ['a', 'b'], recheck: '26ms' },
    overrideLabels: ['c'],
    drain: '27ms',
    executor: 'apollo',
    telemetry: { apolloReporting: true },
    logSlowOperations: '0s',
    includeSubgraphErrors: true,
    trustedProxies: ['10.0.0.0/8'],
  };

  it('has a place in the file', async () => {
    const { env } = await settings(JSON.stringify(everything));

    const all = variablesOf(Env).map(([name]) => name);
    expect(all.filter((name) => !(name in env) && !ofProcessesOnly.includes(name))).toEqual([]);
  });

  it('is used as the file says', async () => {
    const { config } = await settings(JSON.stringify(everything));

    expect(config).toMatchObject({
      allowedOrigins: ['https://a.example'],
      trustedProxies: ['10.0.0.0/8'],
      introspection: false,
      sandbox: false,
      limits: {
        bodyBytes: 1,
        tokens: 2,
        depth: 3,
        aliases: 4,
        rootFields: 5,
        fields: 6,
        cost: 7,
        planningMs: 8,
        listSize: 9,
      },
      rates: { perViewer: 10, perAddress: 11 },
      webSocket: {
        connections: 13,
        connectionsPerAddress: 14,
        operations: 15,
        messages: 16,
        unreadBytes: 17,
        queue: 18,
        pingMs: 19,
        initMs: 20,
      },
      streams: { perViewer: 12, shared: ['a', 'b'], recheckMs: 26 },
      subgraphs: {
        timeoutMs: 21,
        connections: 22,
        retryShare: 0.5,
        breakerFailures: 23,
        breakerMs: 24,
        answerBytes: 25,
        errors: 'shown',
      },
      overrideLabels: ['c'],
      drainMs: 27,
      executor: 'apollo',
      apolloReporting: true,
      slowMs: 0,
    });
  });
});
