interface Running {
  /** Ends it, and waits. */
  end(): Promise<void>;
  /** Settles when it has ended, also by itself. */
  ended: Promise<void>;
}

interface Options {
  start(): Promise<Running>;
  /** How long nobody must have used it before it ends. */
  idleMs: number;
}

interface WhileUsed {
  /** Starts it if it does not run, and keeps it running until the work is done. */
  use(work: () => Promise<void>): Promise<void>;
  /** Ends it now, and waits. */
  end(): Promise<void>;
}

/** Runs something while it is used, and for a while afterwards. A use that comes while it ends waits, and starts it again. */
export function whileUsed({ start, idleMs }: Options): WhileUsed {
  let users = 0;
  let idle: NodeJS.Timeout | undefined;
  let current: Promise<Running> | undefined;
  let ended = Promise.resolve();

  async function startAgain(): Promise<Running> {
    const starting = ended.then(start);
    current = starting;
    const forget = () => {
      if (current === starting) current = undefined;
    };
    const running = await starting.catch((error: unknown) => {
      forget(); // the next use tries again
      throw error;
    });
    void running.ended.finally(forget);
    return running;
  }

  function end(): Promise<void> {
    clearTimeout(idle);
    const ending = current;
    current = undefined;
    if (ending) {
      ended = ending.then(
        (running) => running.end(),
        () => undefined, // it has not started
      );
    }
    return ended;
  }

  return {
    async use(work) {
      users += 1;
      clearTimeout(idle);
      try {
        await (current ?? startAgain());
        await work();
      } finally {
        users -= 1;
        if (users === 0) idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    end,
  };
}
