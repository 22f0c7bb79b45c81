import { conform } from './framework/conform.ts';
import { ticketing } from './ticketing/sections.ts';

conform(ticketing);
