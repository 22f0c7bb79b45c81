import type { send } from '../../support/fixtures/people.ts';
import type { Mode } from './settings.ts';

/** The headers of a caller. */
export type Headers = Record<string, string>;

export type Answer = Awaited<ReturnType<typeof send>>;

/** Somebody of the staff, signed in as a mobile client. */
interface LoggedIn {
  id: string;
  accessToken: string;
  refreshToken: string;
  headers: Headers;
}

/** The server under test, reached over HTTP only, and what has been made there once for all rows. */
export interface Server {
  url: string;
  mode: Mode;
  send(method: string, path: string, sent?: { headers?: Headers; body?: unknown }): Promise<Answer>;
  /** Signs somebody in as a mobile client. Throws where that is refused. */
  login(username: string, companyCode: string, password?: string): Promise<LoggedIn>;
  /** The password of the demo accounts. */
  password(): string;
  /** The headers of a service that knows the secret of services. */
  internal(): Headers;
  /** The secret of the upload server. */
  hookSecret(): string;
  /** The platform's owner, a demo account. */
  owner(): Promise<LoggedIn>;
  /** The administrator of the demo organization. */
  acmeAdmin(): Promise<LoggedIn>;
  /** An organization for all rows that only add to it; rows that change what others read make their own. */
  organization(): Promise<Organization>;
  newOrganization(): Promise<Organization>;
  /** The demo customer, with a legacy token. */
  customer(): Promise<{ custId: string; email: string; headers: Headers }>;
  /** A legacy HS256 token, with a role of `ADMIN`, `SYSADMIN`, `MEMBER` or `CUSTOMER`. */
  legacy(role: string, claims?: Record<string, unknown>): Promise<Headers>;
  /** The newest link of this kind in the embedded inbox. */
  mailedLink(email: string, path: string): Promise<string>;
}

/** An organization on the server under test, and its people. */
export interface Organization {
  id: string;
  companyCode: string;
  /** Its first workspace, named Default. */
  workspaceId: string;
  /** The answer to its creation. */
  created: Answer;
  admin: LoggedIn;
  password: string;
  mail(name: string): string;
  /** One more person, an ORG_MEMBER until told otherwise. Needs the secret of services. */
  member(name?: string): Promise<LoggedIn & { email: string }>;
  again(email: string): Promise<LoggedIn>;
  /** Calls a tenancy route of this organization, as its administrator unless told otherwise. */
  ask(method: string, path: string, sent?: { headers?: Headers; body?: unknown }): Promise<Answer>;
}
