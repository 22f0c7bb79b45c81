import { openingOf } from '@foyer/shared/auth/opening';
import { isReferenceViolation } from '@foyer/shared/database-errors';
import { badInput } from '@foyer/shared/errors';
import { rowId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import type { PrepareUploadInput } from '../generated/graphql.ts';
import { classify } from '../media/media-type.ts';
import { permitMedia } from '../media/permit-media.ts';
import { holdToQuota } from '../quotas/hold-to-quota.ts';
import { claimTenant } from './claim-tenant.ts';
import { folderPath, label, segment, tenantName } from './names.ts';
import { unknownProfile, unusableSize } from './refusals.ts';
import { issueToken } from './upload-token.ts';

/** The type of files that the browser does not recognize and names no type for. */
const UNRECOGNIZED = 'application/octet-stream';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'clock' | 'uploadRules'>;

/** Prepares an upload, its first step: records what will be uploaded and issues a token for it. */
export async function prepareUpload(needs: Needs, input: PrepareUploadInput) {
  const { viewer, db, clock, uploadRules } = needs;
  const permit = await permitMedia(needs, input.workspaceId, 'media:upload');
  const { tokenMinutes, maxBytes, url } = uploadRules;
  const expiresAt = new Date(clock.now().getTime() + tokenMinutes * 60_000);
  const file = {
    title: label('title', input.title),
    mediaType: classify(input.mediaType, input.mimeType),
    mimeType: label('mimeType', input.mimeType.trim() || UNRECOGNIZED),
    fileSize: bytes(input.fileSize, maxBytes),
    originalName: label('originalName', input.originalName),
    fileName: segment('fileName', input.fileName),
    tenant: tenantName(input.tenant),
    folder: folderPath(input.folder),
    // Clients of open routes build the addresses of their files themselves, without signed links (docs/decisions/0112).
    visibility: input.visibility ?? (openingOf(viewer) ? 'PUBLIC' : 'PRIVATE'),
    priority: input.priority ?? 'NORMAL',
    transcodingProfileId: await knownProfile(needs, input.transcodingProfileId),
  };
  await claimTenant(needs, file.tenant, permit);

  const createdBy = viewer?.kind === 'staff' ? viewer.userId : null;
  const prepared = { expiresAt, ...permit, createdBy, ...file };
  const uploadToken = await db
    .$transaction(async (tx) => {
      await holdToQuota(needs, tx, 'prepare', prepared);
      return issueToken(tx, prepared);
    })
    .catch((error: unknown) => {
      throw isReferenceViolation(error) ? unknownProfile() : error; // the profile has just been deleted
    });
  return { uploadToken, expiresAt: expiresAt.toISOString(), uploadUrl: url };
}

function bytes(size: number, maxBytes: number): number {
  if (!Number.isSafeInteger(size) || size < 0)
    throw badInput([{ path: 'fileSize', message: 'must be a whole number of bytes' }]);
  if (size > maxBytes) throw unusableSize(maxBytes);
  return size;
}

async function knownProfile({ db }: Needs, id: string | null | undefined): Promise<number | null> {
  if (!id) return null;
  const profile = await db.transcodingProfile.findUnique({ where: { id: rowId(id) }, select: { id: true } });
  if (!profile) throw unknownProfile();
  return profile.id;
}
