import type { Authenticate, Authentication, Credentials } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { unauthenticated } from '@foyer/shared/auth/viewer';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  /** How often the credential is verified again. */
  recheckMs: number;
}

/** A credential that must stay valid for longer than one request. */
export interface Credential {
  /** Verifies it again. @throws {Refusal} `UNAUTHENTICATED` when the credential was revoked */
  authentication(): Promise<Authentication>;
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
  const { viewer: first, access } = await authenticate(credentials);
  const expiresAtMs = first && 'expiresAt' in first ? first.expiresAt * 1_000 : Number.POSITIVE_INFINITY;
  const stillValid = () => clock.now().getTime() < expiresAtMs;
  const timers: { expiry?: NodeJS.Timeout; recheck?: NodeJS.Timeout } = {};

  async function authentication() {
    const now = await authenticate(credentials);
    const lost = (first && !now.viewer) || (access?.authenticated && !now.access?.authenticated);
    if (lost) throw unauthenticated();
    return now;
  }
  function stop() {
    clearTimeout(timers.expiry);
    clearInterval(timers.recheck);
  }

  return {
    authentication,
    stillValid,
    stop,
    watch(onEnd) {
      if (!first && !access?.authenticated) return;
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
        authentication().catch((error: unknown) => {
          if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') end('revoked');
        });
      }, recheckMs).unref();
    },
  };
}
