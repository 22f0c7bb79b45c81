/** Returns the first line of a message; of one of Prisma, which begins with the call after an empty line, the cause. */
export const oneLineOf = (message: string): string =>
  (message.startsWith('\n') ? message.trimEnd().split('\n').at(-1) : message.split('\n', 1)[0]) ?? '';
