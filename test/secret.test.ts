// Secrets and their hashes name their home, by which a call finds its database.
import t from 'tap';
import {
  createKey,
  createNonce,
  createSecret,
  hashSecret,
  homeOfHash,
  isKey,
  isNonce,
  isTestSecret,
  sha256,
} from '../src/secret.ts';

t.test('a secret of a token, and its hash, begin with the home of its workspace', async (t) => {
  for (const [home, isTest, form] of [
    ['ab12z9y8', false, /^sit_ab12z9y8[\w-]{43}$/],
    ['ab12z9y8', true, /^sit_test_ab12z9y8[\w-]{43}$/],
    // A home may look like the beginning of a secret.
    ['sit0test', false, /^sit_sit0test[\w-]{43}$/],
  ] as const) {
    const { secret, hash, hint } = createSecret(home, isTest);
    t.match(secret, form);
    t.equal(isTestSecret(secret), isTest);
    t.equal(hint, secret.slice(-4));
    t.same(hash, Buffer.concat([Buffer.from(home), sha256(secret)]));
    t.same(hashSecret(secret), hash);
    t.equal(homeOfHash(hash), home);
  }
});

t.test('a key of a sign-in link or a session has the home of what is no workspace', async (t) => {
  const { key, hash } = createKey('ab12');
  t.match(key, /^ab120000[\w-]{43}$/);
  t.ok(isKey(key));
  t.same(hash, Buffer.concat([Buffer.from('ab120000'), sha256(key)]));
  for (const other of [
    key.slice(8),
    createNonce(),
    key.slice(1),
    `${key}A`,
    `AB12${key.slice(4)}`,
    key.replace('0000', 'ab12'),
    '',
  ])
    t.notOk(isKey(other), other);
  t.ok(isNonce(createNonce()));
  t.notOk(isNonce(key));
});

t.test('any other text has a hash too, with a home that nothing has', async (t) => {
  const { secret } = createSecret('ab12z9y8');
  for (const text of [
    '',
    'x',
    '漢字',
    secret.slice(0, -1),
    `${secret}A`,
    secret.replace('ab12', 'AB12'),
    secret.replace('sit_', 'sit-'),
    secret.replace('sit_', 'sit_live_'),
    `sit_ab12${createNonce()}`,
  ]) {
    t.equal(homeOfHash(hashSecret(text)), '--------', text);
    t.equal(hashSecret(text).length, 40);
  }
});
