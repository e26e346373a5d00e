// openapi.json describes what the endpoint does: the codes and fields are the same, and real responses fit its schemas.
import t from 'tap';
import { ERROR_CODES } from '../../src/errors.ts';
import { TriggerBody } from '../../src/trigger/schema.ts';
import { contractOf, type OpenApiDocument } from '../fixtures/contract.ts';
import { rejectionOf, startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken, testConfig } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const env = { PUBLIC_URL: 'https://invite.example', MAX_RECIPIENTS: '50' };
const { url, post } = await startTestServer(t, urlAs('invite_web'), env);
const response = await fetch(`${url}/openapi.json`);
const document = (await response.json()) as OpenApiDocument;
const contract = contractOf(testConfig(env));
const { operation } = contract;
const schema = (name: string) => document.components.schemas[name] as { properties: Record<string, { maxItems?: number }> };

t.test('the document is OpenAPI 3.1, for the public address: the endpoint, and what a token may read', async (t) => {
  t.equal(response.headers.get('content-type'), 'application/json');
  t.match(document.openapi, /^3\.1\.\d+$/);
  t.strictSame(contract.document, document, 'all tests hold answers to the document that is served');
  t.strictSame(document.servers, [{ url: 'https://invite.example' }]);
  t.strictSame(Object.keys(document.paths), [
    ...['/api/invitation-trigger', '/api/batches/{uuid}', '/api/events', '/api/v1/test/clock', '/api/v1/test/advance'],
    ...['/api/v1/test/emails', '/api/v1/test/emails/{id}'],
  ]);
  t.strictSame(Object.keys(document.paths['/api/invitation-trigger'] ?? {}), ['post']);
});

t.test('its error codes are the closed list, each under its status', async (t) => {
  t.strictSame((schema('ErrorCode') as { enum?: string[] }).enum, Object.keys(ERROR_CODES));
  for (const [status, { description }] of Object.entries(operation.responses)) {
    if (status === '200') continue;
    const codes = Object.entries(ERROR_CODES).filter(([, own]) => own === Number(status));
    t.strictSame(description, codes.map(([code]) => `\`${code}\``).join(', '), status);
  }
});

t.test('a generated client sends the secret in the header, and nowhere else', async (t) => {
  t.strictSame(document.components.securitySchemes, { bearer: { type: 'http', scheme: 'bearer' } });
  t.match(operation, { security: [{ bearer: [] }] });
});

t.test('its schemas have names, and every reference leads to one', async (t) => {
  const names = Object.keys(document.components.schemas);
  t.strictSame(names.sort(), [
    ...[
      'Batch',
      'BatchPage',
      'BatchState',
      'ErrorCode',
      'ErrorDetail',
      'ErrorResponse',
      'Event',
      'EventData',
      'EventList',
      'Recipient',
    ],
    ...[
      'RecipientState',
      'TestAdvance',
      'TestAdvanced',
      'TestClock',
      'TestEmail',
      'TestEmailAnswer',
      'TestEmailLine',
      'TestEmails',
    ],
    ...['TriggerForm', 'TriggerRequest', 'TriggerResponse', 'Warning'],
  ]);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  );
  t.strictSame([...new Set(references)].sort(), names);
});

t.test('its examples fit its schemas, and the requests are accepted', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const { examples } = operation.requestBody.content['application/json'] as unknown as {
    examples: Record<string, { value: object }>;
  };
  t.ok(Object.keys(examples).length >= 2);
  for (const [name, { value }] of Object.entries(examples)) {
    t.strictSame(contract.requestErrors(value), [], name);
    t.equal((await post(value, { secret })).status, 200, name);
  }
  for (const [status, described] of Object.entries(operation.responses)) {
    const { example } =
      (described as unknown as { content: Record<string, { example: object }> }).content['application/json'] ?? {};
    const headers = new Headers({ 'content-type': 'application/json' });
    for (const name of Object.keys(described.headers ?? {})) headers.set(name, '1');
    t.strictSame(contract.answerErrors(Number(status), headers, example), [], status);
  }
});

t.test('every status that the endpoint can answer is described', async (t) => {
  // Only other addresses return 403 and 404.
  const statuses = new Set([200, ...Object.values(ERROR_CODES)].filter((status) => status !== 403 && status !== 404));
  t.strictSame(Object.keys(operation.responses).map(Number).sort(), [...statuses].sort());
});

t.test('its request fields are those that are checked, with the limits in effect', async (t) => {
  for (const name of ['TriggerRequest', 'TriggerForm']) {
    t.strictSame(Object.keys(schema(name).properties), Object.keys(TriggerBody.properties), name);
  }
  t.match(schema('TriggerRequest').properties.emails, { anyOf: [{ maxItems: 50 }, { type: 'null' }] });
});

t.test('a request for each documented field is accepted', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const values: Record<string, unknown> = {
    email: 'ada@example.com',
    emails: ['ada@example.com'],
    name: 'Ada',
    language: 'de',
    time_zone: 'Europe/Berlin',
    metadata: { order: 7 },
    subject: 'Hi',
    message: 'Hello',
    reminder_days: 3,
    reminders: [3, 7],
    send_in_seconds: 60,
    send_at: 'now',
    token: secret,
    secret,
  };
  t.strictSame(Object.keys(values).sort(), Object.keys(TriggerBody.properties).sort());
  for (const [field, value] of Object.entries(values)) {
    const payload = { ...(field !== 'emails' && { email: 'ada@example.com' }), [field]: value };
    t.equal((await post(payload, { secret })).status, 200, field);
    t.strictSame(contract.requestErrors({ ...payload, [field]: null }), [], `${field} may be null`);
  }
});

t.test('the idempotency key is a header that may be left out, with the limits in effect', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const [parameter, ...others] = operation.parameters;
  t.strictSame(others, []);
  t.match(parameter, { name: 'Idempotency-Key', in: 'header', required: false });
  const { pattern, maxLength } = (parameter?.schema ?? {}) as { pattern: string; maxLength: number };
  const send = (key: string) => post({ email: 'ada@example.com' }, { secret, headers: { 'idempotency-key': key } });
  for (const key of ['a', 'x'.repeat(255), 'caf\u00e9', 'x'.repeat(256)])
    t.equal((await send(key)).status === 200, new RegExp(pattern, 'u').test(key) && key.length <= maxLength, key);
  t.strictSame(Object.keys(operation.responses['200']?.headers ?? {}), ['Idempotency-Replayed']);
});

t.test('the fixture that holds the tests to the document sees what breaks it', async (t) => {
  const reply = await post({ email: 'bad', colour: 1 }, { secret: 'any' });
  t.equal(rejectionOf(reply).status, 400);
  t.strictSame(contract.answerErrors(400, reply.headers, reply.body), []);
  const { request_id: _, ...anonymous } = reply.body;
  t.match(contract.answerErrors(400, reply.headers, anonymous), [/request_id/]);
  t.match(contract.answerErrors(400, reply.headers, { ...reply.body, error: { ...reply.body.error, code: 'new' } }), [
    /allowed values/,
  ]);
  t.match(contract.answerErrors(429, reply.headers, reply.body), [/Retry-After is missing/]);
  t.match(contract.answerErrors(418, reply.headers, reply.body), [/418/]);
  t.match(contract.requestErrors({ email: 'a@example.com', colour: 1 }), [/additional/]);
  t.match(contract.requestErrors({ emails: Array.from({ length: 51 }, () => 'a@example.com') }), [/50/]);
});
