import type { QueryResolvers } from '../generated/graphql.ts';
import { catalog } from './catalog.ts';

export const Query = {
  permissionCatalog: () => catalog,
} satisfies Partial<QueryResolvers>;
