import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ConfigError } from '@foyer/shared/config/config';
import { GraphQLError } from 'graphql';

/**
 * Reads the arguments of the standalone gateway.
 *
 * @throws {ConfigError} for one that it does not know, or that has no value
 */
export function readArguments(args: string[]): { config?: string | undefined; supergraph?: string | undefined } {
  try {
    return parseArgs({ args, options: { config: { type: 'string' }, supergraph: { type: 'string' } } }).values;
  } catch (error) {
    throw new ConfigError(oneLine(error));
  }
}

/** @throws {ConfigError} when the file can't be read */
export async function readSupergraphFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(`the supergraph ${file} can not be read: ${error.code ?? error.message}`);
  });
}

/**
 * Opens what serves a supergraph file.
 *
 * @throws {ConfigError} when the file is no supergraph
 */
export async function servingFile<Opened>(file: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    // Parser and planner refuse a supergraph by such errors; any other is a bug.
    throw error instanceof GraphQLError ? new ConfigError(`${file} is no supergraph: ${oneLine(error)}`) : error;
  }
}

const oneLine = (error: unknown) => (error as Error).message.replaceAll(/\s+/g, ' ');
