import { z } from 'zod';

/** Decides how a client gets its tokens: as cookies or in the body. */
export const platform = z.enum(['web', 'mobile'], 'must be web or mobile');
/** The platforms in GraphQL. */
export const inCapitals = { web: 'WEB', mobile: 'MOBILE' } as const;
