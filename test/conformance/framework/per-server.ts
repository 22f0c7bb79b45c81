import { holds, type Rows } from './row.ts';
import type { Server } from './server.ts';

/** Makes something once on each server, for all rows that only look at it. */
export function perServer<Made>(make: (server: Server) => Promise<Made>): (server: Server) => Promise<Made> {
  const made = new WeakMap<Server, Promise<Made>>();
  return (server) => {
    const making = made.get(server) ?? make(server);
    made.set(server, making);
    return making;
  };
}

/** The rows of a table of fields: each looks at the same thing. */
export const fieldsOf = <Made>(
  make: (server: Server) => Promise<Made>,
  rows: Record<string, (made: Made, server: Server) => void | Promise<void>>,
): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([anchor, check]) => [anchor, holds(async (server) => check(await make(server), server))]),
  );
