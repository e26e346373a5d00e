// Requests are generated from the served schema, valid and invalid. None gets 5xx. Each rejection has a listed code and names the field to
// change. Accepted data is read back equal. CONTRACT_SEED repeats a run, and CONTRACT_RUNS makes it longer.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Sql } from '../../src/database/pool.ts';
import { ERROR_CODES } from '../../src/errors.ts';
import { contractOf } from '../fixtures/contract.ts';
import { FORM_TYPE, type Reply, startTestServer } from '../fixtures/http.ts';
import { createOddDatabase, WRONG } from '../fixtures/odd-database.ts';
import { hasPgBouncer } from '../fixtures/pgbouncer.ts';
import { asCell, createRouter, missingPlproxy } from '../fixtures/router.ts';
import { createSurvey, createTestDatabase, createToken, type TestDatabase, testConfig, until } from '../fixtures/setup.ts';

const seed = Number(process.env.CONTRACT_SEED ?? 20_300_131);
const numRuns = Number(process.env.CONTRACT_RUNS ?? 400);
t.comment(`CONTRACT_SEED=${seed} CONTRACT_RUNS=${numRuns}`);

const env = { FLOOD_RECIPIENTS_PER_HOUR: '10000000', MAX_RECIPIENTS: '20' };
/** A server, and a token of its database. */
async function serve(t: Test, { sql, store }: Pick<TestDatabase, 'sql' | 'store'>, url: string) {
  const server = await startTestServer(t, url, env);
  await until('it is ready', async () => (await fetch(`${server.url}/readyz`)).status === 200);
  const { survey } = await createSurvey(store);
  const settings = { defaultSubject: 'Default', defaultMessage: 'Default', defaultReminders: [7] };
  return { sql, post: server.post, secret: (await createToken(store, survey, settings)).secret };
}
type Served = Awaited<ReturnType<typeof serve>>;
const database = await createTestDatabase(t);
const usual = await serve(t, database, database.urlAs('invite_web'));
const { post, secret } = usual;
const contract = contractOf(testConfig(env));

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}
type Body = Record<string, unknown>;

/** Texts that are likely to matter to some rule. */
const special = fc.constantFrom(
  ...[
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\r\nBcc: a@example.com',
    '{{survey_link}}',
    '{{ survey_title }}',
    '{survey_link}',
    '\u{1F600}',
  ],
  ...['Ada <a@example.com>', 'a@example.com,b@example.com', 'jörg@example.com', 'now', 'null', '0', 'a'.repeat(300), '__proto__'],
);
const valid: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  email: fc
    .tuple(fc.stringMatching(/^[a-z0-9]{1,9}$/), fc.constantFrom('example.com', 'EXAMPLE.com', 'bücher.example'))
    .map((parts) => parts.join('@')),
  send_at: fc
    .constantFrom('now', '2000-01-01 00:00:00')
    .map((text) => (text === 'now' ? text : `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`)),
};

const seldom = <A, B>(rare: fc.Arbitrary<A>, usual: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 1, arbitrary: rare }, { weight: 15, arbitrary: usual });

/** Generates values that fit a schema, and sometimes one that doesn't. */
function arbitrary(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const fitting = fits(schema, name);
  return fc.oneof(
    { weight: 40, arbitrary: fitting },
    { weight: 1, arbitrary: special },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

function fits(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { $ref, anyOf, properties, required = [], items, minimum = 0, maximum = 0 } = schema;
  if ($ref !== undefined) return fits(contract.document.components.schemas[$ref.split('/').at(-1) ?? ''] as Schema, name);
  const own = valid[name];
  if (own !== undefined) return own;
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((option) => fits(option, typeName(option) === 'string' ? 'email' : '')));
  switch (typeName(schema)) {
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1));
    case 'string':
      return fc.string({ minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 100, 300), unit: 'grapheme' });
    case 'array':
      return fc.array(arbitrary(items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: (schema.maxItems ?? 5) + 1,
        size: '-1',
      });
    case 'object':
      return properties === undefined
        ? fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue(), { maxKeys: 5 })
        : fc.record(Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, arbitrary(value, key)])), {
            requiredKeys: [...required],
          });
    default:
      return fc.jsonValue();
  }
}

const typeName = ({ type }: Schema): string | undefined =>
  (typeof type === 'string' || type === undefined ? type : type[0]) as string;

/** Bodies as a developer would send them: few of the fields, and seldom an unknown one. */
const bodies = fc
  .tuple(
    fits({ $ref: '#/components/schemas/TriggerRequest' }, 'body') as fc.Arbitrary<Body>,
    fc.subarray(['name', 'metadata', 'subject', 'message', 'reminder_days', 'reminders', 'send_in_seconds', 'send_at']),
    seldom(fc.constantFrom(['email', 'emails'], []), fc.constantFrom(['email'], ['emails'])),
    seldom(
      fc.tuple(fc.constantFrom('to', 'nope', 'sendAt', 'emails[0]', '', 'x'.repeat(200)), fc.integer()).map((field) => [field]),
      fc.constant([]),
    ),
  )
  .map(([fields, optionalFields, recipients, unknown]): unknown => {
    const names = [...optionalFields, ...recipients];
    return Object.fromEntries([...Object.entries(fields).filter(([name]) => names.includes(name)), ...unknown]);
  });

