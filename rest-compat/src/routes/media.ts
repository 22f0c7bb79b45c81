import { uuidText } from '@foyer/shared/ids';
import { z } from 'zod';

import { answered } from '../answered.ts';
import { ok, okOf, pageOf, pageReply } from '../answers/envelope.ts';
import {
  Media,
  MediaFolder,
  oneMedia,
  PreparedUpload,
  StorageAudit,
  storageAuditReply,
  TranscodingProfile,
  transcodingProfile,
} from '../answers/media.ts';
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
} from '../generated/operations.ts';
import { documentedId } from '../ids.ts';
import { Pagination } from '@foyer/shared/pagination';
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
    answer: okOf(PreparedUpload),
    reply: ({ prepareUpload }) => ok(prepareUpload),
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
    variables: ({ query: { page, limit, folder, ...filter } }) => ({
      // The slashes around a folder do not count when an upload is prepared, either.
      filter: { ...filter, ...(folder !== undefined && { folder: folder.replaceAll(/^\/|\/$/g, '') }) },
      first: limit,
      offset: (page - 1) * limit,
    }),
    open: openTo('media:view'),
    answer: pageOf(Media),
    reply: ({ mediaList }, { query }) => pageReply(mediaList, oneMedia, query),
  }),

  route('GET', '/api/media/folders', {
    document: MediaFoldersDocument,
    input: z.object({ query: workspace.extend({ tenant: text.optional() }) }),
    variables: ({ query }) => query,
    open: openTo('media:view'),
    answer: okOf(z.array(MediaFolder)),
    reply: ({ mediaFolders }) => ok(answered(mediaFolders)),
  }),

  route('GET', '/api/media/tenants', {
    document: MediaTenantsDocument,
    input: z.object({ query: workspace }),
    variables: ({ query }) => query,
    open: openTo('media:view'),
    answer: okOf(z.array(z.string())),
    reply: ({ mediaTenants }) => ok(answered(mediaTenants)),
  }),

  route('GET', '/api/media/transcoding-profiles', {
    document: TranscodingProfilesDocument,
    input: z.object({ query: workspace.extend({ category: text.optional() }) }),
    variables: ({ query }) => ({ category: query.category ?? null }),
    open: openTo('media:view'),
    answer: okOf(z.array(TranscodingProfile)),
    reply: ({ transcodingProfiles }) => ok(answered(transcodingProfiles).map(transcodingProfile)),
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
    answer: okOf(StorageAudit),
    reply: ({ storageAudit }) => ok(storageAuditReply(storageAudit)),
  }),

  route('GET', '/api/media/:id', {
    document: MediaDocument,
    input: byId,
    variables: ({ params, query }) => ({ id: params.id, tenant: query.tenant ?? null }),
    open: openTo('media:view'),
    answer: okOf(Media),
    reply: ({ media: found }) => ok(oneMedia(present(found, 'media'))),
  }),

  route('POST', '/api/media/:id/process', {
    document: ProcessMediaDocument,
    input: byId,
    variables: ({ params, query }) => ({ id: params.id, tenant: query.tenant ?? null }),
    open: openTo('media:manage'),
    answer: okOf(Media),
    reply: ({ processMedia }) => ok(oneMedia(processMedia)),
  }),

  route('DELETE', '/api/media/:id', {
    document: DeleteMediaDocument,
    input: z.object({
      params: z.object({ id: documentedId }),
      query: narrowed.extend({ purge: blankRefused(z.stringbool().default(true)) }),
    }),
    variables: ({ params, query }) => ({ id: params.id, purge: query.purge, tenant: query.tenant ?? null }),
    open: openTo('media:delete'),
    answer: okOf(z.object({ id: z.int(), purged: z.boolean() })),
    reply: ({ deleteMedia: { id, purged } }) => ok({ id: Number(id), purged }),
  }),
];
