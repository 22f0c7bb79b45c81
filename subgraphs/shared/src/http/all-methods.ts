import { METHODS } from 'node:http';

import type { FastifyInstance, HTTPMethods } from 'fastify';

/**
 * Every method that Node's parser reads but CONNECT, which opens a tunnel: for a route that forwards every request.
 * Registers those that Fastify does not know; bodies are read for all but GET, HEAD and TRACE.
 */
export function allMethods(app: FastifyInstance): HTTPMethods[] {
  const wanted = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of wanted) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  return wanted;
}
