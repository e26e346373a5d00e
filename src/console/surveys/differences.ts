// How edited questions differ from the published ones, and what publishing them means for people and Results. Pure.
import type { AskIf, Question } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { THANKS_FIELDS } from '../../recipient/thanks.ts';
import { conditionValue } from './condition.ts';
import { conditionLabel } from './follow-up-field.ts';
import { type Draft, kept, scaleOf } from './question-form.ts';

export type Difference =
  | {
      readonly kind: 'removed' | 'added' | 'required' | 'optional' | 'nps_on' | 'nps_off' | 'ends' | 'thanks' | 'moved';
      readonly label: string;
    }
  | { readonly kind: 'reworded' | 'rescaled' | 'asked_of'; readonly label: string; readonly to: string }
  | { readonly kind: 'choice_gone' | 'choice_new'; readonly label: string; readonly choices: readonly string[] };

export function differencesOf(published: readonly Question[], edited: readonly Draft[]): Difference[] {
  const drafts = kept(edited);
  const found = published.flatMap((before): Difference[] => {
    const after = drafts.find(({ id }) => id === before.id);
    if (after === undefined) return [{ kind: 'removed', label: before.label }];
    if (scaleOf(before) !== scaleOf(after)) return [{ kind: 'rescaled', label: before.label, to: scaleOf(after) }];
    return ofOne(before, after, drafts);
  });
  const isNew = ({ id }: Draft) => !published.some((question) => question.id === id);
  const order = (questions: readonly Draft[], others: readonly Draft[]) =>
    questions.filter(({ id }) => others.some((other) => other.id === id)).map(({ id }) => id);
  return [
    ...found,
    ...drafts.filter(isNew).map(({ label }): Difference => ({ kind: 'added', label })),
    ...(order(published, drafts).join('\n') === order(drafts, published).join('\n')
      ? []
      : [{ kind: 'moved', label: '' } as const]),
  ];
}

const condition = (ask: unknown): string => (ask === undefined ? '' : conditionValue(ask as AskIf));

function ofOne(before: Question, after: Draft, drafts: readonly Draft[]): Difference[] {
  const { label } = after;
  const [old, now] = [before.choices ?? [], (after.choices ?? []) as readonly string[]];
  const gone = old.filter((choice) => !now.includes(choice));
  const added = now.filter((choice) => !old.includes(choice));
  const nps = after.nps === true;
  const differences: (Difference | false)[] = [
    label !== before.label && { kind: 'reworded', label: before.label, to: label },
    gone.length > 0 && { kind: 'choice_gone', label, choices: gone },
    added.length > 0 && { kind: 'choice_new', label, choices: added },
    (before.min_label !== after.min_label || before.max_label !== after.max_label) && { kind: 'ends', label },
    THANKS_FIELDS.some((field) => before[field] !== after[field]) && { kind: 'thanks', label },
    (before.required === true) !== (after.required === true) && {
      kind: after.required === true ? 'required' : 'optional',
      label,
    },
    condition(before.ask_if) !== condition(after.ask_if) && {
      kind: 'asked_of',
      label,
      to: after.ask_if === undefined ? 'everyone' : conditionLabel(after.ask_if as AskIf, drafts),
    },
    (before.nps === true) !== nps && { kind: nps ? 'nps_on' : 'nps_off', label },
  ];
  return differences.filter((difference) => difference !== false);
}

type Of<K, D = Difference> = D extends { readonly kind: infer Kinds } ? (K extends Kinds ? D : never) : never;
type Words = { readonly [K in Difference['kind']]: (difference: Of<K>) => Html };

const named = (label: string): Html => html`<strong>${label || 'A question without a text'}</strong>`;
const listed = (choices: readonly string[]): Html =>
  html`${choices.map((choice, index) => html`${index > 0 && ', '}“${choice}”`)}`;

const WORDS: Words = {
  removed: ({ label }) => html`${named(label)} is no longer asked. Its answers stay in the Results.`,
  added: ({ label }) => html`${named(label)} is new. Earlier responses have no answer to it.`,
  required: ({ label }) => html`${named(label)} needs an answer from now on.`,
  optional: ({ label }) => html`${named(label)} can be left out from now on.`,
  nps_on: ({ label }) => html`${named(label)} counts as Net Promoter Score, earlier answers too.`,
  nps_off: ({ label }) => html`${named(label)} no longer counts as Net Promoter Score, nor do earlier answers.`,
  ends: ({ label }) => html`${named(label)} says something else of its lowest or highest score.`,
  thanks: ({ label }) => html`${named(label)} thanks people in other words for some scores.`,
  moved: () => html`The questions come in another order.`,
  reworded: ({ label, to }) =>
    html`${named(label)} now reads ${named(to)}. Answers to both are counted together. If it asks something else now, remove the question and add a new one instead.`,
  rescaled: ({ label, to }) =>
    html`${named(label)} gets another scale (${to}), so it becomes a new question. Answers on the old scale stay in the Results on their own.`,
  asked_of: ({ label, to }) => html`${named(label)} is asked of ${to}.`,
  choice_gone: ({ label, choices }) =>
    html`${named(label)} no longer offers ${listed(choices)}. Answers that chose ${choices.length === 1 ? 'it' : 'them'} stay in the Results.`,
  choice_new: ({ label, choices }) => html`${named(label)} also offers ${listed(choices)}.`,
};

export const differenceList = (differences: readonly Difference[]): Html =>
  html`<ul>${differences.map((difference) => html`<li>${WORDS[difference.kind](difference as never)}</li>`)}</ul>`;
