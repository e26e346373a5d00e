// The recipients of a trigger request over HTTP: one invitation per address, and which texts are addresses.
import t from 'tap';
import { rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'));
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey);
const post = (payload: unknown) => server.post(payload, { secret });

/** Returns the invitations that an accepted request created. */
const invited = async (payload: unknown) => {
  const { status, body, text } = await post(payload);
  if (status !== 200) throw new Error(text);
  const rows = await sql`select email, name, metadata from test.invitations where batch_id = ${body.batch.uuid} order by id`;
  return rows.map((row) => ({ ...row }));
};

t.test('email with a name is one invitation', async (t) => {
  t.strictSame(await invited({ email: 'ada@example.com', name: 'Ada' }), [
    { email: 'ada@example.com', name: 'Ada', metadata: null },
  ]);
});

t.test('emails takes addresses and objects, each with its own name and metadata', async (t) => {
  t.strictSame(await invited({ emails: ['ada@example.com', { email: 'bob@example.com', name: 'Bob', metadata: { seat: 7 } }] }), [
    { email: 'ada@example.com', name: null, metadata: null },
    { email: 'bob@example.com', name: 'Bob', metadata: { seat: 7 } },
  ]);
});

t.test('an address that is repeated in other letters or with spaces is one recipient, the first', async (t) => {
  const emails = [' ada@Example.com ', 'ADA@example.com', { email: 'Ada@EXAMPLE.COM', name: 'Late' }, 'bob@example.com'];
  t.strictSame(await invited({ emails }), [
    { email: 'ada@example.com', name: null, metadata: null },
    { email: 'bob@example.com', name: null, metadata: null },
  ]);
});

t.test('a domain in other letters is stored in its ASCII form, and folded with it', async (t) => {
  t.match(await invited({ emails: ['ada@bücher.example', 'ada@BÜCHER.example', 'ada@xn--bcher-kva.example'] }), [
    { email: 'ada@xn--bcher-kva.example' },
  ]);
});

t.test('unusual addresses are addresses', async (t) => {
  for (const email of [
    'a@b.co',
    'first.last+tag@sub.example.com',
    "o'brien@example.com",
    '1@2.example',
    'x_y-z=!#$%&*/?^`{|}~@example.com',
  ]) {
    t.match(await invited({ email }), [{ email }]);
  }
});

t.test('what is not an address is rejected, and never fixed into one', async (t) => {
  for (const email of [
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    '.ada@example.com',
    'ädä@example.com',
    'Ada <ada@example.com>',
    'mailto:ada@example.com ada',
    'a@example.com,b@example.com',
    'a@example.com;b@example.com',
    'ada@127.0.0.1',
    'ada@0x7f.1',
    'ada@[127.0.0.1]',
    'ada@example.com:25',
    'ada@example.com/path',
    'ada@example.com\\path',
    'ada@example.com?subject=x',
    'ada@example.com#x',
    'ada@ex%61mple.com',
    'ada@exa\tmple.com',
    'ada@example.com\r\nBcc: b@example.com',
    'ada\u0000@example.com',
    `${'a'.repeat(65)}@example.com`,
  ]) {
    t.strictSame(
      rejectionOf(await post({ emails: ['ok@example.com', email] })),
      { status: 400, code: 'invalid_recipient', fields: ['emails[1]'] },
      JSON.stringify(email),
    );
  }
});

t.test('what is wrong with an address can be fixed from the answer alone', async (t) => {
  for (const [email, message] of [
    ['Ada <ada@example.com>', 'must be the address alone: send the name in name'],
    ['a@example.com, b@example.com', 'must be one address: send several as a list in emails'],
    ['a@example.com;b@example.com', 'must be one address: send several as a list in emails'],
    ['a@example.com b@example.com', 'must be one address: send several as a list in emails'],
    ['jörg@example.com', "isn't an address that can be emailed: only ASCII may stand before the @"],
    ['ada', "isn't a valid email address: it has no @"],
    ['ada lovelace@example.com', "isn't a valid email address: it contains a space"],
    ['ada@@example.com', "isn't a valid email address: it has more than one @"],
    ['ada@localhost', "isn't a valid email address: a domain such as example.com must follow the @"],
    [`${'a'.repeat(65)}@example.com`, "isn't a valid email address: at most 64 characters may stand before the @"],
    ['.ada@example.com', "isn't a valid email address"],
    ['a'.repeat(255), 'must be at most 254 characters'],
  ] as const) {
    const reply = await post({ emails: [email] });
    t.strictSame(reply.body.error?.details, [{ field: 'emails[0]', message }], email);
    t.notOk(reply.text.includes(email), 'the address is not repeated');
  }
});

t.test('no recipient, both fields, or a name that goes with none of several are rejected', async (t) => {
  for (const [payload, code, fields] of [
    [{}, 'missing_recipient', ['email']],
    [{ name: 'Ada' }, 'missing_recipient', ['email']],
    [{ emails: [] }, 'missing_recipient', ['emails']],
    [{ email: null, emails: null }, 'missing_recipient', ['email']],
    [{ emails: 'ada@example.com' }, 'invalid_recipient', ['emails']],
    [{ emails: { email: 'ada@example.com' } }, 'invalid_recipient', ['emails']],
    [{ email: 'ada@example.com', emails: ['bob@example.com'] }, 'invalid_recipient', ['emails']],
    [{ emails: ['ada@example.com'], name: 'Ada' }, 'invalid_recipient', ['name']],
    [{ emails: [{}] }, 'invalid_recipient', ['emails[0].email']],
    [{ emails: [{ email: null }] }, 'invalid_recipient', ['emails[0].email']],
  ] as const) {
    t.strictSame(rejectionOf(await post(payload)), { status: 400, code, fields }, JSON.stringify(payload));
  }
});

t.test('one bad recipient rejects the whole request', async (t) => {
  const count = async () => (await sql`select count(*)::integer as batches from invite.batches`)[0]?.batches as number;
  const before = await count();
  t.equal((await post({ emails: ['ada@example.com', 'bad'] })).status, 400);
  t.equal(await count(), before);
  t.equal((await post({ emails: ['ada@example.com'] })).status, 200);
  t.equal(await count(), before + 1, 'the count counts');
});
