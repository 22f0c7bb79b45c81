/** A line of what a benchmark or a tool found, for whoever started it. */
export const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** What was measured, and its figures beside it. */
export const printFacts = (name: string, ...facts: string[]): void => print([name.padEnd(40), ...facts].join('   '));
