import { z } from 'zod';

import type { SharedRedis } from './redis.ts';

/** What the relay publishes in Redis: an event, or only a sign of life. */
export interface Message {
  /** Identifies one term of one relay: a new one each time a process becomes the relay. */
  relay: string;
  /** Counted by the relay from 0, so that a receiver detects a gap. */
  number: number;
  event?: { channel: string; payload: string };
}

const Wire = z.union([z.tuple([z.string(), z.int()]), z.tuple([z.string(), z.int(), z.string(), z.string()])]);

export const topicOf = ({ prefix }: SharedRedis): string => `${prefix}notices`;

export const write = ({ relay, number, event }: Message): string =>
  JSON.stringify(event ? [relay, number, event.channel, event.payload] : [relay, number]);

/** @returns undefined for text that no relay has written */
export function read(text: string): Message | undefined {
  const { data } = Wire.safeParse(parsed(text));
  if (!data) return undefined;
  const [relay, number, channel, payload] = data;
  return channel === undefined || payload === undefined
    ? { relay, number }
    : { relay, number, event: { channel, payload } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
