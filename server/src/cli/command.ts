import { runProgram } from './program.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const code = await runProgram(process.argv.slice(2), {
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  signal: stopping.signal,
});
// All is closed and written: what Prisma's engine leaves idle would keep the process for ten seconds more.
process.exit(code);
