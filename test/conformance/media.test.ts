import { conform } from './framework/conform.ts';
import { media } from './media/sections.ts';

conform(media);
