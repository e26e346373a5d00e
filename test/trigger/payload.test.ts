// The fields of a trigger request over HTTP: what each field accepts and rejects, and how errors are reported.
import t from 'tap';
import { FORM_TYPE, JSON_TYPE, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'), { FLOOD_RECIPIENTS_PER_HOUR: '100000' });
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey, {
  defaultSubject: 'Default subject',
  defaultMessage: 'Default message',
  defaultReminders: [7],
});
const post = (payload: unknown) => server.post(payload, { secret });
/** Returns a request to Ada with more fields. */
const ada = (fields: object = {}) => ({ email: 'ada@example.com', ...fields });
const people = (count: number) => Array.from({ length: count }, (_, number) => `person${number}@example.com`);
const rejected = (code: string, ...fields: string[]) => ({ status: 400, code, fields });

t.test('what the request says is stored; metadata comes back as it was sent', async (t) => {
  const metadata = {
    order: 7,
    big: 9_007_199_254_740_991,
    half: 0.5,
    tags: ['ä', null, true],
    empty: {},
    'a.b/c~d\n"': '\u{1F600}',
  };
  const reply = await post(ada({ name: 'Ada', subject: 'Hi', message: 'Please\nanswer', reminder_days: 0, metadata }));
  const [batch] = await sql`select * from invite.batches where id = ${reply.body.batch.uuid}`;
  t.match(batch, { subject: 'Hi', message: 'Please\nanswer', reminders: [], recipients: 1 });
  t.strictSame(batch?.metadata, metadata);
});

t.test('null is the same as omitted: the defaults of the token apply', async (t) => {
  const names = [
    'emails',
    'name',
    'time_zone',
    'metadata',
    'subject',
    'message',
    'reminder_days',
    'reminders',
    'send_in_seconds',
    'send_at',
    'token',
    'secret',
  ];
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  for (const payload of [
    ada(),
    ada(nulls),
    { emails: [{ email: 'ada@example.com', name: null, metadata: null }], email: null },
  ]) {
    const reply = await post(payload);
    t.equal(reply.body.batch.status, 'queued');
    const [batch] = await sql`select * from invite.batches where id = ${reply.body.batch.uuid}`;
    t.match(batch, { subject: 'Default subject', message: 'Default message', reminders: [7], metadata: null });
  }
});

t.test('each limit is accepted, and one more is rejected', async (t) => {
  const email = (labels: number) => `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(labels)}.com`;
  const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
  t.equal(email(57).length, 254);
  for (const [limit, good, bad, code, field] of [
    ['1000 recipients', { emails: people(1000) }, { emails: people(1001) }, 'too_many_recipients', 'emails'],
    ['an address of 254 characters', { emails: [email(57)] }, { emails: [email(58)] }, 'invalid_recipient', 'emails[0]'],
    ['a name of 255 characters', ada({ name: 'n'.repeat(255) }), ada({ name: 'n'.repeat(256) }), 'invalid_field', 'name'],
    [
      'a subject of 255 characters',
      ada({ subject: 's'.repeat(255) }),
      ada({ subject: 's'.repeat(256) }),
      'invalid_field',
      'subject',
    ],
    ['a subject of 1 character', ada({ subject: 's' }), ada({ subject: '' }), 'invalid_field', 'subject'],
    [
      'a message of 65536 bytes',
      ada({ message: 'é'.repeat(32768) }),
      ada({ message: `${'é'.repeat(32768)}!` }),
      'invalid_field',
      'message',
    ],
    ['a message of 1 character', ada({ message: '.' }), ada({ message: '' }), 'invalid_field', 'message'],
    [
      'metadata of 16384 bytes',
      ada({ metadata: { a: 'é'.repeat(8188) } }),
      ada({ metadata: { a: `${'é'.repeat(8188)}!` } }),
      'invalid_field',
      'metadata',
    ],
    ['metadata of 32 levels', ada({ metadata: nested(32) }), ada({ metadata: nested(33) }), 'invalid_field', 'metadata'],
    [
      'a number of 53 bits',
      ada({ metadata: { n: 2 ** 53 - 1 } }),
      ada({ metadata: { n: 2 ** 53 } }),
      'invalid_field',
      'metadata.n',
    ],
    ['a reminder after 365 days', ada({ reminder_days: 365 }), ada({ reminder_days: 366 }), 'invalid_field', 'reminder_days'],
    ['a reminder after 0 days', ada({ reminder_days: 0 }), ada({ reminder_days: -1 }), 'invalid_field', 'reminder_days'],
    ['a list of one', ada({ reminders: [365] }), ada({ reminders: [366] }), 'invalid_field', 'reminders[0]'],
    ['a list from 1', ada({ reminders: [1, 2] }), ada({ reminders: [0, 2] }), 'invalid_field', 'reminders[0]'],
    ['ascending', ada({ reminders: [3, 7, 14] }), ada({ reminders: [3, 14, 7] }), 'invalid_field', 'reminders[2]'],
    ['distinct', ada({ reminders: [1, 2, 3, 4, 5] }), ada({ reminders: [1, 2, 3, 3] }), 'invalid_field', 'reminders[3]'],
    [
      'five reminders',
      ada({ reminders: [1, 2, 3, 4, 365] }),
      ada({ reminders: [1, 2, 3, 4, 5, 6] }),
      'invalid_field',
      'reminders',
    ],
    ['0 seconds', ada({ send_in_seconds: 0 }), ada({ send_in_seconds: -1 }), 'unsupported_timing', 'send_in_seconds'],
    [
      'a year of seconds',
      ada({ send_in_seconds: 31_536_000 }),
      ada({ send_in_seconds: 31_536_001 }),
      'unsupported_timing',
      'send_in_seconds',
    ],
  ] as const) {
    t.equal((await post(good)).status, 200, limit);
    t.strictSame(rejectionOf(await post(bad)), rejected(code, field), `not ${limit}`);
  }
});

