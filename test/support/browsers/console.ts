import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What a console does, each step as its own function of the page: spec 1, "What the service does", number 5, and then its
 * use. Each returns its result, or why it failed.
 */
const script = `
  import { createClient } from '/graphql-ws/client.js';
  const api = new URLSearchParams(location.search).get('api');
  const json = { 'content-type': 'application/json' };
  const call = (path, options = {}) => fetch(api + path, { credentials: 'include', ...options });
  const post = (path, body, headers = {}) =>
    call(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const orWhy = (step) => (...given) => step(...given).catch((error) => 'failed: ' + error);

  const steps = {
    async me() {
      const answer = await call('/api/v1/identity/users/me');
      return answer.ok ? (await answer.json()).user.email : answer.status;
    },
    async refresh() {
      return (await post('/api/v1/refresh', { client_type: 'web' })).status;
    },
    /** The whole of step 5. */
    async enter() {
      if ((await steps.me()) !== 401) return 'signed in';
      if ((await steps.refresh()) === 200) return 'refreshed';
      location.href = api + '/login?redirect_uri=' + encodeURIComponent(location.href);
    },
    async query() {
      const { data } = await (await post('/graphql', { query: '{ me { user { email } } }' })).json();
      return data.me.user.email;
    },
    async requestId() {
      return (await call('/nowhere')).headers.get('x-request-id');
    },
    async events() {
      const query = 'subscription { nodeStatusChanged { status } }';
      const answer = await post('/graphql', { query }, { accept: 'text/event-stream' });
      const { value } = await answer.body.pipeThrough(new TextDecoderStream()).getReader().read();
      return value;
    },
    async socket() {
      const client = createClient({ url: api.replace('http', 'ws') + '/graphql', retryAttempts: 0 });
      for await (const { data } of client.iterate({ query: 'subscription { nodeStatusChanged { status } }' })) {
        return JSON.stringify(data);
      }
    },
    async stream() {
      const source = new EventSource(api + '/api/v1/sessions/stream', { withCredentials: true });
      return new Promise((resolve, reject) => {
        source.onopen = () => resolve('open');
        source.onerror = () => reject(new Error('no stream'));
      }).finally(() => source.close());
    },
    async prepare() {
      const media = { title: 'A', mediaType: 'other', mimeType: 'text/plain', fileSize: 5, originalName: 'a.txt',
        fileName: 'a.txt', tenant: 'foyer', folder: 'texts' };
      const { org } = await (await call('/api/v1/identity/users/me')).json();
      const path = '/api/media/prepare?workspaceId=' + org.workspaces[0].id;
      const answer = await (await post(path, media)).json();
      if (!answer.data) throw new Error(JSON.stringify(answer));
      return answer.data.uploadToken;
    },
    upload: (uploadToken) => new Promise((resolve, reject) => {
      new tus.Upload(new Blob(['hello']), {
        endpoint: api + '/files/',
        metadata: { filename: 'a.txt', filetype: 'text/plain', uploadToken },
        retryDelays: null,
        onBeforeRequest: (request) => void (request.getUnderlyingObject().withCredentials = true),
        onSuccess: () => resolve('uploaded'),
        onError: reject,
      }).start();
    }),
    /** A form, which any page can send without a preflight. */
    async form({ path, enctype, fields }) {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: api + path, enctype });
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      }
      document.body.append(form);
      form.submit();
    },
  };
  window.steps = Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, orWhy(step)]));
`;

const page = `<!doctype html><meta charset="utf-8"><title>Console</title><h1>Console</h1>
<script src="/tus.js"></script><script type="module">${script}</script>`;

const folderOf = (name: string) => dirname(fileURLToPath(import.meta.resolve(name)));

/** The page, and the libraries that it loads: those that the packages ship for browsers. */
async function fileAt(path: string): Promise<[type: string, content: string] | undefined> {
  if (path === '/') return ['text/html', page];
  const [, file] = /^\/graphql-ws\/([\w-]+\.js)$/.exec(path) ?? [];
  if (file) return ['text/javascript', await readFile(join(folderOf('graphql-ws'), file), 'utf8')];
  const tus = join(folderOf('tus-js-client').replace(/\/lib.*$/, ''), 'dist/tus.js');
  return path === '/tus.js' ? ['text/javascript', await readFile(tus, 'utf8')] : undefined;
}

/**
 * A server of its own for the page of a console; `?api=` is the address of Foyer.
 *
 * @param at its port; any that is free unless given
 */
export async function openConsole(at = 0) {
  const server = createServer((request, response) => {
    void fileAt(new URL(request.url ?? '/', 'http://console').pathname).then((found) => {
      if (!found) return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': `${found[0]}; charset=utf-8` }).end(found[1]);
    });
  }).listen(at, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
