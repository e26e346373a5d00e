// Follows docs/deployment.md and docs/maintenance.md on empty servers: runs each of their lines, as a person pastes them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type EmptyServer, missing, packNode, startEmptyServer } from '../fixtures/empty-server.ts';
import { until } from '../fixtures/setup.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITE = 'https://survey.example.com';
const COMMAND = 'set -a; . /etc/invitation-trigger/env; set +a; invitation-trigger';
/** What the documents show for an id, and for a time. */
const ID = '0198b5c2-7a1e-7c30-9d4f-2b6e8f0a1c35';
const MOMENT = '2030-01-31 09:00:00 UTC';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { name, version, devDependencies } = JSON.parse(read('package.json'));
const blocks = ['docs/deployment.md', 'docs/maintenance.md'].flatMap((path) =>
  [...read(path).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines = '']) => lines),
);
const notFollowed = new Set(blocks);

type Changes = Readonly<Record<string, string>>;
type Kind = 'one role' | 'separate roles';
/** The comments of the documents say what differs. */
const OWNED: Readonly<Record<Kind, Changes>> = {
  'one role': {},
  'separate roles': { 'owner=invitations ': 'owner=invite_owner ' },
};

function blockWith(words: string): string {
  const [block, ...others] = blocks.filter((lines) => lines.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`Not one block has: ${words}`);
  return block;
}

/** Runs the only block that has these words, after it has got what a reader fills in. */
function follow(server: EmptyServer, words: string, changes: Changes = {}): string {
  const block = blockWith(words);
  notFollowed.delete(block);
  const lines = Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${from} isn't in:\n${text}`);
    return text.replaceAll(from, to);
  }, block);
  const output = server.run(lines);
  server.t.pass(words);
  return output;
}

const isRight = (act: () => unknown): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};
const isReady = (server: EmptyServer) => until('it is ready', () => isRight(() => server.run(`curl -fsS ${SITE}/readyz`)));
const ask = (server: EmptyServer, sql: string) => server.run(`runuser -u postgres -- psql -At invitations <<< "${sql}"`).trim();
const idIn = (text: string) => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? '';
const secretIn = (text: string) => /sit_[\w-]+/.exec(text)?.[0] ?? '';
const linkIn = (text: string) => /https:\S+invitation=\S+/.exec(text)?.[0] ?? '';
const statusOf = (server: EmptyServer, url: string) => Number(server.run(`curl -s -o /dev/null -w '%{http_code}' '${url}'`));

/** Sends the call of the document to somebody else. */
const invite = (server: EmptyServer, secret: string, email: string, more = '') =>
  JSON.parse(follow(server, 'Bearer sit_…', { 'sit_…': secret, '"you@example.com"': `"${email}"${more}` }));
const emailTo = (server: EmptyServer, address: string) =>
  until(`an email to ${address}`, () => server.emails.find(({ to }) => to[0]?.includes(`<${address}>`)));

function install(server: EmptyServer): void {
  for (const words of ['postgresql\nrunuser', 'https://nodejs.org', `${name}-${version}.tgz`]) follow(server, words);
}

async function start(server: EmptyServer, kind: Kind): Promise<void> {
  follow(server, 'systemctl enable');
  if (kind === 'one role') follow(server, 'caddy', { 'systemctl reload': 'authority /etc/caddy/Caddyfile\nsystemctl reload' });
  else follow(server, 'certbot');
  await isReady(server);
  // A renewal does the same, when nginx has the service's file.
  if (kind === 'separate roles') server.run(/^certbot .*/m.exec(blockWith('certbot'))?.[0] ?? '');
}