/** Checks what a rejection must say. */
function checkRefusal({ status, body, text }: Reply): void {
  if (status !== 400) throw new Error(`answered with ${status}: ${text}`);
  const { code, details } = body.error;
  if (ERROR_CODES[code] !== 400) throw new Error(`${code} isn't listed`);
  const [first] = details;
  if (code === 'invalid_json') return;
  if (first === undefined && code !== 'unsupported_content_type') throw new Error(`names no field: ${text}`);
  for (const { field, message } of details) {
    if (field === '' || !/^\w.{8,}[^.]$/su.test(message)) throw new Error(`doesn't say what to change: ${text}`);
  }
  if (first !== undefined && !details.some(({ field, message }) => body.message.startsWith(`${field} ${message}`))) {
    throw new Error(`the message names no field: ${text}`);
  }
}

const present = (fields: Body): Body => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Reads an accepted batch back, and compares it with what was sent. */
async function checkStored(sql: Sql, sent: Body, { body, text }: Reply): Promise<void> {
  const { email, emails, name, ...fields } = present(sent);
  const people = new Map<string, Body>();
  for (const recipient of (emails ?? [{ email, name }]) as (string | Body)[]) {
    const person = typeof recipient === 'string' ? { email: recipient } : present(recipient);
    const address = String(person.email).trim().toLowerCase().replace('bücher', 'xn--bcher-kva');
    if (!people.has(address)) people.set(address, { name: person.name ?? null, metadata: person.metadata ?? null });
  }
  const [batch] = await sql`
    select subject, message, reminders, metadata, extract(epoch from scheduled_at - accepted_at)::float8 as delay,
      to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as scheduled_at
    from invite.batches where id = ${body.batch.uuid}`;
  const rows =
    await sql`select lower(email) as email, name, metadata from test.invitations where batch_id = ${body.batch.uuid} order by id`;
  const expected = {
    subject: fields.subject ?? 'Default',
    message: fields.message ?? 'Default',
    reminders: fields.reminders ?? (fields.reminder_days === 0 ? [] : [fields.reminder_days ?? 7]),
    metadata: fields.metadata ?? null,
    people: [...people].map(([address, person]) => ({ email: address, ...person })),
  };
  const { delay, scheduled_at, ...stored } = batch ?? {};
  // JSON can't represent some differences, such as -0 and 0, so these aren't compared.
  t.same(
    JSON.parse(JSON.stringify({ ...stored, people: rows.map((row) => ({ ...row })) })),
    JSON.parse(JSON.stringify(expected)),
    text,
  );
  if (fields.send_at === undefined) t.equal(Math.round(Number(delay)), fields.send_in_seconds ?? 0);
  t.equal(scheduled_at, body.batch.scheduled_at);
  const repeated = Array.isArray(emails) ? emails.length - people.size : 0;
  t.equal(body.warnings?.some(({ code }) => code === 'repeated_recipient') ?? false, repeated > 0);
}

async function checkRequests(t: Test, { sql, post, secret }: Served, numRuns: number): Promise<void> {
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const reply = await post(JSON.stringify(body), { secret, headers: { 'content-type': 'application/json' } });
      seen[reply.body.error?.code ?? 'accepted'] = (seen[reply.body.error?.code ?? 'accepted'] ?? 0) + 1;
      if (reply.status === 200) await checkStored(sql, body as Body, reply);
      else checkRefusal(reply);
    }),
    { seed, numRuns },
  );
  t.comment(JSON.stringify(seen));
  // If all generated requests were rejected, or all accepted, the test would prove nothing.
  t.ok((seen.accepted ?? 0) >= numRuns / 10, 'many are accepted');
  const codes = ['missing_recipient', 'invalid_recipient', 'invalid_field', 'unknown_field', 'unsupported_timing'];
  for (const code of codes) t.ok((seen[code] ?? 0) > 0, code);
}

t.test('requests made from the schema', (t) => checkRequests(t, usual, numRuns));

t.test('the same on a database with odd defaults, directly and through PgBouncer', async (t) => {
  const odd = await createOddDatabase(t);
  const runs = Math.ceil(numRuns / 2);
  await checkRequests(t, await serve(t, odd, odd.urlAs('invite_web')), runs);
  if (hasPgBouncer) await checkRequests(t, await serve(t, odd, await odd.behindPgBouncer(t)), runs);
});

t.test('any JSON, and any text as JSON or as a form', async () => {
  const texts = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.webQueryParameters(), special);
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async (text, isForm) => {
      const reply = await post(text, { secret, headers: isForm ? FORM_TYPE : { 'content-type': 'application/json' } });
      if (reply.status !== 200) checkRefusal(reply);
    }),
    { seed, numRuns: numRuns / 2 },
  );
});

t.test('the same through a router, whose defaults and whose cell are odd', { skip: missingPlproxy }, async (t) => {
  const cell = await asCell(t, await createOddDatabase(t), 'oddc', 7);
  const router = await createRouter(t, [cell], WRONG);
  await checkRequests(t, await serve(t, cell, router.url), numRuns / 4);
});

t.test('names of a form with brackets', async () => {
  const key = fc.constantFrom('', '0', '1', 'email', 'name', 'metadata', 'a', '__proto__', ']', '[');
  const name = fc
    .tuple(fc.constantFrom('email', 'emails', 'metadata', 'name', 'token'), fc.array(key, { maxLength: 4 }))
    .map(([root, keys]) => root + keys.map((part) => `[${part}]`).join(''));
  const value = fc.oneof(fc.constantFrom('', 'a@example.com', 'b@example.com', '{"a":1}'), fc.string());
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 6 }), async (fields) => {
      const reply = await post(new URLSearchParams(fields).toString(), { secret, headers: FORM_TYPE });
      if (reply.status !== 200) checkRefusal(reply);
    }),
    { seed, numRuns: numRuns / 2 },
  );
});
