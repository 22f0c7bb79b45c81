/**
 * The cost of a REST route compared with its GraphQL operation, in a real server on a real database:
 *
 *     pnpm bench:rest [--seconds 0.5] [--rounds 15]
 *
 * CPU time of the server for one request, by 20 connections, of four handlers of the same server: one that does nothing,
 * one that executes the operation in process (`gateway.execute`) for a viewer that is known, the route, and /graphql with
 * the same operation. What the route costs beyond nothing, over what the operation costs beyond nothing, is what the row
 * adds: it identifies the caller, reads the input and writes the answer. At most 1.15 is wanted.
 *
 * The rounds are short, so that the handlers compared have the same load beside them; the median of their ratios counts. What
 * the server takes when nobody asks it anything is subtracted: it would count for more where requests take longer.
 */
import { parseArgs } from 'node:util';

import { measureRoutes, MOST_TIMES } from './rest/routes.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '0.5' }, rounds: { type: 'string', default: '15' } },
});

const times = await measureRoutes({ seconds: Number(values.seconds), rounds: Number(values.rounds) });
process.exitCode = times <= MOST_TIMES ? 0 : 1;