/** @returns The trigger secret with which the first invitation was sent. */
async function deploy(server: EmptyServer, kind: Kind): Promise<string> {
  const { t } = server;
  install(server);
  follow(server, kind === 'one role' ? 'createdb --owner invitations' : 'for each in owner');
  follow(server, 'RELAY_API_KEY=re_…\n', { 're_…': 're_key\nRELAY_URL=http://127.0.0.1:8025' });
  const modes = new Set(server.run('stat -c %a /etc/invitation-trigger /etc/invitation-trigger/*').split('\n'));
  t.strictSame([...modes], ['700', '600', '']);
  await start(server, kind);
  const setup = follow(server, 'invitation-trigger setup');
  t.match(setup, `ok    address   this service answers at ${SITE}`);
  t.strictSame(setup.match(/^(FAULT|note) .*/gm), ['note  webhook   RELAY_EVENTS_SECRET is not set']);
  const secret = secretIn(follow(server, 'invitation-trigger survey create'));
  t.match(invite(server, secret, 'ada@example.com'), { ok: true });
  const { subject, text } = await emailTo(server, 'ada@example.com');
  t.equal(subject, 'How was your order?');
  t.equal(statusOf(server, linkIn(text)), 200);
  return secret;
}

async function changeSecrets(server: EmptyServer, secret: string): Promise<string> {
  const { t } = server;
  const settings = () =>
    Object.fromEntries(
      server
        .run('cat /etc/invitation-trigger/env')
        .split('\n')
        .map((line) => line.split(/=(.*)/)),
    );
  const before = settings();
  server.run(`${COMMAND} webhook create --workspace acme --url ${SITE}/hook`);
  follow(server, 'for role in invitations');
  follow(server, 's|^RELAY_API_KEY', { 're_…': 're_other' });
  follow(server, 'whsec_…', { 'whsec_…': `whsec_${'a'.repeat(32)}` });
  t.match(follow(server, 'secrets renew'), /^1 /);
  const after = settings();
  for (const setting of ['DATABASE_URL', 'SECRET_KEYS', 'RELAY_API_KEY', 'RELAY_EVENTS_SECRET'])
    t.not(after[setting], before[setting], setting);
  t.notMatch(after.SECRET_KEYS, ',');
  const endpoint = idIn(server.run(`${COMMAND} webhook list --workspace acme`));
  t.match(follow(server, 'webhook rotate', { [ID]: endpoint }), 'whsec_');
  const token = idIn(server.run(`${COMMAND} token list --survey orders`));
  const other = secretIn(follow(server, 'token end-secret', { [ID]: token }));
  await isReady(server);
  t.match(invite(server, secret, 'eve@example.com'), { ok: false });
  t.match(invite(server, other, 'eve@example.com'), { ok: true });
  await emailTo(server, 'eve@example.com');
  return other;
}

/**
 * Loses what happens after a time: an email of an earlier request leaves, and another request is accepted and emailed.
 * @param keep What makes it possible to go back to this time. @param goBack Called with the time.
 */
async function lose(server: EmptyServer, secret: string, keep: () => void, goBack: (moment: string) => void): Promise<void> {
  const { t } = server;
  const [early, later, lost, after] = ['early', 'later', 'lost', 'after'].map(
    (word) => `${word}${server.emails.length}@example.com`,
  ) as [string, string, string, string];
  const events = (more: string) =>
    JSON.parse(server.run(`curl -s '${SITE}/api/events${more}' -H 'Authorization: Bearer ${secret}'`));
  const invitations = () => ask(server, 'select count(*) from invite.invitations');
  server.run('systemctl stop invitation-trigger-work');
  invite(server, secret, early);
  invite(server, secret, later, ', "send_in_seconds": 86400');
  const count = invitations();
  const moment = ask(server, 'select clock_timestamp()');
  keep();

  server.run('systemctl start invitation-trigger-work');
  invite(server, secret, lost);
  const links = [await emailTo(server, early), await emailTo(server, lost)].map(({ text }) => linkIn(text));
  t.same(
    links.map((link) => statusOf(server, link)),
    [200, 200],
  );
  const { next } = events('');
  t.type(next, 'string');
  const epoch = () => ask(server, 'select epoch from invite.settings');
  const before = epoch();
  const left = server.emails.length;

  goBack(moment);
  follow(server, 'renew_epoch');
  t.equal(invitations(), count);
  follow(server, 'journalctl', { [MOMENT]: moment });
  await isReady(server);
  t.same(
    links.map((link) => statusOf(server, link)),
    [200, 404],
    'only the link of the earlier request leads somewhere',
  );
  t.match(events(`?after=${next}`), { ok: false });
  t.not(epoch(), before);
  const waiting = "select email from invite.unsent_messages where status = 'queued' order by id desc limit 1";
  t.equal(ask(server, waiting), later);
  follow(server, 'sending resume --all');
  t.match(invite(server, secret, after), { ok: true });
  await emailTo(server, after);
  t.equal(server.emails.length, left + 1, 'nothing is sent twice');
}

