import { inject } from 'vitest';

import { layoutOfTheseTests, type Layout } from './server-process.ts';
import type { servers, SharedParts, StartedServer } from './shared-for-the-run.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the shared parts of this run are served, by layout. */
    sharedParts: Partial<Record<Layout, string>>;
  }
}

/** A running Foyer that all end-to-end tests of a run share. */
export interface SharedServer extends StartedServer {
  /** Everything it has printed so far, standard output and error: also for the requests of other files. */
  printed(): Promise<string>;
}

/**
 * A server of this run for tests that don't kill, restart or reconfigure it and don't count what is everybody's: each file
 * makes an organization and people of its own. It is started when it is first needed; nobody stops it before the run ends.
 *
 * @param name which of {@link import('./shared-for-the-run.ts').servers}
 */
export async function sharedServer(name: keyof typeof servers = 'usual'): Promise<SharedServer> {
  const part = `server-${name}` as const;
  const printed = async () => (await fetchPart(`${part}/printed`, parts())).text();
  return { ...(await shared(part)), printed };
}

/** The address of the Chromium of this run, for playwright; it visits servers of any layout. */
export const sharedBrowser = async (): Promise<string> =>
  (await partOf('browser', Object.values(inject('sharedParts'))[0])).url;

/** The address of another Chromium of this run, which plays films. */
export const sharedPlayer = async (): Promise<string> =>
  (await partOf('player', Object.values(inject('sharedParts'))[0])).url;

/** The address of the process that runs servers for single files ({@link import('./hosted-server.ts')}). */
export const serverHost = async (): Promise<string> => (await shared('host')).url;

const shared = async <Part extends keyof SharedParts>(part: Part) => partOf(part, parts());

/** Requests a shared part, and waits until it runs. For set-ups of vitest, which can't `inject`. */
export const partOf = async <Part extends keyof SharedParts>(part: Part, at?: string): Promise<SharedParts[Part]> =>
  (await (await fetchPart(part, at)).json()) as SharedParts[Part];

const parts = () => inject('sharedParts')[layoutOfTheseTests];

async function fetchPart(path: string, at = ''): Promise<Response> {
  const answer = await fetch(new URL(path, at));
  if (!answer.ok) throw new Error(`the shared ${path} did not start: ${await answer.text()}`);
  return answer;
}
