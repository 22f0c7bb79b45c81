import { beforeAll, test } from 'vitest';

import { accessIn } from './access.ts';
import { openOffice } from './office.ts';
import { sharedServer } from './shared-server.ts';

// The first file of a run waits for its start, which may take longer than a test.
beforeAll(async () => void (await sharedServer()));

const once = { scope: 'file' } as const;

/** A test in an office where Mei and Raj work, beside another office: the tests of a file share them. */
export const it = test
  .extend('house', once, () => sharedServer())
  .extend('office', once, ({ house }) => openOffice(house))
  .extend('other', once, ({ house }) => openOffice(house))
  .extend('mei', once, ({ office }) => office.join('mei'))
  .extend('raj', once, ({ office }) => office.join('raj'))
  .extend('access', once, ({ house, office }) => accessIn(house, office));
