// For tests: rows of the library.
import { randomUUID } from 'node:crypto';

import type { Prisma } from '@foyer/prisma/client';

/** The fields of a new media item in workspace `w1` whose processing is waiting, and that no job processes. */
export const mediaFixture = <Fields extends Partial<Prisma.MediaUncheckedCreateInput>>(fields: Fields) => ({
  organizationId: 'o1',
  workspaceId: 'w1',
  title: 'x',
  mediaType: 'other' as const,
  mimeType: 'x/y',
  fileSize: 1,
  originalName: 'x',
  fileName: 'x',
  tenant: 't',
  folder: '',
  storageKey: `t/${randomUUID()}`,
  ...fields,
});

/** What processing leaves behind when all went well. */
export const processed = { status: 'ready', transcodingStage: 'done', objectsRecorded: true } as const;
