// `check` against a real database, and against a relay, a resolver and a public address on loopback.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import type { Finding } from '../../src/check/finding.ts';
import { checkSender } from '../../src/check/sender-dns.ts';
import { serverFindings } from '../../src/commands/check.ts';
import { SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { startDns } from '../fixtures/dns.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createEmptyDatabase, type Env, run } from '../fixtures/program.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { SECRET_KEYS } from '../fixtures/webhooks.ts';

const { url: DATABASE_URL, urlAs, sql } = await createTestDatabase(t);
const service = await startTestServer(t, urlAs('invite_web'));

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function check(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await run(env, 'check', '--json', ...args);
  t.equal(stderr, '');
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  t.equal(code, ok ? 0 : 6);
  return { ok, findings, of: (subject: Finding['subject']) => findings.filter((finding) => finding.subject === subject) };
}

t.test('a misspelt setting is found, also where another is missing because of it', async (t) => {
  const { of } = await check({ DATABASE_URL, LOG_LEVLE: 'debug' });
  t.match(of('settings'), [{ state: 'ok' }, { state: 'note', text: 'LOG_LEVLE is not a setting: did you mean LOG_LEVEL?' }]);
  const wrong = await check({
    DATABASE_URL,
    RELAY: 'resend',
    RELAY_KEY: 're_secret',
    PUBLIC_URL: 'https://a.example',
    MAIL_FROM: 'a@a.example',
  });
  const texts = wrong.of('settings').map(({ text }) => text);
  t.strictSame(texts, ['RELAY_API_KEY must be set for RELAY=resend', 'RELAY_KEY is not a setting: did you mean RELAY_API_KEY?']);
});

t.test('a network for webhooks that would open every other one is a fault', async (t) => {
  const { ok, of } = await check({ DATABASE_URL, RELAY: 'mailpit', WEBHOOK_ALLOW: '10.0.0.0/8,::/0' });
  t.notOk(ok);
  t.match(of('settings'), [{ state: 'fault', text: 'WEBHOOK_ALLOW is too wide: ::/0 includes ' }]);
});

t.test('where everything is right there is no fault, and nothing is sent', async (t) => {
  const calls: string[] = [];
  const RELAY_URL = await serve(t, ({ method, url, headers }, response) => {
    calls.push(`${method} ${url} ${headers.authorization}`);
    response.end('{"data":[]}');
  });
  const resolver = await startDns(t, {
    '_dmarc.acme.test': ['v=DMARC1; p=none'],
    'bounce.acme.test': ['other', 'v=spf1 include:relay.test ~all'],
    'r1._domainkey.mail.acme.test': ['k=rsa; p=MIGf'],
  });
  const env = {
    DATABASE_URL,
    RELAY_URL,
    RELAY: 'resend',
    RELAY_API_KEY: 're_key',
    PUBLIC_URL: service.url,
    MAIL_FROM: 'Acme <surveys@mail.acme.test>',
    RELAY_EVENTS_SECRET: `whsec_${'a'.repeat(32)}`,
    SECRET_KEYS,
  };
  const dns = ['--resolver', resolver, '--return-path', 'bounce.acme.test', '--dkim-selector', 'r1'];
  const { ok, findings } = await check(env, ...dns);
  t.ok(ok);
  t.same(calls, ['GET /domains Bearer re_key']);
  t.strictSame(
    findings.filter(({ state, subject }) => state !== 'ok' && subject !== 'database').map(({ text }) => text),
    ['No worker is running: no email leaves. Start one.', `${service.url} is not https`],
  );
  const [server] =
    await sql`select current_setting('autovacuum') = 'off' as unvacuumed, current_setting('wal_compression') = 'off' as plain`;
  const said = findings.map(({ text }) => text);
  t.equal(said.includes('autovacuum is off: the tables grow without end'), server?.unvacuumed, 'notes of the server');
  t.equal(said.includes('wal_compression is off'), server?.plain);
  const texts = findings.map(({ text }) => text);
  for (const text of [
    'encoding UTF8',
    `schema version ${SCHEMA_VERSION}`,
    'it can be written',
    'resend accepts the key',
    'DMARC none for mail.acme.test at _dmarc.acme.test',
  ]) {
    t.ok(texts.includes(text), text);
  }
  const { stdout } = await run(env, 'check', ...dns);
  t.match(stdout, /^ok {4}settings {2}can be read\nok {4}database {2}PostgreSQL \d/);
  t.notMatch(stdout + JSON.stringify(findings), /re_key|whsec_/);
});

t.test('the settings of the server are looked at: WAL, autovacuum, JIT and connections', (t) => {
  const good = { autovacuum: 'on', jit: 'off', wal_compression: 'lz4', max_wal_size: 4096, max_connections: 97, connections: 77 };
  const texts = (change: Partial<typeof good>, pooled = false) =>
    serverFindings({ ...good, ...change }, 4, pooled).map(
      ([state, text, advice]) => `${state} ${text}${advice === undefined ? '' : ' !'}`,
    );
  t.same(texts({}), ['ok autovacuum, WAL, JIT and connections are set well']);
  for (const [change, text] of [
    [{ autovacuum: 'off' }, 'note autovacuum is off: the tables grow without end !'],
    [{ jit: 'on' }, 'note jit is on, and compiles views for seconds !'],
    [{ wal_compression: 'off' }, 'note wal_compression is off !'],
    [{ max_wal_size: 1024 }, 'note max_wal_size is 1024 MB !'],
    [{ connections: 78 }, 'note 19 of 97 connections are free; a server and a worker open up to 20 !'],
  ] as const)
    t.same(texts(change), [text]);
  t.match(texts({ connections: 78 }, true), [/^ok/], 'a pooler shares them');
  t.end();
});

t.test('each fault is a line with what to do, and ends with 1', async (t) => {
  const RELAY_URL = await serve(t, (_, response) => response.writeHead(401).end('{}'));
  const resolver = await startDns(t, {});
  const { ok, findings } = await check(
    {
      DATABASE_URL: await createEmptyDatabase(t),
      RELAY_URL,
      RELAY: 'postmark',
      RELAY_API_KEY: 'wrong',
      PUBLIC_URL: RELAY_URL,
      MAIL_FROM: 'surveys@acme.test',
      RELAY_EVENTS_SECRET: 'not-of-the-right-form',
    },
    ...['--resolver', resolver, '--return-path', 'bounce.acme.test', '--dkim-selector', 'r1'],
  );
  t.notOk(ok);
  const faults = findings.filter(({ state }) => state === 'fault');
  t.strictSame(
    faults.map(({ text }) => text),
    [
      `schema version none, this code needs ${SCHEMA_VERSION}`,
      'postmark refuses the key (401)',
      `something else answers at ${RELAY_URL} (401)`,
      "RELAY_EVENTS_SECRET is not postmark's",
      'no DMARC record for acme.test',
      'no SPF record at bounce.acme.test',
      'no DKIM key at r1._domainkey.acme.test',
    ],
  );
  for (const { text, advice } of faults) t.match(advice, /\.$/, text);
});

t.test('settings, a database that is away, a role without rights and a restricted key are told apart', async (t) => {
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const closed = `http://127.0.0.1:${(unused.address() as AddressInfo).port}`;
  unused.close();
  t.match((await check({ PORT: 'x' })).findings, [{ subject: 'settings', state: 'fault', text: /^PORT must be/ }]);
  const away = await check({
    DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d',
    RELAY: 'mailpit',
    RELAY_URL: closed,
  });
  t.match(away.of('database'), [{ state: 'fault', text: /^can't be reached \(ECONNREFUSED\)/ }]);
  t.match(away.of('relay'), [{ state: 'fault', text: "mailpit can't be reached (ECONNREFUSED)" }]);
  const RELAY_URL = await serve(t, (_, response) => response.writeHead(401).end('{"name":"restricted_api_key"}'));
  const env = { RELAY: 'resend', RELAY_API_KEY: 'k', RELAY_URL, PUBLIC_URL: closed, MAIL_FROM: 'a@acme.test' };
  const resolver = await startDns(t, {});
  for (const [role, text] of [
    ['invite_web', 'the role invite_web_test may serve'],
    ['invite_readonly', 'the role invite_readonly_test may neither migrate nor work nor serve'],
  ] as const) {
    const found = await check({ ...env, DATABASE_URL: urlAs(role) }, '--resolver', resolver);
    t.ok(
      found.of('database').some((finding) => finding.text === text),
      text,
    );
    t.match(found.of('relay'), [{ state: 'ok', text: 'resend accepts the key, which may only send' }]);
    t.match(found.of('address'), [{ state: 'note', text: /^nothing answers/ }]);
  }
});

t.test('an SMTP server is asked to log in, and nothing is sent', async (t) => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) => (password === 'right' ? done(null, { user: 'u' }) : done(new Error('no'))),
    onMailFrom: () => t.fail('nothing is sent'),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const resolver = await startDns(t, {});
  for (const [password, finding] of [
    ['right', { state: 'ok', text: 'smtp accepts the connection and the login' }],
    ['wrong', { state: 'fault', text: /^smtp refuses: / }],
  ] as const) {
    const RELAY_URL = `smtp+insecure://u:${password}@127.0.0.1:${port}`;
    const env = { DATABASE_URL, RELAY: 'smtp', RELAY_URL, PUBLIC_URL: service.url, MAIL_FROM: 'a@acme.test' };
    t.match((await check(env, '--resolver', resolver)).of('relay'), [finding]);
  }
});

t.test('records of the sender that mailbox providers would not accept are faults', async (t) => {
  const resolver = await startDns(t, {
    '_dmarc.two.test': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    '_dmarc.empty.test': ['v=DMARC1'],
    'two.test': ['v=spf1 -all', 'v=spf1 ~all'],
    'empty.test': ['v=spf1 +all'],
    's._domainkey.empty.test': ['v=DKIM1; p='],
  });
  const states = async (domain: string) =>
    (await checkSender({ domains: [domain], returnPath: domain, selector: 's', resolver })).map(({ text }) => text);
  t.strictSame(await states('two.test'), [
    '_dmarc.two.test has 2 DMARC records',
    'two.test has 2 SPF records',
    'no DKIM key at s._domainkey.two.test',
  ]);
  t.strictSame(await states('empty.test'), [
    '_dmarc.empty.test has no policy',
    'SPF at empty.test allows everyone',
    'the DKIM key at s._domainkey.empty.test is revoked',
  ]);
});

t.test('each domain that workspaces may send from is looked up, and that of MAIL_FROM', async (t) => {
  const resolver = await startDns(t, {
    '_dmarc.acme.test': ['v=DMARC1; p=none'],
    'r1._domainkey.acme.test': ['p=MIGf'],
    '_dmarc.fjord.test': ['v=DMARC1; p=reject'],
    'r1._domainkey.mail.fjord.test': ['p=MIGf'],
  });
  const env = {
    DATABASE_URL,
    RELAY: 'resend',
    RELAY_API_KEY: 'key',
    RELAY_URL: await serve(t, (_, response) => response.end('{}')),
    PUBLIC_URL: service.url,
    MAIL_FROM: 'surveys@Acme.test',
    SENDER_DOMAINS: 'mail.fjord.test, acme.test, later.test',
  };
  const texts = async (...args: string[]) =>
    (await check(env, '--resolver', resolver, ...args)).of('sender').map(({ state, text }) => `${state}: ${text}`);
  t.strictSame(await texts('--dkim-selector', 'r1'), [
    'ok: DMARC none for acme.test at _dmarc.acme.test',
    'ok: DMARC reject for mail.fjord.test at _dmarc.fjord.test',
    'fault: no DMARC record for later.test',
    'note: SPF was not looked up',
    'ok: DKIM key at r1._domainkey.acme.test',
    'ok: DKIM key at r1._domainkey.mail.fjord.test',
    'fault: no DKIM key at r1._domainkey.later.test',
  ]);
  t.equal((await texts()).filter((text) => text === 'note: DKIM was not looked up').length, 1, 'said once');
});
