import { afterAll, beforeAll, expect, it } from 'vitest';

import { openScratchTicketing, type ScratchTicketing } from '../testing/scratch-ticketing.ts';
import { idsInStock } from './ids-in-stock.ts';

let ticketing: ScratchTicketing;
beforeAll(async () => {
  ticketing = await openScratchTicketing();
});
afterAll(() => ticketing.stop());

it('gives out each id once, to several processes whose calls come at once and ask for few or many', async () => {
  const sequence = 'ticketing.ticket_ticket_id_seq';
  const processes = [1, 2].map(() => idsInStock({ db: ticketing.context.db, sequence }));
  const counts = [0, 1, 20, 300, 1, 255, 2, 600];

  const given = await Promise.all(processes.flatMap((take) => counts.map((count) => take(count))));

  expect(given.map(({ length }) => length)).toEqual([...counts, ...counts]);
  expect(new Set(given.flat()).size).toBe(given.flat().length);
});
