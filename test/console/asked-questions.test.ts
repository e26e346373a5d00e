// The questions that a survey has asked over time, as the Results page shows them.
import t from 'tap';
import { everyQuestion, questionsOf, wordingsOf } from '../../src/console/results/asked-questions.ts';
import type { AskedQuestions } from '../../src/database/store.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const score = (label: string) => ({ id: 'score', type: 'score', label }) as const;
const where = (...choices: string[]) => ({ id: 'where', type: 'choice', label: 'Where?', choices }) as const;
const VERSIONS: AskedQuestions[] = [
  { version: 3, questions: [score('How was your order?'), where('Oslo', 'Rome')], replacedAt: null },
  {
    version: 2,
    questions: [{ id: 'why', type: 'text', label: 'Why?' }, score('How was it?'), where('Oslo', 'Paris')],
    replacedAt: new Date('2030-03-10T23:30Z'),
  },
  { version: 1, questions: [score('How was it?')], replacedAt: new Date('2030-02-10T12:00Z') },
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
  const wordings = wordingsOf(VERSIONS);
  t.equal(wordings(3, 'score'), 'How was your order?');
  t.equal(wordings(1, 'score'), 'How was it?');
  t.equal(wordings(3, 'why'), undefined);
});

t.test('a period has the questions and words of its end; other words and questions say until when they were asked', async (t) => {
  const of = (firstDay?: string, lastDay = '', zone = 'UTC') => {
    const questions = questionsOf(VERSIONS, firstDay === undefined ? undefined : { firstDay, lastDay, zone }, zone);
    const labels = (which: 'asked' | 'others') => questions[which].map(({ label }) => label);
    return {
      asked: labels('asked'),
      others: labels('others'),
      earlier: questions.earlier('score'),
      why: questions.lastDay('why'),
    };
  };
  t.strictSame(of(), {
    asked: ['How was your order?', 'Where?'],
    others: ['Why?'],
    earlier: [{ words: 'How was it?', lastDay: '2030-03-09' }],
    why: '2030-03-09',
  });
  t.match(of(undefined, '', 'Europe/Vienna'), { why: '2030-03-10' }, 'in the days of the reader');
  t.match(of('2030-01-01', '2030-01-31'), { asked: ['How was it?'], others: ['Where?', 'Why?'], earlier: [] });
  t.match(of('2030-02-01', '2030-02-28'), { asked: ['Why?', 'How was it?', 'Where?'], others: [], earlier: [] });
  t.match(of('2030-03-01', '2030-03-31'), { asked: ['How was your order?', 'Where?'], others: ['Why?'], earlier: [{}] });
  t.match(of('2030-04-01', '2030-04-30'), { asked: ['How was your order?', 'Where?'], others: ['Why?'], earlier: [] });
  t.match(questionsOf([], undefined, 'UTC'), { asked: [], others: [] });
});

t.test(
  'Results show each answer beside what was asked, count choices that are gone, and keep what is no longer asked',
  async (t) => {
    const { sql, store, urlAs } = await createTestDatabase(t);
    const { url } = await startTestServer(t, urlAs('invite_web'));
    const { workspace, survey } = await createSurvey(store);
    const viewer = await createMember(store, workspace, 'viewer');
    const ask = (questions: readonly object[]) => store.upsertSurvey({ workspaceId: workspace, id: survey, questions });
    const answer = (answers: object) => sql`select invite.record_response(${survey}, ${sql.json(answers as never)})`;
    await ask(VERSIONS[1]?.questions ?? []);
    await answer({ score: 9, where: 'Paris', why: 'It rained.' });
    await ask(VERSIONS[0]?.questions ?? []);
    await answer({ score: 8, where: 'Rome' });

    const page = (await (await visit(url, `/surveys/${survey}/results`, viewer)).text()).replaceAll(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(code),
    );
    t.match(page, 'Score asked as “How was it?”');
    t.equal(page.match(/Score asked as/g)?.length, 1, 'only for the response that was asked so');
    t.match(page, /Earlier asked as “How was it\?”.{0,200} All are counted together/s);
    t.match(
      page,
      /<strong>Why\?<\/strong>.{0,200}1 comment<.{0,100}No longer asked/s,
      'the answers are counted, and are a click away',
    );
    t.match(page, /Why\?.{0,40}It rained/s, 'the question that is no longer asked has its words');
    const summary = await store.console.resultSummary(viewer.session, survey, undefined, 'UTC', undefined);
    t.match(
      summary.answers
        .filter(({ question }) => question === 'where')
        .map(({ value, number }) => [value, number])
        .sort(),
      [
        ['Paris', 1],
        ['Rome', 1],
      ],
    );
    const csv = await (await visit(url, `/surveys/${survey}/results.csv`, viewer)).text();
    t.match(csv, /"How was your order\? \[earlier: How was it\?(; [^\]]*)?\]","Where\?","Why\?"/);
  },
);
