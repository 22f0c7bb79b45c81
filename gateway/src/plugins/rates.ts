import type { ApolloServerPlugin } from '@apollo/server';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { SharedRedis } from '@foyer/shared/events/redis';
import { networkOf } from '@foyer/shared/http/addresses/address';
import { openRate, type Rate } from '@foyer/shared/http/rates';
import type { RequestScope } from '@foyer/shared/http/request';
import type { Log } from '@foyer/shared/telemetry/log';

import type { Config } from '../config.ts';
import type { GatewayContext } from '../request/context.ts';
import { countedAs } from '../request/counted-as.ts';
import { refuse } from './refuse.ts';

interface Needs {
  config: Pick<Config, 'rates'>;
  clock: Clock;
  log: Log;
  /** Counts requests across all gateways. */
  redis?: SharedRedis | undefined;
}

/** Counts a request against the limits of its viewer and its network. @throws {Refusal} `TOO_MANY_REQUESTS`, with `retryAfter` in seconds */
export type CountRequest = (scope: Pick<RequestScope, 'viewer' | 'client'>) => Promise<void>;

export function requestCounter({ config, ...needs }: Needs): CountRequest {
  const perViewer = openRate({ ...needs, name: 'viewer', perMinute: config.rates.perViewer });
  const perAddress = openRate({ ...needs, name: 'address', perMinute: config.rates.perAddress });
  return async (scope) => {
    await takeFrom(perAddress, networkOf(scope.client.address));
    if (scope.viewer) await takeFrom(perViewer, countedAs(scope));
  };
}

async function takeFrom(rate: Rate, key: string): Promise<void> {
  const retryAfter = await rate.take(key);
  if (retryAfter > 0)
    throw new Refusal('RATE_LIMITED', 'TOO_MANY_REQUESTS', 'Too many requests: wait a little.', { retryAfter });
}

/** Refuses the requests of clients that send too many, before anything else is done for them. */
export const rates = (countRequest: CountRequest): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart(request) {
    const { internal, scope } = request.contextValue;
    if (internal) return;
    try {
      await countRequest(scope);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(request, error);
    }
  },
});
