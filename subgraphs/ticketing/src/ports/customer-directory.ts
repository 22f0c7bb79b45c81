import type { Client, RequestScope } from '@foyer/shared/http/request';

/**
 * Who keeps the passwords of customers, and counts wrong ones. It knows customers by the id of their user there, never
 * by their e-mail address: that of a member of staff means nothing to it.
 */
export interface CustomerDirectory {
  /**
   * Runs one attempt to sign in under the limits and the least time of every sign-in, staff included. A refusal
   * `INVALID_CREDENTIALS` of `check` counts as a failure, whether there is such a customer or not. A device that signed the
   * customer in before is known by a cookie, and not held up by what others fail.
   *
   * @throws {Refusal} `RATE_LIMITED`, and what `check` throws
   */
  attempt<SignedIn>(
    email: string,
    from: Pick<RequestScope, 'client' | 'reply'>,
    check: () => Promise<SignedIn>,
  ): Promise<SignedIn>;

  /** Lets somebody sign in again, whatever was failed in their name. */
  forgetFailures(email: string): Promise<void>;

  /**
   * Checks the password of a customer; who is no customer has none here.
   *
   * @throws {Refusal} `IDENTITY_PROVIDER_DOWN`
   */
  checkPassword(userId: string, password: string, client: Client): Promise<boolean>;

  /** @throws {Refusal} `PASSWORD_TOO_SIMPLE` for everybody alike; `IDENTITY_PROVIDER_DOWN` */
  assertPassword(password: string): Promise<void>;

  /**
   * Makes the user of a customer. Asked again for the same customer it finds that user, and sets the password.
   *
   * @returns the user's id there
   * @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `IDENTITY_PROVIDER_DOWN`
   */
  createUser(custId: string, login: { fullName: string; password: string }): Promise<string>;

  /** @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `IDENTITY_PROVIDER_DOWN` */
  setPassword(userId: string, password: string): Promise<void>;

  /** Of a customer whom nothing was recorded of. */
  deleteUser(userId: string): Promise<void>;

  /**
   * Counts a registration or a forgotten password against the network that it comes from.
   *
   * @throws {Refusal} `RATE_LIMITED`
   */
  admitRequest(client: Client): Promise<void>;

  /**
   * Whether another mail may be sent, and counts it; whoever asked for it is not told.
   *
   * @param subject the address to verify, which is of no account yet, or the customer whose password is reset
   */
  mayMail(kind: 'verify' | 'reset', subject: string): Promise<boolean>;
}
