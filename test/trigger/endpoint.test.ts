// POST /api/invitation-trigger: where it looks for the secret, what it responds, and what each rejection says. The body is tested in
// parse-body.test.ts, its fields in payload.test.ts and recipients.test.ts.
import t from 'tap';
import { TriggerBody } from '../../src/trigger/schema.ts';
import { FORM_TYPE, JSON_TYPE, type PostOptions, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken, until } from '../fixtures/setup.ts';

const { sql, store, urlAs, connect } = await createTestDatabase(t);
const { url, call, post } = await startTestServer(t, urlAs('invite_web'));
const endpoint = `${url}/api/invitation-trigger`;
const ada = { email: 'ada@example.com' };

const setup = async (
  settings: Parameters<typeof createToken>[2] = {},
  surveyOptions: Parameters<typeof createSurvey>[1] = {},
) => {
  const fixture = await createSurvey(store, surveyOptions);
  return { ...fixture, ...(await createToken(store, fixture.survey, settings)) };
};

t.test('an accepted request is answered with exactly the documented shape', async (t) => {
  const { secret } = await setup();
  const before = Math.floor(Date.now() / 1000) * 1000;
  const reply = await post(ada, { secret });
  t.equal(reply.status, 200);
  t.equal(reply.headers.get('content-type'), 'application/json');
  t.equal(reply.headers.get('cache-control'), 'no-store');
  t.strictSame(Object.keys(reply.body), ['ok', 'message', 'batch']);
  t.strictSame(Object.keys(reply.body.batch), ['uuid', 'scheduled_at', 'status']);
  t.match(reply.body, { ok: true, message: 'Invitation queued.', batch: { status: 'queued' } });
  t.match(reply.body.batch.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.match(reply.body.batch.scheduled_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const due = Date.parse(`${reply.body.batch.scheduled_at}Z`);
  t.ok(due >= before && due <= Date.now(), 'due now, in UTC');
});

t.test('a request with a delay is answered as scheduled', async (t) => {
  const { secret } = await setup();
  const { body } = await post({ emails: ['a@example.com', 'b@example.com'], send_in_seconds: 3600 }, { secret });
  t.match(body, { message: '2 invitations queued for the scheduled time.', batch: { status: 'scheduled' } });
  t.ok(Date.parse(`${body.batch.scheduled_at}Z`) > Date.now() + 3_500_000);
});

t.test('a request for a draft or closed survey is accepted: its invitations wait', async (t) => {
  for (const state of ['draft', 'closed']) {
    const { secret } = await setup({}, { state });
    t.equal((await post(ada, { secret })).status, 200, state);
  }
});

t.test('repeating a request queues another batch', async (t) => {
  const { secret } = await setup();
  const [first, second] = [await post(ada, { secret }), await post(ada, { secret })];
  t.strictSame([first.status, second.status], [200, 200]);
  t.not(first.body.batch.uuid, second.body.batch.uuid);
});

t.test('the secret is found in each of its five places', async (t) => {
  const { secret } = await setup();
  const encoded = encodeURIComponent(secret);
  for (const [place, payload, options] of [
    ['bearer', ada, { secret }],
    ['bearer in small letters', ada, { headers: { authorization: `bearer ${secret}` } }],
    ['query token', ada, { query: `?token=${encoded}` }],
    ['query secret', ada, { query: `?secret=${encoded}` }],
    ['body token', { ...ada, token: secret }, {}],
    ['body secret', { ...ada, secret }, {}],
    ['form token', `email=ada@example.com&token=${encoded}`, { headers: FORM_TYPE }],
    ['form secret', `email=ada@example.com&secret=${encoded}`, { headers: FORM_TYPE }],
  ] as const) {
    t.equal((await post(payload, options)).status, 200, place);
  }
});

t.test('of several secrets the first place wins, right or wrong', async (t) => {
  const { secret } = await setup();
  const places = [
    (value: string) => ({ options: { secret: value } }),
    (value: string) => ({ query: [`token=${value}`] }),
    (value: string) => ({ query: [`secret=${value}`] }),
    (value: string) => ({ body: { token: value } }),
    (value: string) => ({ body: { secret: value } }),
  ];
  for (let first = 0; first < places.length - 1; first += 1) {
    for (const [winner, others, status] of [
      [secret, 'wrong', 200],
      ['wrong', secret, 400],
    ] as const) {
      const parts = places
        .slice(first)
        .map(
          (place, index) => place(index === 0 ? winner : others) as { options?: PostOptions; query?: string[]; body?: object },
        );
      const query = `?${parts.flatMap((part) => part.query ?? []).join('&')}`;
      const payload = Object.assign({}, ada, ...parts.map((part) => part.body));
      const reply = await post(payload, { ...parts[0]?.options, query });
      t.equal(reply.status, status, `place ${first + 1} ${status === 200 ? 'right' : 'wrong'}`);
      if (status === 400) t.equal(reply.body.error.code, 'unknown_token');
    }
  }
});

t.test("a secret that isn't a bearer token or is empty falls through to the next place", async (t) => {
  const { secret } = await setup();
  const payload = { ...ada, secret };
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', secret, '']) {
    t.equal((await post(payload, { headers: { authorization } })).status, 200, JSON.stringify(authorization));
  }
  t.equal((await post(payload, { query: '?token=&secret=' })).status, 200, 'empty query');
  t.equal((await post({ ...payload, token: '' })).status, 200, 'empty token');
  t.equal((await post({ ...payload, token: null })).status, 200, 'null token');
});

t.test('a request without a secret is missing_token, one with an unknown or deleted one unknown_token', async (t) => {
  const { token, secret } = await setup();
  t.strictSame(rejectionOf(await post(ada)), { status: 400, code: 'missing_token', fields: [] });
  t.strictSame(rejectionOf(await post({ ...ada, token: 7 })), { status: 400, code: 'missing_token', fields: [] });
  t.strictSame(rejectionOf(await post(ada, { secret: `${secret}x` })), { status: 400, code: 'unknown_token', fields: [] });
  t.equal((await post(ada, { secret })).status, 200);
  await store.deleteTriggerToken(token);
  t.strictSame(rejectionOf(await post(ada, { secret })), { status: 400, code: 'unknown_token', fields: [] });
});

t.test('a disabled survey, a suspended workspace and a plan without the trigger each have their code', async (t) => {
  const { workspace, survey, secret } = await setup();
  const code = async () => (await post(ada, { secret })).body.error?.code;
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal(await code(), 'survey_disabled');
  await store.upsertWorkspace({ id: workspace, plan: 'free' });
  t.equal(await code(), 'plan_required');
  await store.setWorkspaceSuspended(workspace, true);
  t.equal(await code(), 'workspace_disabled');

  await store.setWorkspaceSuspended(workspace, false);
  await store.upsertWorkspace({ id: workspace, plan: 'pro' });
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  t.equal(await code(), undefined, 'and all of it can be fixed');
});

t.test('a request within the cooldown is 429, with the seconds left in the header and the body', async (t) => {
  const { secret } = await setup({ cooldownSeconds: 600 });
  t.equal((await post(ada, { secret })).status, 200);
  const reply = await post(ada, { secret });
  t.strictSame(rejectionOf(reply), { status: 429, code: 'cooldown', fields: [] });
  const seconds = reply.body.error.retry_after_seconds ?? 0;
  t.equal(reply.headers.get('retry-after'), String(seconds));
  t.ok(Number.isInteger(seconds) && seconds >= 500 && seconds <= 600);
});

t.test('the last moment of a cooldown still says one second', async (t) => {
  const { token, secret } = await setup({ cooldownSeconds: 60 });
  t.equal((await post(ada, { secret })).status, 200);
  // The database's clock decides. So half a second of the cooldown is left, and the test sends requests until it has passed.
  await sql`update invite.batches set accepted_at = clock_timestamp() - interval '59.5 seconds' where trigger_token_id = ${token}`;
  const replies = await until('the cooldown ends', async () => {
    const reply = await post(ada, { secret });
    if (reply.status === 429) t.equal(reply.headers.get('retry-after'), '1');
    return reply.status === 200;
  });
  t.ok(replies);
});

t.test('a rejected request neither starts nor extends a cooldown', async (t) => {
  const { survey, token, secret } = await setup({ cooldownSeconds: 600 });
  const lastAccepted = async () => {
    const [row] = await sql`select last_accepted_at::text as at from invite.trigger_token_overview where id = ${token}`;
    return row?.at as string | null;
  };
  t.equal((await post({ email: 'bad' }, { secret })).status, 400);
  t.equal((await post({ ...ada, send_at: 'tomorrow' }, { secret })).status, 400);
  t.equal((await post('{', { secret, headers: JSON_TYPE })).status, 400);
  await sql`select invite.set_survey_disabled(${survey}, true)`;
  t.equal((await post(ada, { secret })).status, 400);
  await sql`select invite.set_survey_disabled(${survey}, false)`;
  t.equal(await lastAccepted(), null);

  t.equal((await post(ada, { secret })).status, 200);
  const accepted = await lastAccepted();
  t.type(accepted, 'string');
  t.equal((await post(ada, { secret })).status, 429);
  t.equal(await lastAccepted(), accepted);
});

t.test('of requests at the same moment a cooldown lets one through', async (t) => {
  const { secret } = await setup({ cooldownSeconds: 600 });
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => post(ada, { secret })))).map((reply) => reply.status);
  t.strictSame(statuses.sort(), [200, 429, 429, 429, 429, 429, 429, 429]);
});