async function restoreDump(server: EmptyServer, secret: string, kind: Kind): Promise<void> {
  const { t } = server;
  const state = () =>
    ask(server, "select string_agg(defaclrole::regrole || defaclobjtype || defaclacl::text, ',') from pg_default_acl");
  const before = state();
  const token = idIn(server.run(`${COMMAND} token list --survey orders`));
  server.run(`${COMMAND} workspace events acme on; invitation-trigger token update ${token} --allow-reading yes`);
  const goBack = () => {
    follow(server, '--dbname restored', OWNED[kind]);
    follow(server, 'rename to lost');
  };
  await lose(server, secret, () => follow(server, '/etc/cron.daily/invitation-trigger <<'), goBack);
  t.equal(state(), before, 'new functions are nobody else’s');
}

async function restoreMoment(server: EmptyServer, secret: string): Promise<void> {
  follow(server, 'archive_mode');
  follow(server, 'pg_basebackup');
  await isReady(server);
  const goBack = (moment: string) =>
    follow(server, 'recovery_target_time', { [MOMENT]: moment, '/15': `/${server.run('ls /etc/postgresql').trim()}` });
  await lose(server, secret, () => {}, goBack);
}

t.test('as the documents say', { skip: missing() ?? false }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'downloads-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const [downloads, release] = ['node', 'release'].map((part) => join(folder, part)) as [string, string];
  mkdirSync(downloads);
  packNode(downloads, devDependencies.node);
  t.pass('Node can be downloaded');
  const clean = ['-i', `PATH=${process.env.PATH}`, `HOME=${folder}`];
  execFileSync('env', [...clean, process.execPath, join(ROOT, 'deploy/package.ts'), release]);
  t.pass('the release is built');
  const tarball = join(release, `${name}-${version}.tgz`);
  const empty = (t: Test) => startEmptyServer(t, downloads, [tarball, join(release, 'SHA256SUMS')]);

  await t.test('one role behind Caddy: first invitation, next version, new secrets, a dump restored, another host', async (t) => {
    const server = await empty(t);
    const first = await deploy(server, 'one role');
    cpSync(tarball, server.path(`/root/${name}-0.2.0.tgz`));
    follow(server, 'migrate --plan');
    await isReady(server);
    const secret = await changeSecrets(server, first);
    await restoreDump(server, secret, 'one role');

    const other = await empty(t);
    install(other);
    follow(server, 'moving.tar.gz roles');
    cpSync(server.path('/root/moving.tar.gz'), other.path('/root/moving.tar.gz'));
    follow(other, 'tar -xzf moving.tar.gz');
    await start(other, 'one role');
    t.match(invite(other, secret, 'moved@example.com'), { ok: true });
    await emailTo(other, 'moved@example.com');
    t.equal(other.emails.length, 1);
    const [{ text = '' } = {}] = server.emails;
    t.equal(statusOf(other, linkIn(text)), 200, 'links of before work');
  });

  await t.test('separate roles behind nginx: first invitation, a dump restored, a moment restored', async (t) => {
    const server = await empty(t);
    const secret = await deploy(server, 'separate roles');
    await restoreDump(server, secret, 'separate roles');
    await restoreMoment(server, secret);
  });

  t.strictSame(
    [...notFollowed].map((lines) => lines.split('\n', 1)[0]),
    [],
    'each line of the documents was run',
  );
});

t.test('the documents name the versions that are tested', (t) => {
  t.match(read('docs/deployment.md'), `node-v${devDependencies.node}-linux-x64`);
  t.match(read('docs/deployment.md'), `${name}-${version}.tgz`);
  t.end();
});
