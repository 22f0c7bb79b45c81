import type { Rows } from './framework/row.ts';
import { identity } from './identity/sections.ts';
import { media } from './media/sections.ts';
import { ticketing } from './ticketing/sections.ts';

const sections = [identity, ticketing, media].flatMap((document) => Object.values(document) as Rows[]);

/** What we say of every row and rule of the documents, by its anchor. */
export const allRows: Rows = Object.assign({}, ...sections);
