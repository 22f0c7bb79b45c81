import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The used part of vitest's JSON report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/** The results of all vitest runs of a check. */
export interface TestSummary {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for each failure, for readers who see only the end of a long log. */
  failures: { step: string; file: string; line: string }[];
  /** What this machine lacks, with the files of the tests that were skipped for it. */
  lacking: Map<string, Set<string>>;
}

/**
 * @param reportOf the JSON report of each step, some of which may not have been written
 * @param root the folder that file names are relative to
 */
export function summarize(reportOf: ReadonlyMap<string, string>, root: string): TestSummary {
  const reports = [...reportOf]
    .filter(([, file]) => existsSync(file))
    .map(([step, file]) => ({ step, ...(JSON.parse(readFileSync(file, 'utf8')) as Report) }));
  const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + of(report), 0);
  return {
    passed: sum((report) => report.numPassedTests),
    failed: sum((report) => report.numFailedTests),
    skipped: sum((report) => report.numPendingTests),
    failures: reports.flatMap((report) =>
      failuresOf(report).map(([file, line]) => ({ step: report.step, file: relative(root, file), line })),
    ),
    lacking: lackingOf(reports, root),
  };
}

function failuresOf({ testResults }: Report): [file: string, line: string][] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      const told = tests.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0] ?? ''}`);
      return (told.length > 0 ? told : [message]).map((line): [string, string] => [name, onOneLine(line)]);
    });
}
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 1_000);

/** What skipped tests name as missing (subgraphs/shared/src/testing/missing.ts). */
function lackingOf(reports: readonly Report[], root: string): TestSummary['lacking'] {
  const lacking: TestSummary['lacking'] = new Map();
  for (const { name, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
    const skipped = assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped');
    for (const { fullName } of skipped)
      for (const need of [...fullName.matchAll(NEEDS)].flatMap(([, needs = '']) => needs.split(', ')))
        lacking.set(need, (lacking.get(need) ?? new Set()).add(relative(root, name)));
  }
  return lacking;
}
const NEEDS = /\(skipped: no (.+?) on this machine\)/g;

/** How to get what is missing, where `.ci/run install` does not bring it. */
const remedies: Record<string, string> = {
  'S3 server': 'test/support/s3-server.sh start && export TEST_S3_ENDPOINT=http://127.0.0.1:9911',
};

/** Lines that say which files were not run, or not wholly, because something is missing, and the command that helps. */
export function describeLacking(lacking: TestSummary['lacking']): string[] {
  return [...lacking].flatMap(([need, files]) => [
    `no ${need} (${remedies[need] ?? 'on Debian: .ci/run install'}):`,
    ...[...files].toSorted().map((file) => `  ${file}`),
  ]);
}
