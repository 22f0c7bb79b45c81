import { Refusal } from '@foyer/shared/errors';

import type { Amount, Quota } from './quota.ts';

/** @param used what is stored, with the uploads that come first */
export const quotaExceeded = (quota: Quota, used: Amount) =>
  new Refusal(
    'PAYLOAD_TOO_LARGE',
    'MEDIA_QUOTA_EXCEEDED',
    'This organization may not store that much: delete media, or ask for a larger quota.',
    { quotaBytes: quota.bytes, quotaItems: quota.items, usedBytes: used.bytes, usedItems: used.items },
  );
