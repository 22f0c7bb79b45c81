import { expect, it } from 'vitest';

import { testsOf } from './changed-tests.ts';

const everything = ['subgraphs/', 'gateway/', 'server/', 'prisma/', 'rest-compat/', 'tools/', 'test/'];
const whole = ['tools/', 'test/'];
const subgraph = (name: string) => [`subgraphs/${name}/`, 'gateway/', 'rest-compat/', 'server/', ...whole];

it.each([
  ['test/pages/login.test.ts', ['test/pages/login.test.ts']],
  ['tools/callbacks.test.ts', ['tools/callbacks.test.ts']],
  ['subgraphs/ticketing/src/orders/place-order.ts', subgraph('ticketing')],
  ['subgraphs/ticketing/src/deliveries/mails/refund.html.eta', subgraph('ticketing')],
  ['subgraphs/identity/src/login/schema.graphql', subgraph('identity')],
  ['subgraphs/media/package.json', subgraph('media')],
  ['subgraphs/shared/src/clock.ts', everything],
  ['prisma/models/media.prisma', everything],
  ['gateway/schema.graphql', ['gateway/', 'rest-compat/', 'server/', ...whole]],
  ['rest-compat/src/pages/foyer.css', ['rest-compat/', 'server/', ...whole]],
  ['server/src/docs-site/pages/docs.eta', ['server/', ...whole]],
  ['apps/demo/src/shop/calendar.tsx', ['server/', ...whole]],
  ['apps/demo/src/styles/main.css', ['server/', ...whole]],
  ['apps/demo/index.html', ['server/', ...whole]],
  ['test/support/until.ts', whole],
  ['test/support/s3-server.sh', everything],
  ['docs/operations.md', ['test/documents', 'test/pages/docs', 'server/src/docs-site/', 'tools/']],
  ['docs/images/start.png', ['test/documents', 'test/pages/docs', 'server/src/docs-site/', 'tools/']],
  ['README.md', ['test/documents', 'test/pages/docs', 'server/src/docs-site/', 'tools/']],
  ['pnpm-lock.yaml', everything],
  ['docker-compose.yml', everything],
  ['Dockerfile', everything],
  ['.ci/run', everything],
  ['vitest.config.ts', everything],
  ['tools/bundle.ts', everything],
  ['a-new-folder/anything', everything],
])('a change of %s runs the tests that it can affect', (path, tests) => {
  expect(testsOf(path)).toEqual(tests);
});