t.test('a request has reminders, or the days of its only reminder, and not both', async (t) => {
  for (const [fields, reminders] of [
    [{}, [7]],
    [{ reminder_days: 3 }, [3]],
    [{ reminder_days: 0 }, []],
    [{ reminders: [] }, []],
    [{ reminders: [3, 7, 14, 30, 365] }, [3, 7, 14, 30, 365]],
    [{ reminders: [2], reminder_days: null }, [2]],
    [{ reminders: null, reminder_days: 2 }, [2]],
  ] as const) {
    const reply = await post(ada(fields));
    const [batch] = await sql`select reminders from invite.batches where id = ${reply.body.batch.uuid}`;
    t.strictSame(batch?.reminders, reminders, JSON.stringify(fields));
  }
  for (const [fields, field, text] of [
    [{ reminders: [3], reminder_days: 3 }, 'reminders', "reminders can't be combined with reminder_days."],
    [{ reminders: [], reminder_days: 0 }, 'reminders', "reminders can't be combined with reminder_days."],
    [{ reminders: 3 }, 'reminders', 'reminders must be an array of at most 5 numbers of days.'],
    [{ reminders: [1, 2, 3, 4, 5, 6] }, 'reminders', 'reminders must be an array of at most 5 numbers of days.'],
    [{ reminders: [7, 3] }, 'reminders[1]', 'reminders[1] must be greater than the number before it.'],
    ...[0, -1, 366, 1.5, '3', null, [3], true, 1e300].map((days) => [
      { reminders: [1, days] },
      'reminders[1]',
      'reminders[1] must be a whole number from 1 to 365.',
    ]),
  ] as [object, string, string][]) {
    const reply = await post(ada(fields));
    t.strictSame(rejectionOf(reply), rejected('invalid_field', field), JSON.stringify(fields));
    t.equal(reply.body.message, text);
  }
});

t.test('a value of another type is rejected, never converted', async (t) => {
  for (const [fields, code] of [
    [{ reminder_days: 1.5 }, 'invalid_field'],
    [{ reminder_days: '3' }, 'invalid_field'],
    [{ reminder_days: true }, 'invalid_field'],
    [{ reminder_days: [] }, 'invalid_field'],
    [{ reminders: 3 }, 'invalid_field'],
    [{ reminders: '3,7' }, 'invalid_field'],
    [{ reminders: {} }, 'invalid_field'],
    [{ reminders: true }, 'invalid_field'],
    [{ send_in_seconds: '5' }, 'unsupported_timing'],
    [{ send_in_seconds: 0.5 }, 'unsupported_timing'],
    [{ send_at: 0 }, 'unsupported_timing'],
    [{ send_at: '' }, 'unsupported_timing'],
    [{ send_at: 'tomorrow' }, 'unsupported_timing'],
    [{ subject: 5 }, 'invalid_field'],
    [{ message: ['a'] }, 'invalid_field'],
    [{ metadata: 'order=7' }, 'invalid_field'],
    [{ metadata: [] }, 'invalid_field'],
    [{ metadata: 7 }, 'invalid_field'],
    [{ token: 7 }, 'invalid_field'],
    [{ email: 5 }, 'invalid_recipient'],
    [{ email: {} }, 'invalid_recipient'],
    [{ email: '' }, 'invalid_recipient'],
  ] as const) {
    t.strictSame(rejectionOf(await post(ada(fields))), rejected(code, Object.keys(fields)[0] ?? ''), JSON.stringify(fields));
  }
});

