import { ConfigError } from '../config/config.ts';

/**
 * Refuses arguments of a command that has none: one that was ignored would look as if it had been understood.
 *
 * @throws {ConfigError} naming the first one
 */
export function assertNoArguments(given: readonly string[]): void {
  const [first] = given;
  if (first !== undefined)
    throw new ConfigError(`${first}: is not known: settings are variables, as in PORT=5000 (docs/operations.md)`);
}
