import type { HeaderValue } from '@foyer/shared/http/header-value';

/** Headers by their name, in lower case, or by a pattern of their names. */
export interface Selection {
  named?: string | undefined;
  matching?: RegExp | undefined;
}

/** A rule for the headers of requests to subgraphs; it has exactly one of these. */
export interface RequestRule {
  /** Takes headers of the client's request. */
  propagate?:
    | (Selection & {
        /** The name that the subgraph gets it by. */
        rename?: string | undefined;
        /** The value where the client sent none. */
        default?: HeaderValue | undefined;
      })
    | undefined;
  /** Sets a header: to a value, or to a claim of the verified token. */
  insert?: { name: string; value?: HeaderValue | undefined; claim?: string | undefined } | undefined;
  /** Drops headers that rules before it have set. */
  remove?: Selection | undefined;
}

/** How a header that several subgraphs send reaches the client: the first value, the last, or all. */
type Merge = 'first' | 'last' | 'append';

/** A rule for the headers of responses to clients; it has exactly one of these. */
export interface ResponseRule {
  /** Takes headers of the subgraph's response. */
  propagate?:
    | (Selection & { rename?: string | undefined; default?: HeaderValue | undefined; merge: Merge })
    | undefined;
  insert?: { name: string; value: HeaderValue } | undefined;
  remove?: Selection | undefined;
}

interface Rules {
  request: readonly RequestRule[];
  response: readonly ResponseRule[];
}

/** Which headers go from clients to subgraphs, and back. Rules apply in their order, those of a subgraph after those of all. */
export interface HeaderRules {
  all: Rules;
  subgraphs: Readonly<Record<string, Rules>>;
}

/** @param names in lower case */
export const propagating = (names: readonly string[]): HeaderRules => ({
  all: { request: names.map((named) => ({ propagate: { named } })), response: [] },
  subgraphs: {},
});

export const selects = ({ named, matching }: Selection, name: string): boolean =>
  named === undefined ? matching?.test(name) === true : named === name;
