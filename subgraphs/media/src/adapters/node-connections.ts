import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import { AddressForbidden, mayConnect, type AddressRules } from '@foyer/shared/address';

interface Options extends AddressRules {
  /** How long a node may take to accept a connection, to begin its answer, and to send the next piece of it. */
  timeoutMs: number;
}

/** Finds all addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const CONNECTIONS_PER_NODE = 16;
const NODES_AT_MOST = 1_000;

/**
 * Connections to nodes, kept alive by address. The rules hold for the address that is really
 * connected to: a name may lead anywhere, and elsewhere the next time.
 */
export function openNodeConnections({ timeoutMs, ...rules }: Options, resolve: Lookup = lookup): Dispatcher {
  const connector = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(rules, resolve) });
  return new Agent({
    connections: CONNECTIONS_PER_NODE,
    maxOrigins: NODES_AT_MOST,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect(options, done) {
      const literal = options.hostname.replaceAll(/^\[|\]$/g, '');
      // An address is connected to as it is, without a lookup.
      if (isIP(literal) && !mayConnect(literal, rules)) return done(new AddressForbidden(literal), null);
      connector(options, done);
    },
  });
}

const guardedLookup =
  (rules: AddressRules, resolve: Lookup): LookupFunction =>
  (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return done(error, '');
      const [first] = addresses;
      const forbidden = addresses.find(({ address }) => !mayConnect(address, rules));
      if (!first || forbidden) return done(new AddressForbidden(forbidden?.address ?? hostname), '');
      if (options.all) return done(null, addresses);
      done(null, first.address, first.family);
    });
