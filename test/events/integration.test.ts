// The examples for events in the docs work: the SQL exactly as in docs/integration.md, and the receivers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import t from 'tap';
import { createWebhookSender } from '../../src/events/webhook-sender.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const ROOT = new URL('../../', import.meta.url);
const database = await createTestDatabase(t);
const { sql, store } = database;

t.test('an order invites, and its answers come back, each once', async (t) => {
  const text = readFileSync(new URL('docs/integration.md', ROOT), 'utf8');
  const example = (name: string) =>
    [...text.matchAll(/```sql\n([^`]*)```/g)].map(([, code = '']) => code).find((code) => code.includes(name)) ?? '';
  const admin = database.connectAsAdmin();
  await admin`create schema app`;
  await admin`create table app.orders (id integer primary key, email text not null)`;
  await admin`create table app.answers (order_id integer not null, answers jsonb not null)`;
  const fixture = await createSurvey(store);
  await store.setWorkspaceEvents(fixture.workspace, true);
  await createToken(store, fixture.survey, { name: 'Orders' });

  await admin.unsafe(example('invite.trigger('));
  const [invited] = await sql`select link_token from test.invitations where survey_id = ${fixture.survey}`;
  await store.submitResponse(fixture.survey, { score: 9 }, invited?.link_token);
  await until('all is published', async () => (await store.publishEvents(1000)) === 0);
  for (const time of ['once', 'again']) {
    await admin.unsafe(example('invite.read_events('));
    t.same([...(await admin`select * from app.answers`)], [{ order_id: 1001, answers: { score: 9 } }], time);
  }
  await admin.unsafe(example('invite.trigger(')).catch(() => {});
  await admin`rollback`;
  const [{ orders, invitations } = {}] = await admin`
    select (select count(*)::integer from app.orders) as orders,
      (select count(*)::integer from test.invitations where survey_id = ${fixture.survey}) as invitations`;
  t.same([orders, invitations], [1, 1], 'an order that fails invites nobody');
});

for (const [command, file] of [
  [process.execPath, 'receiver.mjs'],
  ['python3', 'receiver.py'],
] as const) {
  t.test(`docs/receivers/${file} takes what is signed, and nothing else`, async (t) => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const child = spawn(command, [new URL(`docs/receivers/${file}`, ROOT).pathname], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    const lines: string[] = [];
    const output = createInterface(child.stdout);
    output.on('line', (line) => lines.push(line));
    const port = (await until('it listens', () => lines[0])).split(' ')[1];
    const sender = createWebhookSender(['127.0.0.1/32']);
    t.teardown(() => sender.close());
    const body = JSON.stringify({ id: 'e1', type: 'response.submitted', data: { metadata: { order_id: 7 } } });
    const send = (secrets: string[]) =>
      sender.send({ id: '1', attempts: 1, endpointId: 'x', url: `http://127.0.0.1:${port}/`, secrets, eventId: 'e1', body });
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    t.match(await send([secret]), { status: 204 });
    t.match(await send([other, secret]), { status: 204 }, 'during a rotation');
    t.match(await send([other]), { status: 400 });
    await until('it has said so', () => lines.length >= 3);
    t.same(lines.slice(1), ['e1 response.submitted 7', 'e1 response.submitted 7']);
  });
}
