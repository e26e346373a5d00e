// A workspace moves whole, and a move that ends anywhere goes on or back. No PL/Proxy is needed: what a router does with its rows is tested elsewhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { type Moved, moveWorkspace, STEPS, type Step } from '../../src/cells/move.ts';
import { digestRows, movedTables, scopeOf } from '../../src/cells/tables.ts';
import { errorCode } from '../../src/database/pool.ts';
import { type FullWorkspace, fillWorkspace } from '../fixtures/full-workspace.ts';
import { adminUrl, createMovableCell, createRouterTables, type MovableCell, openCells } from '../fixtures/moves.ts';
import { createSurvey, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

async function createCells(t: Test) {
  const cells = [await createMovableCell(t, 'aaaa', 1), await createMovableCell(t, 'bbbb', 2)] as const;
  const [one, other] = cells;
  const router = await createRouterTables(t, cells);
  const move = (workspace: string, to: string, more: Parameters<typeof moveWorkspace>[4] = {}): Promise<Moved> =>
    moveWorkspace(router.sql, openCells(cells), workspace, to, { waitSeconds: 20, ...more });
  const routes = async () =>
    (await router.sql`select distinct cell, is_moving as moving from invite_router.moved`).map(({ cell, moving }) => ({
      cell,
      moving,
    }));
  return { one, other, router, move, routes };
}

/** What a cell has of a workspace, by table, as it is. What a move changes is left out. */
async function contents({ admin }: MovableCell, workspace: string): Promise<Record<string, string>> {
  const scope = await scopeOf(admin, workspace);
  const all: Record<string, string> = {};
  for (const table of await movedTables(admin)) {
    const kept = table.columns.filter((column) => !['moved_to', 'epoch', 'is_moved'].includes(column));
    const [row] = await admin.unsafe(digestRows({ ...table, columns: kept }, scope, false));
    all[table.name] = `${row?.rows} ${row?.digest}`;
  }
  return all;
}

const emptied = (counts: Record<string, string>) => Object.values(counts).every((one) => one === '0 0');

t.test('everything that a workspace has moves, and it works there', async (t) => {
  const { one, other, move, routes } = await createCells(t);
  const bystander = await fillWorkspace(one);
  const local = await fillWorkspace(other);
  const full = await fillWorkspace(one);
  const [before, beside, there] = [
    await contents(one, full.workspace),
    await contents(one, bystander.workspace),
    await contents(other, local.workspace),
  ];
  const steps: Step[] = [];
  const moved = await move(full.workspace, 'bbbb', { onStep: (step) => void steps.push(step) });
  t.match(moved, { outcome: 'moved', from: 'aaaa', to: 'bbbb', rows: { invitations: 10, workspaces: 2 } });
  t.same(steps, STEPS);
  t.ok(Number(moved.pausedSeconds) < 20);
  const after = await contents(other, full.workspace);
  // The audit log has the move itself.
  t.same({ ...after, audit_log: '' }, { ...before, audit_log: '' });
  t.same(await contents(one, bystander.workspace), beside, 'others stay as they were');
  t.same(await contents(other, local.workspace), there);
  t.same(await routes(), [{ cell: 'bbbb', moving: false }]);
  t.match(await other.sql`select detail from invite.audit_log where action = 'workspace_moved'`, [
    { detail: { from: 'aaaa', to: 'bbbb' } },
  ]);

  await t.test('requests, links and responses', async (t) => {
    const replay = await acceptTrigger(other.store, full.hash, { recipients: [{ email: 'a@example.com' }] }, 10_000, {
      key: 'order-1',
      payloadHash: Buffer.alloc(32, 7),
    });
    t.match(replay, { outcome: 'accepted', replayed: true });
    t.match(await acceptTrigger(other.store, full.hash, { recipients: [{ email: 'new@example.com' }] }, 10_000), {
      outcome: 'accepted',
    });
    t.match(await other.store.submitResponse(full.survey, { score: 4 }, full.links[0]), { outcome: 'recorded' });
    t.match(await other.store.submitResponse(full.survey, { score: 4 }, full.links[1]), { outcome: 'already_responded' });
    const found =
      await other.sql`select invitation_id from invite.search_terms where term = any (invite.terms_of(${full.workspace}, '{"x": 1}'))`;
    t.same(
      found.map(({ invitation_id }) => Number(invitation_id)),
      [full.ids[1]],
    );
    t.equal(
      (await other.sql`select from invite.persons where workspace_id = ${full.workspace} and name like '%jorg%'`).length,
      1,
    );
  });

  await t.test('jobs: what is due leaves there, what a survey waits for is queued', async (t) => {
    const worker = await createWorker(other.store);
    const queued = await other.sql`
      select i.value::text as id from graphile_worker._private_jobs as j cross join json_array_elements(j.payload -> 'invitation_ids') as i`;
    const ids = queued.map(({ id }) => Number(id));
    t.ok(full.ids.filter((id) => id !== full.ids[0] && id !== full.ids[1] && id !== full.ids[2]).every((id) => ids.includes(id)));
    const claimed = await other.store.claimInvitations(full.ids, worker);
    t.equal(claimed.length, 4, 'seven were due, of which three were sent');
    await other.store.settleInvitations(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted' })));
  });

  await t.test('the old copy accepts, sends, shows and changes nothing', async (t) => {
    const refused = (call: () => PromiseLike<unknown>) => call().then(() => 'none', errorCode);
    const { sql, store } = one;
    for (const [what, call] of Object.entries({
      request: () => acceptTrigger(store, full.hash, { recipients: [{ email: 'a@example.com' }] }, 10_000),
      'SQL request': () => sql`select invite.trigger(${full.token}, '["a@example.com"]')`,
      'test request': () =>
        store.acceptTestTrigger({ secretHash: full.testToken.hash, request: { recipients: [{ email: 'a@sim.invalid' }] } }, 1000),
      response: () => store.submitResponse(full.survey, { score: 1 }, full.links[3]),
      'response without a link': () => store.submitResponse(full.survey, { score: 1 }, undefined),
      'recorded response': () => sql`select invite.record_response(${full.survey}, '{}')`,
      page: () => store.surveyPage(full.survey, full.links[3]),
      unsubscribe: () => store.unsubscribe(full.links[3] ?? ''),
      events: () => store.tokenEvents(full.hash, undefined, 10),
      workspace: () => store.upsertWorkspace({ id: full.workspace, name: 'Other' }),
      survey: () => store.upsertSurvey({ id: full.survey, workspaceId: full.workspace, title: 'Other' }),
      'a plain update': () => sql`update invite.surveys set state = 'closed' where id = ${full.survey}`,
      member: () => store.upsertMember(full.workspace, 'new@example.com', 'viewer'),
      token: () => sql`select invite.delete_trigger_token(${full.token})`,
      erasure: () => sql`select invite.erase_email(${full.workspace}, 'later@example.com')`,
      webhook: () => sql`select invite.set_webhook_paused(${full.endpoint.id}, true)`,
    }))
      t.equal(await refused(call), 'IT503', what);
    t.equal(
      await refused(() => store.console.surveyFrame(full.owner.session, full.survey, 'viewer')),
      'P0002',
      'nobody is a member here',
    );
    t.same(await store.claimInvitations(full.ids, await createWorker(store)), []);
    t.same(
      (await sql`select endpoint_id as id from invite.claim_webhooks(100, 60)`).filter(({ id }) => id === full.endpoint.id),
      [],
      'no webhook of it',
    );
    t.equal((await sql`select from invite.broken_invariants`).length, 0);
  });

  await t.test('read_events has in each cell what happened there', async (t) => {
    const read = async ({ sql }: MovableCell) =>
      (await sql`select (e).workspace_id as workspace from invite.read_events('crm', max_events => 10000) as e`).filter(
        ({ workspace }) => workspace === full.workspace,
      ).length;
    const [before] = await one.sql`select count(*)::integer as events from invite.events where workspace_id = ${full.workspace}`;
    t.equal(await read(one), before?.events);
    await other.store.publishEvents(1000);
    const [after] =
      await other.sql`select count(*)::integer as events from invite.events where workspace_id = ${full.workspace} and not is_moved`;
    t.ok(after?.events > 0);
    t.equal(await read(other), after?.events);
    t.equal((await other.sql`select from invite.event_consumer_lag where lost > 0`).length, 0);
  });

  await t.test('it moves back, with all that came to it, over its old copy', async (t) => {
    const before = await contents(other, full.workspace);
    await move(full.workspace, 'aaaa');
    t.same({ ...(await contents(one, full.workspace)), audit_log: '' }, { ...before, audit_log: '' });
    t.same(await routes(), [{ cell: 'aaaa', moving: false }]);
    t.same(await one.sql`select from invite.moved_workspaces`, []);
    t.match(await acceptTrigger(one.store, full.hash, { recipients: [{ email: 'back@example.com' }] }, 10_000), {
      outcome: 'accepted',
    });
  });

  await t.test('the old copy is erased when its time has come, to the last row', async (t) => {
    const jobs =
      await other.sql`select key, run_at > now() + interval '23 hours' as later from graphile_worker.jobs where task_identifier = 'erase_old_copy'`;
    t.same(jobs, [{ key: `erase_old_copy ${full.workspace}`, later: true }]);
    while ((await other.store.eraseOldCopy(full.workspace)).more);
    t.ok(emptied(await contents(other, full.workspace)));
    t.same(await other.sql`select from invite.workspaces where id = ${full.workspace}`, []);
    t.match(
      await other.sql`select cell, erased_at is not null as erased from invite.moved_workspaces where workspace_id = ${full.workspace}`,
      [{ cell: 'aaaa', erased: true }],
    );
    t.same(await contents(other, local.workspace), there);
    t.same(await one.store.eraseOldCopy(full.workspace), { deleted: 0, sending: 0, more: false }, 'what is here is not erased');
  });
});

t.test('cursors stay valid, there and back', async (t) => {
  const { one, other, move } = await createCells(t);
  const full = await fillWorkspace(one);
  // Its numbers are lower than those of the other cell, and then higher.
  for (let index = 0; index < 3; index += 1) await fillWorkspace(other);
  const seen: string[] = [];
  let cursor: string | undefined;
  const page = async ({ store }: MovableCell): Promise<number> => {
    const found = await store.tokenEvents(full.hash, cursor, 3);
    if (found === undefined || found === 'unknown_cursor') throw new Error(`the cursor is ${found}`);
    seen.push(...found.events.map((event) => (event as { id: string }).id));
    cursor = found.next;
    return found.events.length;
  };
  const happens = async ({ store }: MovableCell, email: string) => {
    await acceptTrigger(store, full.hash, { recipients: [{ email }] }, 10_000);
    await store.publishEvents(1000);
  };
  await page(one);
  for (const [cell, name] of [
    [other, 'bbbb'],
    [one, 'aaaa'],
    [other, 'bbbb'],
  ] as const) {
    await move(full.workspace, name);
    await happens(cell, `${name}@example.com`);
    while ((await page(cell)) > 0);
  }
  const rows = await other.sql`select id from invite.events where survey_id = ${full.survey} order by position`;
  t.same(
    seen,
    rows.map(({ id }) => id),
  );
  await other.admin`select invite.renew_epoch(true)`;
  t.equal(await other.store.tokenEvents(full.hash, cursor, 3), 'unknown_cursor', 'but not after a restore');
});

t.test('killed at each step, it goes on or back', async (t) => {
  const { one, other, router, move, routes } = await createCells(t);
  const urls = [one, other].map(adminUrl).join(',');
  const killed = async (full: FullWorkspace, step: Step) => {
    const child = spawn(process.execPath, ['test/fixtures/move-child.ts', router.url, urls, full.workspace, 'bbbb', step], {
      stdio: 'inherit',
    });
    const [, signal] = await once(child, 'exit');
    t.equal(signal, 'SIGKILL', step);
    // The connections of the process may still be open for a moment.
    await until('its connections have ended', async () => {
      const left =
        await router.sql`select from pg_stat_activity where application_name = 'invitation-trigger cell' and datname in (${new URL(router.url).pathname.slice(1)})`;
      return left.length === 0;
    });
    const cells = await Promise.all(
      [one, other].map(async ({ sql, home }) =>
        (await sql`select from invite.workspaces where id = ${full.workspace} and moved_to is null`).length > 0
          ? home
          : undefined,
      ),
    );
    const arrived = cells.filter((home) => home !== undefined);
    t.ok(arrived.length <= 1, 'never in two cells');
    return arrived[0];
  };
  const full = await fillWorkspace(one);
  const arrives = async (t: Test, cell: MovableCell, before: Record<string, string>) => {
    t.same({ ...(await contents(cell, full.workspace)), audit_log: '' }, { ...before, audit_log: '' });
    t.match(await acceptTrigger(cell.store, full.hash, { recipients: [{ email: 'new@example.com' }] }, 10_000), {
      outcome: 'accepted',
    });
    await cell.store.publishEvents(1000);
    t.same(
      (await routes()).filter(({ moving }) => moving),
      [],
    );
  };
  // Once it has arrived, going back is another move.
  for (const step of ['prepared', 'refused', 'paused', 'settled', 'copied', 'arrived'] satisfies Step[]) {
    await t.test(`back, from ${step}`, async (t) => {
      const before = await contents(one, full.workspace);
      const cell = await killed(full, step);
      t.equal(
        cell,
        { prepared: 'aaaa', refused: 'aaaa', paused: undefined, settled: undefined, copied: undefined, arrived: 'bbbb' }[step],
      );
      t.match(await move(full.workspace, 'aaaa'), { to: 'aaaa' });
      await arrives(t, one, before);
    });
  }
  for (const step of STEPS) {
    await t.test(`on, from ${step}`, async (t) => {
      const before = await contents(one, full.workspace);
      await killed(full, step);
      t.match(await move(full.workspace, 'bbbb'), { outcome: /moved|there_already/ });
      await arrives(t, other, before);
      t.match(await one.sql`select cell from invite.moved_workspaces where workspace_id = ${full.workspace}`, [{ cell: 'bbbb' }]);
      await move(full.workspace, 'aaaa');
    });
  }
});

t.test('what changes after most of it was copied moves as it is at the end', async (t) => {
  const { one, other, move } = await createCells(t);
  const full = await fillWorkspace(one);
  let before: Record<string, string> = {};
  const change = async () => {
    t.match(await other.sql`select cell, erased_at from invite.moved_workspaces where workspace_id = ${full.workspace}`, [
      { cell: 'aaaa', erased_at: null },
    ]);
    t.same(
      await other.sql`select from invite.members where workspace_id = ${full.workspace}`,
      [],
      'nobody can sign in to the copy',
    );
    t.equal(
      await acceptTrigger(other.store, full.hash, { recipients: [{ email: 'a@b.example' }] }, 100).then(() => 'none', errorCode),
      'IT503',
    );
    t.same(await other.sql`select from invite.broken_invariants`, []);
    const worker = await createWorker(one.store);
    const claimed = await one.store.claimInvitations(full.ids.slice(4), worker);
    await one.store.settleInvitations(claimed.map(({ id, claimId }) => ({ id, claim_id: claimId, outcome: 'accepted' })));
    await acceptTrigger(one.store, full.hash, { recipients: [{ email: 'meanwhile@example.com', name: 'Šárka' }] }, 10_000);
    await one.sql`select invite.erase_email(${full.workspace}, 'later@example.com')`;
    await one.sql`delete from invite.suppressions where workspace_id = ${full.workspace}`;
    await one.sql`update invite.surveys set title = 'Another' where id = ${full.survey}`;
    await one.sql`select invite.delete_webhook_endpoint(${full.endpoint.id})`;
    await one.store.publishEvents(1000);
    before = await contents(one, full.workspace);
  };
  await move(full.workspace, 'bbbb', { onStep: (step) => (step === 'prepared' ? change() : undefined) });
  t.same({ ...(await contents(other, full.workspace)), audit_log: '' }, { ...before, audit_log: '' });
  t.same(await other.sql`select from invite.moved_workspaces where workspace_id = ${full.workspace}`, []);
  t.equal((await other.sql`select from invite.persons where workspace_id = ${full.workspace} and name = 'sarka'`).length, 1);
  t.same(
    await other.store.eraseOldCopy(full.workspace),
    { deleted: 0, sending: 0, more: false },
    'the job of the copy does nothing',
  );
});

t.test('it waits for what is on its way, and goes back if that lasts', async (t) => {
  const { one, other, move, routes } = await createCells(t);
  const full = await fillWorkspace(one);
  const isHere = async () =>
    (await one.sql`select from invite.workspaces where id = ${full.workspace} and moved_to is null`).length === 1;

  await t.test('emails that a worker has', async (t) => {
    const worker = await createWorker(one.store);
    const claimed = await one.store.claimInvitations(full.ids.slice(3, 4), worker);
    await t.rejects(move(full.workspace, 'bbbb', { waitSeconds: 0.2 }), { message: /sending 1 of its emails/ });
    while ((await other.store.eraseOldCopy(full.workspace)).more);
    t.ok(emptied(await contents(other, full.workspace)), 'what was copied beforehand is erased');
    t.ok(await isHere());
    t.same(await routes(), [{ cell: 'aaaa', moving: false }]);
    const steps: Step[] = [];
    const moving = move(full.workspace, 'bbbb', { onStep: (step) => void steps.push(step) });
    await until('it is paused', () => steps.includes('paused'));
    t.same(await one.store.claimInvitations(full.ids.slice(4), worker), [], 'no others are claimed');
    await one.store.settleInvitations([{ id: claimed[0]?.id ?? '', claim_id: claimed[0]?.claimId ?? '', outcome: 'accepted' }]);
    await moving;
    const [row] = await other.sql`select status from invite.messages where invitation_id = ${full.ids[3] ?? 0} and number = 0`;
    t.equal(row?.status, 'sent');
    t.equal(
      (await other.sql`select from invite.events where invitation_id = ${full.ids[3] ?? 0} and type = 'invitation.sent'`).length,
      1,
    );
    await move(full.workspace, 'aaaa');
  });

  await t.test("the product's transaction that began before", async (t) => {
    const product = one.connect();
    await product`begin`;
    await product`select invite.trigger(${full.token}, '["in-transaction@example.com"]')`;
    await t.rejects(move(full.workspace, 'bbbb', { waitSeconds: 0.2 }), {
      message: /transaction that began before is open in cell aaaa \(process \d+, tests\)/,
    });
    t.ok(await isHere());
    const moving = move(full.workspace, 'bbbb');
    await until('it is paused', async () => !(await isHere()));
    await product`commit`;
    await moving;
    t.equal(
      (await other.sql`select from test.invitations where email = 'in-transaction@example.com'`).length,
      1,
      'what it invited has moved',
    );
    await move(full.workspace, 'aaaa');
  });
});

t.test('what cannot move is refused before anything is paused', async (t) => {
  const { one, other, router, move } = await createCells(t);
  const { workspace } = await createSurvey(one.store);
  await t.rejects(move('nothing', 'bbbb'), { message: 'No cell of CELL_URLS has a workspace nothing.' });
  await t.rejects(move(workspace, 'cccc'), { message: /no address of a cell cccc/ });
  const test = String((await one.sql`select invite.create_test_workspace(${workspace}) as id`)[0]?.id);
  await t.rejects(move(test, 'bbbb'), { message: new RegExp(`moves with ${workspace}`) });
  await one.sql`insert into invite.plans (id, api_trigger) values ('gold', true)`;
  await one.sql`update invite.workspaces set plan_id = 'gold' where id = ${workspace}`;
  await t.rejects(move(workspace, 'bbbb'), { message: /no plan gold/ });
  await other.sql`insert into invite.plans (id, api_trigger) values ('gold', true)`;
  await other.sql`alter table invite.members add column nickname text`;
  await t.rejects(move(workspace, 'bbbb'), { message: /run migrate in both/ });
  await other.sql`alter table invite.members drop column nickname`;
  await router.sql`delete from invite_router.cells where home = 'bbbb'`;
  await t.rejects(move(workspace, 'bbbb'), { message: /router has no cell bbbb/ });
  await router.sql`insert into invite_router.cells (home) values ('bbbb')`;
  await other.store.upsertWorkspace({ name: 'Taken' });
  const { survey } = await createSurvey(one.store);
  const [row] = await one.sql`select workspace_id from invite.surveys where id = ${survey}`;
  const [taken] = await other.sql`select id from invite.workspaces limit 1`;
  await other.sql`insert into invite.surveys (id, workspace_id, title) values (${survey}, ${taken?.id}, 'Same id')`;
  await t.rejects(move(String(row?.workspace_id), 'bbbb'), { message: /something of the same id/ });
  t.equal((await one.sql`select from invite.workspaces where moved_to is not null`).length, 0);
  t.match(await move(workspace, 'bbbb'), { outcome: 'moved' });
  t.match(await move(workspace, 'bbbb'), { outcome: 'there_already' });
});
