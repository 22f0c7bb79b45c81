import type { Dispatcher } from 'undici';

import type { NodeAddress, Streamer } from '#ports/streamer.ts';

import { originOf } from '../nodes/address.ts';
import { nodeFailure, nodeRefused } from '../nodes/refusals.ts';

interface At {
  connections: Dispatcher;
  /** For the whole of an order; a ping never takes longer than five seconds. */
  timeoutMs: number;
}

const PING_TIMEOUT_MS = 5_000;

/** Streamer nodes over HTTP. Redirects are not followed: a node answers for itself. */
export function streamer({ connections, timeoutMs }: At): Streamer {
  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    node: NodeAddress,
    path: string,
    body?: object,
    limit = timeoutMs,
  ) {
    try {
      const { statusCode, body: answer } = await connections.request({
        origin: originOf(node.host, node.apiPort),
        path,
        method,
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(limit),
        ...(body && { body: JSON.stringify(body) }),
      });
      await answer.dump(); // the status says it all
      return statusCode;
    } catch (error) {
      throw nodeFailure(error);
    }
  }

  const hasStream = async (node: NodeAddress, streamId: string) => {
    const status = await call('GET', node, pathOf(streamId));
    if (status === 404) return false;
    if (!isSuccess(status)) throw nodeRefused(status);
    return true;
  };

  return {
    async ping(node) {
      const status = await call('GET', node, '/api/ping', undefined, Math.min(timeoutMs, PING_TIMEOUT_MS));
      if (!isSuccess(status)) throw nodeRefused(status);
    },
    async createStream(node, streamId, payload) {
      const status = await call('POST', node, pathOf(streamId), payload);
      if (status === 200 || status === 201) return 'created';
      if (status !== 500) throw nodeRefused(status);
      return (await hasStream(node, streamId).catch(() => false)) ? 'existed' : 'unconfirmed';
    },
    hasStream,
    async deleteStream(node, streamId) {
      const status = await call('DELETE', node, pathOf(streamId));
      if (!isSuccess(status) && status !== 404) throw nodeRefused(status);
    },
  };
}

const pathOf = (streamId: string) => `/api/streams/${encodeURIComponent(streamId)}`;

const isSuccess = (status: number) => status >= 200 && status < 300;
