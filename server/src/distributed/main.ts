import { load } from '../bundle.ts';

await load('process', () => import('./process.ts'));
