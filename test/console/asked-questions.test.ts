// The questions that a survey has asked over time, as Results show them.
import t from 'tap';
import { earlierWordings, everyQuestion, wordingIn } from '../../src/console/results/asked-questions.ts';
import type { AskedQuestions } from '../../src/database/store.ts';

const score = (label: string) => ({ id: 'score', type: 'score', label }) as const;
const where = (...choices: string[]) => ({ id: 'where', type: 'choice', label: 'Where?', choices }) as const;
const VERSIONS: AskedQuestions[] = [
  { version: 3, questions: [score('How was your order?'), where('Oslo', 'Rome')] },
  { version: 2, questions: [{ id: 'why', type: 'text', label: 'Why?' }, score('How was it?'), where('Oslo', 'Paris')] },
  { version: 1, questions: [score('How was it?')] },
];

t.test('questions of today come first, then those that are no longer asked; choices that were offered stay', async (t) => {
  t.same(
    everyQuestion(VERSIONS).map(({ id, label, choices }) => [id, label, choices]),
    [
      ['score', 'How was your order?', undefined],
      ['where', 'Where?', ['Oslo', 'Rome', 'Paris']],
      ['why', 'Why?', undefined],
    ],
  );
  t.same(everyQuestion([]), []);
});

t.test('each version has its words', async (t) => {
  const wording = wordingIn(VERSIONS);
  t.equal(wording(3, 'score'), 'How was your order?');
  t.equal(wording(1, 'score'), 'How was it?');
  t.equal(wording(3, 'why'), undefined);
  t.same([...earlierWordings(VERSIONS)], [['score', ['How was it?']]]);
});
