import type { ApolloServer } from '@apollo/server';
import type { Authenticate } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';

/** What serving WebSockets needs. */
export interface WebSocketNeeds {
  /** Aborts when the server is told to stop. */
  stopping: AbortSignal;
  server: ApolloServer<GatewayContext>;
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
  log: Log;
}
