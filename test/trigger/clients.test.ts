// Two generators create clients from the served openapi.json. The clients type-check, send the secret in the header, and queue a batch.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { survey } = await createSurvey(store);
const { secret } = await createToken(store, survey);

// The folder is inside the repository, so that its packages are found.
const folder = new URL('../../.data/clients/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const write = (name: string, text: string) => writeFileSync(new URL(name, folder), text);
const run = promisify(execFile);
/** Runs Node with these options only, because tap's own options would load tap's modules. */
const node = async (args: string[], env = {}, options = '') => {
  const all = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
  return (await run('env', [`NODE_OPTIONS=${options}`, process.execPath, ...args], all)).stdout;
};
const bin = (path: string) => new URL(`../../node_modules/${path}`, import.meta.url).pathname;

write('openapi.json', await (await fetch(`${url}/openapi.json`)).text());
// The generators use TypeScript's JavaScript API, which version 7 doesn't have. They get the version that tap brings.
write(
  'typescript.mjs',
  `import { registerHooks } from 'node:module';
const parentURL = import.meta.resolve('@tapjs/test');
registerHooks({ resolve: (name, context, next) => next(name, name === 'typescript' ? { ...context, parentURL } : context) });`,
);
const generate = (args: string[]) => node(args, {}, `--import=${new URL('typescript.mjs', folder).href}`);

const check = async () => {
  const options = { strict: true, noEmit: true, module: 'nodenext', target: 'esnext', types: ['node'], skipLibCheck: true };
  const compilerOptions = { ...options, allowImportingTsExtensions: true, typeRoots: [bin('@types')] };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['call.ts'] }));
  await node([bin('typescript/bin/tsc')]);
};

/** What a client prints: its result, and the addresses that it called. */
interface Printed {
  readonly data?: { readonly ok: true; readonly batch: { readonly uuid: string } };
  readonly error?: { readonly error: { readonly code: string; readonly details: readonly object[] } };
  readonly asked: readonly string[];
}
const call = async (email: string): Promise<Printed> =>
  JSON.parse(await node(['--disable-warning=ExperimentalWarning', 'call.ts'], { EMAIL: email, SECRET: secret, BASE: url }));

async function callBoth(t: Test) {
  const accepted = await call('ada@example.com');
  t.match(accepted.data, { ok: true, batch: { uuid: /-/ } });
  t.strictSame(accepted.asked, [`${url}/api/invitation-trigger`], 'the secret is not in the address');
  const rejected = await call('nobody');
  t.match(rejected.error?.error, { code: 'invalid_recipient', details: [{ field: 'email' }] });
}

const START = `const asked: string[] = [];
const { EMAIL: email, SECRET: secret = '', BASE: baseUrl = '' } = process.env;
const watched = async (request: Request) => {
  asked.push(request.url);
  return fetch(request);
};`;

t.test('openapi-typescript and openapi-fetch', async (t) => {
  await generate([bin('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.d.ts']);
  write(
    'call.ts',
    `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';
${START}
const client = createClient<paths>({ baseUrl, fetch: watched, headers: { authorization: \`Bearer \${secret}\` } });
const body: components['schemas']['TriggerRequest'] = { email: email ?? null, metadata: { order_id: 'A-1001' } };
const { data, error } = await client.POST('/api/invitation-trigger', { body });
// @ts-expect-error: the types know the fields.
const wrong: components['schemas']['TriggerRequest'] = { e_mail: '' };
// @ts-expect-error: and the codes.
if (error?.error.code === 'no_such_code') console.log(wrong);
console.log(JSON.stringify({ data, error, asked }));
`,
  );
  await check();
  await callBoth(t);
});

t.test('@hey-api/openapi-ts', async (t) => {
  write(
    'openapi-ts.config.mjs',
    `export default { input: './openapi.json', output: { path: 'hey', module: { extension: '.ts' } }, logs: { file: false } };`,
  );
  await generate([bin('@hey-api/openapi-ts/bin/run.js')]);
  write(
    'call.ts',
    `import { createClient } from './hey/client/index.ts';
import { type Recipient, triggerInvitations } from './hey/index.ts';
${START}
const client = createClient({ baseUrl, auth: () => secret, fetch: watched as typeof fetch });
const { data, error } = await triggerInvitations({ client, body: { email: email ?? null, metadata: { order_id: 'A-1001' } } });
// @ts-expect-error: the types know the fields.
const wrong: Recipient = { e_mail: '' };
// @ts-expect-error: and the codes.
if (error?.error.code === 'no_such_code') console.log(wrong);
console.log(JSON.stringify({ data, error, asked }));
`,
  );
  await check();
  await callBoth(t);
});
