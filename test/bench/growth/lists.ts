import { identityLists } from './identity-lists.ts';
import type { List } from './list.ts';
import { mediaLists } from './media-lists.ts';
import { ticketingLists } from './ticketing-lists.ts';

export const lists: List[] = [...ticketingLists, ...mediaLists, ...identityLists];
