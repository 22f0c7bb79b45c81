import { z } from 'zod';

/** What forms take and no mail server does: a point at an end or beside another; a domain that has no point, or ends with a number or one letter. */
const undeliverable = /^\.|\.[.@]|@[^.]+$|\.(?:\d[^.]*|[^.]?)$/;

/**
 * The zod schema of an e-mail address, without blanks around it: what a field of a form takes (HTML, "Valid email address"). Zod's
 * own pattern refuses signs that people's addresses have, and the top-level domains of other scripts, such as Malaysia's.
 */
export const emailAddress = z
  .email({ pattern: z.regexes.html5Email, error: 'must be an e-mail address', abort: true })
  .max(254, 'is too long')
  .refine((address) => !undeliverable.test(address), 'must be an e-mail address');
