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
  /**
   * Whether it is one of our own: nothing is missing there, so rows that can't be checked are failures, and so are answers that
   * its OpenAPI document does not have.
   */
  complete: boolean;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The servers to be checked. */
    conformance: Settings[];
  }
}
