import { diag, DiagLogLevel } from '@opentelemetry/api';
import { z } from 'zod';

import { flag, parseConfig } from '../config/config.ts';
import type { Log } from './log.ts';
import { switchTracingOn } from './tracing.ts';

/** How long the last spans may take on their way to the collector when a process stops. */
const FLUSH_MS = 2_000;

/**
 * What switches tracing on. The rest the SDK reads from the environment by itself: `OTEL_TRACES_SAMPLER` and its
 * `OTEL_TRACES_SAMPLER_ARG`, `OTEL_EXPORTER_OTLP_HEADERS`, and all that is documented there.
 */
const Env = z
  .object({
    OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
    OTEL_SDK_DISABLED: flag.default(false),
    OTEL_SERVICE_NAME: z.string().optional(),
  })
  .transform((env) => ({
    wanted:
      !env.OTEL_SDK_DISABLED && Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    serviceName: env.OTEL_SERVICE_NAME,
  }));

/**
 * Sends the spans of this process to a collector, where there is one; without one, not even the SDK is loaded.
 * Only for who starts a process: everybody else makes spans by tracing.ts, whether they are sent or not.
 *
 * @param name which process this is, unless `OTEL_SERVICE_NAME` says so
 * @throws {ConfigError} naming the variable that can't be used
 */
export async function openTracing(
  env: NodeJS.ProcessEnv,
  { name, log }: { name: string; log: Log },
): Promise<{ stop(): Promise<void> }> {
  const { wanted, serviceName = name } = parseConfig(Env, env);
  if (!wanted) return { stop: async () => undefined };
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const warn = (message: string, ...more: unknown[]) => log.warn({ more }, `tracing: ${message}`);
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
  // Metrics are Prometheus', and logs are lines: traces only.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  switchTracingOn();
  return { stop: () => Promise.race([sdk.shutdown().catch(() => undefined), elapsed(FLUSH_MS)]) };
}

const elapsed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
