import type { Rows } from './framework/row.ts';
import { identity } from './identity/sections.ts';
import { ticketing } from './ticketing/sections.ts';

/** What we say of every row and rule of the documents, by its anchor. */
export const allRows: Rows = Object.assign({}, ...Object.values(identity), ...Object.values(ticketing));
