import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { refusalOf, startProxy, swallow, type ProxyFixture } from '../testing/proxy-fixture.ts';

let fixture: ProxyFixture;
beforeAll(async () => {
  fixture = await startProxy();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('a slow node or client', () => {
  it('answers 504 when the node does not respond, 502 when it breaks off', async () => {
    fixture.answerWith(() => undefined);
    expect(refusalOf(await fixture.proxied('/'))).toEqual([504, 'NODE_TIMEOUT']);

    fixture.answerWith((_request, response) => void response.socket?.resetAndDestroy());
    expect(refusalOf(await fixture.proxied('/'))).toEqual([502, 'NODE_BROKE_OFF']);
    // The node's fault, not an error of this server.
    expect(fixture.logged()).toEqual(['warn NODE_TIMEOUT', 'warn NODE_BROKE_OFF']);
  });

  it('aborts a response that stalls', async () => {
    fixture.answerWith((_request, response) => void response.writeHead(200, { 'content-length': '9' }).write('abc'));

    await expect(fixture.proxied('/')).rejects.toThrow('aborted');
  });

  it('aborts a response that trickles without end', async () => {
    fixture.answerWith((_request, response) => {
      const dripping = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(dripping));
    });

    await expect(fixture.proxied('/')).rejects.toThrow('aborted');
  });

  it('answers 408 when the client stops in the middle of its body', async () => {
    fixture.answerWith(swallow);
    const sending = fixture.begin({ method: 'PUT', headers: { 'content-length': '9' } });
    sending.write('abc');
    const [got] = (await once(sending, 'response')) as [IncomingMessage];

    expect(refusalOf({ status: got.statusCode, body: await buffer(got) })).toEqual([408, 'REQUEST_TIMEOUT']);
    sending.destroy();
  });

  it('answers 408 for a body that trickles without end', async () => {
    fixture.answerWith(swallow);
    const sending = fixture.begin({ method: 'PUT' });
    const dripping = setInterval(() => sending.write('x'), 20);
    const [got] = (await once(sending, 'response')) as [IncomingMessage];
    clearInterval(dripping);

    expect(refusalOf({ status: got.statusCode, body: await buffer(got) })).toEqual([408, 'REQUEST_TIMEOUT']);
    sending.destroy();
  });

  it('ends the request to the node when the client has disconnected', async () => {
    const left = new Promise<void>((resolve) => {
      fixture.answerWith((_request, response) => void response.once('close', resolve).write('x'));
    });
    const asking = fixture.begin().end();
    const [got] = (await once(asking, 'response')) as [IncomingMessage];
    got.on('error', () => undefined).destroy();

    await left;
    expect(fixture.arrived()).toHaveLength(1);
  });
});
