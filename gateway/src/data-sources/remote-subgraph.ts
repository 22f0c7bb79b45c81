import type { SignContext } from '@foyer/shared/graphql/signed-context';
import type { Log } from '@foyer/shared/telemetry/log';

import type { Config } from '../config.ts';

/** A subgraph on the network, and what is needed to call it. */
export interface RemoteSubgraph {
  name: string;
  url: string;
  options: Config['subgraphs'];
  log: Log;
  /** Signs the viewer for Foyer's own subgraphs, which may then set cookies; others get the forwarded headers alone. */
  signContext?: SignContext | undefined;
  /** Shared by all subgraphs of a gateway: a mutation in one may change the answers of another. */
  changes: Changes;
}

interface Changes {
  /** How many mutations have been answered so far. */
  answered: number;
}
