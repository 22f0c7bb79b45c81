import { readInput } from '@foyer/shared/read-input';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { callerOf } from './caller.ts';
import { renderReceipt } from './render-receipt.ts';

const Params = z.object({ orderNo: z.string().regex(/^[\w-]{1,64}$/, 'must be an order number') });

/** Serves the ticket PDF (spec 2, "Receipt") to anyone who knows the order number. */
export const receiptRoutes =
  (needs: Pick<Services, 'db' | 'receiptPrinter' | 'limits'>): FastifyPluginAsync =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/pdf/receipt',
      async handler(request, response) {
        const { orderNo } = readInput(Params, request.query);
        await needs.limits.take('receipts', request.ip);
        const { filename, pdf, hash } = await renderReceipt(needs, orderNo, callerOf(null, request.ip));

        const etag = `"${hash}"`;
        response.headers({ etag, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
        if (request.headers['if-none-match'] === etag) return response.code(304).send();
        return response
          .type('application/pdf')
          .header('content-disposition', `inline; filename="${filename}"`)
          .send(Buffer.from(pdf));
      },
    });
  };
