import type { Log } from '@foyer/shared/telemetry/log';
import { openTracing } from '@foyer/shared/telemetry/open-tracing';
import { isTracing } from '@foyer/shared/telemetry/tracing';

/** Opens tracing for this process and its database queries. Loads nothing where no collector is configured. */
export async function openTraces(env: NodeJS.ProcessEnv, process: { name: string; log: Log }) {
  const tracing = await openTracing(env, process);
  if (isTracing()) (await import('@foyer/prisma/tracing')).traceQueries();
  return tracing;
}
