import { openLog } from '@foyer/shared/telemetry/log';
import { openTracing } from '@foyer/shared/telemetry/open-tracing';
import { run } from '@foyer/shared/process/run';

import { readArguments, readSupergraphFile, servingFile } from './command-line.ts';
import { readSettings } from './configuration-file/settings.ts';
import { openStandalone } from './standalone.ts';

/** Runs the standalone gateway until the process is told to end. */
export const serve = (env: NodeJS.ProcessEnv, args: string[]): Promise<void> =>
  run({
    name: 'gateway',
    async open() {
      const settings = await readSettings(env, readArguments(args));
      const log = openLog(settings.standalone.logLevel);
      const tracing = await openTracing(settings.env, { name: 'foyer-gateway', log });
      const supergraphSdl = await readSupergraphFile(settings.supergraphFile);
      const { url, stop } = await servingFile(settings.supergraphFile, log, () =>
        openStandalone({ settings, supergraphSdl, log }),
      );
      const drainMs = settings.standalone.shutdownDelayMs + settings.config.drainMs;
      return { url, drainMs, stop: () => stop().then(tracing.stop) };
    },
    opened: ({ url }) => void process.stdout.write(`The gateway is open: ${url}\n`),
  });
