import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ConfigError } from '@foyer/shared/config/config';
import { openLog } from '@foyer/shared/telemetry/log';
import { openTracing } from '@foyer/shared/telemetry/open-tracing';
import { run } from '@foyer/shared/process/run';

import { readConfig, readStandaloneConfig } from './config.ts';
import { openStandalone } from './standalone.ts';

await run({
  name: 'gateway',
  async open() {
    const { values } = parseArgs({ options: { supergraph: { type: 'string' } } });
    if (values.supergraph === undefined) throw new ConfigError('say --supergraph FILE: what the gateway is to serve');
    // A standalone gateway does not know which subscriptions differ by viewer: equal rights share all of them.
    const env = { GRAPHQL_SHARED_SUBSCRIPTIONS: '*', ...process.env };
    const standalone = readStandaloneConfig(env);
    const log = openLog(standalone.logLevel);
    const tracing = await openTracing(env, { name: 'foyer-gateway', log });
    const { url, stop } = await openStandalone({
      file: values.supergraph,
      supergraphSdl: await readFile(values.supergraph, 'utf8'),
      config: readConfig(env),
      standalone,
      log,
    });
    return { url, stop: () => stop().then(tracing.stop) };
  },
  opened: ({ url }) => void process.stdout.write(`The gateway is open: ${url}\n`),
});