t.test('now, a time and a delay say when; two of them are rejected', async (t) => {
  t.equal((await post(ada({ send_at: 'now' }))).body.batch.status, 'queued');
  t.equal((await post(ada({ send_in_seconds: 0 }))).body.batch.status, 'queued');
  t.equal((await post(ada({ send_in_seconds: 1 }))).body.batch.status, 'scheduled');
  const inAnHour = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const later = await post(ada({ send_at: inAnHour }));
  t.match(later.body.batch, { status: 'scheduled', scheduled_at: inAnHour.slice(0, 19).replace('T', ' ') });
  t.strictSame(rejectionOf(await post(ada({ send_at: 'now', send_in_seconds: 0 }))), rejected('unsupported_timing', 'send_at'));
});

t.test('text that PostgreSQL cannot store, or a header must not carry, is rejected wherever it is', async (t) => {
  for (const [payload, code, field] of [
    [ada({ subject: 'a\u0000b' }), 'invalid_field', 'subject'],
    [ada({ subject: 'a\r\nBcc: b@example.com' }), 'invalid_field', 'subject'],
    [ada({ subject: 'a\ud800' }), 'invalid_field', 'subject'],
    [ada({ message: 'a\u0000b' }), 'invalid_field', 'message'],
    [ada({ message: '\udc00a' }), 'invalid_field', 'message'],
    [ada({ name: 'a\nb' }), 'invalid_field', 'name'],
    [ada({ name: 'a\ud800' }), 'invalid_field', 'name'],
    [ada({ metadata: { a: '\u0000' } }), 'invalid_field', 'metadata.a'],
    [ada({ metadata: { a: [{ b: '\ud800' }] } }), 'invalid_field', 'metadata.a[0].b'],
    [ada({ metadata: { '\u0000': 1 } }), 'invalid_field', 'metadata'],
    [{ emails: [{ email: 'a@example.com', metadata: { a: '\u0000' } }] }, 'invalid_field', 'emails[0].metadata.a'],
    [{ emails: [{ email: 'a@example.com', name: 'a\rb' }] }, 'invalid_recipient', 'emails[0].name'],
  ] as const) {
    t.strictSame(rejectionOf(await post(payload)), rejected(code, field), JSON.stringify(payload));
  }
  t.equal((await post(ada({ message: 'a\r\n\tb', subject: '\u{1F600}' }))).status, 200, 'lines of a message, an emoji');
});

t.test('a number that loses its value is rejected', async (t) => {
  const reply = await server.post('{"email":"ada@example.com","metadata":{"n":1e400}}', { secret, headers: JSON_TYPE });
  t.strictSame(rejectionOf(reply), rejected('invalid_field', 'metadata.n'));
  t.match(reply.body.message, /^metadata\.n is a number that would lose digits; send it as a string\.$/);
});

t.test('an unknown field is rejected by its name, with the nearest known one', async (t) => {
  for (const [payload, field, hint] of [
    [ada({ send_in_second: 60 }), 'send_in_second', 'did you mean send_in_seconds?'],
    [ada({ sendAt: 'now' }), 'sendAt', 'did you mean send_at?'],
    [ada({ 'reminder-days': 1 }), 'reminder-days', 'did you mean reminder_days?'],
    [ada({ recipients: ['b@example.com'] }), 'recipients', 'did you mean emails?'],
    [ada({ to: 'b@example.com' }), 'to', 'did you mean email?'],
    [{ e_mail: 'ada@example.com', emails: ['a@example.com'] }, 'e_mail', 'did you mean email?'],
    [{ emails: ['a@example.com', { email: 'b@example.com', nam: 'B' }] }, 'emails[1].nam', 'did you mean name?'],
  ] as const) {
    const reply = await post(payload);
    t.strictSame(rejectionOf(reply), rejected('unknown_field', field));
    t.match(reply.body.error.details[0]?.message, hint);
    t.ok(reply.body.message.endsWith(hint), 'the question ends the sentence');
  }
  for (const name of ['nope', 'customer_reference', 'toString', 'a/b', 'a~b', 'emails[0]', ' ']) {
    const reply = await post(ada({ [name]: 1 }));
    t.strictSame(rejectionOf(reply), rejected('unknown_field', name));
    t.notMatch(reply.text, 'did you mean', name);
  }
  const proto = await server.post('{"email":"ada@example.com","__proto__":{"a":1}}', { secret, headers: JSON_TYPE });
  t.strictSame(rejectionOf(proto), rejected('unknown_field', '__proto__'));
});

