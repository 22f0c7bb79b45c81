import { pipeline, Readable } from 'node:stream';

import { stringify } from 'csv-stringify';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';

import { dayOf } from '../units/calendar.ts';
import type { Services } from '../context.ts';
import { columns, exportLines } from './export-orders.ts';
import { openExport } from './open-export.ts';
import { exportExpired } from '../links/refusals.ts';

const Params = z.object({ seal: z.string().min(1).max(8_192) });

/** The CSV file of an export, by the link that `exportOrders` made. */
export const exportRoutes =
  (needs: Pick<Services, 'db' | 'clock' | 'permissions' | 'rights' | 'exportLinks' | 'log'>): FastifyPluginAsync =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/exports/orders.csv',
      async handler(request, response) {
        const params = Params.safeParse(request.query);
        if (!params.success) throw exportExpired();
        // Spreadsheets run cells that begin like a formula (OWASP, CSV injection), and misread UTF-8 without a BOM.
        const csv = stringify({ columns: [...columns], header: true, escape_formulas: true, bom: true });
        const cutOff = () => csv.destroy(new Error('the viewer of the export has lost a right'));
        const { stop, ...wanted } = await openExport(needs, params.data.seal, cutOff);
        pipeline(Readable.from(exportLines(needs, wanted)), csv, (error) => {
          stop();
          if (error) needs.log.warn({ err: error, requestId: request.id }, 'an export was cut off');
        });
        return response
          .headers({
            'cache-control': 'no-store',
            'x-content-type-options': 'nosniff',
            'referrer-policy': 'no-referrer',
          })
          .header('content-disposition', `attachment; filename="orders-${dayOf(needs.clock.now())}.csv"`)
          .type('text/csv; charset=utf-8')
          .send(csv);
      },
    });
  };
