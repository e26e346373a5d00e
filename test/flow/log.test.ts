// At the default level, one grep by an invitation, a batch or a request shows its whole life.
import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import type { Outcome } from '../../src/relay/relay.ts';
import { startWorker } from '../../src/worker/worker.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';
import { RENDER } from '../fixtures/test-workspaces.ts';

t.test('one grep by an invitation, a batch or a request id shows a whole life', async (t) => {
  const { sql, store, url, urlAs } = await createTestDatabase(t);
  const text: string[] = [];
  const log = createLog('info', { write: (line) => void text.push(line) });
  const grep = (word: string) => text.filter((line) => line.includes(word)).map((line) => JSON.parse(line));
  const key = randomBytes(24);
  const env = { RELAY: 'resend', RELAY_API_KEY: 're_key', PUBLIC_URL: 'https://i.example', MAIL_FROM: 'a@i.example' };
  const server = await startTestServer(
    t,
    urlAs('invite_web'),
    { ...env, RELAY_EVENTS_SECRET: `whsec_${key.toString('base64')}` },
    log,
  );
  const { workspace, survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  // Ids of one digit would also be found in times and counts.
  await sql`select setval('invite.invitations_id_seq', 7421)`;

  const headers = { 'x-request-id': 'order-4711' };
  const emails = ['private-a@example.com', 'private-b@example.com', 'private-c@example.com'].map((email) => ({ email }));
  const reply = await server.post({ emails }, { secret, headers });
  t.equal(reply.status, 200);
  const batch = reply.body.batch.uuid;
  t.equal((await server.post({ email: 'private-d@example.com' }, { secret })).status, 200);

  const outcomes: Record<string, Outcome> = {
    'private-b@example.com': { kind: 'rejected', code: 'http_422', detail: 'private' },
  };
  const worker = startWorker({
    ...{ databaseUrl: url, databasePool: 4, concurrency: 4, log },
    delivery: {
      sender: {
        maxBatch: 10,
        send: async (messages) => messages.map(({ to }) => outcomes[to.email] ?? { kind: 'accepted', messageId: to.email }),
        close: async () => {},
      },
      render: RENDER,
      concurrency: 1,
      relay: { name: 'resend', rate: undefined },
    },
  });
  t.teardown(() => worker.stop());
  await until(
    'all are tried',
    async () => (await sql`select from invite.messages where status in ('queued', 'sending')`).length === 0,
  );
  const [first] = await sql`select id::text, link_token from test.invitations where batch_id = ${batch} order by id`;
  const data = { email_id: 'r', tags: { invitation: `home0001-${first?.id}` } };
  const body = JSON.stringify({ type: 'email.delivered', created_at: new Date().toISOString(), data });
  const stamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', key).update(`msg_1.${stamp}.${body}`).digest('base64');
  const signed = { 'svix-id': 'msg_1', 'svix-timestamp': stamp, 'svix-signature': `v1,${signature}` };
  t.equal((await fetch(`${server.url}/relay-events/resend`, { method: 'POST', headers: signed, body })).status, 200);
  const answers = new URLSearchParams({ invitation: first?.link_token, 'answer.score': '9' });
  t.equal((await fetch(`${server.url}/s/${survey}`, { method: 'POST', body: answers, redirect: 'manual' })).status, 303);
  t.equal((await fetch(`${server.url}/u/${unsubscribeToken(first?.link_token)}`, { method: 'POST' })).status, 200);
  const member = await createMember(store, workspace, 'admin', 'private-member@example.com');
  const visit = (path: string) => fetch(server.url + path, { headers: { cookie: `__Host-session=${member.key}` } });
  t.equal((await visit(`/surveys/${survey}/invitations/7422`)).status, 200);
  t.equal((await visit('/surveys/someone-elses/invitations/7422x')).status, 404);
  const [{ session } = {}] = await sql`select id as session from invite.sessions`;

  const accepted = { msg: 'request', request_id: 'order-4711', workspace, survey, batch };
  const sent = { msg: 'emails sent', survey };
  t.match(grep('"7422"'), [
    { ...sent, outcome: 'accepted', message_kind: 'invitation', attempts: 1 },
    { msg: 'relay events', relay: 'resend', type: 'delivered' },
    { msg: 'request', method: 'POST', route: '/s/:survey', workspace, survey, invitation: '7422' },
    { msg: 'request', method: 'POST', route: '/u/:token', workspace, survey, invitation: '7422' },
    { msg: 'request', route: '/surveys/:survey/invitations/:invitation', workspace, survey, invitation: '7422', session },
  ]);
  t.match(grep('"7423"'), [{ msg: 'emails rejected by the relay', code: 'http_422', batches: [batch] }]);
  t.match(
    grep(batch)
      .map(({ msg }) => msg)
      .sort(),
    ['emails rejected by the relay', 'emails sent', 'request'],
  );
  t.match(grep('order-4711'), [accepted]);
  const [, command = ''] =
    /^(sed .*order-4711.*)$/m.exec(readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')) ?? [];
  const found = execFileSync('sh', ['-c', command], { cwd: t.testdir({ log: text.join('') }), encoding: 'utf8' });
  t.equal(found, text.filter((line) => line.includes(batch)).join(''), 'the command of docs/monitoring.md');
  t.equal(found.match(/\n/g)?.length, 3);
  t.match(grep(session), [{ status: 200 }, { status: 404, workspace: undefined, survey: undefined }]);
  t.notMatch(text.join(''), 'someone-elses');
  t.match(grep('"7425"')[0], { survey, invitations: ['7425'] });
  t.ok(grep('"emails sent"').flatMap(({ invitations }) => invitations).length === 3, 'no email is in two lines');

  t.equal((await server.post({ email: 'private-e' }, { secret })).status, 400);
  await sql`update invite.workspaces set suspended_at = clock_timestamp() where id = ${workspace}`;
  t.equal((await server.post({ email: 'private-e@example.com' }, { secret })).status, 400);
  t.match(grep('workspace_disabled'), [{ workspace, survey, batch: undefined }], 'rejected requests also say whose they are');
  t.notMatch(text.join(''), 'private');
});
