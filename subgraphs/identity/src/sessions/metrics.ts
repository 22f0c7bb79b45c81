import { Counter } from 'prom-client';

/** Counts tokens that grant nothing because the role could not be read. */
export const roleFallbacks = new Counter({
  name: 'foyer_identity_role_fallbacks_total',
  help: 'Tokens issued with the fallback role, because the real one could not be read in time.',
});
