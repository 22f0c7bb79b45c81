import { Refusal } from '@foyer/shared/errors';

export const subgraphUnavailable = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'A part of the platform can not be reached.', {
    cause,
  });

export const notTheGateway = () =>
  new Refusal('FORBIDDEN', 'NOT_THE_GATEWAY', 'This subgraph answers its gateway, and nobody else.');
