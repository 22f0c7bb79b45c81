import type { Clock } from '@foyer/shared/clock';
import { isSameCompanyCode } from '@foyer/shared/company-code';
import type { Log } from '@foyer/shared/telemetry/log';

import { endsSoon, verifyLicense } from './license.ts';
import { licenseExpired } from './refusals.ts';

/** Blocks all logins unless there is a valid license. Starts blocked. */
export interface LicenseGuard {
  /** @throws {Refusal} `LICENSE_EXPIRED` */
  assertLicensed(): void;
  /** Whether people can log in. */
  licensed(): boolean;
  /** Reads the license again, now and every 24 hours. */
  start(): Promise<void>;
  stop(): void;
}

interface Settings {
  key?: string | undefined;
  publicKey?: string | undefined;
  /** The company code that the license must be for. */
  companyCode: string;
  clock: Clock;
  log: Log;
}

const RECHECK_MS = 24 * 3_600_000;

export function licenseGuard({ key, publicKey, companyCode, clock, log }: Settings): LicenseGuard {
  let validUntil: Date | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function check() {
    try {
      if (!key || !publicKey) throw new Error('LICENSE_KEY or LICENSE_PUBLIC_KEY is not set');
      const license = await verifyLicense(publicKey, key, clock.now());
      if (!isSameCompanyCode(license.companyCode, companyCode)) throw new Error('it is for another company code');
      validUntil = license.expiresAt;
      if (endsSoon(license, clock.now()))
        log.warn({ until: validUntil }, 'the license ends soon: from then on every login is refused');
    } catch (error) {
      validUntil = undefined;
      log.error(
        { reason: error instanceof Error ? error.message : 'unknown' },
        'no valid license: every login is refused',
      );
    }
  }

  const licensed = () => validUntil !== undefined && validUntil > clock.now();

  return {
    licensed,
    assertLicensed() {
      if (!licensed()) throw licenseExpired();
    },
    async start() {
      await check();
      clearInterval(timer);
      timer = setInterval(() => void check(), RECHECK_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
