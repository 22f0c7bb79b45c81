import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import type { AddressPolicy, JudgedAddress } from '@foyer/shared/http/address-policy';
import { Agent, buildConnector, type Dispatcher } from 'undici';

interface Options {
  /** Where nodes may be. */
  addresses: AddressPolicy;
  /** How long a node may take to accept a connection, to begin its answer, and to send the next piece of it. */
  timeoutMs: number;
}

const CONNECTIONS_PER_NODE = 16;
const NODES_AT_MOST = 1_000;

/**
 * Connections to nodes, kept alive by address. The policy holds for the address that is really connected to: a name
 * may lead anywhere, and elsewhere the next time.
 */
export function openNodeConnections({ timeoutMs, addresses }: Options): Dispatcher {
  return new Agent({
    connections: CONNECTIONS_PER_NODE,
    maxOrigins: NODES_AT_MOST,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, done) {
      const host = options.hostname.replaceAll(/^\[|\]$/g, '');
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      const judging = callbackify(async () => addresses.addressesOf(host, port));
      judging((error, judged) => {
        if (error) return done(error, null);
        buildConnector({ timeout: timeoutMs, lookup: knowing(judged) })(options, done);
      });
    },
  });
}

/** A lookup that was made already: nobody asks a second time, and is told something else. */
const knowing =
  (judged: [JudgedAddress, ...JudgedAddress[]]): LookupFunction =>
  (_hostname, options, done) => {
    const [{ address, family }] = judged;
    if (options.all) return done(null, judged);
    done(null, address, family);
  };
