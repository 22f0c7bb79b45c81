/** What time it is; a test may hold another one. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
