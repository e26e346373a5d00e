// The calls to paste, from docs/calls and from a token's page: each queues a batch. If the request is rejected, each says why.
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { EXAMPLES, PLACEHOLDER } from '../../src/console/api-trigger/examples-view.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const CALLS = new URL('../../docs/calls/', import.meta.url);
const ENDPOINT = 'https://invite.example.com/api/invitation-trigger';
const LANGUAGES = {
  curl: { file: 'call.sh', command: 'sh', needs: 'curl' },
  Node: { file: 'call.mjs', command: process.execPath, needs: process.execPath },
  Python: { file: 'call.py', command: 'python3', needs: 'python3' },
  PHP: { file: 'call.php', command: 'php', needs: 'php' },
  Ruby: { file: 'call.rb', command: 'ruby', needs: 'ruby' },
} as const;

t.test('docs/calls has what a token page has', async (t) => {
  t.strictSame(Object.keys(EXAMPLES), Object.keys(LANGUAGES));
  t.strictSame(
    readdirSync(CALLS).sort(),
    Object.values(LANGUAGES)
      .map(({ file }) => file)
      .sort(),
  );
  for (const [name, { file }] of Object.entries(LANGUAGES)) {
    const example = EXAMPLES[name as keyof typeof EXAMPLES](ENDPOINT, PLACEHOLDER);
    t.equal(readFileSync(new URL(file, CALLS), 'utf8'), `${example}\n`, name);
  }
});

for (const [name, { file, command, needs }] of Object.entries(LANGUAGES)) {
  const isThere = spawnSync(needs, ['--version']).status === 0;
  t.test(`the call in ${name}`, { skip: !isThere && `no ${needs}` }, async (t) => {
    const { survey } = await createSurvey(store);
    const { secret } = await createToken(store, survey);
    const text = readFileSync(new URL(file, CALLS), 'utf8').replace(ENDPOINT, `${url}/api/invitation-trigger`);
    const folder = t.testdir({});
    // The example runs without blocking this process, because the server runs here. NODE_OPTIONS is removed, because tap's options would
    // load tap's modules.
    const run = (secretSent: string) => {
      writeFileSync(`${folder}/${file}`, text.replace(PLACEHOLDER, secretSent));
      return new Promise<{ failed: boolean; stdout: string; stderr: string }>((resolve) => {
        execFile('env', ['-u', 'NODE_OPTIONS', command, `${folder}/${file}`], (error, stdout, stderr) =>
          resolve({ failed: error !== null, stdout, stderr }),
        );
      });
    };
    const { failed, stdout, stderr } = await run(secret);
    t.notOk(failed, stderr);
    const uuid = /[0-9a-f-]{36}/.exec(stdout)?.[0] ?? '';
    t.match(await store.findBatch(uuid), { survey_id: survey, metadata: { order_id: 'A-1001' } });
    const refused = await run('sit_unknown');
    t.match(refused.stdout + refused.stderr, /unknown_token/);
    t.equal(refused.failed, name !== 'curl');
  });
}
