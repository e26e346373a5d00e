// The time zones of a request and its recipients: what the database knows is one, in any case, and anything else is refused.
import t from 'tap';
import { TimeZones } from '../../src/trigger/time-zones.ts';
import { FORM_TYPE, rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store, urlAs } = database;
const server = await startTestServer(t, urlAs('invite_web'), { FLOOD_RECIPIENTS_PER_HOUR: '100000' });
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey);
const post = (payload: unknown, headers?: Record<string, string>) =>
  server.post(payload, { secret, ...(headers !== undefined && { headers }) });
const ada = (fields: object = {}) => ({ email: 'ada@example.com', ...fields });
const RULE = 'must be a time zone of the IANA database, such as Europe/Berlin';

/** The time zone of a batch, and those of its recipients. */
async function stored(batch: string) {
  const [row] = await sql`select time_zone from invite.batches where id = ${batch}`;
  const rows = await sql`select time_zone from invite.invitations where batch_id = ${batch} order by id`;
  return [row?.time_zone, ...rows.map(({ time_zone }) => time_zone)];
}

t.test('a time zone is stored as it was sent, of the request and of each recipient', async (t) => {
  for (const [payload, zones] of [
    [ada({ time_zone: 'Europe/Berlin' }), ['Europe/Berlin', null]],
    [ada({ time_zone: 'europe/berlin' }), ['europe/berlin', null]],
    [ada({ time_zone: 'UTC' }), ['UTC', null]],
    [ada({ time_zone: null }), [null, null]],
    [ada(), [null, null]],
    [
      {
        emails: [
          ada({ time_zone: 'America/Argentina/ComodRivadavia' }),
          { email: 'b@example.com', time_zone: null },
          'c@example.com',
        ],
        time_zone: 'Asia/Kathmandu',
      },
      ['Asia/Kathmandu', 'America/Argentina/ComodRivadavia', null, null],
    ],
  ] as const) {
    const reply = await post(payload);
    t.equal(reply.status, 200, reply.text);
    t.equal(reply.body.warnings, undefined);
    t.strictSame(await stored(reply.body.batch.uuid), zones);
  }
});

t.test('a form takes them too, and leaves out an empty one', async (t) => {
  const reply = await post(
    'emails[0][email]=a@example.com&emails[0][time_zone]=Asia/Tokyo&emails[1]=b@example.com&time_zone=UTC',
    FORM_TYPE,
  );
  t.strictSame(await stored(reply.body.batch.uuid), ['UTC', 'Asia/Tokyo', null]);
  const empty = await post('email=a@example.com&time_zone=', FORM_TYPE);
  t.strictSame(await stored(empty.body.batch.uuid), [null, null]);
  t.strictSame(rejectionOf(await post('emails[0][email]=a@example.com&emails[0][time_zone]=Tokyo', FORM_TYPE)), {
    status: 400,
    code: 'invalid_recipient',
    fields: ['emails[0].time_zone'],
  });
});

t.test('anything else is refused, with its place and in plain words that do not repeat it', async (t) => {
  const before = await sql`select from invite.batches`;
  for (const zone of [
    'Berlin',
    'Tokio+3',
    'UTC+2',
    'GMT+2',
    'PST',
    'CEST',
    '+02:00',
    '',
    ' ',
    ' Europe/Berlin',
    'Europe/Berlin ',
    'Europe/Berlin\n',
    'posix/Europe/Berlin',
    'localtime',
    'Asia/To\u212ayo',
    'constructor',
    '\u0000',
    'Z'.repeat(10_000),
  ]) {
    const reply = await post(ada({ time_zone: zone }));
    t.strictSame(rejectionOf(reply), { status: 400, code: 'invalid_field', fields: ['time_zone'] }, JSON.stringify(zone));
    t.equal(reply.body.message, `time_zone ${RULE}.`);
    const [field, people] = ['emails[1].time_zone', ['bob@example.com', ada({ time_zone: zone })]];
    const refused = await post({ emails: people });
    t.strictSame(rejectionOf(refused), { status: 400, code: 'invalid_recipient', fields: [field] }, JSON.stringify(zone));
    t.equal(refused.body.message, `${field} ${RULE}.`);
  }
  for (const zone of [7, true, [], {}, ['UTC']]) {
    const reply = await post(ada({ time_zone: zone }));
    t.strictSame(rejectionOf(reply), { status: 400, code: 'invalid_field', fields: ['time_zone'] }, JSON.stringify(zone));
    t.equal(reply.body.message, 'time_zone must be a string.');
    const refused = await post({ emails: [ada({ time_zone: zone })] });
    t.strictSame(rejectionOf(refused), { status: 400, code: 'invalid_recipient', fields: ['emails[0].time_zone'] });
  }
  t.match((await post(ada({ timezone: 'UTC' }))).body.message, 'did you mean time_zone?');
  t.equal((await sql`select from invite.batches`).length, before.length, 'nothing is queued');
});

