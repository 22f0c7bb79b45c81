import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { jwtVerify, SignJWT } from 'jose';
import { Pool } from 'pg';

import { print } from '../print.ts';

/**
 * A server that does of `/me` and of a refresh only what they can't do without: for `/me` one prepared statement; for a refresh
 * the check of the old token, both signatures, and one durable exchange of the hash. Without GraphQL, Prisma, limits
 * and logs. Started with the address of a database; prints its own.
 */
const pool = new Pool({ connectionString: process.argv[2] ?? '', max: 10 });
await pool.query(`CREATE TABLE IF NOT EXISTS sessions (id uuid PRIMARY KEY, hash bytea, person text)`);

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const secret = await crypto.subtle.importKey('raw', randomBytes(32), { name: 'HMAC', hash: 'SHA-256' }, false, [
  'sign',
  'verify',
]);
const person = randomUUID();
const hashOf = (token: string) => createHash('sha256').update(token).digest();

const refreshToken = (sid: string) =>
  new SignJWT({ sid }).setProtectedHeader({ alg: 'HS256' }).setSubject(person).setJti(randomUUID()).sign(secret);
const accessToken = (sid: string) =>
  new SignJWT({ sid, uid: person, org: { org_id: person, org_slug: 'acme', role: 'ORG_MEMBER' } })
    .setProtectedHeader({ alg: 'RS256' })
    .setSubject(person)
    .setExpirationTime('15m')
    .setJti(randomUUID())
    .sign(privateKey);

async function open() {
  const sid = randomUUID();
  const token = await refreshToken(sid);
  await pool.query('INSERT INTO sessions VALUES ($1, $2, $3)', [sid, hashOf(token), 'Mei']);
  return { sid, refresh_token: token };
}

async function refresh(token: string) {
  const sid = String((await jwtVerify(token, secret, { algorithms: ['HS256'] })).payload['sid']);
  const next = await refreshToken(sid);
  const { rowCount } = await pool.query({
    name: 'refresh',
    text: 'UPDATE sessions SET hash = $3 WHERE id = $1 AND hash = $2 RETURNING person',
    values: [sid, hashOf(token), hashOf(next)],
  });
  if (rowCount !== 1) throw new Error('not the current one');
  return { access_token: await accessToken(sid), refresh_token: next };
}

async function me(sid: string) {
  const { rows } = await pool.query({ name: 'me', text: 'SELECT person FROM sessions WHERE id = $1', values: [sid] });
  return rows[0] as object;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { refresh_token, sid } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>;
    const work =
      request.url === '/open' ? open() : request.url === '/me' ? me(sid ?? '') : refresh(refresh_token ?? '');
    work.then(
      (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
print(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
