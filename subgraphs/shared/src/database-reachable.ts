import { Client } from 'pg';

import { ConfigError } from './config/config.ts';

const TIMEOUT_MS = 10_000;

/**
 * Checks that the database can be opened, before anything else relies on it.
 *
 * @throws {ConfigError} in one line, without the password
 */
export async function assertDatabaseAnswers(databaseUrl: string): Promise<void> {
  const problem = await problemOfDatabase(databaseUrl);
  if (problem) throw new ConfigError(`DATABASE_URL: ${problem}`);
}

/** Returns why a database can't be opened, in one line without the password; undefined if it can. */
export async function problemOfDatabase(databaseUrl: string, timeoutMs = TIMEOUT_MS): Promise<string | undefined> {
  try {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: timeoutMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => undefined);
    }
    return undefined;
  } catch (error) {
    return reasonOf(error, databaseUrl);
  }
}

function reasonOf(error: unknown, databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  const at = url?.host || 'localhost';
  const user = url?.username ?? '';
  const database = url?.pathname.slice(1) ?? '';
  const { code = '', message = '' } = error as { code?: string; message?: string };
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${url?.hostname ?? ''} is not known`;
    case 'ECONNREFUSED':
      return `nothing accepts connections at ${at}`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${at} can not be reached`;
    case '28P01':
    case '28000':
      return `PostgreSQL at ${at} refuses the user "${user}" or its password`;
    case '3D000':
      return `PostgreSQL at ${at} has no database "${database}"`;
    default:
      return otherReason(error, message, at);
  }
}

/** Errors of the driver have no code; its messages hold no secrets, except those about the URL itself. */
function otherReason(error: unknown, message: string, at: string): string {
  if (error instanceof URIError || error instanceof TypeError)
    return 'must be a URL such as postgresql://user:password@host:5432/database, where %40 stands for @ in the password';
  if (/timeout/i.test(message)) return `${at} does not answer`;
  if (message.includes('password must be')) return `PostgreSQL at ${at} asks for a password`;
  return `PostgreSQL at ${at} can not be opened: ${message.split('\n', 1)[0] ?? ''}`;
}
