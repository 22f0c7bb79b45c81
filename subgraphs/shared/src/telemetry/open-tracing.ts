import { diag, DiagLogLevel } from '@opentelemetry/api';
import { z } from 'zod';

import { flag, parseConfig, webUrl } from '../config/config.ts';
import type { Log } from './log.ts';
import { switchTracingOn } from './tracing.ts';

/** How long a stopping process may take to send its last spans to the collector. */
const FLUSH_MS = 2_000;

/**
 * The variables that switch tracing on. The SDK itself reads the others that OpenTelemetry documents, such as
 * `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG` and `OTEL_EXPORTER_OTLP_HEADERS`.
 */
const Env = z
  .object({
    OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webUrl.optional(),
    OTEL_SDK_DISABLED: flag.default(false),
    OTEL_SERVICE_NAME: z.string().optional(),
  })
  .transform((env) => ({
    wanted:
      !env.OTEL_SDK_DISABLED && Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    serviceName: env.OTEL_SERVICE_NAME,
  }));

/**
 * Sends the spans of this process to a collector, where one is configured; otherwise the SDK is not even loaded. Only the
 * start of a process calls this. All other code creates spans with tracing.ts, whether they are sent or not.
 *
 * @param name the name of this process, where `OTEL_SERVICE_NAME` sets no other
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
  // Traces only: metrics go to Prometheus, and logs to standard output.
  const sdk = new NodeSDK({ serviceName, metricReaders: [], logRecordProcessors: [] });
  sdk.start();
  switchTracingOn();
  return { stop: () => Promise.race([sdk.shutdown().catch(() => undefined), elapsed(FLUSH_MS)]) };
}

const elapsed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
