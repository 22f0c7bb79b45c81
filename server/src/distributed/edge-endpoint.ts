import { PassThrough } from 'node:stream';

import { SIGNED_CONTEXT, type SignedContext, type VerifyContext } from '@foyer/shared/graphql/signed-context';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';

import { EDGE_PATH, signs, wire, type Answered, type Asked, type EdgeRecords, type Question } from './edge-records.ts';
import { notTheGateway } from './refusals.ts';

interface Needs {
  records: EdgeRecords;
  verifyContext: VerifyContext;
}

const BODY_BYTES = 64 * 1024;
const ALIVE_MS = 1_000;

/** Answers what gateways, which have no database, must know to authenticate a request. Only they get an answer. */
export const edgeEndpoint =
  ({ records, verifyContext }: Needs): FastifyPluginAsync =>
  async (app) => {
    const { tokens, readCustomerStanding, evaluatePolicies } = records;

    async function signedBy({ headers }: FastifyRequest): Promise<SignedContext> {
      const signed = await verifyContext(headers[SIGNED_CONTEXT]);
      if (!signed) throw notTheGateway();
      return signed;
    }
    const answer = <Of extends Question>(
      question: Of,
      read: (asked: Asked<Of>, signed: SignedContext) => Promise<Answered<Of>>,
    ) =>
      app.post(`${EDGE_PATH}/${question}`, { bodyLimit: BODY_BYTES }, async (request) => {
        const signed = await signedBy(request);
        return read(wire[question].asked.parse(request.body) as Asked<Of>, signed);
      });

    answer('revoked', async () => {
      const { blocks, endedSessions } = await tokens.readRevoked();
      return { blocks: [...blocks], endedSessions: [...endedSessions] };
    });
    answer('membership', async (person) => ({ isMember: await tokens.isMember(person) }));
    answer('customer', async (bearer) => ({ standing: await readCustomerStanding(bearer) }));
    answer('policies', async ({ policies }, { viewer }) => ({
      granted: [...(await evaluatePolicies(policies, { viewer }))],
    }));

    const streams = new Set<PassThrough>();
    app.addHook('preClose', async () => streams.forEach((stream) => stream.end())); // they would never end by themselves

    app.get(`${EDGE_PATH}/changes`, async (request, reply) => {
      await signedBy(request);
      const stream = new PassThrough();
      streams.add(stream);
      // A gateway that does not read would fill our memory: its next connection starts afresh.
      const tell = (sign: string) => {
        if (stream.writable && !stream.write(sign)) stream.destroy();
      };
      const stop = tokens.watchRevoked(() => tell(signs.changed));
      const beat = setInterval(() => tell(signs.alive), ALIVE_MS);
      stream.once('close', () => {
        clearInterval(beat);
        stop();
        streams.delete(stream);
      });
      tell(signs.changed);
      return reply.type('application/octet-stream').send(stream);
    });
  };