t.test('a workspace beyond its recipients per hour is 429 flood_protection, and its cooldown does not start', async (t) => {
  const limited = await startTestServer(t, urlAs('invite_web'), { MAX_RECIPIENTS: '2', FLOOD_RECIPIENTS_PER_HOUR: '3' });
  const { survey, secret } = await setup();
  const other = await createToken(store, survey, { cooldownSeconds: 600 });
  const two = { emails: ['a@example.com', 'b@example.com'] };
  t.equal((await limited.post(two, { secret })).status, 200);
  const reply = await limited.post(two, { secret: other.secret });
  t.strictSame(rejectionOf(reply), { status: 429, code: 'flood_protection', fields: ['emails'] });
  t.match(reply.body.error.details, [{ limit: 3, remaining: 1, message: /3 recipients in any hour, and 1 is left/ }]);
  t.match(reply.body.message, /^The workspace may invite 3 recipients in any hour, and 1 is left\. Try again in \d/);
  t.equal(reply.headers.get('retry-after'), String(reply.body.error.retry_after_seconds));
  t.ok((reply.body.error.retry_after_seconds ?? 0) >= 1);
  t.equal((await limited.post(ada, { secret: other.secret })).status, 200, 'one more recipient fits');
  t.equal(rejectionOf(await limited.post({ emails: [...two.emails, 'c@example.com'] }, { secret })).code, 'too_many_recipients');
});

