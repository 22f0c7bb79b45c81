import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ConfigError } from '@foyer/shared/config/config';
import type { Log } from '@foyer/shared/telemetry/log';
import { GraphQLError } from 'graphql';

const LONGEST_LINE = 500;

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
 * Opens what serves a supergraph file. The stack of what is wrong with the file is in the log (`debug`).
 *
 * @throws {ConfigError} when the file is no supergraph
 */
export async function servingFile<Opened>(file: string, log: Log, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    // A supergraph is refused by such errors; any other is a bug.
    if (!(error instanceof GraphQLError)) throw error;
    log.debug({ err: error }, 'the supergraph can not be used');
    throw new ConfigError(`${file} is no supergraph: ${oneLine(error)}`);
  }
}

/** Says in one line why a server can't listen at an address, by the names under which that was set. */
export function cannotListen(error: unknown, { port, host, keys }: Address): unknown {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo')
    return new ConfigError(`${keys.host}: ${host} is no address of this machine (${code})`);
  if (syscall !== 'listen') return error;
  if (code === 'EADDRINUSE') return new ConfigError(`${keys.port}: ${port} is taken by another process`);
  if (code === 'EADDRNOTAVAIL') return new ConfigError(`${keys.host}: ${host} is no address of this machine`);
  return new ConfigError(`${keys.port}: ${port} can not be used on this machine (${code})`);
}

interface Address {
  port: number;
  host: string;
  keys: { port: string; host: string };
}

const oneLine = (error: unknown) => (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_LINE);
