import { fork, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openForwarder } from './forwarder.ts';
import { whileUsed } from './while-used.ts';

const IDLE_MS = 60_000;
/** After this it is killed: a mail whose page never ends would keep all others. */
const END_MS = 10_000;

interface Options {
  /** The folder of the mails. */
  folder: string;
  /** Where the web inbox is shown behind a proxy that passes paths on as they are. */
  basePath?: string;
  /** Where it listens; by default for this machine only. */
  host?: string;
  /** Free ports by default. */
  smtpPort?: number;
  webPort?: number;
  /** How long it runs without a client. */
  idleMs?: number;
}

/** What is known of a mail besides its file. */
export interface Remembered {
  read: boolean;
  time: unknown;
  envelope: unknown;
  calculatedBcc: unknown;
}

/** What the process is given. */
export interface Given {
  mails: string;
  basePath: string;
  /** The paths of the Unix sockets to listen on. */
  sockets: { smtp: string; web: string };
  /** The port that people see. */
  shownPort: number;
  /** By the id of the mail. */
  remembered: Record<string, Remembered>;
}

export interface Inbox {
  /** The SMTP address. */
  smtpUrl: string;
  /** The address of the web inbox, with `basePath` and a slash at the end. */
  webUrl: string;
  stop(): Promise<void>;
}

/**
 * Simulates a mail server. It delivers nothing and shows all mail in its web inbox (maildev), with a JSON API under
 * `email`. Mails are files under `folder`, so they survive a restart. It listens at once; maildev runs in a process
 * of its own from the first connection, which waits for half a second, until a minute after the last one.
 *
 * Addresses that fail: `…@refused.test` is refused permanently (550), `…@later.test` temporarily (451).
 *
 * Left out: TLS, logins, bounces, delivery, a limit to the number of mails.
 */
export async function startInbox(options: Options): Promise<Inbox> {
  const { folder, basePath = '/', host = '127.0.0.1', smtpPort = 0, webPort = 0, idleMs = IDLE_MS } = options;
  const mails = join(folder, 'mails');
  await mkdir(mails, { recursive: true, mode: 0o700 });
  await closeToOthers(mails);

  // A socket, not a port: only this user can open it. A path in a deep folder would be too long for a socket.
  const hidden = await mkdtemp(join(tmpdir(), 'foyer-inbox-'));
  const sockets = { smtp: join(hidden, 'smtp'), web: join(hidden, 'web') };
  let remembered: Given['remembered'] = {};
  let child: ChildProcess | undefined;
  const maildev = whileUsed({ start, idleMs });

  async function start() {
    for (const socket of Object.values(sockets)) await rm(socket, { force: true }); // where it was killed
    const process = startProcess({ mails, basePath, sockets, shownPort: smtp.port, remembered });
    child = process.child;
    await Promise.race([process.message(), process.ended]);
    return {
      ended: process.ended,
      async end() {
        if (process.child.connected) process.child.send('end');
        const stuck = setTimeout(() => process.child.kill('SIGKILL'), END_MS);
        const known = await Promise.race([process.message(), process.ended]);
        if (known) remembered = known as Given['remembered'];
        if (process.child.connected) process.child.disconnect();
        await process.ended;
        clearTimeout(stuck);
      },
    };
  }

  const smtp = await openForwarder(sockets.smtp, maildev.use, { host, port: smtpPort });
  const web = await openForwarder(sockets.web, maildev.use, { host, port: webPort });
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    webUrl: new URL(`${basePath.replace(/\/$/, '')}/`, `http://127.0.0.1:${web.port}`).href,
    async stop() {
      await Promise.all([smtp.stop(), web.stop()]);
      child?.kill('SIGKILL'); // it may still be loading
      await maildev.end();
      await rm(hidden, { recursive: true, force: true });
    },
  };
}

function startProcess(given: Given) {
  const child = fork(new URL('inbox-process.ts', import.meta.url), {
    // A process group of its own: Ctrl-C in the terminal is meant for the server, which ends it.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() }, // without our secrets
  });
  const ended = new Promise<void>((done) => {
    for (const event of ['exit', 'error']) child.on(event, () => done());
  });
  child.send(given);
  return { child, ended, message: () => new Promise<unknown>((done) => child.once('message', done)) };
}

/** Also for files that an older version has left readable. */
async function closeToOthers(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
}
