import type { Context } from '../context.ts';
import { decryptOff, payloadUnreadable } from './refusals.ts';

/**
 * Decrypts a return payload for developers. It changes nothing.
 *
 * @throws {Refusal} `DECRYPT_DISABLED`, `INVALID_PAYLOAD`
 */
export async function decryptPayload(
  { paymentGateway, settings }: Pick<Context, 'paymentGateway' | 'settings'>,
  payload: string,
): Promise<Record<string, unknown>> {
  if (!settings.decryptEnabled) throw decryptOff();
  const read = await paymentGateway.readReturn(payload);
  if (read.kind === 'invalid') throw payloadUnreadable();
  return read.claims.raw;
}
