export type Mode = 'documented' | 'strict';

/** A server to be checked, and what its owner gives away for that. */
export interface Settings {
  url: string;
  /** Its `REST_AUTH`. */
  mode: Mode;
  /** Of the demo accounts: `DEMO_PASSWORD`. */
  password?: string | undefined;
  /** `INTERNAL_PSK`. */
  internalSecret?: string | undefined;
  /** `HOOK_SECRET`, with which the upload server signs. */
  hookSecret?: string | undefined;
  /** `LEGACY_JWT_SECRET`, with which tokens of legacy staff are signed. */
  legacySecret?: string | undefined;
  /** Whether rows that can't be checked are failures: on servers of our own, nothing is missing. */
  complete: boolean;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The servers to be checked. */
    conformance: Settings[];
  }
}
