import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

/** Queries the gateway about a payment. Each run schedules the next while the payment is undecided. */
export const requeryPaymentJob = defineJob({
  name: 'ticketing.requery-payment',
  data: z.object({
    orderTicketGroupId: z.string(),
    /** 1 for the first time. */
    round: z.int().positive(),
    /** RFC 3339: when the buyer was sent to the bank. */
    startedAt: z.iso.datetime(),
    /** Requested by an operator: this run schedules no other. */
    once: z.boolean().optional(),
  }),
  retries: 5,
  retryDelaySeconds: 10,
  retryDelayMaxSeconds: 300,
});
