// The pages of webhook endpoints: the secret is shown once, and the log shows what was sent.
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';
import { createWebhook, keys } from '../fixtures/webhooks.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const owner = await createMember(store, workspace, 'owner');
const list = `/workspaces/${workspace}/webhooks`;
const read = async (path: string, fields?: Record<string, string>) => {
  const response = await visit(url, path, owner, fields);
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};
const SECRET = /whsec_[A-Za-z0-9+/=]+/;
const opened = (id: string, sealed: string) => keys.open(sealed, { kind: 'webhook', id });

t.test('an endpoint is created once, however often its form is sent, and its secret shown once', async (t) => {
  const form = {
    webhook: '11111111-1111-4111-8111-111111111111',
    url: 'https://app.example/hooks?a=1&b=2',
    'survey.closed': 'yes',
  };
  const created = await read(list, form);
  t.equal(created.status, 200);
  const secret = SECRET.exec(created.text)?.[0];
  const [stored] = await sql`select url, types::text[], secret from invite.webhook_endpoints`;
  t.match(stored, { url: 'https://app.example/hooks?a=1&b=2', types: ['survey.closed'] });
  t.equal(opened(form.webhook, stored?.secret), secret);
  t.match(await read(list, form), { status: 303, location: /done=webhook_created_before/ });
  t.equal((await store.listWebhooks(workspace)).length, 1);
  t.match(await store.findWorkspace(workspace), { records_events: true });
  for (const path of [list, `${list}/${form.webhook}`]) {
    const { text } = await read(path);
    t.match(text, 'app.example', path);
    t.notMatch(text, SECRET, path);
  }
});

