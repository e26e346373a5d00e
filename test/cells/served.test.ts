// What the customers of a workspace see before, while and after it moves, through a router. Skipped where PL/Proxy isn't installed.
import t from 'tap';
import { withCells } from '../../src/cells/addresses.ts';
import { moveWorkspace, type Step } from '../../src/cells/move.ts';
import { createWebhookSender } from '../../src/events/webhook-sender.ts';
import { surveyLink, unsubscribeLink } from '../../src/mail/links.ts';
import { fillWorkspace } from '../fixtures/full-workspace.ts';
import { startTestServer } from '../fixtures/http.ts';
import { openSession, visit } from '../fixtures/members.ts';
import { adminUrl } from '../fixtures/moves.ts';
import { run, runJson } from '../fixtures/program.ts';
import { createReceiver } from '../fixtures/receiver.ts';
import { createCell, createRouter, missingPlproxy } from '../fixtures/router.ts';
import { until } from '../fixtures/setup.ts';
import { startCountingWorker } from '../fixtures/test-workspaces.ts';
import { keys } from '../fixtures/webhooks.ts';

t.test('a workspace moves while it is used', { skip: missingPlproxy }, async (t) => {
  const [one, other] = await Promise.all([createCell(t, 'aaaa', 1), createCell(t, 'bbbb', 2)]);
  const router = await createRouter(t, [one, other]);
  const receiver = await createReceiver(t);
  const full = await fillWorkspace(one, receiver.url);
  const bystander = await fillWorkspace(one, receiver.url);
  const server = await startTestServer(t, router.url);
  await until('it is ready', async () => (await fetch(`${server.url}/readyz`)).status === 200);
  const env = { DATABASE_URL: router.admin, CELL_URLS: `${adminUrl(one)} ${adminUrl(other)}` };
  const events = async (after?: string) => {
    const response = await fetch(`${server.url}/api/events?limit=1000${after === undefined ? '' : `&after=${after}`}`, {
      headers: { authorization: `Bearer ${full.secret}` },
    });
    return { status: response.status, ...((await response.json()) as { events?: { id: string }[]; next?: string }) };
  };
  const first = await events();
  const cursor = first.next ?? '';

  /** The statuses of each kind of call. */
  async function answers(index: number) {
    const responses = {
      request: await fetch(`${server.url}/api/invitation-trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${full.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `p${index}@example.com` }),
      }),
      link: await fetch(surveyLink(`${server.url}/s/${full.survey}`, full.links[4] ?? '')),
      'survey without a link': await fetch(`${server.url}/s/${full.survey}`),
      response: await fetch(`${server.url}/s/${full.survey}`, {
        method: 'POST',
        body: new URLSearchParams({ 'answer.score': '7' }),
        redirect: 'manual',
      }),
      unsubscribe: await fetch(unsubscribeLink(server.url, full.links[4] ?? '')),
      events: await fetch(`${server.url}/api/events?after=${cursor}`, { headers: { authorization: `Bearer ${full.secret}` } }),
      test: await fetch(`${server.url}/api/v1/test/clock`, { headers: { authorization: `Bearer ${full.testToken.secret}` } }),
    };
    const retries = Object.values(responses).map((one) => one.headers.get('retry-after'));
    return { statuses: Object.fromEntries(Object.entries(responses).map(([kind, one]) => [kind, one.status])), retries };
  }
  const works = {
    request: 200,
    link: 200,
    'survey without a link': 200,
    response: 303,
    unsubscribe: 200,
    events: 200,
    test: 200,
  };
  const refused = Object.fromEntries(Object.keys(works).map((kind) => [kind, 503]));

  t.same((await answers(0)).statuses, works, 'before');
  const during: Step[] = [];
  await withCells(env.CELL_URLS.split(' '), (cells) =>
    moveWorkspace(router.sql, cells, full.workspace, 'bbbb', {
      onStep: async (step) => {
        if (!['refused', 'settled', 'arrived'].includes(step)) return;
        during.push(step);
        const { statuses, retries } = await answers(1);
        // Without a link, cell after cell is asked: the old one responds until it is paused, and the new one once it has arrived.
        const open = { 'survey without a link': 200, response: 303 };
        t.same(statuses, step === 'settled' ? refused : { ...refused, ...open }, step);
        for (const seconds of retries) t.ok(seconds === null ? step !== 'settled' : Number(seconds) <= 10, `${step}: ${seconds}`);
        const page = await visit(server.url, `/workspaces/${full.workspace}`, full.owner);
        t.equal(page.status, step === 'refused' ? 200 : 503, `${step}: a page`);
        t.equal((await visit(server.url, `/workspaces/${bystander.workspace}`, bystander.owner)).status, 200);
        t.equal((await fetch(unsubscribeLink(server.url, bystander.links[4] ?? ''))).status, 200);
        t.equal((await fetch(`${server.url}/readyz`)).status, 200);
      },
    }),
  );
  t.same(during, ['refused', 'settled', 'arrived']);
  t.same((await answers(2)).statuses, works, 'after');
  const before = await one.sql`select count(*)::integer as batches from invite.batches where survey_id = ${full.survey}`;
  const after = await other.sql`select count(*)::integer as batches from invite.batches where survey_id = ${full.survey}`;
  t.same([before[0]?.batches, after[0]?.batches], [3, 4], 'what was refused is nowhere');

  await t.test('what is out works while the old cell is down', async (t) => {
    one.proxy.redirect('postgres://127.0.0.1:1/nothing');
    t.same((await answers(3)).statuses, works);
    one.proxy.redirect(one.urlAs('invite_web'));
  });

  await t.test('a reader goes on with its cursor, and each event arrives by webhook with its id', async (t) => {
    const sender = createWebhookSender(['127.0.0.1/32']);
    t.teardown(() => sender.close());
    const { sent } = await startCountingWorker(t, other.url, { webhooks: { sender, keys, schedule: [1, 1] } });
    await until(
      'what was due has left',
      async () =>
        (
          await other.sql`select from invite.messages where status in ('queued', 'sending') and not_before <= now() and not invite.is_test(invitation_id)`
        ).length === 0,
    );
    t.ok(sent.includes('p0@example.com') && sent.includes('p2@example.com') && !sent.includes('p1@example.com'));
    // Members may get several emails.
    const invited = sent.filter((email) => /^p\d/.test(email));
    t.equal(new Set(invited).size, invited.length, 'nothing is sent twice');
    // The worker publishes, too: while it does, a call here takes nothing.
    await until('all is published', async () => {
      await other.store.publishEvents(1000);
      return (await other.sql`select from invite.new_events limit 1`).length === 0;
    });
    const page = await events(cursor);
    t.ok((page.events ?? []).length > 0);
    const all = await other.sql`select id, type from invite.events where survey_id = ${full.survey} order by position`;
    t.same(
      [...(first.events ?? []), ...(page.events ?? [])].map(({ id }) => id),
      all.map(({ id }) => id),
    );
    const received = () => receiver.calls.map(({ headers }) => String(headers['webhook-id']));
    // An endpoint that takes all events gets a low score with its response.
    const wanted = all.filter(({ type }) => type !== 'response.low_score');
    await until('all were delivered', () => wanted.every(({ id }) => received().includes(id)));
    t.equal(new Set(received()).size, received().length, 'each once');
  });

  await t.test('a member signs in again, and sees the workspace in its new cell', async (t) => {
    t.not((await visit(server.url, `/workspaces/${full.workspace}`, full.owner)).status, 200);
    const again = await openSession(other.store, full.owner.email);
    t.equal((await visit(server.url, `/workspaces/${full.workspace}`, again)).status, 200);
    t.match(
      await (await visit(server.url, `/workspaces/${full.workspace}/audit`, again)).text(),
      /moved to another database|Activity|/i,
    );
  });

  await t.test('the command moves it back, and says so; a drained cell is emptied', async (t) => {
    const moved = await run(env, 'cell', 'move', full.workspace, 'aaaa');
    t.match(
      moved.stdout,
      new RegExp(`Workspace ${full.workspace} is in cell aaaa now\\. \\d+ rows; its calls got 503 for [\\d.]+ s\\.`),
    );
    t.same((await answers(4)).statuses, works);
    t.match(
      (await run(env, 'cell', 'list')).stdout,
      /CELL +STATE +VERSION +WORKSPACES +MOVING +OLD_COPIES.*\naaaa +up +1 +2 +0 +0.*\nbbbb +up +1 +0 +0 +1/,
    );
    const drained = await run(env, 'cell', 'drain', 'aaaa', '--to', 'bbbb');
    t.equal(drained.code, 0, drained.stderr);
    t.match(drained.stdout, 'Cell aaaa is empty: 2 workspaces have moved.');
    t.match(await runJson(env, 'cell', 'list'), [
      { cell: 'aaaa', state: 'draining', workspaces: 0, moving: 0, old_copies: 2 },
      { cell: 'bbbb', state: 'up', workspaces: 2, old_copies: 0 },
    ]);
    t.same((await answers(5)).statuses, works);
    t.match((await run(env, 'cell', 'drain', 'aaaa', '--cancel')).stdout, 'used again');
    for (const { stdout, stderr } of [moved, drained]) t.notMatch(stdout + stderr, /postgres:\/\//);
    t.match((await run({ DATABASE_URL: router.admin }, 'cell', 'move', full.workspace, 'aaaa')).stderr, 'CELL_URLS');
  });

  await t.test('a router that is made anew learns from the cells what has moved', async (t) => {
    const made = await createRouter(t, [one, other]);
    const rows = await made.sql`select distinct cell, is_moving from invite_router.moved`;
    t.same(rows, [{ cell: 'bbbb', is_moving: false }]);
    const [row] = await made.sql`select count(*)::integer as homes from invite_router.moved`;
    t.equal(row?.homes, 4, 'two workspaces, each with its test workspace');
  });
});
