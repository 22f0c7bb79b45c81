import { Presets, SingleBar } from 'cli-progress';

/** What the process gives a command. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  out: NodeJS.WritableStream;
  err: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

/** Where a command says how it goes. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The result: `value` for scripts, `text` for people. */
  say(value: unknown, text: string): void;
  /** An aside for people, which is no part of the result. */
  note(text: string): void;
  /** A bar while something long is done; nothing where nobody looks. */
  progress(what: string): Progress;
}

interface Progress {
  to(done: number, of: number): void;
  end(): void;
}

const silent: Progress = { to: () => {}, end: () => {} };

export function openTerminal({ env, out, err, signal }: Surroundings, json: boolean): Terminal {
  return {
    env,
    signal,
    say: (value, text) => void out.write(json ? `${JSON.stringify(value, jsonOf)}\n` : `${text}\n`),
    note: (text) => void (json || err.write(`${text}\n`)),
    progress: (what) => (err.isTTY && !json ? bar(what, err) : silent),
  };
}

/** Ids of 64 bits stay exact. */
const jsonOf = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function bar(what: string, stream: NodeJS.WritableStream): Progress {
  const drawn = new SingleBar({ format: `${what} {bar} {value}/{total}`, stream, clearOnComplete: true }, Presets.rect);
  let begun = false;
  return {
    to(done, of) {
      if (!begun) drawn.start(of, 0);
      begun = true;
      drawn.setTotal(of);
      drawn.update(done);
    },
    end: () => drawn.stop(),
  };
}
