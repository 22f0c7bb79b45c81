import type {
  MediaConnectionResolvers,
  MediaResolvers,
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  UserResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { auditStorage } from './audit-storage.ts';
import { countMedia } from './count-media.ts';
import { deleteMedia, deleteMediaItems } from './delete-media.ts';
import { describeNormalization } from './describe-normalization.ts';
import { findMedia, findReferencedMedia } from './find-media.ts';
import { listMedia, listOrganizationMedia, listUserMedia, listWorkspaceMedia } from './list-media.ts';
import { listFolders, listTenants } from './list-namespaces.ts';
import { readWarnings } from '../processing/warnings.ts';
import { findProfile } from '../profiles/list-profiles.ts';
import { setMediaVisibility } from './set-media-visibility.ts';
import { updateMedia } from './update-media.ts';

export const Query = {
  media: (_parent, args, context) => findMedia(context, args),
  mediaList: (_parent, args, context) => listMedia(context, args),
  mediaFolders: (_parent, args, context) => listFolders(context, args),
  mediaTenants: (_parent, { workspaceId }, context) => listTenants(context, workspaceId),
  storageAudit: (_parent, { prefix, limit }, context) => auditStorage(context, { prefix, limit }),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  updateMedia: (_parent, args, context) => updateMedia(context, args),
  deleteMedia: (_parent, args, context) => deleteMedia(context, args),
  setMediaVisibility: (_parent, args, context) => setMediaVisibility(context, args),
  deleteMediaItems: (_parent, args, context) => deleteMediaItems(context, args),
} satisfies Partial<MutationResolvers>;

export const Media = {
  __resolveReference: ({ id }, context) => findReferencedMedia(context, id),
  assetUrl: (media, _args, { links }) => links.ofAsset(media, media.storageKey) ?? '',
  shareUrl: (media, _args, { links }) => links.ofShare(media, media.storageKey) ?? '',
  thumbnailUrl: (media, _args, { links }) => links.ofAsset(media, media.thumbnailKey),
  manifestUrl: (media, _args, { links }) => links.ofAsset(media, media.manifestKey),
  playbackUrl: (media, _args, { links }) => links.ofAsset(media, media.manifestKey ?? media.earlyPlaylistKey),
  linksExpireAt: (media, _args, { links }) => links.expiryOf(media)?.toISOString() ?? null,
  cancelled: ({ cancelledRun }) => (cancelledRun === undefined ? null : cancelledRun !== null),
  normalization: describeNormalization,
  warnings: ({ warnings }) => readWarnings(warnings ?? []),
  uploadedBy: ({ createdBy }) => (createdBy ? { id: createdBy } : null),
  workspace: ({ workspaceId }) => (workspaceId ? { id: workspaceId } : null),
  organization: ({ organizationId }) => (organizationId ? { id: organizationId } : null),
  transcodingProfile: ({ transcodingProfileId: id }, _args, context) => (id ? findProfile(context, id) : null),
} satisfies MediaResolvers;

export const MediaConnection = {
  totalCount: (page, _args, context) => countMedia(context, page),
} satisfies MediaConnectionResolvers;

export const Organization = {
  media: ({ id }, page, context) => listOrganizationMedia(context, id, page),
} satisfies OrganizationResolvers;

export const Workspace = {
  media: ({ id }, page, context) => listWorkspaceMedia(context, id, page),
} satisfies WorkspaceResolvers;

export const User = {
  media: ({ id }, page, context) => listUserMedia(context, id, page),
} satisfies UserResolvers;
