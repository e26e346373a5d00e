// The field of a text question that says after which answers it is asked, in the editor. Pure.
import type { AskIf } from '../../database/store.ts';
import { groupsOf } from '../../score-groups.ts';
import { cutAfter } from '../../text.ts';
import { conditionValue } from './condition.ts';
import { type Draft, kept } from './question-form.ts';

const SHOWN = 40;
/** For example `0–6`. */
export const span = (min: number | undefined, max: number | undefined): string => (min === max ? `${min}` : `${min}–${max}`);

/** For example `people who chose 0–6 in question 1`. */
export function conditionLabel({ question, min, max, choices }: AskIf, drafts: readonly Draft[]): string {
  const place = kept(drafts).findIndex(({ id }) => id === question);
  const asked = place < 0 ? 'a question that was removed' : `question ${place + 1}`;
  return `people who chose ${choices === undefined ? span(min, max) : choices.map((choice) => `“${cutAfter(choice, SHOWN)}”`).join(', ')} in ${asked}`;
}

/** The options, with the one that is chosen, also if the form doesn't offer it. */
export function conditionsFor(drafts: readonly Draft[], index: number): [value: string, label: string][] {
  const chosen = drafts[index]?.ask_if as AskIf | undefined;
  const offers = kept(drafts.slice(0, index)).flatMap((draft): AskIf[] => {
    const { id, type } = draft;
    if (type === 'score') return [...groupsOf(draft).values()].map(([min, max]) => ({ question: id, min, max }));
    return ((draft.choices ?? []) as readonly string[]).map((choice) => ({ question: id, choices: [choice] }));
  });
  const all = chosen === undefined || offers.some((offer) => same(offer, chosen)) ? offers : [...offers, chosen];
  return [['', 'Everyone'], ...all.map((ask): [string, string] => [conditionValue(ask), `Only ${conditionLabel(ask, drafts)}`])];
}

const same = (one: AskIf, other: AskIf): boolean => conditionValue(one) === conditionValue(other);
