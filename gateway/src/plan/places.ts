import { own, type Data } from './data.ts';

export type Path = readonly (string | number)[];

/** The paths to everything at a path of the plan, whose `@` stand for indexes of lists. */
export function placesAt(whole: Data, path: Path): Path[] {
  const found: Path[] = [];
  walk(whole, path, 0, [], found);
  return found;
}

function walk(value: unknown, path: Path, from: number, here: Path, found: Path[]): void {
  if (value === undefined || value === null) return;
  const step = path[from];
  if (step === undefined) {
    found.push(here);
  } else if (step === '@') {
    (value as unknown[]).forEach((item, at) => walk(item, path, from + 1, [...here, at], found));
  } else {
    walk(own(value as Data, String(step)), path, from + 1, [...here, step], found);
  }
}
