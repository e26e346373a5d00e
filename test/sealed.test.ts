// Secrets that are stored encrypted: what opens them, and what doesn't.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createKeyring, keyringOf } from '../src/sealed.ts';

const [OLD, NEW] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
const owner = { kind: 'webhook', id: '11111111-1111-4111-8111-111111111111' } as const;
const SECRET = `whsec_${'ä'.repeat(100)}`;

t.test('a sealed secret has no trace of the secret, differs each time, and is opened for its owner', async (t) => {
  const keys = createKeyring([OLD]);
  const sealed = keys.seal(SECRET, owner);
  t.match(sealed, /^sealed\.[0-9a-f]{8}\.[A-Za-z0-9_-]{40,}$/, 'the form that the table asks for');
  t.notMatch(sealed, 'whsec_');
  t.not(keys.seal(SECRET, owner), sealed);
  t.equal(keys.open(sealed, owner), SECRET);
  t.equal(keys.open(sealed, { ...owner, id: owner.id.toUpperCase() }), SECRET);
});

t.test('another owner, a changed character, or a part of it opens nothing', async (t) => {
  const keys = createKeyring([OLD]);
  const sealed = keys.seal(SECRET, owner);
  t.throws(() => keys.open(sealed, { ...owner, id: owner.id.replace('1', '2') }), { code: 'damaged_secret' });
  const start = sealed.lastIndexOf('.') + 1;
  for (const at of [start, Math.floor((start + sealed.length) / 2), sealed.length - 2]) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
    t.throws(() => keys.open(changed, owner), { code: 'damaged_secret' }, String(at));
  }
  for (const end of [start, start + 8, start + 20, sealed.length - 4])
    t.throws(() => keys.open(sealed.slice(0, end), owner), { code: 'damaged_secret' }, String(end));
});

t.test('the first key seals and all open; without its key a secret says which error it is', async (t) => {
  const before = createKeyring([OLD]).seal(SECRET, owner);
  const both = createKeyring([NEW, OLD]);
  t.equal(both.open(before, owner), SECRET);
  const after = both.seal(SECRET, owner);
  t.equal(createKeyring([NEW]).open(after, owner), SECRET);
  t.throws(() => createKeyring([NEW]).open(before, owner), { code: 'unknown_secret_key' });
  t.throws(() => createKeyring([]).open(before, owner), { code: 'unknown_secret_key' });
  t.throws(() => createKeyring([]).seal(SECRET, owner), { name: 'OperatorError', message: /SECRET_KEYS/ });
  t.equal(new Set([...createKeyring([NEW]).keyIds, ...createKeyring([OLD]).keyIds]).size, 2);
});

t.test('only the embedded PostgreSQL makes a key of its own, once, for its owner alone', async (t) => {
  const folder = join(t.testdir({}), 'deep', 'data');
  const settings = { SECRET_KEYS: undefined, DATABASE_URL: undefined, DATA_DIR: folder };
  const sealed = keyringOf(settings).seal(SECRET, owner);
  t.equal(keyringOf(settings).open(sealed, owner), SECRET);
  t.equal(statSync(join(folder, 'secret-key')).mode & 0o777, 0o600);
  t.equal(Buffer.from(readFileSync(join(folder, 'secret-key'), 'utf8'), 'base64').length, 32);
  t.same(keyringOf({ ...settings, DATABASE_URL: 'postgres://x/y' }).keyIds, []);
  t.same(keyringOf({ ...settings, SECRET_KEYS: [NEW] }).keyIds, createKeyring([NEW]).keyIds);
});
