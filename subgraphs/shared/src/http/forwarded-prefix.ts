import type { IncomingMessage } from 'node:http';

import proxyAddr from '@fastify/proxy-addr';

import { badInput } from '../errors.ts';

/** The path under which proxies serve this server, such as `/media`; '' when they forward the path unchanged. */
export type ForwardedPrefix = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

const LENGTH_LIMIT = 500;

/** Whole segments, none of them `.` or `..`; only characters without a meaning in paths and headers may be escaped. */
const PREFIX = /^(\/(?!\.{1,2}(\/|$))([\w.~!$&'()*+;=:@-]|%(?![01]|2[EF]|5C|7F)[\dA-F]{2})+)*\/?$/i;

/**
 * Reads `X-Forwarded-Prefix`: the part of the path that a proxy has removed. Only trusted proxies count;
 * several of them name their parts in one list, the outermost first.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for anything but a path, whoever sends it: an answer could lead to another server
 */
export function forwardedPrefix(trustedProxies: readonly string[]): ForwardedPrefix {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return ({ headers, socket }) => {
    const given = headers['x-forwarded-prefix'];
    if (given === undefined) return '';
    const prefix = [given].flat().join(',').split(',').map(partOf).join('');
    return trusts(socket.remoteAddress ?? '', 0) ? prefix : '';
  };
}

function partOf(given: string): string {
  const part = given.trim();
  if (part.length > LENGTH_LIMIT || !PREFIX.test(part))
    throw badInput([{ path: 'X-Forwarded-Prefix', message: 'The prefix must be a path such as /media.' }]);
  return part.replace(/\/$/, '');
}
