// For tests: the programs that the server itself uses, looked up once.
import { lazy } from '@foyer/shared/lazy';

import { findTools } from '#adapters/tools.ts';

export const ownTools = lazy(() => findTools());