t.test('flood_protection names the limit that was exceeded, and what is left of it', async (t) => {
  const limited = await startTestServer(t, urlAs('invite_web'), {
    FLOOD_REQUESTS_PER_MINUTE: '2',
    FLOOD_UNKNOWN_PER_MINUTE: '2',
    MAX_RECIPIENTS: '5',
    FLOOD_RECIPIENTS_PER_HOUR: '5',
  });
  const { secret } = await setup();
  const { secret: other } = await setup();
  const people = (count: number) => ({ emails: Array.from({ length: count }, (_, index) => `p${index}@example.com`) });
  t.equal((await limited.post(people(3), { secret })).status, 200);
  const quota = await limited.post(people(3), { secret });
  t.match(quota.body.error, { code: 'flood_protection', details: [{ field: 'emails', limit: 5, remaining: 2 }] });
  const requests = await limited.post(ada, { secret });
  t.match(requests.body.error, { code: 'flood_protection', details: [{ field: 'token', limit: 2, remaining: 0 }] });
  t.match(requests.body.message, /^A token may make at most 2 requests a minute\. Try again in \d+ seconds?\.$/);
  const unknown = await until('the address is over its limit', async () => {
    const reply = await limited.post(ada, { secret: 'unknown' });
    return reply.status === 429 ? reply : undefined;
  });
  t.match(unknown.body.error.details, [{ field: 'client address', limit: 2, remaining: 0 }]);
  t.match(
    (await limited.post({ ...ada, token: secret })).body.error.details,
    [{ field: 'token' }],
    'also of a secret in the body',
  );
  t.equal((await limited.post(people(5), { secret: other })).status, 200, 'a full quota at once');
  t.match((await limited.post(ada, { secret: other })).body.error.details, [{ field: 'email', limit: 5, remaining: 0 }]);
});

t.test('an accepted request says what is probably not meant so, and is stored as it stands', async (t) => {
  const { secret } = await setup();
  const request = {
    ...ada,
    subject: 'About {{ survey_title }}',
    message: '{{first_name}}, {{recipient_name}}: {survey_link} {{{survey_link}}} {{a b}}',
  };
  const reply = await post(request, { secret, query: '?utm=x' });
  t.equal(reply.status, 200);
  t.strictSame(reply.body.warnings, [
    {
      code: 'unknown_variable',
      field: 'subject',
      message: "{{ survey_title }} isn't a variable and is sent as it stands; did you mean {{survey_title}}?",
    },
    { code: 'unknown_variable', field: 'message', message: "{{first_name}} isn't a variable and is sent as it stands." },
    { code: 'unknown_variable', field: 'message', message: "{{a b}} isn't a variable and is sent as it stands." },
    {
      code: 'unknown_variable',
      field: 'message',
      message: "{survey_link} isn't a variable and is sent as it stands; did you mean {{survey_link}}?",
    },
  ]);
  const [batch] = await sql`select subject, message from invite.batches where id = ${reply.body.batch.uuid}`;
  t.match(batch, { subject: request.subject, message: request.message });
  const many = await post({ ...ada, message: Array.from({ length: 50 }, (_, index) => `{{v${index}}}`).join('') }, { secret });
  t.equal(many.body.warnings?.length, 10, 'not more than ten of a text');
});

