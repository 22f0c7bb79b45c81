import type {
  MediaResolvers,
  MutationResolvers,
  OrganizationResolvers,
  QueryResolvers,
  UserResolvers,
  WorkspaceResolvers,
} from '../generated/graphql.ts';
import { auditStorage } from './audit-storage.ts';
import { deleteMedia } from './delete-media.ts';
import { findMedia, findReferencedMedia } from './find-media.ts';
import { listMedia, listOrganizationMedia, listUserMedia, listWorkspaceMedia } from './list-media.ts';
import { listFolders, listTenants } from './list-namespaces.ts';
import { findProfile, listProfiles } from './list-profiles.ts';

export const Query = {
  media: (_parent, args, context) => findMedia(context, args),
  mediaList: (_parent, args, context) => listMedia(context, args),
  mediaFolders: (_parent, args, context) => listFolders(context, args),
  mediaTenants: (_parent, { workspaceId }, context) => listTenants(context, workspaceId),
  transcodingProfiles: (_parent, { category }, context) => listProfiles(context, category),
  storageAudit: (_parent, { prefix, limit }, context) => auditStorage(context, { prefix, limit }),
} satisfies Partial<QueryResolvers>;

export const Mutation = {
  deleteMedia: (_parent, args, context) => deleteMedia(context, args),
} satisfies Partial<MutationResolvers>;

export const Media = {
  __resolveReference: ({ id }, context) => findReferencedMedia(context, id),
  assetUrl: ({ storageKey }, _args, { links }) => (storageKey ? links.ofAsset(storageKey) : ''),
  shareUrl: ({ storageKey }, _args, { links }) => (storageKey ? links.ofShare(storageKey) : ''),
  thumbnailUrl: ({ thumbnailKey }, _args, { links }) => (thumbnailKey ? links.ofAsset(thumbnailKey) : null),
  manifestUrl: ({ manifestKey }, _args, { links }) => (manifestKey ? links.ofAsset(manifestKey) : null),
  uploadedBy: ({ createdBy }) => (createdBy ? { id: createdBy } : null),
  workspace: ({ workspaceId }) => (workspaceId ? { id: workspaceId } : null),
  organization: ({ organizationId }) => (organizationId ? { id: organizationId } : null),
  transcodingProfile: ({ transcodingProfileId: id }, _args, context) => (id ? findProfile(context, id) : null),
} satisfies MediaResolvers;

export const Organization = {
  media: ({ id }, page, context) => listOrganizationMedia(context, id, page),
} satisfies OrganizationResolvers;

export const Workspace = {
  media: ({ id }, page, context) => listWorkspaceMedia(context, id, page),
} satisfies WorkspaceResolvers;

export const User = {
  media: ({ id }, page, context) => listUserMedia(context, id, page),
} satisfies UserResolvers;
