import { load } from '../bundle.ts';

await load('server', () => import('./serve.ts'));
