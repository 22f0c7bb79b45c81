import type { AccessClaims } from '@foyer/shared/auth/access-claims';
import { Kind, type DocumentNode } from 'graphql';

import { gatewayContext } from '../request/context.ts';
import type { GatewayRequest } from '../request/gateway-request.ts';

/** A request of nobody, or of a caller with these claims, as the executor gets it. */
export function gatewayRequest(
  document: DocumentNode,
  variables: Record<string, unknown> = {},
  access?: AccessClaims,
): GatewayRequest {
  const context = gatewayContext({
    requestId: 'test',
    viewer: null,
    access,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  });
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return { request: { variables }, document, operation, context, metrics: {} } as unknown as GatewayRequest;
}
