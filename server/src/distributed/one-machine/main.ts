import { load } from '../../bundle.ts';

await load('distributed', () => import('./serve.ts'));
