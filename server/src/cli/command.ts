import { runProgram } from './program.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const code = await runProgram(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  signal: stopping.signal,
});
// Everything is closed and written; an idle handle of Prisma's engine would keep the process alive for ten seconds.
process.exit(code);
