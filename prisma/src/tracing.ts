import { trace, type Span, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { PrismaInstrumentation } from '@prisma/instrumentation';

/** What the client does besides asking the database; it takes no time that anybody would look for. */
const uninteresting = ['prisma:client:serialize', 'prisma:client:compile', 'prisma:client:connect'];

/**
 * Makes spans of what is asked of the database: the operation of the client, and each statement as it is sent, with
 * placeholders and without parameters. Only within a span: what nobody waits for, such as looking for jobs, is none.
 */
export function traceQueries(): void {
  const instrumentation = new PrismaInstrumentation({ enabled: false, ignoreSpanTypes: uninteresting });
  instrumentation.setTracerProvider(withinSpans);
  instrumentation.enable();
}

const withinSpans: TracerProvider = {
  getTracer: (name): Tracer => {
    const tracer = trace.getTracer(name);
    const nothing = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
    return {
      startSpan: (...args) => (trace.getActiveSpan() ? tracer.startSpan(...args) : nothing),
      startActiveSpan(...args: unknown[]): never {
        const run = args.at(-1) as (span: Span) => never;
        if (!trace.getActiveSpan()) return run(nothing);
        return (tracer.startActiveSpan as (...given: unknown[]) => never)(...args);
      },
    };
  },
};
