// What a form changes, if others may have saved since it was opened: what a person leaves as it was shown stays as it is now, and what others have
// changed too is replaced only by somebody who has seen theirs. For this, the form carries digests of what it showed. Pure.
import type { Html } from '../html/html.ts';
import { ownValue, shortened } from '../text.ts';
import { digestOf as md5, sawField, sawIn } from './saw.ts';

type Texts<F extends string> = Readonly<Record<F, string>>;

/** A browser sends each line end as CR LF. */
const digestOf = (text: string): string => md5(text.replaceAll('\r\n', '\n'));

/** The hidden field. @param texts What the fields would show of what is stored, also if the form shows what was typed. */
export const sawTexts = (texts: Texts<string>): Html =>
  sawField(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, digestOf(text)])));

interface Edits<F extends string> {
  readonly changed: Partial<Texts<F>>;
  /** To show again: what was changed, and what is stored of the rest. */
  readonly texts: Texts<F>;
  /** At the fields that others have changed too. Undefined: there are none, and the changes can be saved. */
  readonly errors: Partial<Texts<F>> | undefined;
}

/**
 * @param stored What the fields would show now.
 * @param sent What the form has. Without the hidden field, all that differs from what is stored is a change.
 * @param inWords How an error writes what others have saved. Empty: they have removed it.
 */
export function editsIn<F extends string>(
  form: URLSearchParams,
  stored: Texts<F>,
  sent: Partial<Texts<F>>,
  inWords: (name: F) => string = (name) => stored[name],
): Edits<F> {
  const saw = sawIn(form);
  const seen = (name: F) => ownValue(saw, name) ?? digestOf(stored[name]);
  const isChanged = (name: F, text: string) => ![seen(name), digestOf(stored[name])].includes(digestOf(text));
  const changes = (Object.entries(sent) as [F, string][]).filter(([name, text]) => isChanged(name, text));
  const changed = Object.fromEntries(changes) as Partial<Texts<F>>;
  const errors = changes
    .filter(([name]) => seen(name) !== digestOf(stored[name]))
    .map(([name]) => [name, changedBy(inWords(name))] as const);
  return {
    changed,
    texts: { ...stored, ...changed },
    errors: errors.length === 0 ? undefined : (Object.fromEntries(errors) as Partial<Texts<F>>),
  };
}

const changedBy = (theirs: string): string =>
  `Somebody else has ${theirs === '' ? 'emptied this' : `changed this to “${shortened(theirs, 100)}”`} since you opened it. Save again to put yours in its place.`;
