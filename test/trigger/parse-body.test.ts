// The body of a trigger request: what is read as JSON or as a form, and what is rejected before any field is read.
import t from 'tap';
import { FORM_TYPE, JSON_TYPE, type PostOptions, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { post } = await startTestServer(t, urlAs('invite_web'), { MAX_BODY_BYTES: '2000' });
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey);

const send = (body: unknown, headers: Record<string, string>, options: PostOptions = {}) =>
  post(body, { secret, headers, ...options });
const ADA = '{"email":"ada@example.com"}';
/** Returns a valid body of exactly this many bytes. White space may follow JSON. */
const ofBytes = (bytes: number) => ADA.padEnd(bytes);
const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns the batch and its invitations from the database. */
const stored = async (batchId: string) => {
  const [batch] = await sql`select subject, reminders, metadata from invite.batches where id = ${batchId}`;
  const invitations = await sql`select email, name from test.invitations where batch_id = ${batchId} order by id`;
  return { ...batch, invitations: invitations.map((row) => ({ ...row })) };
};

t.test('JSON is accepted as application/json in UTF-8, however that is written', async (t) => {
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=utf8',
  ]) {
    t.equal((await send(ADA, { 'content-type': type })).status, 200, type);
  }
  t.equal((await send(ADA, { ...JSON_TYPE, 'content-encoding': 'identity' })).status, 200, 'content-encoding: identity');
});

t.test('any other content type, charset or encoding is rejected', async (t) => {
  const rejected = { status: 400, code: 'unsupported_content_type', fields: [] };
  for (const headers of [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/vnd.api+json' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  ]) {
    t.strictSame(rejectionOf(await send(ADA, headers)), rejected, JSON.stringify(headers));
  }
  t.strictSame(rejectionOf(await send(bytes(ADA), {})), rejected, 'no content type');
});

t.test('what is not a JSON object in UTF-8 is rejected, without repeating it', async (t) => {
  for (const text of [
    '',
    '{',
    '{"email":"ada@example.com",}',
    "{'email':1}",
    'sit_secret',
    '[]',
    '[{}]',
    '"text"',
    '1',
    'null',
    'NaN',
  ]) {
    const reply = await send(text, JSON_TYPE);
    t.strictSame(rejectionOf(reply), { status: 400, code: 'invalid_json', fields: [] }, JSON.stringify(text));
    if (text.length > 5) t.notOk(reply.text.includes(text.slice(0, 6)));
  }
  const latin1 = Buffer.from('{"email":"ada@example.com","name":"Zo\xeb"}', 'latin1');
  t.strictSame(rejectionOf(await send(latin1, JSON_TYPE)).code, 'invalid_json', 'invalid UTF-8');
  t.strictSame(rejectionOf(await send('['.repeat(2000), JSON_TYPE)).code, 'invalid_json', 'deep nesting');
});

t.test('a body of the maximum size is accepted, one more is rejected', async (t) => {
  t.equal((await send(ofBytes(2000), JSON_TYPE)).status, 200);
  t.strictSame(rejectionOf(await send(ofBytes(2001), JSON_TYPE)), { status: 400, code: 'body_too_large', fields: [] });
});

t.test('a body of unknown length is measured too', async (t) => {
  const stream = (text: string) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at += 500) controller.enqueue(bytes(text.slice(at, at + 500)));
        controller.close();
      },
    });
  t.equal((await send(stream(ofBytes(2000)), JSON_TYPE)).status, 200);
  t.equal(rejectionOf(await send(stream(ofBytes(2001)), JSON_TYPE)).code, 'body_too_large');
  t.equal(rejectionOf(await send(stream(ofBytes(1_000_000)), JSON_TYPE)).code, 'body_too_large', 'much too large');
});

t.test(
  'a form with the secret in it has at most 64 KiB: larger ones cost too much before it is known to be wanted',
  async (t) => {
    const { post } = await startTestServer(t, urlAs('invite_web'));
    const size = (length: number, before: string) => before.padEnd(length, 'x');
    const own = `secret=${secret}&email=ada%40example.com&message=`;
    t.equal((await post(size(65_536, own), { headers: FORM_TYPE })).status, 200);
    const larger = await post(size(65_537, own), { headers: FORM_TYPE });
    t.match(larger, {
      status: 400,
      body: { error: { code: 'body_too_large' }, message: /at most 65536 bytes.*Authorization header\.$/ },
    });
    const subject = 'email=ada%40example.com&metadata[a]=';
    t.equal(
      rejectionOf(await post(size(65_537, subject), { secret, headers: FORM_TYPE })).code,
      'invalid_field',
      'read, and found too long',
    );
    t.equal(
      (await post(`{"secret": "${secret}", "email": "ada@example.com"${' '.repeat(70_000)}}`, { headers: JSON_TYPE })).status,
      200,
    );
  },
);

