import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { describeLacking, summarize } from './test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'foyer-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('what a machine lacks is reported with the files that were not run, and a command that helps', () => {
  const skipped = (fullName: string) => ({ status: 'skipped', fullName, failureMessages: [] });
  const file = join(folder, 'unit.json');
  const testResults = [
    ['/foyer/test/pages/login.test.ts', 'signs in (skipped: no chromium on this machine)'],
    ['/foyer/test/media/playback.test.ts', 'plays (skipped: no chromium on this machine)'],
    [
      '/foyer/test/redis/tls.test.ts',
      'Redis (skipped: no redis-server on this machine) and TLS (skipped: no openssl on this machine)',
    ],
    ['/foyer/media/corpus.integration.test.ts', 'on S3 (skipped: no S3 server on this machine) cut.mkv'],
    ['/foyer/media/other.test.ts', 'is skipped for another reason'],
  ].map(([name, fullName = '']) => ({ name, status: 'passed', message: '', assertionResults: [skipped(fullName)] }));
  writeFileSync(file, JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 5, testResults }));

  const { lacking } = summarize(new Map([['unit', file]]), '/foyer');
  expect(describeLacking(lacking)).toEqual([
    'no chromium (on Debian: .ci/run install):',
    '  test/media/playback.test.ts',
    '  test/pages/login.test.ts',
    'no redis-server (on Debian: .ci/run install):',
    '  test/redis/tls.test.ts',
    'no openssl (on Debian: .ci/run install):',
    '  test/redis/tls.test.ts',
    'no S3 server (test/support/s3-server.sh start && export TEST_S3_ENDPOINT=http://127.0.0.1:9911):',
    '  media/corpus.integration.test.ts',
  ]);
});
