/** What a verified credential proves, for the authorization directives of a supergraph. */
export interface AccessClaims {
  /** Whether there is a valid credential at all: `@authenticated`. */
  authenticated: boolean;
  /** OAuth 2.0 scopes: `@requiresScopes`. */
  scopes: readonly string[];
  /** Names of the policies that its issuer grants: `@policy`. */
  policies: readonly string[];
}
