import { logOptions } from '@foyer/shared/telemetry/log';
import { systemClock } from '@foyer/shared/clock';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createGateway } from './app.ts';
import { readConfig } from './config.ts';
import { shops } from './testing/shops.ts';

/** What an operator's environment may hold for other programs. */
beforeEach(() => {
  vi.stubEnv('APOLLO_KEY', 'service:shops:not-a-key');
  vi.stubEnv('APOLLO_GRAPH_REF', 'shops@current');
  vi.stubEnv('APOLLO_SCHEMA_REPORTING', 'true');
  vi.stubEnv('APOLLO_TELEMETRY_DISABLED', undefined);
});
afterEach(() => vi.unstubAllEnvs());

async function reportsAtStart(env: Record<string, string>): Promise<{ logged: string; telemetry: boolean }> {
  const lines: string[] = [];
  const log = pino(logOptions('debug'), { write: (line: string) => void lines.push(line) });
  const gateway = await createGateway({
    supergraphSdl: shops.supergraphSdl,
    subgraphs: Object.fromEntries(
      Object.entries(shops.schemas).map(([name, schema]) => [name, { schema, contextFor: () => ({}) }]),
    ),
    authenticate: async () => ({ viewer: null, by: 'nothing' }),
    config: readConfig(env),
    log,
    clock: systemClock,
  });
  const telemetry = process.env['APOLLO_TELEMETRY_DISABLED'] !== 'true';
  await gateway.stop();
  return { logged: lines.join('\n'), telemetry };
}

describe("reports to Apollo's services", () => {
  it('are not made, though the environment holds a key', async () => {
    const { logged, telemetry } = await reportsAtStart({});

    expect(logged).not.toMatch(/report/i);
    expect(telemetry).toBe(false);
  });

  it('are made when the operator switches them on', async () => {
    const { logged, telemetry } = await reportsAtStart({ APOLLO_REPORTING: 'true' });

    expect(logged).toMatch(/usage reporting starting/i);
    expect(telemetry).toBe(true);
  });
});
