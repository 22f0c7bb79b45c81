import { z } from 'zod';

import type { SharedRedis } from './redis.ts';

/** What the relay says in Redis: a notice, or only that it is there. */
export interface Message {
  /** Another one each time that somebody becomes the relay. */
  relay: string;
  /** Counted by the relay from 0: who misses one knows it by the next. */
  number: number;
  notice?: { channel: string; payload: string };
}

const Wire = z.union([z.tuple([z.string(), z.int()]), z.tuple([z.string(), z.int(), z.string(), z.string()])]);

export const topicOf = ({ prefix }: SharedRedis): string => `${prefix}notices`;

export const write = ({ relay, number, notice }: Message): string =>
  JSON.stringify(notice ? [relay, number, notice.channel, notice.payload] : [relay, number]);

/** @returns undefined for what no relay has written */
export function read(text: string): Message | undefined {
  const { data } = Wire.safeParse(parsed(text));
  if (!data) return undefined;
  const [relay, number, channel, payload] = data;
  return channel === undefined || payload === undefined
    ? { relay, number }
    : { relay, number, notice: { channel, payload } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
