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
  /** Missing programs, for which tests were skipped. */
  lacking: Set<string>;
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
    lacking: new Set(reports.flatMap(lackingOf)),
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

/** The missing program that a skipped test names (test/support/missing.ts). */
function lackingOf({ testResults }: Report): string[] {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending' || status === 'skipped')
    .flatMap(({ fullName }) => /\(skipped: no (.+?) on this machine\)/.exec(fullName)?.[1]?.split(', ') ?? []);
}