t.test('of 1,000 recipients the last one may be wrong, and each wrong one is named', async (t) => {
  const emails: unknown[] = Array.from({ length: 999 }, (_, n) => ({ email: `p${n}@example.com`, time_zone: 'Europe/Vienna' }));
  const wrong = await post({ emails: [...emails, { email: 'last@example.com', time_zone: 'Vienna' }] });
  t.strictSame(rejectionOf(wrong), { status: 400, code: 'invalid_recipient', fields: ['emails[999].time_zone'] });
  const all = await post({ emails: emails.map((_, n) => ({ email: `p${n}@example.com`, time_zone: 'Vienna' })) });
  t.equal(all.body.error.details.length, 100);
  const right = await post({ emails: [...emails, { email: 'last@example.com', time_zone: 'europe/vienna' }] });
  t.strictSame(new Set(await stored(right.body.batch.uuid)), new Set([null, 'Europe/Vienna', 'europe/vienna']));
});

t.test('the first request of a server may have a time zone, even several at once', async (t) => {
  const fresh = await startTestServer(t, urlAs('invite_web'));
  const replies = await Promise.all(
    ['UTC', 'Asia/Tokyo', 'Tokyo'].map((time_zone) => fresh.post(ada({ time_zone }), { secret })),
  );
  t.strictSame(
    replies.map(({ status }) => status),
    [200, 200, 400],
  );
});

t.test('while the database cannot say, nobody is refused for a time zone: 503', async (t) => {
  const fresh = await startTestServer(t, urlAs('invite_web'));
  await sql`alter function invite.time_zone_names() rename to time_zone_names_away`;
  t.not((await fresh.post(ada({ time_zone: 'Asia/Tokyo' }), { secret })).status, 400);
  await sql`alter function invite.time_zone_names_away() rename to time_zone_names`;
  t.equal((await fresh.post(ada({ time_zone: 'Asia/Tokyo' }), { secret })).status, 200, 'it asks again at once');
});

t.test('the names are read when one is unknown, at most once a minute, by one query for all who wait', async (t) => {
  let [now, reads, names] = [1_000, 0, ['Europe/Berlin']];
  const zones = new TimeZones(
    async () => {
      reads += 1;
      return names;
    },
    () => now,
  );
  const parse = (...given: string[]) =>
    zones
      .parse((isTimeZone) => {
        const wrong = given.filter((name) => !isTimeZone(name));
        if (wrong.length > 0) throw new Error(wrong.join());
        return 'accepted';
      })
      .catch((error: Error) => error.message);
  t.equal(await parse(), 'accepted');
  t.equal(reads, 0, 'nobody has sent one');
  t.strictSame(await Promise.all([parse('EUROPE/BERLIN'), parse('europe/berlin'), parse('Mars/Base')]), [
    'accepted',
    'accepted',
    'Mars/Base',
  ]);
  t.equal(reads, 1);

  names = ['Europe/Berlin', 'Mars/Base'];
  now += 59_999;
  t.equal(await parse('Mars/Base'), 'Mars/Base');
  t.equal(reads, 1);
  now += 1;
  t.equal(await parse('Mars/Base', 'Venus/Base'), 'Venus/Base', 'what is left is still refused');
  t.equal(await parse('Mars/Base', 'Europe/Berlin'), 'accepted');
  t.equal(reads, 2);

  const wrong = new Error('another field');
  await t.rejects(
    zones.parse(() => {
      throw wrong;
    }),
    wrong,
  );
  t.equal(reads, 2, 'nothing is read for the errors of other fields');
});
