import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import formbody from '@fastify/formbody';
import { systemClock, type Clock } from '@foyer/shared/clock';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { claimsAt, sealClaims, wireKeys } from '../adapters/pgv1.ts';
import { decidePayment, openPayment, readSealed, showPayment, type Bank } from './bank/handlers.ts';
import { openDecisions } from './bank/decisions.ts';
import { banks } from './bank/outcomes.ts';
import { listPage } from './bank/pages.ts';
import { notSealed } from './bank/refusals.ts';
import { openStore } from './bank/store.ts';

interface Options {
  /** The folder of its payments. */
  folder: string;
  /** Shared with Foyer: 32 bytes in base64url. */
  secret: string;
  /** Accepted too, while a new secret is rolled out. */
  previousSecret?: string;
  /** Where browsers reach it, when that is elsewhere. */
  publicUrl?: string;
  /** Where it listens; by default for this machine only. */
  host?: string;
  port?: number;
  clock?: Clock;
}

const LISTED = 50;

/**
 * Simulates the payment gateway: a server with its own store, which knows nothing of Foyer but the shared secret and
 * the protocol PGv1. People decide on its page; tests by `POST /decide` with JSON.
 *
 * It leaves out: logins, a choice of accounts, two signatures of a company, refunds, settlement files, the
 * memory of nonces of requeries. After a crash it does not repeat a copy that was on its way, only late ones
 * that were not due yet.
 */
export async function startPaymentGateway(options: Options): Promise<{ url: string; stop(): Promise<void> }> {
  const { folder, secret, previousSecret, host = '127.0.0.1', port = 0, clock = systemClock } = options;
  const closing = new AbortController();
  const keysOf = (text: string) => wireKeys(Buffer.from(text, 'base64url'));
  const keys: Bank['keys'] = [keysOf(secret), ...(previousSecret ? [keysOf(previousSecret)] : [])];
  const store = await openStore(folder);
  const kid = previousSecret ? 'gw2' : 'gw1';
  const decisions = openDecisions({ store, keys: keys[0], kid, clock, signal: closing.signal });

  const app = Fastify({ forceCloseConnections: true, genReqId: () => randomUUID() });
  await app.register(formbody);
  answerErrors(app, openLog('error'));
  let publicUrl = options.publicUrl?.replace(/\/$/, '');
  app.get('/', (_request, response) => response.redirect(`${publicUrl}/payments`));
  const bank: Bank = { store, decisions, keys, kid, clock };
  mountPages(app, bank);
  mountApi(app, bank);
  await app.listen({ host, port });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  publicUrl ??= url;
  await decisions.resume();

  return {
    url,
    async stop() {
      closing.abort();
      await app.close();
    },
  };
}

/** What a buyer's browser sees. */
function mountPages(app: FastifyInstance, bank: Bank) {
  app.post('/pay', (request, response) => openPayment(bank, request.body, response));
  app.get('/pay', (request, response) => showPayment(bank, request.query, response));
  app.post('/decide', (request, response) => decidePayment(bank, request, response));
  app.get('/payments', async (_request, response) =>
    listPage(response, (await bank.store.list()).slice(0, LISTED), bank.clock.now()),
  );
}

/** The endpoints that Foyer calls from server to server. */
function mountApi(app: FastifyInstance, bank: Bank) {
  app.post('/banks', (request, response) => listBanks(bank, request.body, response));
  app.post('/requery', (request, response) => answerRequery(bank, request.body, response));
}

function listBanks(bank: Bank, body: unknown, response: FastifyReply) {
  const fields = readSealed(bank, body);
  if (typeof fields === 'string') throw notSealed(fields);
  return response.send({ banks: banks[fields['msgToken'] === '02' ? '02' : '01'] });
}

async function answerRequery(bank: Bank, body: unknown, response: FastifyReply) {
  const fields = readSealed(bank, body);
  if (typeof fields === 'string') throw notSealed(fields);
  const { orderNo = '', billId = '', agToken = '' } = fields;
  const payment = await bank.store.find(orderNo);
  if (payment?.billId === billId) return response.send({ payload: await bank.decisions.payloadOf(payment) });

  const nobody = { transactionId: '', gatewayTransactionId: '', bankCode: '', bankName: '', msgToken: '' };
  const said = { ...nobody, orderNo, billId, aud: agToken, jti: randomUUID(), currency: 'MYR' };
  const unknown = { ...said, statusCode: '76', statusMessage: 'Not found', amountSen: 0n, paidAt: null };
  return response.send({ payload: await sealClaims(claimsAt(bank.clock.now(), unknown), bank.keys[0], bank.kid) });
}
