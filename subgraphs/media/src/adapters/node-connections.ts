import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import type { AddressPolicy, JudgedAddress } from '@foyer/shared/http/addresses/address-policy';
import { Agent, buildConnector, type Dispatcher } from 'undici';

interface Options {
  /** The addresses that nodes may have. */
  addresses: AddressPolicy;
  /** How long a node may take to accept a connection, to begin its answer, and to send the next piece of it. */
  timeoutMs: number;
}

const CONNECTIONS_PER_NODE = 16;
const NODE_LIMIT = 1_000;

/**
 * Opens the connections to nodes, kept alive by address. The policy applies to the address that is actually connected to:
 * a name may resolve differently each time.
 */
export function openNodeConnections({ timeoutMs, addresses }: Options): Dispatcher {
  return new Agent({
    connections: CONNECTIONS_PER_NODE,
    allowH2: false,
    maxOrigins: NODE_LIMIT,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, done) {
      const host = options.hostname.replaceAll(/^\[|\]$/g, '');
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      const resolve = callbackify(async () => addresses.addressesOf(host, port));
      resolve((error, checked) => {
        if (error) return done(error, null);
        buildConnector({ timeout: timeoutMs, lookup: fixedLookup(checked), allowH2: false })(options, done);
      });
    },
  });
}

/** Returns a lookup that answers with addresses that were checked, so that no second lookup can differ. */
const fixedLookup =
  (checked: [JudgedAddress, ...JudgedAddress[]]): LookupFunction =>
  (_hostname, options, done) => {
    const [{ address, family }] = checked;
    if (options.all) return done(null, checked);
    done(null, address, family);
  };
