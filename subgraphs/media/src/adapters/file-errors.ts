/** The system's code of an error about a file, such as ENOENT; empty for any other error. */
export const code = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Handles errors about files: null for those with one of these codes; any other is thrown. */
export const ignoring =
  (...codes: string[]) =>
  (error: unknown): null => {
    if (codes.includes(code(error))) return null;
    throw error;
  };
