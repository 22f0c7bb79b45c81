import { networkOf } from '@foyer/shared/http/addresses/address';
import type { RequestScope } from '@foyer/shared/http/request';

/**
 * The key by which a viewer's requests are counted: the same in every session and organization, and without regard to
 * headers, which anyone can make up. Requests without a verified viewer are counted by the client's network.
 */
export function countedAs({ viewer, client }: Pick<RequestScope, 'viewer' | 'client'>): string {
  switch (viewer?.kind) {
    case 'staff':
      return `staff ${viewer.userId}`;
    case 'legacy-user':
      return `legacy-user ${viewer.subject}`;
    case 'customer':
      return `customer ${viewer.custId}`;
    case 'service':
      return 'service';
    case 'token-bearer':
      return viewer.subject === undefined
        ? networkOf(client.address)
        : `token-bearer ${JSON.stringify([viewer.issuer, viewer.subject])}`;
    default:
      return networkOf(client.address);
  }
}
