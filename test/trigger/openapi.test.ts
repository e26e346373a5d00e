// openapi.json says what the endpoint does: same codes, same fields, and real answers fit its schemas.
import { FormatRegistry, Kind, type TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { ERROR_CODES } from '../../src/errors.ts';
import { ErrorResponse } from '../../src/http/error-answer.ts';
import { TriggerBody, TriggerResponse } from '../../src/trigger/schema.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

FormatRegistry.Set('uuid', (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value));

interface Content {
  content: { 'application/json': { schema: TSchema & { properties: Record<string, TSchema> } } };
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<
    string,
    {
      post: {
        parameters: { name: string; schema: object }[];
        requestBody: Content;
        responses: Record<string, Content & { description: string; headers?: object }>;
      };
    }
  >;
}

const { store, urlAs } = await createTestDatabase(t);
const { url, post } = await startTestServer(t, urlAs('invite_web'), {
  PUBLIC_URL: 'https://invite.example',
  MAX_RECIPIENTS: '50',
});
const response = await fetch(`${url}/openapi.json`);
const document = (await response.json()) as Document;
const operation = document.paths['/api/invitation-trigger']?.post as Document['paths'][string]['post'];

t.test('the document is OpenAPI 3.1, for the public address and one endpoint', async (t) => {
  t.equal(response.headers.get('content-type'), 'application/json');
  t.match(document.openapi, /^3\.1\.\d+$/);
  t.strictSame(document.servers, [{ url: 'https://invite.example' }]);
  t.strictSame(Object.keys(document.paths), ['/api/invitation-trigger']);
  t.strictSame(Object.keys(document.paths['/api/invitation-trigger'] ?? {}), ['post']);
});

t.test('its error codes are the closed list, each under its status', async (t) => {
  const { anyOf } = ErrorResponse.properties.error.properties.code;
  t.strictSame(anyOf.map((code) => code.const).sort(), Object.keys(ERROR_CODES).sort());
  for (const [status, { description, content }] of Object.entries(operation.responses)) {
    if (status === '200') continue;
    const codes = Object.entries(ERROR_CODES).filter(([, own]) => own === Number(status));
    t.strictSame(description, codes.map(([code]) => `\`${code}\``).join(', '), status);
    t.strictSame(content['application/json'].schema, JSON.parse(JSON.stringify(ErrorResponse)));
  }
});

t.test('every status that the endpoint can answer is described', async (t) => {
  // 403 and 404 are of other addresses.
  const statuses = new Set([200, ...Object.values(ERROR_CODES)].filter((status) => status !== 403 && status !== 404));
  t.strictSame(Object.keys(operation.responses).map(Number).sort(), [...statuses].sort());
});

t.test('its request fields are those that are checked, with the limits in effect', async (t) => {
  const { properties } = operation.requestBody.content['application/json'].schema;
  t.strictSame(Object.keys(properties), Object.keys(TriggerBody.properties));
  t.equal(properties.emails?.maxItems, 50);
});

t.test('a request for each documented field is accepted', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const values: Record<string, unknown> = {
    email: 'ada@example.com',
    emails: ['ada@example.com'],
    name: 'Ada',
    metadata: { order: 7 },
    subject: 'Hi',
    message: 'Hello',
    reminder_days: 3,
    send_in_seconds: 60,
    send_at: 'now',
    token: secret,
    secret,
  };
  t.strictSame(Object.keys(values).sort(), Object.keys(TriggerBody.properties).sort());
  for (const [field, value] of Object.entries(values)) {
    const payload = { ...(field !== 'emails' && { email: 'ada@example.com' }), [field]: value };
    t.ok(Value.Check(TriggerBody, payload), `${field} fits the schema`);
    t.equal((await post(payload, { secret })).status, 200, field);
  }
});

t.test('the idempotency key is a header that may be left out, with the limits in effect', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey);
  const [parameter, ...others] = operation.parameters;
  t.strictSame(others, []);
  t.match(parameter, { name: 'Idempotency-Key', in: 'header', required: false });
  const schema = parameter?.schema as TSchema;
  const send = (key: string) => post({ email: 'ada@example.com' }, { secret, headers: { 'idempotency-key': key } });
  for (const key of ['a', 'x'.repeat(255), 'caf\u00e9', 'x'.repeat(256)])
    t.equal((await send(key)).status === 200, Value.Check({ ...schema, [Kind]: 'String' } as TSchema, key), key);
  t.strictSame(Object.keys(operation.responses['200']?.headers ?? {}), ['Idempotency-Replayed']);
});

t.test('real answers fit the schemas', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret } = await createToken(store, survey, { cooldownSeconds: 600 });
  const answers = [
    await post({ email: 'bad', colour: 1 }, { secret }),
    await post({ email: 'ada@example.com' }, { secret }),
    await post({ email: 'ada@example.com' }, { secret }),
  ];
  t.strictSame(
    answers.map((answer) => answer.status),
    [400, 200, 429],
  );
  for (const { status, body } of answers) {
    const schema = status === 200 ? TriggerResponse : ErrorResponse;
    t.strictSame(
      [...Value.Errors(schema, body)].map((error) => error.path),
      [],
      String(status),
    );
    t.notOk(Value.Check(status === 200 ? ErrorResponse : TriggerResponse, body), 'and not the other one');
  }
});
