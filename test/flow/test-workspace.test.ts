// Thirty days in a test workspace: people of all kinds, reminders, rest, hours, and a relay that gets nothing.
import t from 'tap';
import { createStore } from '../../src/database/store.ts';
import { createWebhookSender } from '../../src/events/webhook-sender.ts';
import { startTestServer } from '../fixtures/http.ts';
import { openSession } from '../fixtures/inspect.ts';
import { createReceiver } from '../fixtures/receiver.ts';
import { createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { createTestToken, startCountingWorker, testApi, testClocksOn } from '../fixtures/test-workspaces.ts';
import { createWebhook, keys } from '../fixtures/webhooks.ts';

const database = await createTestDatabase(t);
const { sql, store, url, urlAs } = database;

/** The next Monday, 10:00 UTC. */
function monday(): Date {
  const day = new Date();
  day.setUTCHours(10, 0, 0, 0);
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 1);
  return day;
}
const DAY = 86_400_000;
const people = (name: string, count: number, domain = 'sim.invalid') =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}+${index}@${domain}` }));
const OFFICE = '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}';

t.test('thirty days: each figure is right, and no email reaches the relay', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Acme' });
  await store.setWorkspaceRules(real, { restDays: 10, openHours: OFFICE, timeZone: 'UTC' });
  await store.upsertSurvey({
    workspaceId: real,
    title: 'How was your order?',
    state: 'active',
    questions: [
      { id: 'nps', type: 'score', label: 'Would you recommend us?', nps: true },
      { id: 'why', type: 'text', label: 'Why?' },
    ],
  });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: survey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const { secret } = await createTestToken(store, survey);
  const receiver = await createReceiver(t);
  await createWebhook(store, workspace, receiver.url);
  const { sent } = await startCountingWorker(t, url, {
    webhooks: { sender: createWebhookSender(['127.0.0.1/32']), keys, schedule: [1, 1] },
  });
  const server = await startTestServer(t, urlAs('invite_web'));
  const api = testApi(server.url, secret);

  const start = monday();
  const begun = await api.advance({ to: start.toISOString() });
  t.match(begun, { status: 200, counts: {}, happened: [] });
  t.equal(Date.parse(begun.now), start.getTime());
  const first = await server.post(
    {
      emails: [
        ...people('person', 40),
        ...people('responds-9', 20),
        ...people('responds-3', 10),
        ...people('bounces', 10),
        ...people('complains', 5),
        ...people('unsubscribes', 5),
        ...people('scanner', 5),
        ...people('real', 5, 'example.com'),
      ],
      reminders: [3, 7],
    },
    { secret },
  );
  t.equal(first.status, 200, first.text);
  const two = await api.advance({ by: 'P2D' });
  t.match(two.counts, {
    'invitation.sent': 100,
    'invitation.bounced': 10,
    'invitation.delivered': 85,
    'invitation.complained': 5,
    'invitation.unsubscribed': 5,
    'response.submitted': 30,
    'response.low_score': 10,
  });
  t.strictSame(
    [...new Set(two.happened.map(({ type, at }) => `${type} ${(Date.parse(at) - start.getTime()) / 1000}`))],
    [
      'invitation.sent 0',
      'invitation.delivered 2',
      'invitation.bounced 5',
      'invitation.complained 3600',
      'invitation.unsubscribed 3600',
      'response.submitted 86400',
      'response.low_score 86400',
    ],
  );

  // Again on Wednesday, while they rest until Thursday of the next week.
  const second = await server.post({ emails: people('person', 40) }, { secret });
  t.match(second.body.batch, { resting: 40 });
  const rest = await api.advance({ by: 'P28D' });
  t.match(rest.counts, {
    'invitation.sent': 40,
    'invitation.reminded': 100,
    'invitation.suppressed': 20,
    'invitation.deferred': 1,
  });
  const days = (type: string) => [
    ...new Set(rest.happened.filter((one) => one.type === type).map(({ at }) => (Date.parse(at) - start.getTime()) / DAY)),
  ];
  t.strictSame(days('invitation.reminded'), [3, 7]);
  t.strictSame(days('invitation.sent'), [10]);
  t.equal(Date.parse(rest.now), start.getTime() + 30 * DAY);

  const { emails } = await api.emails('?limit=1000');
  t.equal(emails.length, 240);
  const { emails: ofOne } = await api.emails('?recipient=person%2B7@sim.invalid');
  t.strictSame(
    ofOne.map(({ reminder, sent_at }: { reminder: number; sent_at: string }) => [
      reminder,
      (Date.parse(sent_at) - start.getTime()) / DAY,
    ]),
    [
      [0, 10],
      [2, 7],
      [1, 3],
      [0, 0],
    ],
  );
  const { email } = await api.ask(`emails/${ofOne[0].id}`);
  t.match(email, {
    subject: /How was your order/,
    to: { email: 'person+7@sim.invalid' },
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    text: email.links.survey,
    html: '<html',
  });
  t.strictSame(sent, []);
  const ASKED_FOR = ['invitation.deferred', 'response.low_score'];
  // A batch is accepted twice; the rest are what the answers have told, but for what webhooks must ask for.
  const all = [two.counts, rest.counts].flatMap((counts) => Object.entries(counts));
  const told = all.reduce((sum, [type, number]) => sum + (ASKED_FOR.includes(type) ? 0 : number), 2);
  await until('all webhooks have arrived', () => receiver.calls.length >= told);
  const types = receiver.calls.map(({ body }) => JSON.parse(body).type as string);
  t.equal(types.filter((type) => type === 'response.submitted').length, 30);
  t.equal(types.filter((type) => type === 'batch.accepted').length, 2);
  t.equal(types.length, told);
  const product = await sql`select type from invite.read_events('product', null, 1000)`;
  t.strictSame([...product], [], 'the product, which reads the events of all workspaces, gets none of a test');
  t.strictSame((await sql`select from invite.broken_invariants`).length, 0);
  t.strictSame((await sql`select from invite.delivery_queue`).length, 0);
  const [{ jobs } = { jobs: 0 }] = await sql`select count(*)::integer as jobs from invite.delivery_jobs`;
  t.equal(jobs, 0);
  const scores =
    await sql`select answers ->> 'nps' as nps, count(*)::integer as number from invite.responses group by 1 order by 1`;
  t.strictSame(
    [...scores],
    [
      { nps: '3', number: 10 },
      { nps: '9', number: 20 },
    ],
  );
});

t.test('nothing but an advance touches what is in a test workspace, whatever is tried', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Real' });
  await store.upsertSurvey({ workspaceId: real, title: 'Real', state: 'draft' });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: survey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const { hash, token } = await createTestToken(store, survey);
  const recipients = people('person', 3);
  // One held, then moved by an activation, and two queued.
  await store.acceptTestTrigger({ secretHash: hash, request: { recipients } }, 1000);
  const clocks = testClocksOn(database.connect(), await createWorker(store));
  await store.requestTestAdvance(workspace, { seconds: 1 });
  while ((await store.nextTestAdvance(workspace)) !== null) await clocks.advance(workspace);
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  await store.acceptTestTrigger({ secretHash: hash, request: { recipients: people('other', 3) } }, 1000);
  await sql`select invite.trigger(${token}, '["third@sim.invalid"]')`;
  const ids = (await sql`select id from invite.invitations where survey_id = ${survey} order by id`).map(({ id }) => Number(id));
  t.equal(ids.length, 7);
  t.ok(ids.every((id) => id >= 2 ** 52));
  const states = () =>
    sql`select invitation_id, number, status, attempts, sent_at from invite.messages where survey_id = ${survey} order by 1, 2`;

  await sql`select invite.queue_sends(array_agg(row(id, now())::invite.job_request)) from unnest(${ids}::bigint[]) as id`;
  t.strictSame([...(await sql`select job_id from invite.delivery_jobs`)], []);

  const { sent } = await startCountingWorker(t, url);
  await until('the activation is done', async () => {
    const waiting = await sql`select from invite.messages where survey_id = ${survey} and status = 'waiting'`;
    return waiting.length === 0;
  });
  const before = await states();
  // A job made by hand, the sweep and the healing long after all is due, and a settle and claim of a worker.
  await sql`select graphile_worker.add_job('send_invitations', json_build_object('invitation_ids', ${ids}::bigint[]))`;
  for (const at of ['1 minute', '400 days']) {
    await sql`select invite.sweep_invitations(at => now() + ${at}::text::interval), invite.heal_invitations(at => now() + ${at}::text::interval)`;
    await sql`select invite.close_surveys(at => now() + ${at}::text::interval)`;
  }
  t.strictSame(await store.claimInvitations(ids, await createWorker(store)), []);
  await until('the jobs are done', async () => {
    const jobs =
      await sql`select from graphile_worker._private_jobs as j join graphile_worker._private_tasks as k on k.id = j.task_id where k.identifier = 'send_invitations'`;
    return jobs.length === 0;
  });
  t.strictSame([...(await states())], [...before]);
  t.strictSame(sent, []);
  for (const view of ['delivery_queue', 'due_next_hour', 'broken_invariants', 'emails_per_minute'])
    t.strictSame([...(await sql.unsafe(`select * from invite.${view}`))], [], view);
  t.match(await store.queueMetrics(), { due: 0, waiting: 0, sending: 0 });
  t.match(await sql`select distinct unsent_reason from invite.unsent_messages where survey_id = ${survey}`, [
    { unsent_reason: 'ready' },
  ]);

  await store.requestTestAdvance(workspace, { seconds: 60 });
  await until('the clock has moved', async () => (await store.nextTestAdvance(workspace)) === null);
  t.strictSame((await sql`select from invite.test_emails where workspace_id = ${workspace}`).length, 7);
  t.strictSame(sent, []);
  const events =
    await sql`select type, count(*)::integer as number from invite.list_events(0, 1000, ${workspace}) group by 1 order by 1`;
  t.match(Object.fromEntries(events.map(({ type, number }) => [type, number])), { 'invitation.sent': 7 });
});

t.test('two advances of one workspace are done one after the other, and of two workspaces beside each other', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Two' });
  await store.upsertSurvey({ workspaceId: real, title: 'Two', state: 'active' });
  const [one, other] = [await store.createTestWorkspace(real, undefined), await store.createTestWorkspace(real, undefined)];
  await startCountingWorker(t, url);
  const requests = await Promise.all(
    [one, one, other, one, other].map((workspace) => store.requestTestAdvance(workspace, { seconds: 3600 })),
  );
  await until('all have ended', async () => {
    const open = await sql`select from invite.test_advances where id = any (${requests}) and ended_at is null`;
    return open.length === 0;
  });
  const moved = await sql`
    select w.id, a.since <= a.until as forwards, lag(a.until) over (partition by w.id order by a.ended_at) <= a.until as in_order
    from invite.test_advances as a join invite.workspaces as w on w.id = a.workspace_id
    where a.id = any (${requests})`;
  t.ok(moved.every(({ forwards, in_order }) => forwards && in_order !== false));
});

t.test('a step that is broken off leaves nothing, and is done again', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Broken' });
  await store.upsertSurvey({ workspaceId: real, title: 'Broken', state: 'active' });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: survey, now } = { id: '', now: '' }] = await sql`
    select s.id, w.test_now::text as now from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where w.id = ${workspace}`;
  const { hash } = await createTestToken(store, survey);
  await store.acceptTestTrigger({ secretHash: hash, request: { recipients: people('responds-7', 5), reminders: [1] } }, 1000);
  const advance = await store.requestTestAdvance(workspace, { seconds: 3600 });
  await sql`delete from graphile_worker._private_jobs`;
  const session = await openSession(database);
  await session.sql`begin`;
  const broken = createStore(session.sql);
  const step = await broken.beginTestStep(advance);
  t.equal((await broken.claimInTest(step.due, await createWorker(store), step.at)).length, 5);
  // A request of the same workspace waits for the step; another's doesn't.
  const waiting = store.acceptTestTrigger({ secretHash: hash, request: { recipients: people('late', 1) } }, 1000);
  await session.sql`rollback`;
  t.match(await waiting, { outcome: 'accepted' });
  t.match(await sql`select test_now::text as now from invite.workspaces where id = ${workspace}`, [{ now }]);
  await testClocksOn(database.connect(), await createWorker(store)).advance(workspace);
  const emails = await sql`select count(*)::integer as number from invite.test_emails where workspace_id = ${workspace}`;
  t.match(emails, [{ number: 6 }], 'each once');
  const [{ attempts } = { attempts: 0 }] = await sql`
    select max(attempts) as attempts from invite.messages where survey_id = ${survey} and number = 0`;
  t.equal(attempts, 1);
});

t.test('a test workspace is full at 10,000 recipients, and its outbox goes with it', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Full' });
  await store.upsertSurvey({ workspaceId: real, title: 'Full', state: 'active' });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: survey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const { hash } = await createTestToken(store, survey);
  const invite = (count: number, name: string) =>
    store.acceptTestTrigger({ secretHash: hash, request: { recipients: people(name, count) } }, 100_000);
  for (let batch = 0; batch < 10; batch += 1) t.match(await invite(1000, `person${batch}`), { outcome: 'accepted' });
  t.match(await invite(1, 'more'), { outcome: 'flood_protection', retryAfterSeconds: null });
  await store.requestTestAdvance(workspace, { seconds: 1 });
  const clocks = testClocksOn(database.connect(), await createWorker(store));
  while ((await store.nextTestAdvance(workspace)) !== null) await clocks.advance(workspace);
  t.match(await sql`select count(*)::integer as number from invite.test_emails where workspace_id = ${workspace}`, [
    { number: 10_000 },
  ]);
  while ((await store.deleteWorkspace(workspace)).more);
  for (const table of ['test_emails', 'test_plans', 'test_advances'])
    t.strictSame([...(await sql.unsafe(`select * from invite.${table} where workspace_id = '${workspace}'`))], [], table);
  t.ok(await store.findWorkspace(real), 'the real one stays');
});

t.test('a refusal says how far to advance; simulated people and their subdomains are refused by real workspaces', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Refusing' });
  const survey = await store.upsertSurvey({ workspaceId: real, title: 'Refusing', state: 'active' });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: copy } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const { token, secret } = await createTestToken(store, copy);
  await store.updateTriggerToken(token, { cooldownSeconds: 90 });
  const server = await startTestServer(t, urlAs('invite_web'));
  const invite = (name: string) => server.post({ emails: [{ email: `${name}@sim.invalid` }] }, { secret });
  t.equal((await invite('first')).status, 200);
  const early = await invite('second');
  t.equal(early.status, 429);
  t.match(early.text, 'Advance the test clock by 90 seconds: POST /api/v1/test/advance {\\"by\\": \\"PT90S\\"}.');
  await store.requestTestAdvance(workspace, { seconds: 90 });
  const clocks = testClocksOn(database.connect(), await createWorker(store));
  while ((await store.nextTestAdvance(workspace)) !== null) await clocks.advance(workspace);
  t.equal((await invite('second')).status, 200);
  const { secret: realSecret, token: realToken } = await createToken(store, survey);
  for (const email of ['never@sim.invalid', 'never@Shop.SIM.invalid']) {
    t.equal((await server.post({ email }, { secret: realSecret })).status, 400, email);
    const direct = sql`select invite.trigger(${realToken}, ${sql.json([email])})`;
    t.match(await direct.catch((error: Error) => error.message), /invalid_recipient|recipient/, email);
  }
  t.equal((await server.post({ email: 'never@notsim.invalid' }, { secret: realSecret })).status, 200);
});

t.test('dates, deadlines and links end by the clock of the workspace', async (t) => {
  const real = await store.upsertWorkspace({ name: 'Ends' });
  const dated = await store.upsertSurvey({ workspaceId: real, title: 'Dated', state: 'active' });
  const held = await store.upsertSurvey({ workspaceId: real, title: 'Held', state: 'active' });
  const days = (number: number) => new Date(Date.now() + number * DAY).toISOString();
  await store.setSurveyEnds(dated, { closesAt: new Date(days(40)), linkDays: 10 });
  await store.setWorkspaceRules(real, { maxDelayHours: 48 });
  const workspace = await store.createTestWorkspace(real, undefined);
  const copies = await sql<
    { id: string; title: string }[]
  >`select id, title from invite.surveys where workspace_id = ${workspace}`;
  const copy = (title: string) => copies.find((survey) => survey.title === title)?.id ?? '';
  t.ok(held);
  const clocks = testClocksOn(database.connect(), await createWorker(store));
  const advance = async (number: number) => {
    const id = await store.requestTestAdvance(workspace, { seconds: number * 86_400 });
    while ((await store.nextTestAdvance(workspace)) !== null) await clocks.advance(workspace);
    return until('its events are published', async () => {
      await store.publishEvents(1000);
      return (await store.testResult(workspace, id)) ?? undefined;
    });
  };
  const [open, waiting] = [await createTestToken(store, copy('Dated')), await createTestToken(store, copy('Held'))];
  const request = { recipients: people('person', 1), reminders: [5, 20] };
  await store.acceptTestTrigger({ secretHash: open.hash, request }, 1000);
  await sql`select invite.set_survey_state(${copy('Held')}, 'closed')`;
  await store.acceptTestTrigger({ secretHash: waiting.hash, request: { recipients: people('held', 1) } }, 1000);
  t.match(await advance(3), { counts: { 'invitation.sent': 1, 'invitation.skipped': 1 } }, 'held for longer than two days');
  const [{ link } = { link: '' }] = await sql`
    select invite.link_token(i) as link from invite.invitations as i where i.survey_id = ${copy('Dated')}`;
  t.match(await store.surveyPage(copy('Dated'), link), { link: 'open' });
  t.match(await advance(8), { counts: { 'invitation.reminded': 1 } });
  t.match(await store.surveyPage(copy('Dated'), link), { link: 'expired' });
  const ended = await advance(31);
  t.match(
    ended,
    { counts: { 'survey.closed': 1, 'invitation.skipped': 1 } },
    'the second reminder comes after the link has expired',
  );
  const closed = ended?.happened.find(({ type }) => type === 'survey.closed');
  t.equal(closed?.code, 'closing_date');
  t.ok(Math.abs(Date.parse(String(closed?.at)) - Date.now() - 40 * DAY) < 600_000, String(closed?.at));
  t.match(await store.findSurvey(dated), { state: 'active' }, 'the real one goes on');
});

t.test('what was forecast happens, message by message, to the minute', async (t) => {
  const ZONES = ['Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Apia'];
  const real = await store.upsertWorkspace({ name: 'Forecast' });
  await store.upsertSurvey({ workspaceId: real, title: 'Forecast', state: 'draft' });
  await store.setWorkspaceRules(real, { restDays: 5, openHours: OFFICE, timeZone: 'Europe/Oslo', maxDelayHours: 240 });
  const workspace = await store.createTestWorkspace(real, undefined);
  const [{ id: survey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${workspace}`;
  const { hash } = await createTestToken(store, survey);
  const clocks = testClocksOn(database.connect(), await createWorker(store));
  const advance = async (by: Parameters<typeof store.requestTestAdvance>[1]) => {
    await store.requestTestAdvance(workspace, by);
    while ((await store.nextTestAdvance(workspace)) !== null) await clocks.advance(workspace);
  };
  await advance({ until: monday() });
  // Some are invited three times, so that the second rests and the third is too late.
  for (const [round, hours] of [0, 30, 60].entries())
    await store.acceptTestTrigger(
      {
        secretHash: hash,
        request: {
          recipients: people('person', round === 0 ? 40 : 10).map(({ email }, index) => ({ email, time_zone: ZONES[index % 6] })),
          sendInSeconds: hours * 3600,
        },
      },
      1000,
    );
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  const forecast = await sql`
    select f.invitation_id::text as id, to_char(f.leaves_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, f.reason
    from invite.workspaces as w
    join invite.surveys as s on s.workspace_id = w.id
    cross join lateral invite.forecast_messages(w, s, 1000, w.test_now, true) as f
    where w.id = ${workspace}
    order by f.invitation_id`;
  t.equal(forecast.length, 60);
  t.ok(forecast.some(({ reason }) => reason !== null));
  t.ok(new Set(forecast.map(({ at }) => at)).size > 3);
  await advance({ seconds: 30 * 86_400 });
  const actual = await sql`
    select m.invitation_id::text as id, to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at, m.rule as reason
    from invite.messages as m where m.survey_id = ${survey} order by m.invitation_id`;
  t.strictSame([...actual], [...forecast]);
});
