// What rules would do to the emails that wait, before they are saved: how many would be skipped, how many would leave later, and until when.
import t from 'tap';
import type { WorkspaceRules } from '../../src/database/store.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);

/** A Monday, 07:00 in Berlin. */
const NOW = '2030-01-07 06:00Z';
const HOURS = '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}';

async function setup(recipients: readonly { email: string }[], token: Parameters<typeof createToken>[2] = {}) {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey, token);
  await acceptTrigger(store, hash, { recipients }, 10_000);
  await sql`update invite.messages set due_at = ${NOW}, not_before = ${NOW} where survey_id = ${survey}`;
  const owner = await createMember(store, workspace, 'owner', `owner-${survey}@example.com`);
  const estimate = async (rules: Partial<Record<keyof Snake, unknown>>, surveyId: string | null = null, max = 10_001) => {
    const [row] = await sql`
      select * from console.estimate_rules(${owner.session}, ${workspace}, ${sql.json(rules as never)}, ${surveyId}, ${max}, ${NOW})`;
    return { ...row };
  };
  return { workspace, survey, hash, owner, estimate };
}
interface Snake {
  rest_days: unknown;
  open_hours: unknown;
  closed_days: unknown;
  time_zone: unknown;
  max_delay_hours: unknown;
}
const people = (count: number, name = 'p') =>
  Array.from({ length: count }, (_, index) => ({ email: `${name}${index}@example.com` }));

t.test('without rules everything leaves as planned; hours delay until they open, in the zone that counts', async (t) => {
  const { survey, workspace, estimate } = await setup(people(3));
  t.match(await estimate({}), { looked_at: 3, skipped: 0, delayed: 0, delayed_until: null });
  t.match(await estimate({ open_hours: HOURS, time_zone: 'Europe/Berlin' }), {
    looked_at: 3,
    skipped: 0,
    delayed: 3,
    delayed_until: new Date('2030-01-07T07:00Z'),
  });
  await sql`
    update invite.invitations set time_zone = 'America/Argentina/ComodRivadavia' where survey_id = ${survey} and email = 'p0@example.com'`;
  t.match(await estimate({ open_hours: HOURS, time_zone: 'Asia/Tokyo' }), {
    delayed: 1,
    delayed_until: new Date('2030-01-07T11:00Z'),
  });
  const closed = { open_hours: HOURS, time_zone: 'Europe/Berlin', closed_days: '{[2030-01-07,2030-01-09)}' };
  t.match(await estimate(closed), { skipped: 0, delayed: 3, delayed_until: new Date('2030-01-09T11:00Z') });
  t.match(await estimate({ ...closed, max_delay_hours: 49 }), {
    skipped: 1,
    delayed: 2,
    delayed_until: new Date('2030-01-09T07:00Z'),
  });
  t.match(await estimate({ ...closed, closed_days: '{[2030-01-07,2032-01-09)}' }), { skipped: 3, delayed: 0 });
  await store.setWorkspaceRules(workspace, { openHours: HOURS, timeZone: 'Europe/Berlin' } satisfies Partial<WorkspaceRules>);
  t.match(await estimate({ time_zone: 'Asia/Tokyo' }, survey), { delayed: 1 });
  t.match(await estimate({ max_delay_hours: 1 }, survey), { skipped: 1, delayed: 2 });
});

