import type { Json } from '../../support/json.ts';
import { send } from '../../support/fixtures/people.ts';
import { schemaCheck, type SchemaCheck } from '../../support/openapi-schemas.ts';
import type { Answer } from './server.ts';

/** Throws where a JSON answer is not what the OpenAPI document of its server says of the route. */
export type CheckAnswer = (method: string, path: string, answer: Answer) => Promise<void>;

export function answerCheck(server: { url: string }): CheckAnswer {
  let read: Promise<Documented> | undefined;
  return async (method, path, answer) => {
    if (answer.json === undefined) return;
    const { paths, ...documented } = await (read ??= readDocument(server));
    const route = paths && routeOf(paths, method, new URL(path, server.url).pathname);
    if (!route) return; // not of the REST routes
    const wrong = wrongIn(documented, route, answer);
    if (wrong) throw new Error(`${method} ${route.path} is not as OpenAPI says: ${wrong}`);
  };
}

interface Documented {
  /** Undefined for a server without such a document. */
  paths?: Json;
  refusal: Json;
  wrongWith: SchemaCheck;
}

async function readDocument(server: { url: string }): Promise<Documented> {
  const document = (await send(server, 'GET', '/openapi.json')).json ?? {};
  return { paths: document.paths, refusal: document.components?.responses.Error, wrongWith: schemaCheck(document) };
}

interface DocumentedRoute {
  path: string;
  method: string;
  operation: Json;
}

/** Finds the route of a path; one without parameters comes before one with them. */
function routeOf(paths: Json, called: string, pathname: string): DocumentedRoute | undefined {
  const method = called.toLowerCase();
  const parts = pathname.split('/');
  const fits = (path: string) => {
    const own = path.split('/');
    return own.length === parts.length && own.every((part, at) => part.startsWith('{') || part === parts[at]);
  };
  const [path] = Object.keys(paths)
    .filter((each) => paths[each][method] && fits(each))
    .toSorted((one, other) => one.split('{').length - other.split('{').length);
  return path === undefined ? undefined : { path, method, operation: paths[path][method] };
}

function wrongIn(
  { refusal, wrongWith }: Omit<Documented, 'paths'>,
  { path, method, operation }: DocumentedRoute,
  { status, json }: Answer,
): string | undefined {
  const own = operation.responses[status];
  if (status >= 400 && typeof json.code === 'string') {
    const named = `${own?.description} ${refusal.description}`;
    return named.includes(`\`${json.code}\``) ? undefined : `it may answer ${status} ${json.code}`;
  }
  if (!own?.content?.['application/json']) return `it may answer ${status} with JSON`;
  const schema = ['responses', String(status), 'content', 'application/json', 'schema'];
  const errors = wrongWith(json, 'paths', path, method, ...schema);
  return errors ? JSON.stringify(errors) : undefined;
}
