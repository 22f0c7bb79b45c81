import { INVALID_SPAN_CONTEXT, trace, type Span, type Tracer } from '@opentelemetry/api';
import { PrismaInstrumentation } from '@prisma/instrumentation';

/** The spans of the client that do not query the database, and take hardly any time. */
const ignoredSpans = ['prisma:client:serialize', 'prisma:client:compile', 'prisma:client:connect'];

/**
 * Traces database queries: the operation of the client and each statement, with placeholders and without parameters. Only
 * within a span: background queries, such as polling for jobs, get none.
 */
export function traceQueries(): void {
  const instrumentation = new PrismaInstrumentation({ enabled: false, ignoreSpanTypes: ignoredSpans });
  instrumentation.setTracerProvider({ getTracer: () => withinSpans });
  instrumentation.enable();
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const isWithinSpan = () => trace.getActiveSpan()?.isRecording() === true;

const withinSpans: Tracer = {
  startSpan: (...args) => (isWithinSpan() ? trace.getTracer('prisma').startSpan(...args) : noSpan),
  startActiveSpan(...args: unknown[]): never {
    const run = args.at(-1) as (span: Span) => never;
    if (!isWithinSpan()) return run(noSpan);
    return (trace.getTracer('prisma').startActiveSpan as (...given: unknown[]) => never)(...args);
  },
};
