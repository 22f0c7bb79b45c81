import { Client, type ClientBase } from 'pg';

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
    await ask(databaseUrl, timeoutMs);
    return undefined;
  } catch (error) {
    return reasonOf(error, databaseUrl);
  }
}

/**
 * Whether a connection is waited for in vain. Over another one the database gives no answer at all, not even a refusal: its
 * machine hangs, or the network loses everything. Or it answers, and has no such session: another server has taken over its
 * address.
 */
export async function isLost(databaseUrl: string, connection: ClientBase, timeoutMs: number): Promise<boolean> {
  try {
    const { isDirect, isThere } = await ask(databaseUrl, timeoutMs, sessionOf(connection));
    return isDirect && !isThere; // a pooler numbers its sessions by itself, and sees to its servers
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return unreachable.has(code) || isTimeout(message);
  }
}

/** The number of a session, as the server said when it began. */
const sessionOf = (connection: ClientBase) => (connection as unknown as { processID: number | null }).processID;

const SESSIONS = `
  SELECT pg_backend_pid() AS own, EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1) AS "isThere"`;

async function ask(databaseUrl: string, timeoutMs: number, session: number | null = null) {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ own: number; isThere: boolean }>(SESSIONS, [session]);
    return { isDirect: rows[0]?.own === sessionOf(client), isThere: rows[0]?.isThere };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const unreachable: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

const isTimeout = (message: string) => /timeout/i.test(message);

function reasonOf(error: unknown, databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  const at = url?.host || 'localhost';
  const user = url?.username ?? '';
  const database = url?.pathname.slice(1) ?? '';
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (unreachable.has(code)) return `${at} can not be reached`;
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host ${url?.hostname ?? ''} is not known`;
    case 'ECONNREFUSED':
      return `nothing accepts connections at ${at}`;
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
  if (isTimeout(message)) return `${at} does not answer`;
  if (message.includes('password must be')) return `PostgreSQL at ${at} asks for a password`;
  return `PostgreSQL at ${at} can not be opened: ${message.split('\n', 1)[0] ?? ''}`;
}
