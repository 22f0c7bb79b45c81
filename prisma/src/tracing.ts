import { INVALID_SPAN_CONTEXT, trace, type Span, type Tracer } from '@opentelemetry/api';
import { PrismaInstrumentation } from '@prisma/instrumentation';

/** What the client does besides asking the database; it takes no time that anybody would look for. */
const uninteresting = ['prisma:client:serialize', 'prisma:client:compile', 'prisma:client:connect'];

/**
 * Makes spans of what is asked of the database: the operation of the client, and each statement as it is sent, with
 * placeholders and without parameters. Only within a span: what nobody waits for, such as looking for jobs, is none.
 */
export function traceQueries(): void {
  const instrumentation = new PrismaInstrumentation({ enabled: false, ignoreSpanTypes: uninteresting });
  instrumentation.setTracerProvider({ getTracer: () => withinSpans });
  instrumentation.enable();
}

const nothing = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
const isWithinOne = () => trace.getActiveSpan()?.isRecording() === true;

const withinSpans: Tracer = {
  startSpan: (...args) => (isWithinOne() ? trace.getTracer('prisma').startSpan(...args) : nothing),
  startActiveSpan(...args: unknown[]): never {
    const run = args.at(-1) as (span: Span) => never;
    if (!isWithinOne()) return run(nothing);
    return (trace.getTracer('prisma').startActiveSpan as (...given: unknown[]) => never)(...args);
  },
};