t.test('a form has the same fields; its integers are read as such and empty ones are omitted', async (t) => {
  const form = 'email=ada%40example.com&name=Ada+L&subject=Hi&reminder_days=3&send_in_seconds=60&message=&send_at=';
  const reply = await send(form, FORM_TYPE);
  t.equal(reply.status, 200);
  t.equal(reply.body.batch.status, 'scheduled');
  t.match(await stored(reply.body.batch.uuid), {
    subject: 'Hi',
    reminders: [3],
    invitations: [{ email: 'ada@example.com', name: 'Ada L' }],
  });
});

t.test('a form lists reminders with commas, or repeats the field', async (t) => {
  for (const form of [
    'reminders=3,7,14',
    'reminders=3,+7,+14',
    'reminders=3&reminders=7&reminders=14',
    'reminders[]=3&reminders[]=7&reminders[]=14',
    'reminders[0]=3&reminders[1]=7&reminders[2]=14',
    'reminders=3,7&reminders=&reminders=14',
  ]) {
    const reply = await send(`email=ada@example.com&${form}`, FORM_TYPE);
    t.match(await stored(reply.body.batch.uuid), { reminders: [3, 7, 14] }, form);
  }
  const reply = await send('email=ada@example.com&reminders=', FORM_TYPE);
  t.match(await stored(reply.body.batch.uuid), { reminders: [] }, 'the default of the token');
});

t.test('a form names several recipients by repeating emails or emails[]', async (t) => {
  for (const form of ['emails=ada@example.com&emails=bob@example.com', 'emails[]=ada@example.com&emails[]=bob@example.com']) {
    const reply = await send(form, FORM_TYPE);
    t.match(await stored(reply.body.batch.uuid), { invitations: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }] });
  }
  t.strictSame(rejectionOf(await send('emails=ada@example.com&emails=bad', FORM_TYPE)).fields, ['emails[1]']);
});

t.test('a form that names 10,000 recipients is rejected with their number; one of more fields is not read', async (t) => {
  const large = await startTestServer(t, urlAs('invite_web'), { MAX_BODY_BYTES: '1048576' });
  const reply = await large.post('emails=x&'.repeat(10_999), { secret, headers: FORM_TYPE });
  t.strictSame(rejectionOf(reply), { status: 400, code: 'too_many_recipients', fields: ['emails'] });
  t.match(reply.body.message, /not 10999/);
  // In an earlier version each of these took seconds, and stopped the server for everyone.
  for (const field of ['emails=x', 'a', '', 'metadata[a][]=b']) {
    const many = await large.post(Array(11_001).fill(field).join('&'), { secret, headers: FORM_TYPE });
    t.strictSame(rejectionOf(many), { status: 400, code: 'invalid_field', fields: [] }, field);
    t.equal(many.body.message, 'A form must have at most 11,000 fields: send more as JSON.');
  }
});

t.test('a form carries metadata as JSON text or as one field a key', async (t) => {
  for (const [form, metadata] of [
    [`metadata=${encodeURIComponent('{"order":7,"tags":["a"]}')}`, { order: 7, tags: ['a'] }],
    ['metadata[order]=7&metadata[shop]=eu', { order: '7', shop: 'eu' }],
    ['metadata%5Border%5D=7', { order: '7' }],
  ] as const) {
    const reply = await send(`email=ada@example.com&${form}`, FORM_TYPE);
    t.strictSame(((await stored(reply.body.batch.uuid)) as { metadata?: object }).metadata, metadata, form);
  }
});

t.test('a form numbers recipients as PHP does, with or without fields of their own', async (t) => {
  const reply = await send(
    'emails[0]=ada@example.com&emails[1][email]=bob@example.com&emails[1][name]=Bob&emails[1][metadata][seat]=7' +
      '&emails[2][email]=&emails[2][name]=&emails[3]=&emails[4][email]=eve@example.com&emails[4][metadata]={"seat":8}',
    FORM_TYPE,
  );
  const rows =
    await sql`select email, name, metadata from test.invitations where batch_id = ${reply.body.batch.uuid} order by id`;
  t.strictSame(
    rows.map((row) => ({ ...row })),
    [
      { email: 'ada@example.com', name: null, metadata: null },
      { email: 'bob@example.com', name: 'Bob', metadata: { seat: '7' } },
      { email: 'eve@example.com', name: null, metadata: { seat: 8 } },
    ],
  );
});

