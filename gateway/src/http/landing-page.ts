import { createHash } from 'node:crypto';

import type { ApolloServerPlugin } from '@apollo/server';

/** An operation that the landing page offers to try. */
export interface Example {
  title: string;
  document: string;
  variables?: Record<string, unknown>;
}

const CDN = 'https://embeddable-sandbox.cdn.apollographql.com';
const SCRIPT = `${CDN}/_latest/embeddable-sandbox.umd.production.min.js`;

export interface LandingPage {
  html: string;
  /** Its content security policy: what Sandbox needs, and nothing else. */
  policy: string;
}

/**
 * The page of Apollo Sandbox, set to send the session cookie and to subscribe at our address. Where its script can't be
 * loaded, the page says so, sends queries by a form, and shows the examples as text.
 *
 * @param loginPath where people sign in, if there is such a page
 */
export function landingPage(examples: readonly Example[], loginPath?: string): LandingPage {
  const [first] = examples;
  const options = {
    target: '#sandbox',
    allowDynamicStyles: false, // ours are enough, and the policy lets in no others
    endpointIsEditable: false,
    hideCookieToggle: false,
    runTelemetry: false,
    initialState: {
      includeCookies: true,
      pollForSchemaUpdates: false,
      ...(first && { document: documents(examples), variables: first.variables ?? {} }),
    },
  };
  const script = `
    const endpoint = new URL(location.pathname, location.href).href;
    if (window.EmbeddedSandbox) {
      document.body.classList.add('loaded');
      new window.EmbeddedSandbox({
        ...${inScript(options)},
        initialEndpoint: endpoint,
        initialSubscriptionEndpoint: endpoint.replace(/^http/, 'ws'),
      });
    }
    for (const code of document.querySelectorAll('code.here')) code.textContent = endpoint;
    const form = document.querySelector('form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const shown = document.getElementById('answer');
      const body = JSON.stringify({ query: form.elements.query.value });
      fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
        .then((response) => response.json())
        .then((answer) => (shown.textContent = JSON.stringify(answer, null, 2)))
        .catch((error) => (shown.textContent = String(error)));
    });
  `;
  const texts = { cards: examples.map(card).join('\n'), query: first?.document.trim() ?? '{ __typename }' };
  const html = page(texts, loginPath, script);
  return { html, policy: policyFor(script) };
}

/** Shows that page: ApolloServer's own has no option for the address of subscriptions. */
export const landingPagePlugin = ({ html }: LandingPage): ApolloServerPlugin => ({
  serverWillStart: async () => ({ renderLandingPage: async () => ({ html }) }),
});

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; }
  main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem; }
  #sandbox { display: none; position: fixed; inset: 0; }
  #sandbox iframe { width: 100%; height: 100%; border: 0; }
  .loaded main { display: none; }
  .loaded #sandbox { display: block; }
  a { color: inherit; }
  textarea { box-sizing: border-box; width: 100%; padding: 1rem; font: 0.9rem/1.5 ui-monospace, monospace; }
  button { font: inherit; padding: .5rem 1.2rem; }
  pre { padding: 1rem; overflow-x: auto; border-radius: .5rem; background: color-mix(in srgb, currentColor 8%, transparent); }
`;

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Sandbox is a frame of Apollo's; its script calls this server for it, over HTTP and WebSocket. */
const policyFor = (script: string) =>
  [
    "default-src 'none'",
    `script-src ${CDN} ${hash(script)}`,
    `style-src ${hash(STYLE)}`,
    'frame-src https://sandbox.embed.apollographql.com',
    "connect-src 'self'",
    "img-src 'self' https://embeddable-explorer.cdn.apollographql.com", // its icon
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const page = (
  { cards, query }: { cards: string; query: string },
  loginPath: string | undefined,
  script: string,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL</title>
<style>${STYLE}</style>
</head>
<body>
<main>
  <h1>GraphQL</h1>
  <p>Apollo Sandbox would open here, but its script can not be loaded: this browser seems to be offline.
  Everything works without it${loginPath === undefined ? '.' : `; <a href="${inHtml(loginPath)}">sign in</a> to ask as somebody.`}</p>
  <form>
    <p><label for="query">A query or mutation</label></p>
    <textarea id="query" name="query" rows="12" spellcheck="false">${inHtml(query)}</textarea>
    <p><button>Send</button></p>
    <pre id="answer" role="status" tabindex="0">The answer comes here.</pre>
  </form>
  <p>Queries and mutations: <code>POST</code> JSON to <code class="here">/graphql</code>. Subscriptions:
  WebSocket, same address, protocol <code>graphql-transport-ws</code>, or server-sent events: the same <code>POST</code>
  with <code>Accept: text/event-stream</code>. ${loginPath === undefined ? 'Send a token as' : 'Sign in with the session cookie, or with'}
  <code>Authorization: Bearer …</code> (over WebSocket: <code>connectionParams.authorization</code>).</p>
  <pre tabindex="0">curl -s <code class="here">/graphql</code> -H 'content-type: application/json' -d '{"query":"{ __typename }"}'</pre>
${cards}
</main>
<div id="sandbox"></div>
<script src="${SCRIPT}"></script>
<script>${script}</script>
</body>
</html>
`;

const card = ({ title, document, variables }: Example) => `  <section>
    <h2>${inHtml(title)}</h2>
    <pre tabindex="0">${inHtml(document.trim())}</pre>
${variables ? `    <pre tabindex="0">${inHtml(JSON.stringify(variables, null, 2))}</pre>\n` : ''}  </section>`;

/** Sandbox shows one document: all examples in it, each with its title as a comment. */
const documents = (examples: readonly Example[]) =>
  examples.map(({ title, document }) => `# ${title}\n${document.trim()}`).join('\n\n');

const inHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);

const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
