/** Runs in a process of its own; started by inbox.ts. */
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire, Module } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Given, Remembered } from './inbox.ts';

interface Mail extends Remembered {
  id: string;
  /** The path of its file. */
  source: string;
}
/** The part of maildev that is used here; it has no types. */
interface MailServer {
  port: number;
  create(port: string, host: string, folder: string): void;
  listen(): Promise<void>;
  loadMailsFromDirectory(): void;
  on(event: 'new', listener: (mail: Mail) => void): void;
  off(event: 'new', listener: (mail: Mail) => void): void;
  store: Mail[];
  smtp: EventEmitter & {
    server: Server;
    onRcptTo: (address: { address: string }, session: unknown, done: (error?: Error) => void) => void;
    onData: (stream: unknown, session: unknown, taken: (error: Error | null, answer: string) => void) => void;
  };
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
const fs = require('node:fs') as typeof import('node:fs');

process.umask(0o077); // mails hold login links, and maildev sets no file modes
process.once('disconnect', () => process.exit()); // the parent has ended
// A service manager sends it to all processes of a service, and maildev would end: the parent decides when to stop.
const keepRunning = () => undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, keepRunning);

const [{ mails: folder, basePath, sockets, shownPort, remembered }] = (await once(process, 'message')) as [Given];

loadJsdomLate();
const logger = require('maildev/lib/logger') as { setLevel(level: number): void };
const mails = require('maildev/lib/mailserver') as MailServer;
const web = require('maildev/lib/web') as Web;

const NO_HOST = 'none'; // a socket has no host, and maildev replaces an empty one by its default
/** A file that can't be read must not keep clients waiting. */
const LOAD_LIMIT_MS = 10_000;
/** A mail that can't be read is never listed. */
const LIST_LIMIT_MS = 10_000;

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
// maildev accepts a mail, and lists it a moment later: whoever looks because it was accepted must find it.
const { onData } = mails.smtp;
mails.smtp.onData = (stream, session, taken) =>
  onData(stream, session, (error, answer) => {
    const isListed = ({ id }: Mail) => answer.endsWith(id);
    if (error || mails.store.some(isListed)) return taken(error, answer);
    const limit = setTimeout(finish, LIST_LIMIT_MS);
    mails.on('new', look);
    function look(mail: Mail) {
      if (isListed(mail)) finish();
    }
    function finish() {
      clearTimeout(limit);
      mails.off('new', look);
      taken(null, answer);
    }
  });
// Without this, a client that hangs up in the middle would crash it.
mails.smtp.removeAllListeners('error').on('error', () => undefined);
await loadMails();
await mails.listen();
web.start(sockets.web, NO_HOST, mails, undefined, undefined, basePath, {});
await once(web.server, 'listening');

mails.port = shownPort; // the web inbox reads it at each request
process.once('message', () => process.send?.(whatToRemember()));
process.send?.('ready');

/** Lets maildev load jsdom when it shows its first mail of HTML: it is half of what maildev loads. */
function loadJsdomLate(): void {
  const ofMaildev = createRequire(require.resolve('maildev/lib/mailserver'));
  const path = ofMaildev.resolve('jsdom');
  let jsdom: { JSDOM: new (html: string) => object } | undefined;
  function JSDOM(html: string): object {
    if (!jsdom) delete require.cache[path];
    jsdom ??= ofMaildev('jsdom') as { JSDOM: new (html: string) => object };
    return new jsdom.JSDOM(html);
  }
  require.cache[path] = Object.assign(new Module(path), { exports: { JSDOM }, loaded: true });
}

/** What maildev knows of each mail and its file does not say. */
function whatToRemember(): Record<string, Remembered> {
  return Object.fromEntries(
    mails.store.map(({ id, read, time, envelope, calculatedBcc }) => [id, { read, time, envelope, calculatedBcc }]),
  );
}

/** Loads the mails of the folder, in the order in which they came. */
async function loadMails(): Promise<void> {
  mails.on('new', (mail) => Object.assign(mail, remembered[mail.id]));
  const { promise: loaded, resolve: done } = Promise.withResolvers<void>();
  const { readdir } = fs;
  fs.readdir = ((path: string, listed: (error: Error | null, names: string[]) => void) =>
    readdir(path, (error, names) => {
      fs.readdir = readdir;
      listed(error, names); // empties maildev's list of mails, and begins to read them
      let left = names.filter((name) => name.endsWith('.eml')).length;
      if (left === 0) done();
      mails.on('new', () => {
        left -= 1;
        if (left === 0) done();
      });
    })) as typeof readdir;
  mails.loadMailsFromDirectory();
  await Promise.race([loaded, sleep(LOAD_LIMIT_MS, undefined, { ref: false })]);
  const cameAt = new Map(mails.store.map((mail) => [mail, fs.statSync(mail.source).mtimeMs]));
  mails.store.sort((one, other) => (cameAt.get(one) ?? 0) - (cameAt.get(other) ?? 0));
}
