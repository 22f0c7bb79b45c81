import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ConfigError } from '@foyer/shared/config';
import { openLog } from '@foyer/shared/log';
import { openTracing } from '@foyer/shared/open-tracing';

import { readConfig, readStandaloneConfig } from './config.ts';
import { openStandalone } from './standalone.ts';

const STOP_LIMIT_MS = 10_000;

try {
  const { values } = parseArgs({ options: { supergraph: { type: 'string' } } });
  if (values.supergraph === undefined) throw new ConfigError('say --supergraph FILE: what the gateway is to serve');
  // Whose events are the same for whom is known of our own subscriptions only.
  const env = { GRAPHQL_SHARED_SUBSCRIPTIONS: '*', ...process.env };
  const standalone = readStandaloneConfig(env);
  const log = openLog(standalone.logLevel);
  const tracing = await openTracing(env, { name: 'foyer-gateway', log });
  const opened = await openStandalone({
    file: values.supergraph,
    supergraphSdl: await readFile(values.supergraph, 'utf8'),
    config: readConfig(env),
    standalone,
    log,
  });
  stopOnSignals(() => opened.stop().then(tracing.stop));
  process.stdout.write(`The gateway is open: ${opened.url}\n`);
} catch (error) {
  fail(error);
}

function stopOnSignals(end: () => Promise<void>) {
  const stop = () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    end().then(() => process.exit(0), fail);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
}

/** A mistake in the configuration is one line; anything else is a bug, and its whole story is wanted. */
function fail(error: unknown): never {
  const report = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(error instanceof ConfigError ? `gateway: ${error.message}\n` : `${report}\n`);
  process.exit(1);
}
