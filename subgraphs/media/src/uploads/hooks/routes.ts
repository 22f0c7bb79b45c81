import { errorReply } from '@foyer/shared/http/error-body';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';

import type { Services } from '../../context.ts';
import { isOurHook, type HookHeaders } from './credentials.ts';
import { readHook, type Hook } from './hook.ts';
import { hookNotUnderstood, hookUnauthenticated } from '../refusals.ts';
import { handleHook } from './handle-hook.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store' | 'uploadRules'>;

/** Hooks of tusd carry the headers of the client. */
const BODY_LIMIT_BYTES = 256 * 1024;

/** Serves `POST /hooks/tusd`, where upload servers report. tusd expects `200` with JSON, also for hooks that we ignore. */
export const hookRoutes =
  (needs: Needs): FastifyPluginAsync =>
  async (app) => {
    app.removeAllContentTypeParsers();
    // The signature covers the raw bytes.
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, raw, done) =>
      done(null, raw),
    );

    app.post('/hooks/tusd', async (request, reply) => {
      const hook = authenticHook(needs, request);
      return reply.code(200).send(await respondTo(needs, hook, request.id));
    });
  };

/**
 * Returns the response to a hook; an empty one lets the upload server go on. tusd 2 shows its client the refusal of a
 * creation, completion or termination only when the hook's own response is a success; tusd 1 shows it status and body directly.
 */
async function respondTo(needs: Needs, hook: Hook, requestId: string) {
  try {
    await handleHook(needs, hook);
    return {};
  } catch (error) {
    const { status, body } = errorReply(error, requestId);
    const rejection = rejections[hook.type];
    if (hook.version !== 2 || !rejection || status >= 500) throw error;
    const Header = { 'Content-Type': 'application/json; charset=utf-8' };
    return { ...rejection, HTTPResponse: { StatusCode: status, Body: JSON.stringify(body), Header } };
  }
}

/** How tusd 2 is told to refuse, by hook. */
const rejections: Readonly<Record<string, object>> = {
  'pre-create': { RejectUpload: true },
  'pre-finish': {}, // the status of the response is all that tusd looks at
  'pre-terminate': { RejectTermination: true },
};

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
