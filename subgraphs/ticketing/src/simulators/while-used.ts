interface Life<Thing> {
  make(): Promise<Thing>;
  end(thing: Thing): Promise<void>;
  /** How long it is kept after its last use. */
  idleMs: number;
}

/** Something that is made at its first use, ended when nobody has used it for a while, and made again at the next. */
export interface WhileUsed<Thing> {
  /** Begins a use of it, which its user ends. */
  take(): Promise<{ thing: Thing; release(): void }>;
  /** Ends it. */
  stop(): Promise<void>;
}

export function whileUsed<Thing>({ make, end, idleMs }: Life<Thing>): WhileUsed<Thing> {
  let users = 0;
  let made: Promise<Thing> | undefined;
  let ending: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function finish(): Promise<void> {
    clearTimeout(timer);
    const thing = made;
    made = undefined;
    if (thing) ending = thing.then(end, () => undefined);
    return ending;
  }
  function release() {
    users -= 1;
    if (users === 0) timer = setTimeout(() => void finish(), idleMs).unref();
  }
  return {
    async take() {
      users += 1;
      clearTimeout(timer);
      made ??= ending.then(make);
      try {
        return { thing: await made, release };
      } catch (error) {
        made = undefined;
        release();
        throw error;
      }
    },
    stop: finish,
  };
}
