import { run } from '../../run.ts';
import { openDistributedHouse } from '../house.ts';

await run(
  () => openDistributedHouse(process.env),
  ({ welcome }) => void process.stdout.write(welcome),
);
