/** The options of a server that browsers use. */
export interface BrowserRules {
  /** Origins whose pages have the same rights as our own, such as `https://shop.example`; a pattern fits a whole origin. */
  allowedOrigins: readonly (string | RegExp)[];
  /** Tells browsers to use https from now on. */
  httpsOnly?: boolean;
  cors?: CorsRules;
}

/** What pages of allowed origins may do, where it differs from the default. */
export interface CorsRules {
  /** Whether they may use the cookies of their visitors; by default they may. */
  credentials?: boolean;
  methods?: readonly string[] | undefined;
  /** Request headers that they may send, and response headers that they may read, besides those of the default. */
  allowHeaders?: readonly string[];
  exposeHeaders?: readonly string[];
  /** For how long a browser may cache a preflight. */
  maxAgeSeconds?: number | undefined;
}

export const isAllowed = (origin: string | undefined, allowed: BrowserRules['allowedOrigins']): origin is string =>
  origin !== undefined && allowed.some((one) => (typeof one === 'string' ? one === origin : one.test(origin)));
