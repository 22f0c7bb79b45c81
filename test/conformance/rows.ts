import { identity } from './identity/sections.ts';
import type { Rows } from './framework/row.ts';

/** What we say of every row and rule of the documents, by its anchor. */
export const allRows: Rows = Object.assign({}, ...Object.values(identity));
