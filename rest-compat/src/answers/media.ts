import { z } from 'zod';

import type { MediaPartsFragment, StorageAuditQuery, TranscodingProfilesQuery } from '../generated/operations.ts';
import { answered } from '../answered.ts';

const text = z.string().nullable();

export const Media = z
  .object({
    id: z.int(),
    title: text,
    status: z.enum(['processing', 'ready', 'failed']),
    transcodingStage: z.enum(['queued', 'probe', 'transcode', 'package', 'done', 'failed']).nullable(),
    progress: z.int().nullable(),
    failureReason: text,
    mediaType: text,
    mimeType: text,
    fileSize: z.number().nullable(),
    originalName: text,
    fileName: text,
    tenant: text,
    folder: text,
    storageKey: z.string(),
    thumbnailKey: text,
    normalizedKey: text,
    manifestKey: text,
    smilKey: text,
    duration: z.number().nullable(),
    videoCodec: text,
    videoProfile: text,
    pixelFormat: text,
    audioCodec: text,
    assetUrl: z.string(),
    thumbnailUrl: text,
    playbackUrl: text,
    visibility: z.enum(['PUBLIC', 'PRIVATE']).nullable(),
    normalization: z.object({ outcome: z.enum(['applied', 'skipped']), reason: text, type: text }).nullable(),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    createdAt: z.iso.datetime().nullable(),
    updatedAt: z.iso.datetime().nullable(),
    // Spec 3, "Resources and their fields", spells these so; "Consuming media keys" has small letters.
    StorageKey: z.string(),
    ThumbnailKey: text,
    NormalizedKey: text,
    ManifestKey: text,
    SmilKey: text,
    Duration: z.number().nullable(),
    VideoCodec: text,
    VideoProfile: text,
    PixelFormat: text,
    AudioCodec: text,
    transcodingProfileId: z.int().nullable(),
  })
  .meta({ id: 'Media' });

export function oneMedia({ id, transcodingProfile, ...fields }: MediaPartsFragment): z.input<typeof Media> {
  return {
    id: Number(id),
    ...fields,
    StorageKey: fields.storageKey,
    ThumbnailKey: fields.thumbnailKey,
    NormalizedKey: fields.normalizedKey,
    ManifestKey: fields.manifestKey,
    SmilKey: fields.smilKey,
    Duration: fields.duration,
    VideoCodec: fields.videoCodec,
    VideoProfile: fields.videoProfile,
    PixelFormat: fields.pixelFormat,
    AudioCodec: fields.audioCodec,
    transcodingProfileId: transcodingProfile ? Number(transcodingProfile.id) : null,
  };
}

/** Where, until when and with which token the bytes are sent. */
export const PreparedUpload = z
  .object({ uploadToken: z.string(), expiresAt: z.iso.datetime(), uploadUrl: z.string() })
  .meta({ id: 'PreparedUpload' });

export const MediaFolder = z
  .object({ tenant: z.string(), folder: z.string(), count: z.int() })
  .meta({ id: 'MediaFolder' });

export const TranscodingProfile = z
  .object({
    ID: z.int(),
    name: z.string(),
    category: z.string(),
    isDefault: z.boolean(),
    renditions: z.array(z.object({ height: z.int(), videoBitrateKbps: z.int(), audioBitrateKbps: z.int() })),
  })
  .meta({ id: 'TranscodingProfile' });

type ProfileParts = NonNullable<TranscodingProfilesQuery['transcodingProfiles']>[number];

export const transcodingProfile = ({ id, ...profile }: ProfileParts): z.input<typeof TranscodingProfile> => ({
  ID: Number(id),
  ...profile,
});

/** Where the object store and the library disagree. */
export const StorageAudit = z
  .object({
    objectCount: z.int(),
    objectBytes: z.number(),
    mediaCount: z.int(),
    orphanCount: z.int(),
    missingCount: z.int(),
    orphans: z.array(z.object({ key: z.string(), size: z.number(), modifiedAt: z.iso.datetime() })),
    missing: z.array(z.object({ mediaId: z.int(), key: z.string() })),
    scanTruncated: z.boolean(),
  })
  .meta({ id: 'StorageAudit' });

export function storageAuditReply(found: StorageAuditQuery['storageAudit']): z.input<typeof StorageAudit> {
  const audit = answered(found);
  return { ...audit, missing: audit.missing.map(({ mediaId, key }) => ({ mediaId: Number(mediaId), key })) };
}