t.test('all errors are reported at once, each with its field', async (t) => {
  const reply = await post({
    emails: [
      'ok@example.com',
      'bad',
      { email: 'nope@' },
      { name: 'Nobody' },
      { email: 5 },
      null,
      7,
      ['x'],
      { email: 'b@example.com', metadata: [] },
    ],
    subject: '',
    reminder_days: -1,
    send_in_second: 5,
    send_at: 'tomorrow',
  });
  t.equal(reply.body.error.code, 'invalid_recipient');
  t.strictSame(rejectionOf(reply).fields.sort(), [
    'emails[1]',
    'emails[2].email',
    'emails[3].email',
    'emails[4].email',
    'emails[5]',
    'emails[6]',
    'emails[7]',
    'emails[8].metadata',
    'reminder_days',
    'send_at',
    'send_in_second',
    'subject',
  ]);
  t.match(reply.body.message, /\(and 11 more errors\)\.$/);
});

t.test('of several kinds of error the documented first one is the code', async (t) => {
  const errors = { subject: '', colour: 1, send_at: 'tomorrow' };
  for (const [payload, code] of [
    [{ name: 'a\nb', ...errors }, 'missing_recipient'],
    [{ emails: [], name: 'Ada', ...errors }, 'missing_recipient'],
    [{ emails: people(1001), name: 'Ada', ...errors }, 'invalid_recipient'],
    [{ emails: people(1001), ...errors }, 'too_many_recipients'],
    [ada(errors), 'invalid_field'],
    [ada({ colour: 1, send_at: 'tomorrow' }), 'unknown_field'],
    [ada({ send_at: 'tomorrow' }), 'unsupported_timing'],
  ] as const) {
    t.equal(rejectionOf(await post(payload)).code, code);
  }
});

t.test('at most a hundred errors are collected, and the nearest names for the first five unknown fields', async (t) => {
  const reply = await post({ emails: Array.from({ length: 150 }, () => 'bad') });
  t.equal(reply.body.error.details.length, 100);
  t.match(reply.body.message, /\(and at least 99 more errors\)/);

  const misspelt = Object.fromEntries(
    Array.from({ length: 200 }, (_, number) => [`subjec${String.fromCharCode(192 + number)}`, 1]),
  );
  const unknown = await post({ ...misspelt, subject: '' });
  t.equal(unknown.body.error.details.length, 100);
  t.equal(unknown.body.error.details.filter(({ message }) => message.includes('did you mean subject?')).length, 5);
  t.equal(unknown.body.error.code, 'missing_recipient', 'none of the other errors is lost among them');
  t.match(rejectionOf(unknown).fields.slice(0, 2), ['email', 'subject']);
});

t.test('more than 1,000 fields are one error, in the request and in a recipient', async (t) => {
  const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, number) => [`field${number}`, 1]));
  const many = await post(ada(fields));
  t.strictSame(rejectionOf(many), rejected('unknown_field'));
  t.equal(many.body.message, 'The body must have at most 1,000 fields.');
  const form = new URLSearchParams({ ...ada(), ...fields } as Record<string, string>).toString();
  const inForm = await server.post(form, { secret, headers: FORM_TYPE });
  t.strictSame([rejectionOf(inForm), inForm.body.message], [rejectionOf(many), many.body.message]);
  const recipient = await post({ emails: [ada(fields)] });
  t.strictSame(rejectionOf(recipient), rejected('unknown_field', 'emails[0]'));
});

t.test('what could never be sent is refused: a large email, a subject longer than a line of a header', async (t) => {
  const reply = await post(ada({ message: '{{survey_link}}'.repeat(4300) }));
  t.strictSame(rejectionOf(reply), rejected('invalid_field', 'message'));
  t.match(reply.body.error.details[0]?.message, 'at most 256 KiB');
  t.strictSame(rejectionOf(await post(ada({ message: '"'.repeat(60_000) }))), rejected('invalid_field', 'message'));
  t.strictSame(rejectionOf(await post(ada({ subject: '\u{1F600}'.repeat(255) }))), rejected('invalid_field', 'subject'));
  t.equal((await post(ada({ message: '{{survey_link}} '.repeat(11), subject: 'é'.repeat(255) }))).status, 200);
});
