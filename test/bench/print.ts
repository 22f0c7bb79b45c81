/** Prints a line of the results of a benchmark or a tool. */
export const print = (line = ''): void => void process.stdout.write(`${line}\n`);

/** Prints a measurement with its figures. */
export const printFacts = (name: string, ...facts: string[]): void => print([name.padEnd(40), ...facts].join('   '));
