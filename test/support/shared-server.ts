import { inject } from 'vitest';

import type { Server } from './house.ts';
import type { servers, SharedParts } from './shared-for-the-run.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the shared parts of this run are asked for. */
    sharedParts: string;
  }
}

/** A running Foyer that all end-to-end tests of a run share. */
export interface SharedServer extends Server {
  /** Of its process. */
  pid: number;
  dataDir: string;
  /** Of its database: for what no API shows. */
  databaseUrl: string;
  /** Everything it has printed so far, standard output and error: whatever other files have asked it, too. */
  printed(): Promise<string>;
}

/**
 * A server of this run for tests that don't kill, restart or reconfigure it and don't count what is everybody's: each file
 * makes an organization and people of its own. It is started when it is first asked for; nobody stops it before the run ends.
 *
 * @param name which of {@link import('./shared-for-the-run.ts').servers}
 */
export async function sharedServer(name: keyof typeof servers = 'usual'): Promise<SharedServer> {
  const part = `server-${name}` as const;
  const printed = async () => (await asked(`${part}/printed`)).text();
  return { ...(await shared(part)), printed };
}

/** Where the Chromium of this run listens, for playwright. */
export const sharedBrowser = async (): Promise<string> => (await shared('browser')).url;

const shared = async <Part extends keyof SharedParts>(part: Part): Promise<SharedParts[Part]> =>
  (await (await asked(part)).json()) as SharedParts[Part];

async function asked(path: string): Promise<Response> {
  const answer = await fetch(new URL(path, inject('sharedParts')));
  if (!answer.ok) throw new Error(`the shared ${path} did not start: ${await answer.text()}`);
  return answer;
}
