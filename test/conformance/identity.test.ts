import { conform } from './framework/conform.ts';
import { identity } from './identity/sections.ts';

conform(identity);
