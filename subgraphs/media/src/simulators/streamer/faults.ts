import type { FastifyReply, FastifyRequest } from 'fastify';

/** A status to respond with, no response at all, or a broken connection. */
export type Fault = number | 'hang' | 'reset';

export type FaultSwitch = ReturnType<typeof faultSwitch>;

/** Breaks as many responses as ordered, in the order of the orders. */
export function faultSwitch() {
  const waiting: Fault[] = [];
  return {
    next(fault: Fault, times: number) {
      waiting.push(...Array.from({ length: times }, () => fault));
    },
    /** Applies the next fault to a request. @returns whether there was one */
    apply(request: FastifyRequest, reply: FastifyReply): boolean {
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
