import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

type Outcome = { answer: unknown } | { failure: Pick<Error, 'name' | 'message' | 'stack'> };

/**
 * Runs the work of a module in a process of its own, so that the memory of what is needed once is free afterwards.
 *
 * @param module calls `answerOnce`; imported from its source, also by a bundle
 * @param input JSON
 * @returns the answer of the work, once the process has ended
 * @throws what the work throws, with its name, message and stack
 */
export async function runOnce(module: URL, input: unknown): Promise<unknown> {
  const child = fork(module, {
    // A process group of its own: Ctrl-C in the terminal is meant for this process.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send({ input });
  const outcome = await outcomeOf(child);
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  if ('failure' in outcome) throw Object.assign(new Error(outcome.failure.message), outcome.failure);
  return outcome.answer;
}

function outcomeOf(child: ChildProcess): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', resolve);
    child.once('exit', (code, signal) =>
      reject(new Error(`${child.spawnargs.at(-1)} ended early with ${signal ?? `the exit code ${code}`}`)),
    );
  });
}

/** Does the work of a module that `runOnce` has started. The process ends when its parent has the answer, or has ended. */
export function answerOnce(work: (input: never) => Promise<unknown>): void {
  process.once('disconnect', () => process.exit());
  // A service manager sends them to all processes of a service: the parent decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.once('message', ({ input }: { input: unknown }) => {
    void outcomeOfWork(() => work(input as never)).then((outcome) => process.send?.(outcome));
  });
}

const outcomeOfWork = (work: () => Promise<unknown>): Promise<Outcome> =>
  work().then(
    (answer) => ({ answer }),
    (error: unknown) => {
      const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
      return { failure: { name, message, ...(stack && { stack }) } };
    },
  );
