// Measures the Results page of a survey with 1,000,000 responses to 1,200,000 invitations over a year: the time to its first byte, by
// period, filter and breakdown.
import { createMember } from '../fixtures/members.ts';
import { type Bench, type Database, startServer } from './harness.ts';
import { median, type Result } from './result.ts';

const RESPONSES = 1_000_000;
const ROUNDS = 5;
const QUESTIONS = [
  { id: 'score', type: 'score', label: 'How likely are you to recommend us?', nps: true },
  { id: 'ease', type: 'score', label: 'How easy was it?', min: 1, max: 5 },
  { id: 'plan', type: 'choice', label: 'Which plan?', choices: ['Free', 'Team', 'Enterprise'] },
  { id: 'why', type: 'text', label: 'Why?' },
];

export async function results(bench: Bench): Promise<Result[]> {
  const database = await bench.database('results');
  const responses = RESPONSES * bench.scale;
  return measure(database, await fill(database, responses), responses);
}

export async function measure(
  database: Database,
  { survey, owner }: Awaited<ReturnType<typeof fill>>,
  responses: number,
): Promise<Result[]> {
  const server = await startServer(database);
  const ask = async (query: string) => {
    const began = performance.now();
    const response = await fetch(`${server.url}/surveys/${survey}/results${query}`, { headers: owner.headers });
    const took = performance.now() - began;
    if (response.status !== 200 || !(await response.text()).includes('Response'))
      throw new Error(`no Results: ${response.status}`);
    return took;
  };
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const series: [name: string, query: string][] = [
    ['all time', ''],
    ['last 30 days', '?period=30'],
    ['last month', '?period=last-month'],
    ['custom, half a year', `?period=custom&from=${day(300)}&to=${day(120)}`],
    ['one of six countries', '?filter=country%3DNO'],
    ['one of six countries, last month', '?period=last-month&filter=country%3DNO'],
    ['two filters', '?filter=country%3DNO&filter=vip%3Dtrue'],
    ['metadata that all have', '?filter=order'],
    ['one answer', '?question=score&answer=10'],
    ['with comment', '?question=why'],
    ['two countries', '?filter=country%3DNO%2CSE'],
    ['all but one country', '?filter=country!%3DNO'],
    ['broken down by month', '?by=%40month'],
    ['broken down by country', '?by=country'],
    ['broken down by language', '?by=%40language'],
    ['broken down by token', '?by=%40token'],
    ['broken down by a key that all differ in', '?by=order'],
    ['broken down by month, in one country', '?by=%40month&filter=country%3DNO'],
    ['broken down by country, last 30 days', '?by=country&period=30'],
    ['broken down by country, of one answer', '?by=country&question=score&answer=10'],
  ];
  const measured = [];
  for (const [name, query] of series) {
    await ask(query);
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) values.push(await ask(query));
    console.log(`${name.padEnd(40)} ${median(values).toFixed(0).padStart(6)} ms, at most ${Math.max(...values).toFixed(0)} ms`);
    measured.push({ name, unit: 'ms' as const, values });
  }
  await server.end();
  return [
    {
      part: 'results',
      title: `The page Results of ${responses.toLocaleString('en')} responses, until its first byte`,
      used: `${ROUNDS} rounds`,
      series: measured,
    },
  ];
}

export async function fill({ sql, store }: Pick<Database, 'sql' | 'store'>, responses: number) {
  const workspace = await store.upsertWorkspace({ name: 'Bench' });
  const survey = await store.upsertSurvey({ workspaceId: workspace, title: 'Bench', state: 'active', questions: QUESTIONS });
  const owner = await createMember(store, workspace, 'owner');
  await sql.begin(async (transaction) => {
    await transaction`
      insert into invite.trigger_tokens (survey_id, name, secret_hash, secret_hint) values (${survey}, 'Bench', 'home0001' || sha256('bench'), 'ench')`;
    await transaction`
      create temp table planned on commit drop as
      select n, now() - interval '1 year' + n * (interval '1 year' / ${responses * 1.2}::float8) as at
      from generate_series(1, ${Math.round(responses * 1.2)}::integer) as n`;
    await transaction`
      insert into invite.batches (
        id, workspace_id, survey_id, trigger_token_id, subject, message, metadata, recipients, workspace_total, scheduled_at, accepted_at)
      select invite.uuidv7(p.at), ${workspace}, ${survey}, t.id, 'Subject', t.default_message,
        jsonb_build_object('order', 'A-' || p.n, 'country', (array['NO', 'SE', 'DK', 'DE', 'FR', 'NL'])[1 + (hashint4(p.n) & 65535) % 6], 'vip', p.n % 5 = 0),
        1, p.n, p.at, p.at
      from planned as p, invite.trigger_tokens as t where t.survey_id = ${survey}
      order by p.n`;
    await transaction`
      insert into invite.invitations (batch_id, workspace_id, survey_id, email, responded_at)
      select b.id, b.workspace_id, b.survey_id, 'person' || b.workspace_total || '@example.com',
        case when hashint4(b.workspace_total::integer) & 3 > 0 then b.accepted_at + interval '5 hours' end
      from invite.batches as b where b.survey_id = ${survey} order by b.accepted_at`;
    await transaction`
      insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at)
      select i.id, i.survey_id, 'sent', b.accepted_at, b.accepted_at + interval '1 second'
      from invite.invitations as i join invite.batches as b on b.id = i.batch_id
      where i.survey_id = ${survey} order by i.id`;
    await transaction`
      insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
      select i.id, 'bounced', i.survey_id, m.sent_at
      from invite.invitations as i join invite.messages as m on m.invitation_id = i.id
      where i.survey_id = ${survey} and i.responded_at is null and i.id % 10 = 0`;
    await transaction`
      insert into invite.responses (survey_id, invitation_id, trigger_token_id, language, answers, metadata, submitted_at)
      select i.survey_id, i.id, b.trigger_token_id, (array['nb', 'sv', 'da', 'de', 'fr', 'nl'])[1 + i.id % 6],
        jsonb_build_object('score', 10 - (i.id * i.id) % 7 % 5, 'ease', 1 + i.id % 5, 'plan', (array['Free', 'Team', 'Enterprise'])[1 + i.id % 5 % 3])
          || case when i.id % 3 = 0 then jsonb_build_object('why', 'Quick and friendly, and the answer was right: ' || i.id) else '{}' end,
        b.metadata, i.responded_at
      from invite.invitations as i join invite.batches as b on b.id = i.batch_id
      where i.survey_id = ${survey} and i.responded_at is not null
      order by i.responded_at`;
    await transaction`
      insert into invite.responses (survey_id, answers, submitted_at)
      select ${survey}, jsonb_build_object('score', n % 11), now() - n * (interval '1 year' / ${responses / 10})
      from generate_series(1, ${Math.round(responses / 10)}::integer) as n`;
    await transaction`select invite.recount_results(${survey})`;
  });
  while ((await store.foldResultCounts()) > 0);
  await sql.unsafe('vacuum analyze');
  return { survey, owner };
}
