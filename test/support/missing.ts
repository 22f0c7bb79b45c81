import { existsSync } from 'node:fs';

const places = (process.env['PATH'] ?? '').split(':');
const missing = (programs: readonly string[]) =>
  programs.filter((program) => !places.some((place) => existsSync(`${place}/${program}`)));

/** Whether a test that needs these programs is skipped; on a build server (`CI` is set) it runs, and fails. */
export const lacks = (...programs: string[]): boolean => missing(programs).length > 0 && !process.env['CI'];

/** Why such a test is skipped, to append to its title; empty when it is not. */
export const why = (...programs: string[]): string =>
  missing(programs).length > 0 ? ` (skipped: no ${missing(programs).join(', ')} on this machine)` : '';