t.test('repeated addresses are counted in the answer', async (t) => {
  const { secret } = await setup();
  const reply = await post(
    { emails: ['ada@example.com', 'ADA@example.com', { email: 'ada@example.com' }, 'bob@example.com'] },
    { secret },
  );
  t.strictSame(reply.body.warnings, [
    {
      code: 'repeated_recipient',
      field: 'emails',
      message: '2 repeated addresses were left out: 2 people are invited.',
    },
  ]);
  t.equal(reply.body.message, '2 invitations queued.');
});

t.test('fields in the query are named when the body has none', async (t) => {
  const { secret } = await setup();
  for (const [payload, headers, code] of [
    [{}, {}, 'missing_recipient'],
    ['', JSON_TYPE, 'invalid_json'],
    ['', FORM_TYPE, 'missing_recipient'],
    [new Uint8Array(), {}, 'unsupported_content_type'],
  ] as const) {
    const reply = await post(payload, { secret, headers, query: '?email=ada@example.com&name=Ada' });
    t.equal(rejectionOf(reply).code, code);
    t.match(reply.body.message, /email, name must be in the body, not in the query\.$/);
    t.strictSame(rejectionOf(reply).fields.slice(-2), ['email', 'name']);
    t.notMatch(reply.text, 'ada@example.com');
  }
});

t.test('a field of the body in the query is refused, with every other error, and nothing is queued', async (t) => {
  const { secret, survey } = await setup();
  const reply = await post(ada, { secret, query: '?send_in_seconds=86400&utm=x' });
  t.strictSame(rejectionOf(reply), { status: 400, code: 'invalid_field', fields: ['send_in_seconds'] });
  t.equal(reply.body.message, 'send_in_seconds must be in the body, not in the query.');
  const both = await post({ ...ada, reminder_days: 999 }, { secret, query: '?send_at=now&reminder_days=3' });
  t.strictSame(rejectionOf(both).fields, ['reminder_days', 'reminder_days', 'send_at']);
  for (const field of Object.keys(TriggerBody.properties).filter((name) => !['token', 'secret'].includes(name)))
    t.strictSame(rejectionOf(await post(ada, { secret, query: `?${field}=x` })).fields, [field]);
  t.equal((await sql`select from invite.batches where survey_id = ${survey}`).length, 0);
  t.equal((await post(ada, { query: `?token=${secret}&send=x` })).status, 200);
});

t.test('the answer says when nothing will be sent, and why', async (t) => {
  const { secret, survey, workspace } = await setup();
  const warned = async (payload: object = ada, options = {}) => (await post(payload, { secret, ...options })).body.warnings;
  t.equal(await warned(), undefined);
  for (const [state, word] of [
    ['draft', 'draft'],
    ['closed', 'closed'],
  ] as const) {
    await sql`update invite.surveys set state = ${state}::invite.survey_state where id = ${survey}`;
    t.match(await warned(), [{ code: 'survey_not_active', message: new RegExp(`^The survey is (a )?${word}: `) }]);
    t.match(await warned({ ...ada, send_in_seconds: 60 }), [{ code: 'survey_not_active' }], 'whenever it is due');
  }
  const key = { headers: { 'idempotency-key': 'held' } };
  t.match(await warned(ada, key), [{ code: 'survey_not_active' }]);
  t.match(await warned(ada, key), [{ code: 'survey_not_active' }], 'the same to a repeated request');
  await sql`update invite.surveys set state = 'active' where id = ${survey}`;
  t.equal(await warned(ada, key), undefined, 'as it is now');
  const pause = {
    'the survey': (paused: boolean) => sql`select invite.set_survey_paused(${survey}, ${paused})`,
    'the workspace': (paused: boolean) => sql`select invite.set_workspace_paused(${workspace}, ${paused})`,
    everyone: (paused: boolean) => sql`select invite.set_sending_paused(${paused})`,
  };
  for (const [whose, set] of Object.entries(pause)) {
    await set(true);
    t.match(await warned(), [{ code: 'sending_paused', message: `Sending is paused for ${whose}: ` }]);
    await set(false);
    t.equal(await warned(), undefined);
  }
  await sql`
    insert into invite.suppressions (workspace_id, email, reason)
    select ${workspace}, x, 'unsubscribe' from unnest(array['ada@example.com', 'bob@example.com']) as x`;
  const list = "on the workspace's do-not-email list: nothing will be sent to";
  t.strictSame(await warned({ email: 'ADA@example.com' }), [
    { code: 'suppressed_recipient', field: 'email', message: `The address is ${list} it.` },
  ]);
  const three = ['ada@example.com', 'eve@example.com', 'bob@example.com'];
  t.strictSame(await warned({ emails: three }), [
    { code: 'suppressed_recipient', field: 'emails', message: `2 of 3 addresses are ${list} them.` },
  ]);
  t.match(await warned({ emails: three.slice(1) }), [{ message: `1 of 2 addresses is ${list} it.` }]);
  t.equal(await warned({ email: 'eve@example.com' }), undefined);
  const other = await setup();
  t.equal((await post(ada, { secret: other.secret })).body.warnings, undefined, 'the list of another workspace');
});