t.test('an address that is refused is shown again, with why', async (t) => {
  const refused = await read(list, { url: 'https://app.example/#part', 'batch.accepted': 'yes' });
  t.equal(refused.status, 422);
  t.match(refused.text, /An endpoint starts with https:\/\//);
  t.match(refused.text, 'value="https://app.example/#part"');
  t.match(refused.text, /name="batch.accepted" value="yes" checked/);
});

t.test('an address that no request can be sent to is refused, by SQL too', async (t) => {
  for (const host of [
    'app.example:65536',
    'app.example:99999',
    'app.example:',
    'user@app.example',
    '[::1',
    'app<.example',
    'a:b',
  ]) {
    const url = `https://${host}/`;
    t.match(await read(list, { url }), { status: 422, text: /An endpoint starts with https:\/\// }, url);
    await t.rejects(createWebhook(store, workspace, url), { code: '23514', message: /webhook_endpoints_url_form/ });
  }
  const unreachable = await createWebhook(store, workspace, 'https://999.1.1.1/');
  t.match(await read(list, { url: 'https://999.1.1.1/' }), { status: 422, text: /An endpoint starts with https:\/\// });
  t.match(await read(`${list}/${unreachable.id}`), { status: 200, text: /999.1.1.1/ }, 'one that came by SQL is shown');
  t.match(await read(`${list}/${unreachable.id}`, { action: 'delete' }), { status: 303 }, 'and can be deleted');
  for (const host of ['app.example:65535', 'app.example:8443', '[2606:4700::1111]:443', 'bücher.example'])
    t.match(await createWebhook(store, workspace, `https://${host}/events?from=us`), { id: String }, host);
});

t.test('the log shows what the endpoint responded, as text, and sends again; a new secret is shown once', async (t) => {
  const { id, secret } = await createWebhook(store, workspace, 'https://other.example/');
  const path = `${list}/${id}`;
  t.match(await read(path, { action: 'test' }), { status: 303, location: /done=webhook_tested/ });
  const [claimed] = await sql`select * from invite.claim_webhooks(10, 60, 4, now() + interval '1 minute')`;
  await sql`select invite.settle_webhook(${claimed?.id}, 1, '{}', 500, '<b>no</b>')`;
  const { text } = await read(path);
  t.match(text, 'webhook.test');
  t.match(text, 'HTTP 500');
  t.match(text, '&#60;b&#62;no&#60;/b&#62;');
  t.match((await read(`${path}?status=delivered`)).text, 'Nothing here yet');
  t.match(await read(path, { action: 'replay', delivery: String(claimed?.id) }), { status: 303 });
  t.match(await sql`select status from invite.webhook_deliveries where id = ${claimed?.id}`, [{ status: 'pending' }]);
  await sql`
    insert into invite.webhook_deliveries (endpoint_id, event_id, status) select ${id}, gen_random_uuid(), 'failed' from generate_series(1, 5001)`;
  t.match(await read(path, { action: 'replay' }), { status: 303, location: /done=webhook_replayed/ });
  t.equal((await sql`select from invite.webhook_deliveries where endpoint_id = ${id} and status = 'failed'`).length, 1);
  const jobs = await sql`select payload from graphile_worker._private_jobs where payload ->> 'endpoint_id' = ${id}`;
  t.match(jobs, [{ payload: { after: Number } }], 'a job does the rest');
  const form = { action: 'rotate', seen: /name="seen" value="([^"]*)"/.exec((await read(path)).text)?.[1] ?? 'none' };
  t.equal(form.seen, '');
  const rotated = await read(path, form);
  const next = SECRET.exec(rotated.text)?.[0];
  const again = await read(path, form);
  t.match(again, { status: 303, location: /done=webhook_secret_replaced_before/ }, 'a page that is reloaded');
  const [stored] = await sql`select secret, previous_secret from invite.webhook_endpoints where id = ${id}`;
  t.same([opened(id, stored?.secret), opened(id, stored?.previous_secret)], [next, secret]);
  const seen = /name="seen" value="([^"]*)"/.exec((await read(path)).text)?.[1] ?? '';
  const third = SECRET.exec((await read(path, { action: 'rotate', seen })).text)?.[0];
  const [twice] = await sql`select previous_secret from invite.webhook_endpoints where id = ${id}`;
  t.ok(third);
  t.equal(opened(id, twice?.previous_secret), next, 'who has seen the first may replace it');
  t.match(await read(path, { action: 'delete' }), { status: 303, location: `${list}?done=webhook_deleted` });
  t.equal((await read(path)).status, 404);
  t.match(
    await sql`select action::text, subject from invite.audit_log where detail ->> 'endpoint' = ${id} order by id`,
    ['webhook_created', 'webhook_rotated', 'webhook_rotated', 'webhook_deleted'].map((action) => ({
      action,
      subject: 'other.example',
    })),
    'the audit log names the host, not what else the address holds',
  );
});

t.test('without SECRET_KEYS the pages say why there can be no secret, and nothing is created', async (t) => {
  const without = await startTestServer(t, urlAs('invite_web'), { SECRET_KEYS: '', DATABASE_URL: urlAs('invite_web') });
  const { id } = await createWebhook(store, workspace, 'https://kept.example/');
  const before = await sql`select id, secret from invite.webhook_endpoints order by id`;
  const created = await visit(without.url, list, owner, { url: 'https://app.example/new' });
  t.equal(created.status, 422);
  const text = await created.text();
  t.match(text, 'Its operator has to set SECRET_KEYS.');
  t.match(text, 'value="https://app.example/new"');
  const rotated = await visit(without.url, `${list}/${id}`, owner, { action: 'rotate' });
  t.equal(rotated.status, 403);
  t.match(await rotated.text(), 'Its operator has to set SECRET_KEYS.');
  t.same(await sql`select id, secret from invite.webhook_endpoints order by id`, before);
});

t.test('an address of Slack is stored as a secret: after the form, no page has it', async (t) => {
  const address = 'https://hooks.slack.com/services/T024BE7LH/B0AQ9XJ3K/k2Rz8VqYb0WnE5tLx4Qe';
  const form = { webhook: '22222222-2222-4222-8222-222222222222', format: 'slack', address, survey, below: '4' };
  const path = `${list}/${form.webhook}`;
  t.match(await read(list, { ...form, below: 'four' }), { status: 422, text: /A limit is between -99 and 101/ });
  const refused = await read(list, { ...form, address: 'https://hooks.slack.com:99999/services/T024BE7LH' });
  t.match(refused, { status: 422, text: /An endpoint starts with https:\/\// });
  t.notMatch(refused.text, 'T024BE7LH');
  t.match(await read(list, form), { status: 303, location: `${path}?done=slack_added` });
  t.match(await read(list, form), { status: 303, location: /done=webhook_created_before/ });
  const [stored] =
    await sql`select url, format, survey_id, below, secret from invite.webhook_endpoints where id = ${form.webhook}`;
  t.match(stored, { url: 'https://hooks.slack.com/…x4Qe', format: 'slack', survey_id: survey, below: 4 });
  t.equal(opened(form.webhook, stored?.secret), address);
  for (const page of [list, path, `${path}/delete`]) {
    const { text } = await read(page);
    t.match(text, /hooks\.slack\.com\/(<wbr>)?…x4Qe/, page);
    t.notMatch(text, 'B0AQ9XJ3K', page);
  }
  const { text } = await read(path);
  t.match(text, 'Scores below 4 of ');
  t.notMatch(text, 'Replace the secret');
  t.match(await read(path, { action: 'rotate' }), { status: 400 });
});
