import type { Log } from '@foyer/shared/telemetry/log';
import { openTracing } from '@foyer/shared/telemetry/open-tracing';
import { isTracing } from '@foyer/shared/telemetry/tracing';

/** The spans of this process and of what it asks the database; nothing is loaded where nobody collects them. */
export async function openTraces(env: NodeJS.ProcessEnv, process: { name: string; log: Log }) {
  const tracing = await openTracing(env, process);
  if (isTracing()) (await import('@foyer/prisma/tracing')).traceQueries();
  return tracing;
}
