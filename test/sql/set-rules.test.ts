// Setting the rules about when emails may leave: what is given changes, what is wrong is rejected by its name, and the audit log says what changed.
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import type { WorkspaceRules } from '../../src/database/store.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

const { sql, store, connect } = await createTestDatabase(t);

const UNSET = { rest_days: null, open_hours: null, time_zone: null, closed_days: null, max_delay_hours: null };
const RULES: WorkspaceRules = {
  restDays: 30,
  openHours: '{[480,1200),[6240,10080)}',
  timeZone: 'America/Argentina/ComodRivadavia',
  closedDays: '{[2026-12-24,2026-12-27),[2027-01-01,2027-01-02)}',
  maxDelayHours: 168,
};
const STORED = {
  rest_days: 30,
  open_hours: '{[480,1200),[6240,10080)}',
  time_zone: 'America/Argentina/ComodRivadavia',
  closed_days: '{[2026-12-24,2026-12-27),[2027-01-01,2027-01-02)}',
  max_delay_hours: 168,
};

t.test('nothing is set at first; what is given changes, what is left out stays, null removes', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  t.match(await store.findWorkspace(workspace), UNSET);
  t.match(await store.findSurvey(survey), { time_zone: null, max_delay_hours: null });
  await store.setWorkspaceRules(workspace, RULES);
  t.match(await store.findWorkspace(workspace), STORED);
  await store.setWorkspaceRules(workspace, { restDays: 7, openHours: null });
  t.match(await store.findWorkspace(workspace), { ...STORED, rest_days: 7, open_hours: null });
  await store.setWorkspaceRules(workspace, {
    restDays: null,
    timeZone: null,
    closedDays: null,
    maxDelayHours: null,
  });
  t.match(await store.findWorkspace(workspace), UNSET);
  await store.setSurveyRules(survey, { timeZone: 'Asia/Tokyo', maxDelayHours: 48 });
  await store.setSurveyRules(survey, { maxDelayHours: null });
  t.match(await store.findSurvey(survey), { time_zone: 'Asia/Tokyo', max_delay_hours: null });
  t.equal(await sqlstate(store.setWorkspaceRules('none', {})), 'P0002');
  t.equal(await sqlstate(store.setSurveyRules('none', {})), 'P0002');
});

t.test('a value that a rule may not have is rejected by a name that has words', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const wrong: Record<string, Partial<Record<keyof WorkspaceRules | 'nmae', unknown>>[]> = {
    workspaces_rest_days_range: [{ restDays: 0 }, { restDays: 366 }, { restDays: -1 }],
    workspaces_max_delay_hours_range: [{ maxDelayHours: 0 }, { maxDelayHours: 8761 }],
    workspaces_time_zone_known: [
      { timeZone: '' },
      { timeZone: 'Tokio+3' },
      { timeZone: 'Europe/Berlinn' },
      { timeZone: 'x'.repeat(65) },
    ],
    workspaces_open_hours_form: [
      { openHours: '{}' },
      { openHours: '{[480,490)}' },
      { openHours: '{[487,495)}' },
      { openHours: '{[-15,15)}' },
      { openHours: '{[0,10095)}' },
      { openHours: '{(,15)}' },
      { openHours: '{[15,)}' },
    ],
    workspaces_closed_days_form: [{ closedDays: '{}' }, { closedDays: '{[2030-01-01,)}' }, { closedDays: '{(,2030-01-01]}' }],
    workspaces_closed_days_many: [
      { closedDays: `{${Array.from({ length: 1001 }, (_, day) => `[${date(2 * day)},${date(2 * day)}]`)}}` },
    ],
    workspaces_unknown_rule: [{ nmae: 1 }],
  };
  for (const [rule, values] of Object.entries(wrong)) {
    t.ok(constraintMessage({ constraint_name: rule }), `${rule} has words`);
    for (const value of values)
      t.equal(
        await constraint(store.setWorkspaceRules(workspace, value as WorkspaceRules)),
        rule,
        JSON.stringify(value).slice(0, 80),
      );
  }
  t.match(await store.findWorkspace(workspace), UNSET);
  for (const [rule, value] of Object.entries({
    surveys_time_zone_known: { timeZone: 'Tokio+3' },
    surveys_max_delay_hours_range: { maxDelayHours: 0 },
    surveys_unknown_rule: { restDays: 3 },
  })) {
    t.ok(constraintMessage({ constraint_name: rule }), `${rule} has words`);
    t.equal(await constraint(store.setSurveyRules(survey, value as never)), rule);
  }
  // The ends of each range.
  for (const rules of [
    { restDays: 1, maxDelayHours: 1, openHours: '{[0,15)}' },
    { restDays: 365, maxDelayHours: 8760, openHours: '{[0,10080)}' },
  ])
    await store.setWorkspaceRules(workspace, rules);
  await store.setWorkspaceRules(workspace, { restDays: null });
});

const date = (days: number): string => new Date(Date.UTC(2030, 0, 1 + days)).toISOString().slice(0, 10);

