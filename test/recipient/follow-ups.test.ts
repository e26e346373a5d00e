// A text that is asked only after certain answers: what is valid, who is asked, and what the page does with answers of people who weren't.
import t from 'tap';
import { readCondition } from '../../src/console/surveys/condition.ts';
import { conditionLabel, conditionsFor } from '../../src/console/surveys/follow-up-field.ts';
import { isUnchanged } from '../../src/console/surveys/question-form.ts';
import type { AskIf } from '../../src/database/store.ts';
import { groupsOf } from '../../src/score-groups.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const SCORE = { id: 'score', type: 'score', label: 'Would you recommend us?', nps: true, required: true } as const;
const ranges = (scale: object) => [...groupsOf(scale).values()];
const USED = { id: 'used', type: 'choice', label: 'What did you use?', choices: ['Pool', 'Sauna "hot"'], several: true } as const;
const why = (ask_if: AskIf, more: object = {}) =>
  ({ id: 'why', type: 'text', label: 'Why?', required: true, ask_if, ...more }) as const;

t.test('it follows certain answers to an earlier score or choice', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const code = (questions: readonly object[]) =>
    store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'T', questions: questions as never }).then(
      () => 'none',
      ({ detail }) => JSON.parse(detail).code,
    );
  for (const right of [
    { question: 'score', min: 0, max: 6 },
    { question: 'score', min: 10, max: 10 },
    { question: 'used', choices: ['Sauna "hot"'] },
  ])
    t.equal(await code([SCORE, USED, why(right)]), 'none', JSON.stringify(right));
  for (const wrong of [
    null,
    'score',
    {},
    { question: 'score' },
    { question: 'score', min: 0, max: 11 },
    { question: 'score', min: -1, max: 6 },
    { question: 'score', min: 7, max: 6 },
    { question: 'score', min: '0', max: '6' },
    { question: 'score', min: 0, max: 6, choices: ['Pool'] },
    { question: 'used', choices: [] },
    { question: 'used', choices: ['Garden'] },
    { question: 'used', choices: 'Pool' },
    { question: 'used', min: 0, max: 6 },
    { question: 'why', min: 0, max: 6 },
    { question: 'none', min: 0, max: 6 },
  ])
    t.equal(await code([SCORE, USED, why(wrong as never)]), 'invalid_ask_if', JSON.stringify(wrong));
  t.equal(await code([why({ question: 'score', min: 0, max: 6 }), SCORE]), 'invalid_ask_if', 'of a later question');
  t.equal(await code([SCORE, { ...USED, ask_if: { question: 'score', min: 0, max: 6 } }]), 'unknown_field');
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => why({ question: 'score', min: 0, max: 6 }, { id: `why${n}` }));
  t.equal(await code([SCORE, ...many(20)]), 'none');
  t.equal(await code([SCORE, ...many(21)]), 'invalid_ask_if', 'the page has style rules for 20');
});

t.test('who is asked must answer; an answer of somebody who is not asked is not taken', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const questions = [
    SCORE,
    USED,
    why({ question: 'score', min: 0, max: 6 }),
    why({ question: 'used', choices: ['Pool'] }, { id: 'pool' }),
  ];
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: 'T', questions: questions as never });
  const submit = async (...fields: [string, string][]) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [`answer.${name}`, value] as [string, string]));
    return (await fetch(`${url}/s/${survey}`, { method: 'POST', body, redirect: 'manual' })).status;
  };
  t.equal(await submit(['score', '6']), 422);
  t.equal(await submit(['score', '6'], ['why', 'Slow']), 303);
  t.equal(await submit(['score', '7'], ['why', 'Fine']), 303);
  t.equal(await submit(['score', '9'], ['used', 'Sauna "hot"'], ['used', 'Pool']), 422);
  t.equal(await submit(['score', '9'], ['used', 'Sauna "hot"'], ['used', 'Pool'], ['pool', 'Warm']), 303);
  t.equal(await submit(['why', 'Slow']), 422, 'the score is missing');
  const rows = await sql`select answers from invite.responses where survey_id = ${survey} order by id`;
  t.same(
    rows.map(({ answers }) => answers),
    [{ score: 6, why: 'Slow' }, { score: 7 }, { score: 9, used: ['Pool', 'Sauna "hot"'], pool: 'Warm' }],
  );
  const page = await (await fetch(`${url}/s/${survey}`)).text();
  t.match(page, /class="follow-1" name="answer.score" value="6"/);
  t.notMatch(page, /class="follow-1" name="answer.score" value="7"/);
  t.match(page, '<div class="question follow-up follow-1">');
});

t.test('the editor offers the groups of each earlier scale and each choice, and keeps what else was set', (t) => {
  t.same(ranges({}), [
    [0, 6],
    [7, 8],
    [9, 10],
  ]);
  t.same(ranges({ min: 1, max: 5 }), [
    [1, 2],
    [3, 3],
    [4, 5],
  ]);
  t.same(ranges({ min: 0, max: 1 }), [
    [0, 0],
    [1, 1],
  ]);
  t.same(ranges({ min: 'x' }), []);
  const own = { question: 'score', min: 2, max: 3 };
  const drafts = [SCORE, { ...USED, id: 'gone', removed: true as const }, USED, why(own)];
  const labels = conditionsFor(drafts, 3).map(([, label]) => label);
  t.same(labels.slice(0, 5), [
    'Everyone',
    'Only people who chose 0–6 in question 1',
    'Only people who chose 7–8 in question 1',
    'Only people who chose 9–10 in question 1',
    'Only people who chose “Pool” in question 2',
  ]);
  t.equal(labels.at(-1), 'Only people who chose 2–3 in question 1');
  t.match(conditionLabel({ question: 'gone', choices: ['Pool'] }, drafts), 'a question that was removed');
  for (const [value] of conditionsFor(drafts, 3)) t.ok(value === '' || readCondition(value), value);
  for (const value of ['', 'x', '{}', '{"question":"a"}', '[]', 'null']) t.equal(readCondition(value), undefined, value);
  // PostgreSQL gives the fields in another order.
  t.ok(isUnchanged([why({ max: 3, min: 2, question: 'score' })], [why(own)]));
  t.notOk(isUnchanged([why({ max: 3, min: 1, question: 'score' })], [why(own)]));
  t.end();
});
