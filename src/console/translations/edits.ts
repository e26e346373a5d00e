// What a translator's form changes. Others may translate into the same language at the same time: what the form leaves as it showed it stays as it is
// now, and a text that others have changed meanwhile is replaced only by somebody who has seen theirs.
import type { Answer } from '../../http/answer.ts';
import { fieldText, ownValue, textsInJson } from '../../text.ts';
import { type Digests, sawIn } from '../saw.ts';
import { TAKEN } from './import-view.ts';
import { digestsOf, fileNameOf, type Original, sawTranslation, translationDigest } from './originals.ts';
import { stillFits } from './text-pairs.ts';

type Texts = Readonly<Record<string, string>>;

export interface Edits {
  /** By the names of the fields. An empty text removes a translation. */
  readonly changed: Texts;
  /** What others have saved meanwhile in the place of those. */
  readonly theirs: Texts;
  /** Names, for SQL, of texts that still fit as they are. */
  readonly checked: readonly string[];
  /** What the translator has seen, for SQL and for the form when it is shown again, with what there is now. */
  readonly saw: Digests;
}

/** @param values The translations as they are now, by the names of the fields. */
export function editsIn(form: URLSearchParams, originals: readonly Original[], values: Texts): Edits {
  const saw = sawIn(form);
  const now = (name: string) => ownValue(values, name)?.trim() ?? '';
  const isAsShown = (name: string) =>
    (sawTranslation(saw, name) ?? translationDigest(now(name))) === translationDigest(now(name));
  const changed = Object.entries(enteredIn(form, originals)).filter(
    ([name, text]) => text !== now(name) && translationDigest(text) !== sawTranslation(saw, name),
  );
  const names = changed.map(([name]) => name);
  return {
    changed: Object.fromEntries(changed),
    theirs: Object.fromEntries(names.filter((name) => !isAsShown(name)).map((name) => [name, now(name)])),
    checked: originals.filter(({ name }) => form.get(stillFits(name)) === 'yes' && isAsShown(name)).map(fileNameOf),
    saw: digestsOf(originals, values, saw),
  };
}

/** What the form has; of a file, what it changes. Another editor may have added texts that the form doesn't have. */
function enteredIn(form: URLSearchParams, originals: readonly Original[]): Texts {
  const fields = form.get('action') === 'take' ? new URLSearchParams(textsInJson(form.get(TAKEN))) : form;
  const names = originals.map(({ name }) => name).filter((name) => fields.has(name));
  return Object.fromEntries(names.map((name) => [name, fieldText(fields, name).trim()]));
}

const MAX_TRIES = 20;

/** @param save Undefined: others saved between its reading and its writing, so that it has to read again. */
export async function onTopOfOthers(save: () => Promise<Answer | undefined>): Promise<Answer> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await save();
    if (answer !== undefined) return answer;
  }
  throw new Error('others changed the translation each time it was to be saved');
}
