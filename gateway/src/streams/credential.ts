import type { Authenticate, Credentials } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { unauthenticated, type Viewer } from '@foyer/shared/auth/viewer';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  /** How often the credential is verified again. */
  recheckMs: number;
}

/** A credential that must stay valid for longer than one request. */
export interface Credential {
  /** The current viewer. @throws {Refusal} `UNAUTHENTICATED` when the credential was revoked */
  viewer(): Promise<Viewer | null>;
  stillValid(): boolean;
  /** Begins to verify at intervals: a client that only listens sends no request at which to verify. */
  watch(onEnd: (why: 'expired' | 'revoked') => void): void;
  stop(): void;
}

/** @throws {Refusal} `UNAUTHENTICATED` */
export async function openCredential(
  { authenticate, clock, recheckMs }: Needs,
  credentials: Credentials,
): Promise<Credential> {
  async function currentViewer(): Promise<Viewer | null> {
    return (await authenticate(credentials)).viewer;
  }
  const first = await currentViewer();
  const expiresAtMs = first && 'expiresAt' in first ? first.expiresAt * 1_000 : Number.POSITIVE_INFINITY;
  const stillValid = () => clock.now().getTime() < expiresAtMs;
  const timers: { expiry?: NodeJS.Timeout; recheck?: NodeJS.Timeout } = {};

  async function viewer() {
    const now = await currentViewer();
    if (first && !now) throw unauthenticated();
    return now;
  }
  function stop() {
    clearTimeout(timers.expiry);
    clearInterval(timers.recheck);
  }

  return {
    viewer,
    stillValid,
    stop,
    watch(onEnd) {
      if (!first) return;
      const end = (why: 'expired' | 'revoked') => {
        stop();
        onEnd(why);
      };
      const arm = () => {
        if (expiresAtMs === Number.POSITIVE_INFINITY) return;
        const leftMs = expiresAtMs - clock.now().getTime();
        if (leftMs <= 0) return end('expired');
        timers.expiry = setTimeout(arm, Math.min(leftMs, LONGEST_TIMER_MS)).unref();
      };
      arm();
      if (!stillValid()) return;
      timers.recheck = setInterval(() => {
        viewer().catch((error: unknown) => {
          if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') end('revoked');
        });
      }, recheckMs).unref();
    },
  };
}
