import type { Viewer } from '@foyer/shared/auth/viewer';
import { networkOf } from '@foyer/shared/http/addresses/address';

/** Names the caller, so that nobody waits for the many receipts of somebody else. */
export function callerOf(viewer: Viewer | null, address: string): string {
  if (viewer?.kind === 'staff') return `staff ${viewer.userId}`;
  if (viewer?.kind === 'customer') return `customer ${viewer.custId}`;
  if (viewer?.kind === 'legacy-user') return `legacy user ${viewer.subject}`;
  return `network ${networkOf(address)}`;
}
