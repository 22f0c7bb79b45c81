import type { Dispatcher } from 'undici';

import type { NodeAddress, Streamer } from '#ports/streamer.ts';

import { originOf } from '@foyer/shared/http/addresses/address';
import { inTime } from '@foyer/shared/http/in-time';
import { nodeFailure, nodeRefused } from '../nodes/refusals.ts';

interface Options {
  connections: Dispatcher;
  /** For a whole request; a ping never takes longer than five seconds. */
  timeoutMs: number;
}

const PING_TIMEOUT_MS = 5_000;

/** The API of streamer nodes over HTTP. Redirects are not followed. */
export function streamer(options: Options): Streamer {
  const hasStream = async (node: NodeAddress, streamId: string) => {
    const status = await send(options, { node, method: 'GET', path: pathOf(streamId) });
    if (status === 404) return false;
    if (!isSuccess(status)) throw nodeRefused(status);
    return true;
  };

  return {
    async ping(node) {
      const timeoutMs = Math.min(options.timeoutMs, PING_TIMEOUT_MS);
      const status = await send({ ...options, timeoutMs }, { node, method: 'GET', path: '/api/ping' });
      if (!isSuccess(status)) throw nodeRefused(status);
    },
    async createStream(node, streamId, payload) {
      const status = await send(options, { node, method: 'POST', path: pathOf(streamId), body: payload });
      if (status === 200 || status === 201) return 'created';
      if (status !== 500) throw nodeRefused(status);
      return (await hasStream(node, streamId).catch(() => false)) ? 'existed' : 'unconfirmed';
    },
    hasStream,
    async deleteStream(node, streamId) {
      const status = await send(options, { node, method: 'DELETE', path: pathOf(streamId) });
      if (!isSuccess(status) && status !== 404) throw nodeRefused(status);
    },
  };
}

interface NodeRequest {
  node: NodeAddress;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
}

/** Sends a request to a node. @returns the status of the response; its body is ignored */
async function send({ connections, timeoutMs }: Options, { node, method, path, body }: NodeRequest): Promise<number> {
  try {
    return await inTime(timeoutMs, async (signal) => {
      const { statusCode, body: responseBody } = await connections.request({
        origin: originOf(node.host, node.apiPort),
        path,
        method,
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
      await responseBody.dump();
      return statusCode;
    });
  } catch (error) {
    throw nodeFailure(error);
  }
}

const pathOf = (streamId: string) => `/api/streams/${encodeURIComponent(streamId)}`;

const isSuccess = (status: number) => status >= 200 && status < 300;
