import type { Id } from '../ids.ts';
import type { Opening, Staff, Viewer } from './viewer.ts';

/**
 * Returns the viewer of an open route (`REST_AUTH=documented`). Staff keep their own rights there, so that being logged
 * in never shows less; every other token counts as none.
 */
export function throughOpening(viewer: Viewer | null, opening: Opening): Viewer {
  return viewer?.kind === 'staff' ? { ...viewer, opening } : { kind: 'legacy-client', ...opening };
}

/**
 * Returns the viewer of a route that shows each viewer their own data and opens only a detail: a customer or a legacy
 * token keeps its identity.
 */
export function besideOpening(viewer: Viewer | null, opening: Opening): Viewer {
  if (viewer?.kind === 'staff' || viewer?.kind === 'customer') return { ...viewer, opening };
  return viewer ?? { kind: 'legacy-client', ...opening };
}

/** What the route opens to this viewer; undefined except at open routes. */
export function openingOf(viewer: Viewer | null): Opening | undefined {
  if (viewer?.kind === 'legacy-client') return viewer;
  return viewer?.kind === 'staff' || viewer?.kind === 'customer' ? viewer.opening : undefined;
}

/** The viewer with what they hold by themselves, for what no route opens; null for a client without a token. */
export function withoutOpening(viewer: Viewer | null): Viewer | null {
  if (viewer?.kind === 'legacy-client') return null;
  if (viewer?.kind !== 'staff' && viewer?.kind !== 'customer') return viewer;
  const { opening: _opened, ...own } = viewer;
  return own;
}

/** An organization, or a workspace of it. */
interface Place {
  organizationId: Id | null;
  workspaceId?: Id | null;
}

/**
 * Whether the headers of the viewer match a place. A missing header matches every place, because it could as well name the
 * right id. For staff the token decides: naming another organization than its own opens nothing.
 */
export function opensAt(viewer: Viewer | null, { organizationId, workspaceId = null }: Place): boolean {
  const opening = openingOf(viewer);
  if (!opening) return false;
  const claimsNothing = opening.organizationId === undefined && opening.workspaceId === undefined;
  return (
    (opening.organizationId ?? organizationId) === organizationId &&
    (workspaceId === null || (opening.workspaceId ?? workspaceId) === workspaceId) &&
    (viewer?.kind !== 'staff' || claimsNothing || isOwn(viewer, organizationId))
  );
}

const isOwn = (viewer: Staff, organizationId: Id | null) =>
  organizationId === null || viewer.organizationId === organizationId;
