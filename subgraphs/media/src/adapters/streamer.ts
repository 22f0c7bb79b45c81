import type { Dispatcher } from 'undici';

import type { NodeAddress, Streamer } from '#ports/streamer.ts';

import { originOf } from '@foyer/shared/http/address';
import { nodeFailure, nodeRefused } from '../nodes/refusals.ts';

interface At {
  connections: Dispatcher;
  /** For the whole of an order; a ping never takes longer than five seconds. */
  timeoutMs: number;
}

const PING_TIMEOUT_MS = 5_000;

/** Streamer nodes over HTTP. Redirects are not followed: a node answers for itself. */
export function streamer(at: At): Streamer {
  const hasStream = async (node: NodeAddress, streamId: string) => {
    const status = await ask(at, { node, method: 'GET', path: pathOf(streamId) });
    if (status === 404) return false;
    if (!isSuccess(status)) throw nodeRefused(status);
    return true;
  };

  return {
    async ping(node) {
      const timeoutMs = Math.min(at.timeoutMs, PING_TIMEOUT_MS);
      const status = await ask({ ...at, timeoutMs }, { node, method: 'GET', path: '/api/ping' });
      if (!isSuccess(status)) throw nodeRefused(status);
    },
    async createStream(node, streamId, payload) {
      const status = await ask(at, { node, method: 'POST', path: pathOf(streamId), body: payload });
      if (status === 200 || status === 201) return 'created';
      if (status !== 500) throw nodeRefused(status);
      return (await hasStream(node, streamId).catch(() => false)) ? 'existed' : 'unconfirmed';
    },
    hasStream,
    async deleteStream(node, streamId) {
      const status = await ask(at, { node, method: 'DELETE', path: pathOf(streamId) });
      if (!isSuccess(status) && status !== 404) throw nodeRefused(status);
    },
  };
}

interface Question {
  node: NodeAddress;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
}

/** @returns the status of the answer, which says it all */
async function ask({ connections, timeoutMs }: At, { node, method, path, body }: Question): Promise<number> {
  try {
    const { statusCode, body: answer } = await connections.request({
      origin: originOf(node.host, node.apiPort),
      path,
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.dump();
    return statusCode;
  } catch (error) {
    throw nodeFailure(error);
  }
}

const pathOf = (streamId: string) => `/api/streams/${encodeURIComponent(streamId)}`;

const isSuccess = (status: number) => status >= 200 && status < 300;
