import { Refusal } from '@foyer/shared/errors';

export const assetNotFound = () => new Refusal('NOT_FOUND', 'ASSET_NOT_FOUND', 'There is no such asset.');

export const linkExpired = () => new Refusal('FORBIDDEN', 'LINK_EXPIRED', 'This link is not valid, or no longer.');

export const rangeOutside = (size: number) =>
  new Refusal('RANGE_NOT_SATISFIABLE', 'RANGE_NOT_SATISFIABLE', 'That range lies outside the asset.', { size });
