/** Runs in a thread of its own; started by inbox.ts. */
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** What we use of maildev, which has no types. */
interface MailServer {
  port: number;
  create(port: string, host: string, folder: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): void;
  smtp: EventEmitter & {
    server: Server;
    onRcptTo: (address: { address: string }, session: unknown, done: (error?: Error) => void) => void;
  };
}
/** What the thread is started with. */
interface Given {
  mails: string;
  basePath: string;
  /** The paths of the Unix sockets to listen on. */
  sockets: { smtp: string; web: string };
  /** The port that people are told. */
  shownPort: number;
}
interface Web {
  server: Server;
  start(
    port: string,
    host: string,
    mails: MailServer,
    user: undefined,
    password: undefined,
    basePath: string,
    tls: object,
  ): void;
}

const require = createRequire(import.meta.url);

// Mails hold links that sign people in. Maildev says nothing of modes, and a thread has no umask: this is its own `fs`.
const fs = require('node:fs') as typeof import('node:fs');
const { createWriteStream, mkdirSync, readdir } = fs;
fs.createWriteStream = (path, options) =>
  createWriteStream(path, { ...(typeof options === 'object' ? options : { encoding: options }), mode: 0o600 });
fs.mkdirSync = ((path: string) => mkdirSync(path, { mode: 0o700 })) as typeof mkdirSync;

const logger = require('maildev/lib/logger') as { setLevel(level: number): void };
const mails = require('maildev/lib/mailserver') as MailServer;
const web = require('maildev/lib/web') as Web;

const NO_HOST = 'none'; // a socket has none, and for an empty one it would take its own
const { mails: folder, basePath, sockets, shownPort } = workerData as Given;

const answers: Record<string, { responseCode: number; message: string }> = {
  'refused.test': { responseCode: 550, message: 'No such mailbox' },
  'later.test': { responseCode: 451, message: 'Try again later' },
};

logger.setLevel(0);
mails.create(sockets.smtp, NO_HOST, folder);
mails.smtp.onRcptTo = ({ address }, _session, done) => {
  const answer = answers[address.split('@').at(-1)?.toLowerCase() ?? ''];
  done(answer && Object.assign(new Error(answer.message), answer));
};
// It would fall over a client that hangs up in the middle.
mails.smtp.removeAllListeners('error').on('error', () => undefined);
await loadMails();
await mails.listen();
web.start(sockets.web, NO_HOST, mails, undefined, undefined, basePath, {});
await once(web.server, 'listening');

mails.port = shownPort; // in the web inbox, which reads it when somebody looks
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread, not a window
parentPort?.postMessage('ready');

/** It empties its list of mails once it has listed the folder: no mail may come before. */
async function loadMails(): Promise<void> {
  const listings = new EventEmitter();
  fs.readdir = ((path: string, done: (error: Error | null, names: string[]) => void) =>
    readdir(path, (error, names) => {
      done(error, names);
      listings.emit('listed');
    })) as typeof readdir;
  const listed = once(listings, 'listed');
  mails.loadMailsFromDirectory();
  await listed;
  fs.readdir = readdir;
}
