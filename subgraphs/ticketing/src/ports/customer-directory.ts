/** Who keeps the passwords of customers: ticketing never sees one twice. */
export interface CustomerDirectory {
  /**
   * Makes a user who may log in. Asking again with the same e-mail and password finds the same user,
   * so that a registration that was cut off can be repeated.
   *
   * @returns the user's id there
   * @throws {Refusal} `EMAIL_TAKEN` (CONFLICT), `WEAK_PASSWORD` (BAD_USER_INPUT) or `UPSTREAM_UNAVAILABLE`
   */
  register(email: string, password: string, fullName: string): Promise<{ userId: string }>;

  /**
   * Checks a password.
   *
   * @returns null when e-mail and password do not belong together
   * @throws {Refusal} `UPSTREAM_UNAVAILABLE`
   */
  check(email: string, password: string): Promise<{ userId: string } | null>;
}