t.test('what is nested in the metadata of a form stays nested', async (t) => {
  const form =
    'email=ada@example.com&metadata[order][id]=7&metadata[tags][]=a&metadata[tags][]=b&metadata[l][0]=x&metadata[__proto__][a]=1';
  const reply = await send(form, FORM_TYPE);
  const { metadata } = (await stored(reply.body.batch.uuid)) as { metadata?: object };
  t.equal(JSON.stringify(metadata), '{"l":["x"],"tags":["a","b"],"order":{"id":"7"},"__proto__":{"a":"1"}}');
  const deep = await send(`email=ada@example.com&metadata${'[a]'.repeat(200)}=1`, FORM_TYPE);
  t.strictSame(rejectionOf(deep), { status: 400, code: 'invalid_field', fields: ['metadata'] });
});

t.test('JSON that is sent as a form says so', async (t) => {
  for (const text of [ADA, ` ${ADA}`, '{"email":"a+b@example.com","subject":"1=1&2"}']) {
    const reply = await send(text, FORM_TYPE);
    t.strictSame(rejectionOf(reply), { status: 400, code: 'unsupported_content_type', fields: [] });
    t.equal(reply.body.message, 'The body looks like JSON: send it with Content-Type: application/json.');
  }
});

t.test('an empty body says so', async (t) => {
  for (const [body, headers, code] of [
    ['', JSON_TYPE, 'invalid_json'],
    [bytes(''), {}, 'unsupported_content_type'],
  ] as const) {
    const reply = await send(body, headers);
    t.strictSame(rejectionOf(reply), { status: 400, code, fields: [] });
    t.match(reply.body.message, /^The body is empty: send the fields in it/);
  }
});

t.test('the errors of a form are those of JSON', async (t) => {
  for (const [form, code, fields] of [
    ['', 'missing_recipient', ['email']],
    ['email=&emails=', 'missing_recipient', ['email']],
    ['email=a@example.com&reminder_days=1.5', 'invalid_field', ['reminder_days']],
    ['email=a@example.com&reminder_days=three', 'invalid_field', ['reminder_days']],
    ['email=a@example.com&reminder_days=-1', 'invalid_field', ['reminder_days']],
    ['email=a@example.com&reminders=3&reminder_days=3', 'invalid_field', ['reminders']],
    ['email=a@example.com&reminders=3,soon', 'invalid_field', ['reminders[1]']],
    ['email=a@example.com&reminders=3,,7', 'invalid_field', ['reminders[1]']],
    ['email=a@example.com&reminders=0', 'invalid_field', ['reminders[0]']],
    [`email=a@example.com&reminders=${'3,'.repeat(300)}`, 'invalid_field', ['reminders']],
    [`email=a@example.com${'&reminders=3'.repeat(50)}`, 'invalid_field', ['reminders']],
    ['email=a@example.com&reminders[a]=3', 'unknown_field', ['reminders[a]']],
    ['email=a@example.com&send_in_seconds=99999999999999999999', 'unsupported_timing', ['send_in_seconds']],
    ['email=a@example.com&metadata=text', 'invalid_field', ['metadata']],
    ['email=a@example.com&metadata=[1]', 'invalid_field', ['metadata']],
    ['email=a@example.com&subject=a%00b', 'invalid_field', ['subject']],
    ['email=a@example.com&email=b@example.com', 'invalid_field', ['email']],
    ['email=a@example.com&send_in_second=5', 'unknown_field', ['send_in_second']],
    ['email=a@example.com&send_in_second=', 'unknown_field', ['send_in_second']],
    ['emails[0][email]=a@example.com&emails[0][nam]=', 'unknown_field', ['emails[0].nam']],
    ['emails[0][name]=Ada', 'invalid_recipient', ['emails[0].email']],
    ['emails[0]=a@example.com&emails[0]=b@example.com', 'invalid_field', ['emails']],
    ['emails[0]=a@example.com&emails[0][email]=b@example.com', 'invalid_field', ['emails']],
    ['emails[0][email]=a@example.com&emails[0]=b@example.com', 'invalid_field', ['emails']],
    ['emails[][email]=a@example.com', 'missing_recipient', ['email', 'emails[][email]']],
    ['emails[x]=a@example.com', 'missing_recipient', ['email', 'emails[x]']],
    ['email=a@example.com&metadata[a]=1&metadata[a][b]=2', 'invalid_field', ['metadata']],
    ['email=a@example.com&metadata[]=1', 'unknown_field', ['metadata[]']],
  ] as const) {
    t.strictSame(rejectionOf(await send(form, FORM_TYPE)), { status: 400, code, fields }, form);
  }
});
