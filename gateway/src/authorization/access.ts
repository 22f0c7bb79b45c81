import type { AccessClaims } from '@foyer/shared/auth/access-claims';
import type { RequestScope } from '@foyer/shared/http/request';

import type { Requirement } from './requirements.ts';

/**
 * Evaluates policies of `@policy` for a request.
 *
 * @param policies those that the operation depends on
 * @returns the granted ones
 */
export type EvaluatePolicies = (policies: readonly string[], scope: RequestScope) => Promise<ReadonlySet<string>>;

/** The caller of an operation, as the authorization directives see it. */
export interface Caller {
  authenticated: boolean;
  scopes: ReadonlySet<string>;
  policies: ReadonlySet<string>;
}

/** The part of a requirement that a caller does not meet. */
export type Lack = 'AUTHENTICATION_REQUIRED' | 'SCOPES_REQUIRED' | 'POLICY_REQUIRED';

const nobody: AccessClaims = { authenticated: false, scopes: [], policies: [] };

/** A viewer of Foyer is authenticated; other callers are what their credential proves. */
const claimsOf = ({ viewer, access }: RequestScope): AccessClaims =>
  access ?? { ...nobody, authenticated: viewer !== null && viewer.kind !== 'legacy-client' };

/** @param policies those that matter: others are not evaluated */
export async function callerOf(
  scope: RequestScope,
  policies: readonly string[],
  evaluate: EvaluatePolicies | undefined,
): Promise<Caller> {
  const { authenticated, scopes, policies: claimed } = claimsOf(scope);
  const evaluated = policies.length > 0 ? await evaluate?.(policies, scope) : undefined;
  return { authenticated, scopes: new Set(scopes), policies: new Set([...claimed, ...(evaluated ?? [])]) };
}

export function lackOf(requirement: Requirement, caller: Caller): Lack | undefined {
  if (requirement.authenticated && !caller.authenticated) return 'AUTHENTICATION_REQUIRED';
  if (!hasOneOf(requirement.scopes, caller.scopes)) return 'SCOPES_REQUIRED';
  return hasOneOf(requirement.policies, caller.policies) ? undefined : 'POLICY_REQUIRED';
}

const hasOneOf = (alternatives: Requirement['scopes'], held: ReadonlySet<string>): boolean =>
  alternatives.length === 0 || alternatives.some((names) => names.every((name) => held.has(name)));
