import { errorReply } from '@foyer/shared/http/error-body';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';

import type { Services } from '../../context.ts';
import { isOurHook, type HookHeaders } from './credentials.ts';
import { readHook, type Hook } from './hook.ts';
import { hookNotUnderstood, hookUnauthenticated } from '../refusals.ts';
import { takeHook } from './handle-hook.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store' | 'uploadRules'>;

/** tusd's own limit for an answer is 5 KiB; what it sends carries the client's headers. */
const MOST_BYTES = 256 * 1024;

/** Where an upload server reports: tusd wants `200` with JSON, also for what we ignore. */
export const hookRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    // The signature is over the bytes as they came.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, raw, done) =>
      done(null, raw),
    );

    app.post('/hooks/tusd', async (request, reply) => {
      const hook = authenticHook(needs, request);
      return reply.code(200).send(await answerTo(needs, hook, request.id));
    });
  };

/**
 * What the upload server does next: with an empty answer, what it was about to do. tusd 2 shows its client how a creation
 * is refused only when the refusal is told in an answer that is a success; tusd 1 shows it the status and body themselves.
 */
async function answerTo(needs: Needs, hook: Hook, requestId: string) {
  try {
    await takeHook(needs, hook);
    return {};
  } catch (error) {
    const { status, body } = errorReply(error, requestId);
    if (hook.version !== 2 || hook.type !== 'pre-create' || status >= 500) throw error;
    const Header = { 'Content-Type': 'application/json; charset=utf-8' };
    return { RejectUpload: true, HTTPResponse: { StatusCode: status, Body: JSON.stringify(body), Header } };
  }
}

function authenticHook({ clock, uploadRules }: Needs, request: FastifyRequest) {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const headers = request.headers as HookHeaders & { 'hook-name'?: string };
  if (!isOurHook(headers, raw, { secret: uploadRules.hookSecret, now: clock.now() })) throw hookUnauthenticated();
  const hook = readHook(parsed(raw), headers['hook-name']);
  if (!hook) throw hookNotUnderstood();
  return hook;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}
