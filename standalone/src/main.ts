import { openHouse } from './house.ts';
import { run } from './run.ts';

await run(
  () => openHouse(process.env),
  ({ welcome }) => void process.stdout.write(welcome),
);
