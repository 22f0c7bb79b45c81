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

/** Spans are made from now on: by whoever has started the SDK (open-tracing.ts). */
export const switchTracingOn = (): void => void (on = true);

export const isTracing = (): boolean => on;

/**
 * Whether a span that begins here could be of use: not within one that is not sampled, whose parts are not either.
 * One of another process is only known by its flags; whether to follow them is for the sampler to say.
 */
export function mayTrace(): boolean {
  const around = on ? trace.getActiveSpan() : undefined;
  return on && (!around || around.isRecording() || around.spanContext().isRemote === true);
}

interface Described {
  /** Which end of a call it is: `server`, `client`, `producer`, `consumer`; unset for work within the process. */
  kind?: keyof typeof kinds;
  /** After the semantic conventions. Never a secret, a variable, a parameter of SQL, or what identifies a person. */
  attributes?: Attributes;
  /** Begins a trace of its own, which only points to this one: for what may outlive its cause by hours. */
  apartFrom?: Carrier;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/**
 * Runs something as a span of the trace that is under way; with tracing off it is a plain call.
 * The span ends with the result, or when the promise settles, and says by its class why it failed.
 *
 * @param run gets the span, to say more about it; undefined with tracing off
 */
export function traced<Result>(name: string, described: Described, run: (span?: Span) => Result): Result {
  if (!(described.apartFrom ? on : mayTrace())) return run();
  const started = startSpan(name, described);
  return context.with(started.context, () => untilSettled(started.span, run));
}

/** A span, and the context in which what happens belongs to it. */
export interface Started {
  span: Span;
  context: Context;
}

/** For what ends elsewhere: whoever starts it says `span.end()`. */
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

/** Messages may quote what somebody typed, or the parameters of a statement: only the kind of an error is told. */
export function markFailed(span: Span | undefined, error: unknown): void {
  span?.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR });
}

function kindOf(error: unknown): string {
  if (error instanceof GraphQLError) return String(error.extensions['reason'] ?? error.extensions['code']);
  return error instanceof Error ? error.name : String(error);
}

/** The active trace, to be sent to another process; empty with tracing off. */
export function carriedTrace(): Carrier {
  const carrier: Carrier = {};
  if (on) propagation.inject(context.active(), carrier);
  return carrier;
}

/** The trace that came from another process, as the parent of what happens here; a stranger's baggage stays outside. */
export const contextFrom = (carrier: object): Context =>
  propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, carrier));

/** Runs something in a context that was kept; in the one that is active, when there is none. */
export const withContext = <Result>(kept: Context | undefined, run: () => Result): Result =>
  kept ? context.with(kept, run) : run();

/** Goes on with the trace that another process has sent; with tracing off it is a plain call. */
export const continueTrace = <Result>(carrier: object, run: () => Result): Result =>
  on ? context.with(contextFrom(carrier), run) : run();

/** Runs something that belongs to no trace, such as a loop that outlives the request which started it. */
export const untraced = <Result>(run: () => Result): Result => (on ? context.with(ROOT_CONTEXT, run) : run());

/**
 * Calls somebody outside: a span, and no trace in the headers, because whose systems those are is not known.
 *
 * @param method of the interface that is called: what it asks for
 */
export const tracedCall = (
  { peer, url, verb, method }: { peer: string; url: URL; verb: string; method: string },
  call: () => Promise<Response>,
): Promise<Response> => {
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
