import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';

import { startExampleServer } from '../testing/example-server.ts';

it('passes the audit of GraphQL over HTTP without an error or a warning', async () => {
  const server = await startExampleServer();

  const results = await auditServer({ url: server.url });

  await server.stop();
  const told = results.map(({ status, id, name }) => `${status} ${id} ${name}`);
  const count = (status: string) => results.filter((result) => result.status === status).length;
  process.stdout.write(
    `graphql-http: ${count('ok')} ok, ${count('notice')} with notice, of ${results.length} audits\n`,
  );
  expect(told.filter((line) => !/^(ok|notice) /.test(line))).toEqual([]);
  // Optional, and not supported: a GET that a page of another site could send without a preflight is refused.
  expect(told.filter((line) => line.startsWith('notice')).map((line) => line.split(' ')[1])).toEqual([
    '5A70',
    'D6D5',
    '6A70',
  ]);
});
