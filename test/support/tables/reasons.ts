import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Reasons that the code composes, by file. A new such file must be added here with its reasons. */
const composed: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'gateway/src/request/request-scope.ts': { UNAUTHENTICATED: ['UNAUTHENTICATED'] },
  'subgraphs/identity/src/sessions/refusals.ts': {
    FORBIDDEN: ['ACCOUNT_DISABLED', 'ACCOUNT_PENDING', 'ACCOUNT_INVITED'],
    UNAUTHENTICATED: ['ORG_DISABLED', 'ORG_PENDING', 'ACCOUNT_DISABLED'],
  },
  // The refusals of Fastify (a table), and those of `present` (a word): both are read below.
  'subgraphs/shared/src/http/error-body.ts': {},
  'rest-compat/src/refusals.ts': {},
  // Errors of fields, and the last event of a stream: not a `Refusal`.
  'gateway/src/authorization/access.ts': {
    UNAUTHORIZED_FIELD_OR_TYPE: ['AUTHENTICATION_REQUIRED', 'SCOPES_REQUIRED', 'POLICY_REQUIRED'],
  },
  'gateway/src/http/streamed-response.ts': { UNAUTHENTICATED: ['TOKEN_EXPIRED', 'TOKEN_REVOKED'] },
};

const files = globSync(['{gateway,rest-compat,server}/src/**/*.ts', 'subgraphs/*/src/**/*.ts'], {
  cwd: root,
  // Simulators replace external services.
  exclude: ['**/*.test.ts', '**/testing/**', '**/simulators/**', '**/generated/**'],
});

const said = (kind: string, reason: string) => `${kind} ${reason}`;

/** @returns of every refusal in the sources "KIND REASON"; and what can't be read that way: files, or reasons that are gone */
export function reasonsInSources(): { reasons: ReadonlySet<string>; unread: readonly string[] } {
  const reasons = new Set<string>();
  const unread = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, kind, reason] of text.matchAll(/new Refusal\((?:\s*'(\w+)',\s*'(\w+)')?/g)) {
      if (kind && reason) reasons.add(said(kind, reason));
      else if (!composed[file]) unread.add(file);
    }
    for (const [, kind = '', reason = ''] of text.matchAll(/^ +\d{3}: \['(\w+)', '(\w+)', '/gm))
      reasons.add(said(kind, reason));
    // A word in camelCase names a record that is never missing.
    for (const [, what = ''] of text.matchAll(/\bpresent\(\w+, '([a-z ]+)'\)/g))
      reasons.add(said('NOT_FOUND', `${what.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`));
    for (const [kind, names] of Object.entries(composed[file] ?? {})) {
      for (const reason of names) {
        reasons.add(said(kind, reason));
        if (!text.includes(`'${reason}'`)) unread.add(`${file}: ${reason}`);
      }
    }
  }
  return { reasons, unread: [...unread] };
}

interface Row {
  kind: string;
  reason: string;
  status: number;
}

/**
 * The rows of docs/errors.md about reasons: of the tables by subgraph, and of the gateway's, whose status is its own
 * and which knows kinds that no refusal has.
 *
 * @param isKind whether it is the kind of a refusal
 */
export function reasonsInDocument(text: string, isKind: (kind: string) => boolean) {
  const rows: Row[] = [...text.matchAll(/^\| `(\w+)` +\| (\w+) +\| (\d+) +\|/gm)].map(
    ([, reason = '', kind = '', status]) => ({ reason, kind, status: Number(status) }),
  );
  const reasons = new Set(rows.map(({ kind, reason }) => said(kind, reason)));
  for (const [, kind = '', names = ''] of text.matchAll(/^\| ([A-Z_]+),((?: `\w+`,?)+) +\|/gm)) {
    if (!isKind(kind)) continue;
    for (const [, reason = ''] of names.matchAll(/`(\w+)`/g)) reasons.add(said(kind, reason));
  }
  return { rows, reasons };
}
