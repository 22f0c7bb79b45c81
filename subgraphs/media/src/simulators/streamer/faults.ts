import type { FastifyReply, FastifyRequest } from 'fastify';

/** A status to answer with, no answer at all, or a connection that breaks. */
export type Fault = number | 'hang' | 'reset';

export type FaultSwitch = ReturnType<typeof faultSwitch>;

/** Spoils as many answers as it is told to, in the order it was told. */
export function faultSwitch() {
  const waiting: Fault[] = [];
  return {
    next(fault: Fault, times: number) {
      waiting.push(...Array.from({ length: times }, () => fault));
    },
    /** @returns whether this request is dealt with */
    spoil(request: FastifyRequest, reply: FastifyReply): boolean {
      const fault = waiting.shift();
      if (fault === undefined) return false;
      if (typeof fault === 'number') {
        void reply.code(fault).send({ error: 'simulated fault' });
        return true;
      }
      reply.hijack();
      if (fault === 'reset') request.raw.socket.resetAndDestroy();
      return true;
    },
  };
}
