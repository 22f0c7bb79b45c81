import type { ComponentProps } from 'react';

/** A labelled input. */
export function Field({ label, ...input }: { label: string; name: string } & ComponentProps<'input'>) {
  return (
    <p className="field">
      <label htmlFor={input.name}>{label}</label>
      <input id={input.name} required {...input} />
    </p>
  );
}

/** An error message that screen readers speak at once. */
export const Problem = ({ of: error }: { of: Error | undefined }) =>
  error ? (
    <p role="alert" className="notice bad-news">
      {error.message}
    </p>
  ) : null;

/** Returns the values of a form, by name. */
export const typed = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