t.test('a lock that is not let go of is 503 with Retry-After', async (t) => {
  const { token, secret } = await setup();
  await connect().begin(async (transaction) => {
    await transaction`select from invite.trigger_tokens where id = ${token} for update`;
    const reply = await post(ada, { secret });
    t.strictSame(rejectionOf(reply), { status: 503, code: 'not_ready', fields: [] });
    t.equal(reply.headers.get('retry-after'), String(reply.body.error.retry_after_seconds));
  });
  t.equal((await post(ada, { secret })).status, 200);
});

t.test('every method but POST is 405 with Allow: POST, secret or not', async (t) => {
  const { secret } = await setup();
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const response = await call(`?token=${secret}`, { method });
    t.equal(response.status, 405, method);
    t.equal(response.headers.get('allow'), 'POST', method);
    const text = await response.text();
    if (method === 'HEAD') t.equal(text, '');
    else t.match(JSON.parse(text), { ok: false, error: { code: 'method_not_allowed', details: [] } });
  }
});

t.test('an unknown address under /api/ is 404 in JSON', async (t) => {
  for (const [method, path] of [
    ['POST', '/api/invitation-triggers'],
    ['GET', '/api/'],
    ['POST', '/api/invitation-trigger/x'],
  ] as const) {
    const response = await fetch(url + path, { method });
    t.equal(response.status, 404, path);
    t.match(await response.json(), { ok: false, error: { code: 'not_found' } });
  }
});

t.test('a rejection is answered with exactly the documented shape', async (t) => {
  const reply = await post({ emails: ['ada@example.com', 'x', { email: 'bad' }] }, { secret: 'any' });
  t.strictSame(Object.keys(reply.body), ['ok', 'message', 'error', 'request_id']);
  t.strictSame(Object.keys(reply.body.error), ['code', 'details']);
  t.strictSame(reply.body.error.details, [
    { field: 'emails[1]', message: "isn't a valid email address: it has no @" },
    { field: 'emails[2].email', message: "isn't a valid email address: it has no @" },
  ]);
  t.equal(reply.body.ok, false);
  t.equal(reply.headers.get('content-type'), 'application/json');
  t.equal(reply.headers.get('retry-after'), null);
});

t.test('a sane X-Request-Id is kept, any other is replaced, and the body repeats it', async (t) => {
  for (const given of ['order-7', 'a.B_c:1', 'x'.repeat(128)]) {
    const reply = await post({}, { secret: 'any', headers: { 'x-request-id': given } });
    t.equal(reply.headers.get('x-request-id'), given);
    t.equal(reply.body.request_id, given);
  }
  const seen = new Set<string>();
  for (const given of ['', 'a b', '<script>', 'ä', 'x'.repeat(129)]) {
    const reply = await post({}, { secret: 'any', headers: { 'x-request-id': given } });
    t.match(reply.headers.get('x-request-id'), /^[0-9a-f-]{36}$/, JSON.stringify(given));
    t.equal(reply.body.request_id, reply.headers.get('x-request-id'));
    seen.add(reply.body.request_id);
  }
  t.equal(seen.size, 5, 'each request has its own');
});

t.test('no answer carries a CORS header', async (t) => {
  const { secret } = await setup();
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
  const answers = [
    (await post(ada, { secret, headers })).headers,
    (await post({}, { secret, headers })).headers,
    (await fetch(endpoint, { method: 'OPTIONS', headers })).headers,
  ];
  for (const answer of answers) {
    t.strictSame(
      [...answer.keys()].filter((name) => name.startsWith('access-control-')),
      [],
    );
  }
});
