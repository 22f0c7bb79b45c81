// For tests: what this machine lacks. Tests that need it are skipped, and the end of a run names it (tools/test-report.ts).
import { existsSync } from 'node:fs';

const places = (process.env['PATH'] ?? '').split(':');
/** What is no program of this machine, and the variable that says where it is. */
const elsewhere: Record<string, string> = { 'S3 server': 'TEST_S3_ENDPOINT' };

const isThere = (need: string) =>
  elsewhere[need] === undefined
    ? places.some((place) => existsSync(`${place}/${need}`))
    : Boolean(process.env[elsewhere[need]]);
const missing = (needs: readonly string[]) => needs.filter((need) => !isThere(need));

/**
 * Whether a test that needs these is skipped; on a build server (`CI` is set) it runs, and fails.
 *
 * @param needs programs by name, or `S3 server`
 */
export const lacks = (...needs: string[]): boolean => missing(needs).length > 0 && !process.env['CI'];

/** Why such a test is skipped, to append to its title; empty when it is not. */
export const why = (...needs: string[]): string =>
  missing(needs).length > 0 ? ` (skipped: no ${missing(needs).join(', ')} on this machine)` : '';
