import { defineJob } from '@foyer/shared/jobs/jobs';
import { z } from 'zod';

/** Asks the gateway what became of a payment. Each run asks for the next, while there is something to learn. */
export const requeryPaymentJob = defineJob({
  name: 'ticketing.requery-payment',
  data: z.object({
    orderTicketGroupId: z.string(),
    /** 1 for the first time. */
    round: z.int().positive(),
    /** RFC 3339: when the buyer was sent to the bank. */
    startedAt: z.iso.datetime(),
    /** Somebody wants to know now: no further round follows from this one. */
    once: z.boolean().optional(),
  }),
  retries: 5,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 300,
});
