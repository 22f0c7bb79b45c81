// For tests: programs for media, looked up once.
import { lazy } from '@foyer/shared/lazy';

import { findTools, packagedTools } from '#adapters/tools.ts';

/** Those that the server itself uses. */
export const ownTools = lazy(() => findTools());

/**
 * Those from npm, for tests that make, measure or only pass on files. They are linked statically and start with a thirtieth
 * of the CPU time of those of a system, which load hundreds of libraries.
 */
export const packaged = lazy(packagedTools);
