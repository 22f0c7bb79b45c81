import { Presets, SingleBar } from 'cli-progress';

/** What a command gets from its process. */
export interface ProcessIo {
  env: NodeJS.ProcessEnv;
  out: NodeJS.WritableStream;
  err: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

/** The output of a command. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** The result: `value` for scripts, `text` for people. */
  say(value: unknown, text: string): void;
  /** A remark for people, on standard error. */
  note(text: string): void;
  /** Shows a progress bar on a terminal, and nothing elsewhere. */
  progress(what: string): Progress;
}

interface Progress {
  to(done: number, of: number): void;
  end(): void;
}

const silent: Progress = { to: () => {}, end: () => {} };

export function openTerminal({ env, out, err, signal }: ProcessIo, json: boolean): Terminal {
  return {
    env,
    signal,
    say: (value, text) => void out.write(json ? `${JSON.stringify(value, jsonOf)}\n` : `${text}\n`),
    note: (text) => void (json || err.write(`${text}\n`)),
    progress: (what) => (err.isTTY && !json ? bar(what, err) : silent),
  };
}

/** Keeps 64-bit ids exact. */
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
