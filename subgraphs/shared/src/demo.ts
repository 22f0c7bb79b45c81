import { readId } from './ids.ts';

/**
 * The fixed ids of the demo data. Every subgraph seeds its own part of it, and refers to the
 * others' parts by these.
 */
export const demo = {
  platform: { organizationId: readId('00000000-0000-0000-0000-000000000001'), companyCode: 'PLATFORM' },
  acme: {
    organizationId: readId('0a0c0000-0000-4000-8000-000000000001'),
    companyCode: 'ACME',
    /** Acme's main workspace. */
    workspaceId: readId('0a0c0000-0000-4000-8000-000000000101'),
    /** A second one, to show that rights end at the border of a workspace. */
    studioWorkspaceId: readId('0a0c0000-0000-4000-8000-000000000102'),
    teamId: readId('0a0c0000-0000-4000-8000-000000000201'),
  },
  /** Pictures of Acme's media library, as GraphQL names them. */
  media: { posterId: '1', loungeId: '2', museumId: '3', riverId: '4', fairId: '5' },
} as const;
