import { Refusal } from '@foyer/shared/errors';

/** The name of the organization in which customers are, who are not staff: nobody administers it. */
export const CUSTOMERS = 'Foyer customers';

/**
 * The identity provider: the only place that stores passwords. Every method throws a {Refusal} `IDENTITY_PROVIDER_DOWN`
 * when no usable answer comes in time.
 */
export interface IdentityProvider {
  /**
   * Creates an organization and returns its id.
   *
   * @throws {Refusal} `ORGANIZATION_NAME_TAKEN`
   */
  createOrganization(name: string): Promise<string>;
  /**
   * Creates an organization and its first person, who administers it there: both or neither.
   *
   * @param id as in `NewIdpUser`
   * @throws {Refusal} `ORGANIZATION_NAME_TAKEN`, `USERNAME_TAKEN`, `PASSWORD_TOO_SIMPLE`
   */
  createOrganizationWithAdmin(
    name: string,
    admin: Omit<NewIdpUser, 'id' | 'organizationId'>,
    id?: string,
  ): Promise<{ organizationId: string; userId: string }>;
  findOrganization(by: { name: string } | { id: string }): Promise<IdpOrganization | null>;
  deleteOrganization(id: string): Promise<void>;

  /**
   * Creates a person with a verified address, so that the provider sends no mail of its own, and returns the id.
   *
   * @throws {Refusal} `USERNAME_TAKEN`, `PASSWORD_TOO_SIMPLE`
   */
  createUser(user: NewIdpUser): Promise<string>;
  /**
   * Finds the people with this login name, or else with this e-mail address: at most two, which shows that a name is
   * ambiguous.
   *
   * @param organizationId only of this organization, else of all
   */
  findUsers(loginNameOrEmail: string, organizationId?: string): Promise<IdpUser[]>;
  /** Finds a person of this organization. */
  findMember(organizationId: string, userId: string): Promise<IdpUser | null>;
  /** Lists everybody in an organization, page by page. */
  listUsers(organizationId: string): AsyncIterable<IdpUser>;
  deleteUser(userId: string): Promise<void>;
  /** @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `PASSWORD_UNCHANGED`, `INVALID_CREDENTIALS` when `currentPassword` is wrong */
  setPassword(userId: string, password: string, currentPassword?: string): Promise<void>;

  /**
   * Checks a password by opening a session; takes a second or more when it is wrong.
   *
   * @param loginName the preferred login name, because a check by id may miss a new person
   * @param lifetimeSeconds how long the provider keeps the session
   * @returns the id of the session
   * @throws {Refusal} `INVALID_CREDENTIALS`, whatever is wrong with the person or the password
   */
  openSession(session: {
    loginName: string;
    password: string;
    lifetimeSeconds: number;
    device: IdpDevice;
  }): Promise<string>;
  /** Ends a session; an unknown or ended session is no error. */
  endSession(sessionId: string): Promise<void>;

  passwordRules(organizationId?: string): Promise<PasswordRules>;
}

export interface IdpOrganization {
  id: string;
  name: string;
  active: boolean;
}

export interface NewIdpUser {
  /** An id of our choice, by which we know what was created even if the answer is lost. */
  id?: string;
  organizationId: string;
  username: string;
  email: string;
  givenName: string;
  familyName: string;
  password: string;
  /** The person must choose another password after the first login. */
  changeRequired?: boolean;
}

export interface IdpUser {
  id: string;
  /** The one organization that the person belongs to. */
  organizationId: string;
  username: string;
  /** The input of a password check. */
  loginName: string;
  email: string;
  givenName: string;
  familyName: string;
  passwordChangeRequired: boolean;
}

interface IdpDevice {
  address: string;
  description: string;
}

export interface PasswordRules {
  minLength: number;
  uppercase: boolean;
  lowercase: boolean;
  number: boolean;
  symbol: boolean;
}

/** The provider did not answer in time whether a password is right; it delays answers about wrong ones. */
export class PasswordUnanswered extends Refusal {
  constructor({ code, reason, message, cause }: Refusal) {
    super(code, reason, message, { cause });
  }
}
