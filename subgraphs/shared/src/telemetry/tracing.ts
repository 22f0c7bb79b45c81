import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';

import { GraphQLError } from 'graphql';

/** The trace of a request as it travels to another process (W3C Trace Context). */
export interface Carrier {
  traceparent?: string;
  tracestate?: string;
}

let on = false;

/** Makes this module create spans from now on. Called once the SDK has been started (open-tracing.ts). */
export const switchTracingOn = (): void => void (on = true);

export const isTracing = (): boolean => on;

/**
 * Whether a span that begins here may be recorded. The children of a span that is not sampled are not sampled either; but
 * of a parent in another process only the flags are known, and the sampler decides whether to follow them.
 */
export function mayTrace(): boolean {
  const around = on ? trace.getActiveSpan() : undefined;
  return on && (!around || around.isRecording() || around.spanContext().isRemote === true);
}

interface Described {
  /** The side of a call: `server`, `client`, `producer` or `consumer`; unset for work within the process. */
  kind?: keyof typeof kinds;
  /** Named as in OpenTelemetry's semantic conventions. Never secrets, variables, SQL parameters or personal data. */
  attributes?: Attributes;
  /** Begins a new trace, which only links to this one: for work that may run hours after its cause. */
  apartFrom?: Carrier;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/**
 * Runs a function as a span of the current trace; with tracing off it only calls the function. The span ends with the
 * result, or when the promise settles. A failed span names the class of its error.
 *
 * @param run gets the span, to add attributes; undefined with tracing off
 */
export function traced<Result>(name: string, described: Described, run: (span?: Span) => Result): Result {
  if (!(described.apartFrom ? on : mayTrace())) return run();
  const started = startSpan(name, described);
  return context.with(started.context, () => untilSettled(started.span, run));
}

/** A span, and the context for work that belongs to it. */
export interface Started {
  span: Span;
  context: Context;
}

/** Starts a span that its caller must end, with `span.end()`. */
export function startSpan(
  name: string,
  { kind, attributes, apartFrom }: Described,
  parent = context.active(),
): Started {
  const from = apartFrom && trace.getSpanContext(contextFrom(apartFrom));
  const span = trace.getTracer('foyer').startSpan(
    name,
    {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      ...(attributes && { attributes }),
      ...(apartFrom && { root: true }),
      ...(from && { links: [{ context: from }] }),
    },
    parent,
  );
  return { span, context: trace.setSpan(parent, span) };
}

function untilSettled<Result>(span: Span, run: (span: Span) => Result): Result {
  const failed = (error: unknown): never => {
    markFailed(span, error);
    span.end();
    throw error;
  };
  let result: Result;
  try {
    result = run(span);
  } catch (error) {
    return failed(error);
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then((value: unknown) => {
    span.end();
    return value;
  }, failed) as Result;
}

/** Marks a span as failed, with the kind of the error only: a message may quote user input or the parameters of a statement. */
export function markFailed(span: Span | undefined, error: unknown): void {
  span?.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
}

function kindOf(error: unknown): string {
  if (error instanceof GraphQLError) return String(error.extensions['reason'] ?? error.extensions['code']);
  return error instanceof Error ? error.name : String(error);
}

/** The current trace, to send to another process; empty with tracing off. */
export function carriedTrace(): Carrier {
  const carrier: Carrier = {};
  if (on) propagation.inject(context.active(), carrier);
  return carrier;
}

/** The trace that another process has sent, as the parent of the work here; its baggage is dropped, as it is not trusted. */
export const contextFrom = (carrier: object): Context =>
  propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, carrier));

/** Runs a function in a stored context, or in the active one when there is none. */
export const withContext = <Result>(kept: Context | undefined, run: () => Result): Result =>
  kept ? context.with(kept, run) : run();

/** Runs a function within the trace that another process has sent; with tracing off it only calls the function. */
export const continueTrace = <Result>(carrier: object, run: () => Result): Result =>
  on ? context.with(contextFrom(carrier), run) : run();

/** Runs a function outside of any trace, such as a loop that outlives the request which started it. */
export const untraced = <Result>(run: () => Result): Result => (on ? context.with(ROOT_CONTEXT, run) : run());

/**
 * Calls an external service in a span. The trace is not sent along in the headers, since the service may belong to anybody.
 *
 * @param method the name of the method in the service's interface
 */
export const tracedCall = <Answer extends { status: number }>(
  { peer, url, verb, method }: { peer: string; url: URL; verb: string; method: string },
  call: () => Promise<Answer>,
): Promise<Answer> => {
  const attributes = {
    'peer.service': peer,
    'server.address': url.hostname,
    'http.request.method': verb,
  };
  return traced(`${peer} ${method}`, { kind: 'client', attributes }, async (span) => {
    const response = await call();
    span?.setAttribute('http.response.status_code', response.status);
    if (response.status >= 400) markFailed(span, response.status);
    return response;
  });
};
