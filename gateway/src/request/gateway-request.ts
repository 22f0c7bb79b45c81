import type { ApolloGateway } from '@apollo/gateway';

import type { GatewayContext } from './context.ts';

/** Executes operations for ApolloServer. */
export type Execute = Awaited<ReturnType<ApolloGateway['load']>>['executor'];

/** A request as ApolloServer gives it to the executor, with our context. */
export type GatewayRequest = Parameters<NonNullable<Execute>>[0] & { readonly context: GatewayContext };
