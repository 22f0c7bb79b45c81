import type { Json } from '../../support/json.ts';
import { send } from '../../support/fixtures/people.ts';
import type { Answer } from './server.ts';

/** Throws where the OpenAPI document of a server does not name a refusal that one of its routes has just given. */
export type CheckRefusal = (method: string, path: string, answer: Answer) => Promise<void>;

export function refusalCheck(server: { url: string }): CheckRefusal {
  let document: Promise<Json> | undefined;
  return async (method, path, { status, json }) => {
    if (status < 400 || typeof json?.code !== 'string') return;
    document ??= send(server, 'GET', '/openapi.json').then((answer) => answer.json);
    const { paths, components } = (await document) ?? {};
    const route = paths && routeOf(paths, method, new URL(path, server.url).pathname);
    if (!route) return;
    const named = [route.operation.responses[status], components.responses.Error].map((each) => each?.description);
    if (!named.join().includes(`\`${json.code}\``))
      throw new Error(`OpenAPI does not say that ${method} ${route.path} may answer ${status} ${json.code}`);
  };
}

/** Finds the operation of a path; a route without parameters comes before one with them. */
function routeOf(paths: Json, method: string, pathname: string) {
  const parts = pathname.split('/');
  const fits = (path: string) => {
    const own = path.split('/');
    return own.length === parts.length && own.every((part, at) => part.startsWith('{') || part === parts[at]);
  };
  const [path] = Object.keys(paths)
    .filter((each) => paths[each][method.toLowerCase()] && fits(each))
    .toSorted((one, other) => one.split('{').length - other.split('{').length);
  return path === undefined ? undefined : { path, operation: paths[path][method.toLowerCase()] };
}
