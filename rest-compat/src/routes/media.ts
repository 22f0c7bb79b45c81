import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { blankRefused } from '../blank-fields.ts';
import {
  DeleteMediaDocument,
  MediaDocument,
  MediaFoldersDocument,
  MediaListDocument,
  MediaTenantsDocument,
  PrepareUploadDocument,
  ProcessMediaDocument,
  StorageAuditDocument,
  TranscodingProfilesDocument,
  type MediaPartsFragment,
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { paginated, Pagination } from '@foyer/shared/pagination';
import { present } from '../refusals.ts';
import { route } from '../route.ts';

/** The documents trust the `workspaceId` of the query, without a token. */
const workspace = z.object({ workspaceId: uuidText().optional() });
const openTo =
  (permission: string) =>
  ({ query }: { query: z.output<typeof workspace> }) => ({
    ...(query.workspaceId && { workspaceId: query.workspaceId }),
    permissions: [permission],
  });

const one = (media: MediaPartsFragment | null | undefined) => {
  const { id, transcodingProfile, ...fields } = present(media, 'media');
  return {
    id: Number(id),
    ...fields,
    ...inCapitals(fields),
    transcodingProfileId: transcodingProfile ? Number(transcodingProfile.id) : null,
  };
};

/** The fields set by processing, as spec 3, "Resources and their fields", spells them; "Consuming media keys" has small letters. */
const inCapitals = (media: Omit<MediaPartsFragment, 'id' | 'transcodingProfile'>) => ({
  StorageKey: media.storageKey,
  ThumbnailKey: media.thumbnailKey,
  NormalizedKey: media.normalizedKey,
  ManifestKey: media.manifestKey,
  SmilKey: media.smilKey,
  Duration: media.duration,
  VideoCodec: media.videoCodec,
  VideoProfile: media.videoProfile,
  PixelFormat: media.pixelFormat,
  AudioCodec: media.audioCodec,
});

const text = z.string().max(500);
/** Restricts to the tenant of the query: an item of another tenant is not found. */
const narrowed = workspace.extend({ tenant: text.optional() });
const byId = z.object({ params: z.object({ id: documentedId }), query: narrowed });

/** Spec 3, "Media (prefix /api/media)". */
export const media = [
  route('POST', '/api/media/prepare', {
    document: PrepareUploadDocument,
    input: z.object({
      query: narrowed,
      body: z.object({
        title: text.min(1),
        mediaType: text.default(''),
        mimeType: text.default(''),
        fileSize: z.number().int().nonnegative(),
        originalName: text.min(1),
        fileName: text.min(1),
        tenant: text.min(1).optional(), // else taken from the query
        folder: text.default(''),
        transcodingProfileId: documentedId.optional(),
      }),
    }),
    variables: ({ body, query }) => ({
      input: { ...body, tenant: body.tenant ?? query.tenant ?? '', workspaceId: query.workspaceId ?? null },
    }),
    open: openTo('media:upload'),
    reply: ({ prepareUpload }) => ({ success: true, data: prepareUpload }),
    status: 201,
  }),

  route('GET', '/api/media/', {
    document: MediaListDocument,
    input: z.object({
      query: Pagination.extend({
        ...workspace.shape,
        type: text.optional(),
        folder: text.optional(),
        tenant: text.optional(),
        status: z.enum(['processing', 'ready', 'failed']).optional(),
      }),
    }),
    variables: ({ query: { page, limit, ...filter } }) => ({ filter, first: limit, offset: (page - 1) * limit }),
    open: openTo('media:view'),
    reply: ({ mediaList }, { query }) =>
      paginated(mediaList?.edges.map(({ node }) => one(node)) ?? [], query, mediaList?.totalCount ?? 0),
  }),

  route('GET', '/api/media/folders', {
    document: MediaFoldersDocument,
    input: z.object({ query: workspace.extend({ tenant: text.optional() }) }),
    variables: ({ query }) => query,
    open: openTo('media:view'),
    reply: ({ mediaFolders }) => ({ success: true, data: mediaFolders }),
  }),

  route('GET', '/api/media/tenants', {
    document: MediaTenantsDocument,
    input: z.object({ query: workspace }),
    variables: ({ query }) => query,
    open: openTo('media:view'),
    reply: ({ mediaTenants }) => ({ success: true, data: mediaTenants }),
  }),

  route('GET', '/api/media/transcoding-profiles', {
    document: TranscodingProfilesDocument,
    input: z.object({ query: workspace.extend({ category: text.optional() }) }),
    variables: ({ query }) => ({ category: query.category ?? null }),
    open: openTo('media:view'),
    reply: ({ transcodingProfiles }) => ({
      success: true,
      data: transcodingProfiles?.map(({ id, ...profile }) => ({ ID: Number(id), ...profile })),
    }),
  }),

  route('GET', '/api/media/storage-audit', {
    document: StorageAuditDocument,
    input: z.object({
      query: workspace.extend({
        prefix: z.string().max(1024).optional(),
        limit: z.coerce.number().int().min(1).max(250_000).default(20_000),
      }),
    }),
    variables: ({ query: { prefix, limit } }) => ({ prefix: prefix ?? null, limit }),
    open: openTo('media:view'),
    reply: ({ storageAudit }) => {
      const audit = present(storageAudit, 'storageAudit');
      const missing = audit.missing.map(({ mediaId, key }) => ({ mediaId: Number(mediaId), key }));
      return { success: true, data: { ...audit, missing } };
    },
  }),

  route('GET', '/api/media/:id', {
    document: MediaDocument,
    input: byId,
    variables: ({ params, query }) => ({ id: params.id, tenant: query.tenant ?? null }),
    open: openTo('media:view'),
    reply: ({ media: found }) => ({ success: true, data: one(found) }),
  }),

  route('POST', '/api/media/:id/process', {
    document: ProcessMediaDocument,
    input: byId,
    variables: ({ params, query }) => ({ id: params.id, tenant: query.tenant ?? null }),
    open: openTo('media:manage'),
    reply: ({ processMedia }) => ({ success: true, data: one(processMedia) }),
  }),

  route('DELETE', '/api/media/:id', {
    document: DeleteMediaDocument,
    input: z.object({
      params: z.object({ id: documentedId }),
      query: narrowed.extend({ purge: blankRefused(z.stringbool().default(true)) }),
    }),
    variables: ({ params, query }) => ({ id: params.id, purge: query.purge, tenant: query.tenant ?? null }),
    open: openTo('media:delete'),
    reply: ({ deleteMedia }) => {
      const { id, purged } = present(deleteMedia, 'deleteMedia');
      return { success: true, data: { id: Number(id), purged } };
    },
  }),
];
