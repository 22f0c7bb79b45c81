import { CloseCode, createClient, type Client } from 'graphql-ws';
import { filter, firstValueFrom, fromEvent, merge, timer } from 'rxjs';

import { currentCustomer, refreshStaff, rememberCustomer, watchCustomer } from './sessions.ts';

/** The header of the customer who is signed in; none of anybody else. */
export const authorization = (): Record<string, string> => {
  const token = currentCustomer()?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
};

const SECOND_MS = 1_000;
const LONGEST_PAUSE_SECONDS = 30;

/** How long to wait after some attempts: longer each time, and not as long as all the others. */
export const pauseMs = (attempts: number) =>
  Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS) * (1 - Math.random() / 2) * SECOND_MS;

/** Somebody looks at the page again, or its browser is online again. */
export const returned = merge(
  fromEvent(window, 'online'),
  fromEvent(document, 'visibilitychange').pipe(filter(() => document.visibilityState === 'visible')),
);

const FORBIDDEN: number = CloseCode.Forbidden;
const PING_MS = 10_000;
const PONG_MS = 5_000;

/**
 * A WebSocket is authenticated when it opens. One that was refused for its cookies is opened again after a refresh. One that does
 * not answer is closed, and opened again: a connection may be lost without a word.
 */
function openSocket(connectionParams: () => Record<string, string>, refresh: () => Promise<unknown>): Client {
  let refused = false;
  let unanswered: ReturnType<typeof setTimeout>;
  const socket = createClient({
    url: async () => {
      if (refused) await refresh().catch(() => undefined);
      refused = false;
      return new URL('/graphql', window.location.href.replace(/^http/, 'ws')).href;
    },
    connectionParams,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: async (attempts) => void (await firstValueFrom(merge(timer(pauseMs(attempts)), returned))),
    keepAlive: PING_MS,
    on: {
      ping: (isReceived) => {
        if (!isReceived) unanswered = setTimeout(() => socket.terminate(), PONG_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(unanswered);
      },
      closed: (event) => {
        clearTimeout(unanswered);
        refused = (event as CloseEvent).code === FORBIDDEN;
      },
    },
  });
  return socket;
}

export const staffSocket = openSocket(() => ({}), refreshStaff);
export const shopSocket = openSocket(authorization, async () => rememberCustomer(undefined));
watchCustomer(() => shopSocket.terminate());
/** After staff has signed in or out, the next subscription opens another WebSocket. */
export const staffChanged = (): void => staffSocket.terminate();
