import { demo } from '@foyer/shared/demo';

/** Who reads: an administrator of the large organization, a member of one workspace of it, the owner of the platform, or a customer. */
export type Reader = 'administrator' | 'member' | 'platform' | 'customer' | 'anybody';

export interface List {
  name: string;
  as: Reader;
  /** The entity that has the list. */
  within?: string;
  /** The field, with its arguments; the page is added to them. */
  field: string;
  arguments?: string;
  node: string;
  /** Selects the row in the middle of the list: the values of its cursor, in their order. */
  middle?: string;
  /** The cursor is the value itself. */
  plainCursor?: true;
  /** Also counted, where it has `totalCount`. */
  counted?: true;
}

export const { organizationId, workspaceId } = demo.acme;
/** The customer of the demonstration. */
export const CUSTOMER = '0a0c0000-0000-4000-8000-000000000901';

/** Selects the row in the middle of a list. */
export const middleOf = (columns: string, rest: string, by: string) =>
  `SELECT ${columns} ${rest} ORDER BY ${by} OFFSET (SELECT count(*) ${rest}) / 2 LIMIT 1`;

/** The rows of the large organization, and of its largest workspace. */
export const ofAcme = `organization_id = '${organizationId}'`;
export const inWorkspace = `workspace_id = '${workspaceId}'`;

/** A day that is within the smallest of the sizes, too. */
export const day = new Date(Date.now() - 363 * 86_400_000).toISOString().slice(0, 10);