t.test('a rest counts from the last accepted invitation to an address, and in what waits', async (t) => {
  const { survey, hash, estimate, workspace } = await setup([...people(2), { email: 'P0@example.com' }]);
  t.match(await estimate({ rest_days: 7 }), {
    looked_at: 3,
    skipped: 0,
    delayed: 1,
    delayed_until: new Date('2030-01-14T06:00Z'),
  });
  const other = await createToken(
    store,
    await store.upsertSurvey({ workspaceId: workspace, title: 'Other', state: 'active' }),
    {},
  );
  await acceptTrigger(store, other.hash, { recipients: [{ email: 'P1@example.com' }] }, 10_000);
  await sql`
    update invite.messages as m set status = 'sent', sent_at = '2030-01-05 06:00Z', not_before = null, sweep_at = null
    where m.survey_id <> ${survey} and m.invitation_id in (select i.id from invite.invitations as i where i.workspace_id = ${workspace})`;
  t.match(await estimate({ rest_days: 7 }), {
    looked_at: 3,
    skipped: 0,
    delayed: 2,
    delayed_until: new Date('2030-01-14T06:00Z'),
  });
  t.match(
    await estimate({ rest_days: 2 }),
    { delayed: 1, delayed_until: new Date('2030-01-09T06:00Z') },
    'exactly two days ago is rested',
  );
  t.match(await estimate({ rest_days: 7, max_delay_hours: 24 }), { skipped: 2, delayed: 0 });
  await sql`update invite.messages set unconfirmed_since = ${NOW} where survey_id = ${survey}`;
  t.match(await estimate({ rest_days: 7, open_hours: HOURS }), { skipped: 0, delayed: 0 }, 'an unknown outcome goes first');
  await sql`update invite.messages set unconfirmed_since = null, ignores_rest = true where survey_id = ${survey}`;
  t.match(await estimate({ rest_days: 7 }), { skipped: 0, delayed: 0 });
  await sql`update invite.messages set ignores_rest = false where survey_id = ${survey}`;
  await sql`update invite.trigger_tokens set ignores_rest = true where secret_hash = ${hash}`;
  t.match(await estimate({ rest_days: 7 }), { skipped: 0, delayed: 0 });
});

t.test('what is past the maximum delay is skipped; time before the first activation does not count', async (t) => {
  const { survey, estimate } = await setup(people(2));
  await sql`update invite.messages set due_at = ${NOW}::timestamptz - interval '49 hours', not_before = due_at - interval '49 hours' where survey_id = ${survey}`;
  t.match(await estimate({ max_delay_hours: 49 }), { skipped: 0, delayed: 0 });
  t.match(await estimate({ max_delay_hours: 48 }), { skipped: 2, delayed: 0 });
  await sql`update invite.messages set unconfirmed_since = ${NOW} where survey_id = ${survey} and invitation_id % 2 = 0`;
  t.match(await estimate({ max_delay_hours: 48 }), { skipped: 1, delayed: 0 }, 'what may have left is never skipped');
  await sql`update invite.messages set unconfirmed_since = null where survey_id = ${survey}`;
  await sql`update invite.surveys set activated_at = ${NOW}::timestamptz - interval '1 hour' where id = ${survey}`;
  t.match(await estimate({ max_delay_hours: 48 }), { skipped: 0 });
  await sql`update invite.surveys set activated_at = null, state = 'draft' where id = ${survey}`;
  t.match(await estimate({ max_delay_hours: 48 }), { skipped: 0 });
});

t.test('it looks at no more than it is told, at its own workspace, and changes nothing', async (t) => {
  const { workspace, survey, estimate, owner } = await setup(people(5));
  const elsewhere = await createBatch(store, { recipients: people(1) });
  const before =
    await sql`select w::text, (select count(*)::integer from graphile_worker.jobs) as jobs from invite.workspaces as w where id = ${workspace}`;
  t.match(await estimate({ max_delay_hours: 24 }, null, 3), { looked_at: 3 });
  t.same(
    await sql`select w::text, (select count(*)::integer from graphile_worker.jobs) as jobs from invite.workspaces as w where id = ${workspace}`,
    before,
  );
  t.equal(await sqlstate(estimate({}, elsewhere.survey)), 'P0002');
  t.equal(await constraint(estimate({ rest_days: 0 })), 'workspaces_rest_days_range');
  t.equal(await constraint(estimate({ time_zone: 'Tokio+3' })), 'workspaces_time_zone_known');
  t.equal(await constraint(estimate({ time_zone: 'Tokio+3' }, survey)), 'surveys_time_zone_known');
  const entries = await store.console.listAuditEntries(owner.session, workspace, undefined, 50);
  t.notOk(entries.some(({ action }) => action === 'rules_changed'));
});
