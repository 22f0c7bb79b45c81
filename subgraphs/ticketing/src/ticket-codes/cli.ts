/**
 * Checks whether a ticket code is valid, with the published keys alone:
 *
 *     pnpm tickets:verify 'CODE' [--keys FILE|URL] [--json]
 *
 * Exit code 0: valid. 1: not valid. 2: it could not be checked. Without --keys the keys are fetched from PUBLIC_URL, or
 * else from the server on this machine. A code holds spaces and characters that are special to a shell, so quote it.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { readCapped } from '@foyer/shared/http/read-capped';

import { inspectTicketCode, type Reading } from './ticket-code.ts';
import { readPublishedKeys } from './published-keys.ts';

const FETCH_TIMEOUT_MS = 10_000;
const KEYS_BYTES = 1024 * 1024;

const words: Record<Reading['result'], string> = {
  good: 'good',
  malformed: 'not a ticket code',
  'unknown-key': 'signed with a key that is not published here',
  forged: 'forged: the key that it names did not sign it',
};

async function publishedKeys(from: string) {
  if (!/^https?:\/\//.test(from)) return readPublishedKeys(await readFile(from, 'utf8'));
  const response = await fetch(from, { redirect: 'error', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(() => {
    throw new Error(`${from} does not answer: start the server, or name the published keys with --keys FILE|URL`);
  });
  if (!response.ok) throw new Error(`${from} answered ${response.status}`);
  return readPublishedKeys(await readCapped(response, KEYS_BYTES));
}

function inWords(reading: Reading): string {
  if (reading.result !== 'good') return words[reading.result];
  const { kind, id, serial, ticketGroupId, admitDate } = reading.facts;
  const what = kind === 'admission' ? `ticket ${id}, number ${serial} of its line` : `line ${id} of ${serial} tickets`;
  return `good: ${what}, for ticket group ${ticketGroupId} on ${admitDate.toISOString().slice(0, 10)}`;
}

function inJson(reading: Reading): string {
  if (reading.result !== 'good') return JSON.stringify(reading);
  const { kind, id, serial, ticketGroupId, admitDate } = reading.facts;
  return JSON.stringify({
    result: 'good',
    kind,
    ...(kind === 'admission' ? { ticketId: Number(id), serial } : { orderTicketInfoId: Number(id), quantity: serial }),
    ticketGroupId: Number(ticketGroupId),
    admitDate: admitDate.toISOString().slice(0, 10),
  });
}

try {
  const { values, positionals } = parseArgs({
    options: { keys: { type: 'string' }, json: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [code, ...others] = positionals;
  if (code === undefined || others.length > 0) throw new Error('give one code, in quotes');
  const publicUrl = process.env['PUBLIC_URL'] || `http://localhost:${process.env['PORT'] || '4000'}`;
  const keys = await publishedKeys(values.keys ?? `${publicUrl.replace(/\/$/, '')}/.well-known/ticket-keys.json`);
  const reading = inspectTicketCode(code, keys);
  process.stdout.write(`${values.json ? inJson(reading) : inWords(reading)}\n`);
  process.exitCode = reading.result === 'good' ? 0 : 1;
} catch (error) {
  process.stderr.write(`tickets:verify: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
