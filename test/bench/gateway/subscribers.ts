/** Many subscribers of one event. */
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

import type { Server } from './processes.ts';
import { cpuMsOf, memoryOf } from './usage.ts';

export interface Delivery {
  /** From the event until every subscriber has it: the median. */
  wallMs: number;
  /** From the event until a subscriber has it: 99 of 100 deliveries were faster. */
  p99Ms: number;
  /** CPU time of the gateways for one event and all its deliveries. */
  cpuMs: number;
  /** Memory of its gateway for one subscriber, with its connection, in bytes. */
  bytes: number;
}

/** The value that such a share of all is below. */
const at = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? NaN;

const EVENTS = 10;
const OPEN_MS = 60_000;
/** How many connect at once: more overflow the queue of connections that the server has not accepted yet. */
const AT_ONCE = 200;
const EVENT_MS = 20_000;

/** What there is to measure. */
interface Audience {
  subscribers: number;
  /** How long the gateways rest before their memory is read: V8 collects its garbage after about ten seconds. */
  restMs: number;
}

/**
 * Subscribes so many clients, each over a connection of its own, an equal part of them at each gateway, and publishes events
 * at the first one.
 *
 * @throws when a subscription breaks off, or an event does not reach all
 */
export async function deliver(gateways: readonly Server[], { subscribers, restMs }: Audience): Promise<Delivery> {
  const url = gateways[0]?.url ?? '';
  const sum = (of: (pid: number) => number) => gateways.reduce((all, { pid }) => all + of(pid), 0);
  for (const each of gateways) await publish(each.url); // so that the memory of a first request is not that of subscribers
  await pause(restMs);
  const before = sum(memoryOf);
  const received = Array.from({ length: subscribers }, () => 0);
  const failures: unknown[] = [];
  /** When the deliveries since the last event came. */
  const moments: number[] = [];
  const next = (at: number) => {
    received[at] = (received[at] ?? 0) + 1;
    moments.push(performance.now());
  };
  const clients: Client[] = [];

  /** Waits until everyone has so many events. */
  async function all(events: number, end: number, again?: () => Promise<void>) {
    while (received.some((count) => count < events)) {
      if (failures.length > 0)
        throw new Error(`a subscription broke off: ${JSON.stringify(failures[0])?.slice(0, 200)}`);
      if (performance.now() > end)
        throw new Error(`${received.filter((count) => count < events).length} subscribers wait`);
      await again?.();
      await pause(again ? 500 : 1);
    }
  }
  try {
    while (clients.length < subscribers) {
      const some = Math.min(AT_ONCE, subscribers - clients.length);
      const opened = Array.from({ length: some }, (_, number) => {
        const at = clients.length + number;
        return subscriber(gateways[at % gateways.length]?.url ?? '', { next: () => next(at), failures });
      });
      clients.push(...opened.map(({ client }) => client));
      await Promise.race([Promise.all(opened.map(({ connected }) => connected)), pause(OPEN_MS)]);
    }
    await all(1, performance.now() + OPEN_MS, () => publish(url));
    await pause(Math.max(restMs, 2_000)); // until the last of those events have arrived
    const bytes = (sum(memoryOf) - before) / subscribers;
    const times: number[] = [];
    const delays: number[] = [];
    const cpuBefore = sum(cpuMsOf);
    for (let event = 0; event < EVENTS; event += 1) {
      received.fill(0);
      moments.length = 0;
      const started = performance.now();
      await publish(url);
      await all(1, started + EVENT_MS);
      times.push(performance.now() - started);
      delays.push(...moments.map((moment) => moment - started));
    }
    const cpuMs = (sum(cpuMsOf) - cpuBefore) / EVENTS;
    return { wallMs: at(times, 0.5), p99Ms: at(delays, 0.99), cpuMs, bytes };
  } finally {
    for (const client of clients) void client.dispose();
  }
}

interface Subscriber {
  client: Client;
  connected: Promise<unknown>;
}

function subscriber(url: string, { next, failures }: { next(): void; failures: unknown[] }): Subscriber {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 });
  client.subscribe(
    { query: 'subscription { tick(topic: 0) { at product { name } } }' },
    {
      next: ({ errors }) => (errors ? void failures.push(errors) : next()),
      error: (error) => void failures.push(error),
      complete: () => undefined,
    },
  );
  return { client, connected: new Promise((resolve) => client.on('connected', resolve)) };
}

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));

async function publish(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: 'mutation { publish(topic: 0) }' }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(`nothing was published: ${JSON.stringify(errors).slice(0, 200)}`);
}
