import { useSyncExternalStore } from 'react';

import { hasTexts, isText, stored } from './storage.ts';

/** A customer who has signed in, until the token expires. */
export interface CustomerSession {
  token: string;
  expiresAt: string;
  custId: string;
  email: string;
  fullName: string;
}

const isSession = (value: unknown): value is CustomerSession =>
  hasTexts(value, 'token', 'expiresAt', 'custId', 'email', 'fullName');

/** Kept by the browser, so that every page and tab knows who is signed in (docs/decisions/0089-storefront.md). */
const session = stored('customer', isSession);
/** The name of the member of staff who signed in here last. Their cookies can't be read by scripts. */
export const staffName = stored('staff', isText);

/** A cookie that the sign-in page sets with the session, and scripts may read: another one for each session. */
export const staffHint = (): string | undefined => /(?:^|; )foyer_staff=([^;]+)/.exec(document.cookie)?.[1];

/** Forgets a session that has ended. */
export function forgetStaff(): void {
  staffName.write(undefined);
  document.cookie = 'foyer_staff=; Max-Age=0; Path=/';
}

/** The customer who is signed in. */
export function currentCustomer(): CustomerSession | undefined {
  const found = session.read();
  return found && Date.parse(found.expiresAt) > Date.now() ? found : undefined;
}

export const rememberCustomer = (found: CustomerSession | undefined): void => session.write(found);
export const watchCustomer = session.watch;

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back when the session changes, and when it expires. */
function watchSession(changed: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    const left = Date.parse(currentCustomer()?.expiresAt ?? '') - Date.now();
    if (left > 0) timer = setTimeout(tell, Math.min(left, LONGEST_TIMER_MS));
  };
  const tell = () => {
    changed();
    wait();
  };
  const stop = session.watch(tell);
  wait();
  return () => {
    stop();
    clearTimeout(timer);
  };
}

export const useCustomer = () => useSyncExternalStore(watchSession, currentCustomer);
export const useStaffName = () => useSyncExternalStore(staffName.watch, staffName.read);

const REFRESH_LOCK = 'foyer-refresh';
const isTime = (value: unknown): value is number => typeof value === 'number';
const refreshedAt = stored('refreshed-at', isTime);
/** Since when a page refreshes. One that was left meanwhile does not see the answer, whose cookies the browser keeps. */
const refreshingSince = stored('refreshing-since', isTime);
/** How long an answer may be under way. */
const ANSWER_MS = 15_000;
const LOOK_EVERY_MS = 200;

/**
 * Exchanges the refresh cookie of staff for a new access cookie: the documented step after a 401. The cookie is sent
 * only to this path of REST. One tab does it for all, because a refresh token is good once.
 *
 * @returns whether the session goes on
 */
export function refreshStaff(): Promise<boolean> {
  const asked = Date.now();
  const refresh = async () => {
    if ((refreshedAt.read() ?? 0) > asked) return true; // by another tab, while this one waited
    if (await refreshedByPageThatWasLeft()) return true;
    refreshingSince.write(Date.now());
    const response = await fetch('/api/v1/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_type: 'web' }),
      keepalive: true, // goes on when the page is left: without the answer, the session is lost
    });
    refreshingSince.write(undefined); // not when it fails, as it does in a page that is about to be left
    if (response.ok) refreshedAt.write(Date.now());
    else if (response.status === 401) forgetStaff();
    return response.ok;
  };
  // Locks are missing where the page is served over http to another machine.
  return 'locks' in navigator ? navigator.locks.request(REFRESH_LOCK, refresh) : refresh();
}

/** Waits for the cookies of an answer that is under way, because to send the same refresh token twice ends the session. */
async function refreshedByPageThatWasLeft(): Promise<boolean> {
  const isUnderWay = () => Math.abs(Date.now() - (refreshingSince.read() ?? -Infinity)) < ANSWER_MS;
  while (isUnderWay()) {
    const { ok } = await fetch('/api/v1/identity/users/me');
    if (ok) {
      refreshingSince.write(undefined);
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}
