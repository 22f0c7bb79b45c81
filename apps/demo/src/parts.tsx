import { useState, type ComponentProps, type ReactNode } from 'react';

import { refusalOf } from './refusals.ts';
import { say, useLanguage, useWords, type Language } from './words/language.ts';
import { textOf } from './words/reasons.ts';

/** What is wrong with what was typed, by the rules of the input. */
const fault = ({ valueMissing, valid }: ValidityState) => (valid ? undefined : valueMissing ? 'missing' : 'wrong');

/** Whether an input is the first of its form that is not valid: that one gets the focus. */
const isFirst = (input: HTMLInputElement) => input.form?.querySelector('input:invalid') === input;

interface FieldProps extends ComponentProps<'input'> {
  label: string;
  name: string;
  note?: string;
  /** What the server says about it. */
  problem?: string | undefined;
}

/**
 * A labelled input that says in the language of the page what is wrong with it: when the input is left, when its form is
 * sent, and until it is corrected.
 */
export function Field({ label, note, problem, ...input }: FieldProps) {
  const words = useWords();
  const [wrong, setWrong] = useState<ReturnType<typeof fault>>();
  const [noteId, problemId] = [`${input.name}-note`, `${input.name}-problem`];
  const texts = { missing: words.fieldMissing, wrong: input.type === 'email' ? words.fieldEmail : words.fieldWrong };
  const told = wrong ? texts[wrong] : problem;
  const described = [told && problemId, note && noteId].filter(Boolean).join(' ');

  return (
    <p className="field">
      <label htmlFor={input.name}>{label}</label>
      <input
        id={input.name}
        required
        {...(told && { 'aria-invalid': true })}
        {...(described && { 'aria-describedby': described })}
        onBlur={({ target }) => target.value !== '' && setWrong(fault(target.validity))}
        onInput={({ currentTarget }) => wrong && setWrong(fault(currentTarget.validity))}
        onInvalid={(event) => {
          event.preventDefault(); // the browser would say it in a language of its own
          setWrong(fault(event.currentTarget.validity));
          if (isFirst(event.currentTarget)) event.currentTarget.focus();
        }}
        {...input}
      />
      {told && (
        <span className="small wrong" id={problemId} role="alert">
          {told}
        </span>
      )}
      {note && (
        <span className="small" id={noteId}>
          {note}
        </span>
      )}
    </p>
  );
}

/** More exact than that the input is not valid. */
const ofField: Record<string, string> = {
  password: 'PASSWORD_TOO_SIMPLE',
  email: 'EMAIL_NOT_VALID',
  buyerEmail: 'EMAIL_NOT_VALID',
};

/** The reason of a refusal, and what it says about a field. */
function reasonsOf({ reason, code, errors, outcome }: ReturnType<typeof refusalOf>, uncertain: string) {
  const fields = Array.isArray(errors) ? (errors as { path?: string }[]) : [];
  const exact = fields.flatMap(({ path }) => ofField[path?.split('.').at(-1) ?? ''] ?? []);
  return [...(outcome === undefined ? [] : [uncertain]), ...exact, reason, code];
}

/** What the server says about a field, by the last part of its path; undefined if nothing. */
export function fieldProblem(error: unknown, field: string, language: Language): string | undefined {
  const { errors } = refusalOf(error);
  const isNamed =
    Array.isArray(errors) && (errors as { path?: string }[]).some(({ path }) => path?.split('.').at(-1) === field);
  return isNamed ? textOf(ofField[field] ?? 'VALIDATION_FAILED', language) : undefined;
}

/** What an error says to people, by its reason. */
function explain(error: unknown, language: Language, uncertain: string): string {
  const facts = refusalOf(error);
  const [text = ''] = reasonsOf(facts, uncertain)
    .filter((name) => typeof name === 'string')
    .flatMap((name) => textOf(name, language) ?? []);
  if (text) return say(text, facts as Record<string, string>);
  const name = error instanceof TypeError || !navigator.onLine ? 'NETWORK' : 'UNKNOWN'; // fetch throws a TypeError
  return textOf(name, language) ?? '';
}

/**
 * An error message that screen readers speak at once.
 *
 * @param uncertain the reason whose text stands for a change that may have been made all the same
 */
export function Problem({
  of: error,
  again,
  uncertain = 'UNCERTAIN',
}: {
  of: Error | undefined;
  again?: () => void;
  uncertain?: string;
}) {
  const words = useWords();
  const language = useLanguage();
  if (!error) return null;
  return (
    <div role="alert" className="notice bad-news">
      <p>{explain(error, language, uncertain)}</p>
      {again && (
        <button type="button" className="quiet" onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  );
}

/** What a page says when it has nothing to show. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <section className="card empty">
    <h2>{title}</h2>
    {children}
  </section>
);

/** A picture of the storefront; its place is kept while it loads. */
export function Picture({
  of: { image, imageUrl },
  eager = false,
}: {
  of: { image?: { assetUrl: string; thumbnailUrl?: string | null } | null; imageUrl: string };
  eager?: boolean;
}) {
  const source = image?.assetUrl || imageUrl;
  const [missing, setMissing] = useState('');
  if (!source || missing === source) return <div className="picture none" aria-hidden />;
  return (
    <img
      className="picture"
      src={source}
      alt=""
      width={1200}
      height={675}
      decoding="async"
      onError={() => setMissing(source)}
      {...(eager ? { fetchPriority: 'high' } : { loading: 'lazy' })}
    />
  );
}

/** Returns the values of a form, by name. */
export const typed = (form: HTMLFormElement): Record<string, string> =>
  Object.fromEntries([...new FormData(form)].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