t.test('a rest is never longer than batches are kept, whichever is set first', async (t) => {
  const { workspace } = await createSurvey(store);
  t.teardown(() => store.setRetention('batches', null));
  await store.setRetention('batches', 30);
  t.equal(await constraint(store.setWorkspaceRules(workspace, { restDays: 31 })), 'workspaces_rest_days_kept');
  await store.setWorkspaceRules(workspace, { restDays: 30 });
  t.equal(await constraint(store.setRetention('batches', 29)), 'retention_days_rest');
  await store.setRetention('responses', 29);
  await store.setRetention('batches', 60);

  // Two at the same time: the second sees the first.
  const [first, second] = [connect(), connect()];
  for (const order of ['rest', 'retention']) {
    await store.setWorkspaceRules(workspace, { restDays: 30 });
    const [{ pid } = { pid: 0 }] = await second`select pg_backend_pid() as pid`;
    const rest = (on: typeof first) => on`select invite.set_workspace_rules(${workspace}, '{"rest_days": 60}')`;
    const retention = (on: typeof first) => on`select invite.set_retention('batches', 40)`;
    const [one, other] = order === 'rest' ? [rest, retention] : [retention, rest];
    await first`begin`;
    await one(first);
    const waiting = constraint(other(second));
    await until('the second waits for the first', async () => {
      const [row] = await sql`select cardinality(pg_blocking_pids(${pid})) > 0 as blocked`;
      return row?.blocked;
    });
    await first`commit`;
    t.equal(await waiting, order === 'rest' ? 'retention_days_rest' : 'workspaces_rest_days_kept', order);
    await store.setRetention('batches', 60);
  }
});

t.test('the audit log names what changed with its new value, and nothing of what changes nothing', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const owner = await createMember(store, workspace, 'owner');
  await store.setWorkspaceRules(workspace, RULES);
  await store.setWorkspaceRules(workspace, RULES);
  await store.setWorkspaceRules(workspace, { restDays: null, maxDelayHours: 24 });
  await store.setSurveyRules(survey, { timeZone: 'Asia/Tokyo' });
  await sql`update invite.workspaces set rest_days = 14 where id = ${workspace}`;
  const entries = await store.console.listAuditEntries(owner.session, workspace, undefined, 50);
  t.same(
    entries.filter(({ action }) => action === 'rules_changed').map(({ actor, subject, detail }) => [actor, subject, detail]),
    [
      ['cli', 'Acme', { changed: ['rest_days'], rest_days: 14 }],
      ['cli', 'Customer survey', { changed: ['time_zone'], time_zone: 'Asia/Tokyo' }],
      ['cli', 'Acme', { changed: ['max_delay_hours', 'rest_days'], max_delay_hours: 24 }],
      ['cli', 'Acme', { changed: ['closed_days', 'max_delay_hours', 'open_hours', 'rest_days', 'time_zone'], ...STORED }],
    ],
  );
});

t.test('the list of surveys counts what rests and what waits for hours, up to a bound, and until when', async (t) => {
  const recipients = Array.from({ length: 6 }, (_, index) => ({ email: `p${index}@example.com` }));
  const { workspace, survey } = await createBatch(store, { recipients });
  const editor = await createMember(store, workspace, 'editor', 'editor@example.com');
  const viewer = await createMember(store, workspace, 'viewer', 'viewer@example.com');
  const putOff = async () => (await store.console.listSurveys(editor.session, workspace))[0]?.putOff;
  t.same(await putOff(), {});
  const at = (days: number) => new Date(Date.UTC(2999, 0, days)).toISOString();
  const rows: [rule: string | null, notBefore: string][] = [
    ['resting', at(3)],
    ['resting', at(1)],
    ['outside_hours', at(2)],
    // It is looked at again now.
    ['outside_hours', '2000-01-01T00:00:00Z'],
    [null, at(4)],
    ['resting', at(9)],
  ];
  const ids = await sql`select id from invite.invitations where survey_id = ${survey} order by id`;
  for (const [index, [rule, notBefore]] of rows.entries())
    await sql`update invite.messages set rule = ${rule}, not_before = ${notBefore} where invitation_id = ${ids[index]?.id}`;
  await sql`
    update invite.messages set status = 'skipped', skipped_at = now(), not_before = null, sweep_at = null
    where invitation_id = ${ids[5]?.id}`;
  const shown = await putOff();
  t.match(shown, { resting: { number: 2 }, outside_hours: { number: 1 } });
  const times = [shown?.resting?.first_at, shown?.resting?.last_at, shown?.outside_hours?.first_at];
  t.same(
    times.map((text) => new Date(text ?? '').toISOString()),
    [at(1), at(3), at(2)],
  );
  t.match((await store.console.listSurveys(editor.session, workspace))[0]?.unsent, { queued: 5, skipped: 1 });
  const [bounded] = await sql`select put_off from console.surveys(${editor.session}, ${workspace}, max_unsent => 1)`;
  t.match(bounded?.put_off, { resting: { number: 1 } });
  t.equal((await store.console.listSurveys(viewer.session, workspace))[0]?.putOff, null);
});
