import type { AccessClaims } from '@foyer/shared/auth/access-claims';

/**
 * Reads the claims of a verified JSON Web Token: scopes from `scope` (words, RFC 8693), or else from `scp` (words or a
 * list); policies from `policies` (a list, or words).
 */
export function accessClaimsOf(payload: Readonly<Record<string, unknown>>): AccessClaims {
  return {
    authenticated: true,
    scopes: namesIn(payload['scope'] ?? payload['scp']),
    policies: namesIn(payload['policies']),
  };
}

function namesIn(claim: unknown): string[] {
  const names: unknown[] = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}
