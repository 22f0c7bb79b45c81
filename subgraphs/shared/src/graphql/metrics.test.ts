import { register } from 'prom-client';
import { expect, it } from 'vitest';

import { countError } from './metrics.ts';

it('the codes of errors, which a foreign subgraph may choose, become a bounded number of labels', async () => {
  for (let at = 0; at < 1_000; at += 1) countError(`E_${at}`);
  countError('x'.repeat(1_000));

  const { values = [] } = (await register.getSingleMetric('foyer_graphql_errors_total')?.get()) ?? {};
  const codes = values.map(({ labels }) => String(labels['code']));
  expect(codes).toEqual(expect.arrayContaining(['E_0', 'other']));
  expect(codes.length).toBeLessThan(300);
  expect(codes).not.toContain('x'.repeat(1_000));
});
