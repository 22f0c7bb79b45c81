/** A command was called with wrong arguments. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
