import type { Client, RequestScope } from '@foyer/shared/http/request';

/**
 * Keeps the passwords of customers and counts failed logins. It knows customers by their user id, never by their e-mail
 * address, so that the address of a member of staff means nothing to it.
 */
export interface CustomerDirectory {
  /**
   * Runs one login attempt under the same limits and minimum duration as every login, staff included. A refusal
   * `INVALID_CREDENTIALS` of `check` counts as a failure, whether there is such a customer or not. A device that logged
   * the customer in before is known by a cookie, and not limited by the failures of others.
   *
   * @throws {Refusal} `RATE_LIMITED`, and what `check` throws
   */
  attempt<Found>(
    email: string,
    from: Pick<RequestScope, 'client' | 'reply'>,
    check: () => Promise<Found>,
  ): Promise<Found>;

  /** Forgets the failed logins with an e-mail address. */
  forgetFailures(email: string): Promise<void>;

  /**
   * Checks the password of a customer; always false for other users.
   *
   * @throws {Refusal} `IDENTITY_PROVIDER_DOWN`
   */
  checkPassword(userId: string, password: string, client: Client): Promise<boolean>;

  /** @throws {Refusal} `PASSWORD_TOO_SIMPLE` for everybody alike; `IDENTITY_PROVIDER_DOWN` */
  assertPassword(password: string): Promise<void>;

  /**
   * Creates the user of a customer. For a customer who has one already, it sets the password.
   *
   * @returns the user's id at the identity provider
   * @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `IDENTITY_PROVIDER_DOWN`
   */
  createUser(custId: string, login: { fullName: string; password: string }): Promise<string>;

  /** @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `IDENTITY_PROVIDER_DOWN` */
  setPassword(userId: string, password: string): Promise<void>;

  /** Deletes a user whose customer could not be saved. */
  deleteUser(userId: string): Promise<void>;

  /**
   * Counts a registration or a password reset against the network of the client.
   *
   * @throws {Refusal} `RATE_LIMITED`
   */
  admitRequest(client: Client): Promise<void>;

  /**
   * Counts another mail, which may be given back; null when no more may be sent. The client must not learn the result.
   *
   * @param subject the address to verify, or the customer whose password is reset
   */
  mayMail(kind: 'verify' | 'reset', subject: string): Promise<{ giveBack(): Promise<void> } | null>;
}
