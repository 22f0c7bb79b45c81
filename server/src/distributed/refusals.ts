import { Refusal } from '@foyer/shared/errors';

export const subgraphUnavailable = (cause: unknown) =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'SUBGRAPH_UNAVAILABLE', 'A part of the platform can not be reached.', {
    cause,
  });

export const pathNotForwardable = () =>
  new Refusal('BAD_USER_INPUT', 'PATH_NOT_FORWARDABLE', 'This path can not be forwarded as it is.');

export const notTheGateway = () =>
  new Refusal('FORBIDDEN', 'NOT_THE_GATEWAY', 'This subgraph answers its gateway, and nobody else.');
