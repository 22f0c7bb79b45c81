import { base64url, createLocalJWKSet, errors, flattenedVerify, type JWK } from 'jose';

/**
 * Says why a key can't verify anything, such as an RSA key of 1024 bits or one that breaks off; undefined for any other. A key
 * for something else, such as encryption, just never fits.
 */
export async function whyUnusable(key: JWK, algorithms: readonly string[]): Promise<string | undefined> {
  let reason: string | undefined;
  for (const alg of algorithms) {
    const nothing = { protected: base64url.encode(JSON.stringify({ alg })), payload: '', signature: '' };
    try {
      await flattenedVerify(nothing, createLocalJWKSet({ keys: [key] }));
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) return undefined; // it could be used
      if (!(error instanceof errors.JWKSNoMatchingKey)) reason = error instanceof Error ? error.message : String(error);
    }
  }
  return reason;
}
