import type { Prisma } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import { literally } from '@foyer/shared/literal-pattern';

import type { MediaFilter } from '../generated/graphql.ts';
import { classify } from '../media/media-type.ts';

const TEXT_LIMIT = 200;

/** Names and titles are kept in Unicode's composed form; a client may write them in another, such as that of macOS. */
const composed = (text: string) => text.normalize('NFC');

/**
 * Turns a filter into a condition for media.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function whereOf(filter: MediaFilter | null | undefined): Prisma.MediaWhereInput {
  if (!filter) return {};
  const { tenant, folder, folderTree, type, status, transcodingStage, text } = filter;
  return {
    AND: [
      folderTree ? within(composed(folderTree)) : {},
      text?.trim() ? containing(composed(text.trim())) : {},
      createdIn(filter),
    ],
    ...(tenant && { tenant: composed(tenant) }),
    ...(typeof folder === 'string' && { folder: composed(folder) }),
    ...(type && { mediaType: classify(type) }),
    ...(status && { status }),
    ...(transcodingStage && { transcodingStage }),
  };
}

function within(given: string): Prisma.MediaWhereInput {
  const folder = given.replace(/^\/|\/$/g, '');
  if (folder === '') return {};
  return { OR: [{ folder }, { folder: { startsWith: literally(`${folder}/`) } }] };
}

/** Every sign of the text counts as itself. */
function containing(text: string): Prisma.MediaWhereInput {
  if (text.length > TEXT_LIMIT)
    throw badInput([{ path: 'filter.text', message: `must have at most ${TEXT_LIMIT} characters` }]);
  const contains = { contains: literally(text.replaceAll('\0', '')), mode: 'insensitive' as const };
  return { OR: [{ title: contains }, { originalName: contains }, { fileName: contains }] };
}

function createdIn({ createdFrom, createdBefore }: MediaFilter): Prisma.MediaWhereInput {
  const [from, before] = [createdFrom, createdBefore].map((moment) => (moment ? new Date(moment) : undefined));
  // An offset can carry a moment into the year 0, which PostgreSQL does not have.
  for (const [path, moment] of Object.entries({ createdFrom: from, createdBefore: before }))
    if (moment && moment.getUTCFullYear() < 1)
      throw badInput([{ path: `filter.${path}`, message: 'must not be in the year 0 of UTC' }]);
  if (from && before && from > before)
    throw badInput([{ path: 'filter.createdFrom', message: 'must not be after createdBefore' }]);
  if (!from && !before) return {};
  return { createdAt: { ...(from && { gte: from }), ...(before && { lt: before }) } };
}
