// Databases with other locales and encodings: addresses compare in the same way in another locale, and another encoding is rejected.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { migrate } from '../../src/database/migrate.ts';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { OperatorError } from '../../src/errors.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { readRecipients } from '../../src/trigger/recipients.ts';
import { ErrorList } from '../../src/trigger/validation-errors.ts';
import { clusterUrl, databaseUrl } from '../fixtures/cluster.ts';
import { idsOf, invitationsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createWorker } from '../fixtures/setup.ts';
import { prepareTemplate } from '../fixtures/template.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const cluster = await clusterUrl();

async function createDatabase(t: Test, options: string): Promise<string> {
  const name = `invite_locale_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase(cluster, { applicationName: 'tests', transactions: true });
  t.teardown(async () => {
    await admin.unsafe(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  await prepareTemplate(admin, cluster);
  await admin.unsafe(`create database ${name} template template0 ${options}`);
  return databaseUrl(cluster, name);
}

t.test('on a Turkish database, addresses in capitals are those in lower case', async (t) => {
  const url = await createDatabase(t, "encoding 'UTF8' locale_provider icu icu_locale 'tr-TR'");
  await migrate(url);
  const sql = openDatabase(url, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  // For invitationsOf, in the schema of the other.
  for (const file of ['accept_trigger', 'rows'])
    await sql.unsafe(readFileSync(new URL(`../fixtures/${file}.sql`, import.meta.url), 'utf8'));
  const store = createStore(sql);
  t.not((await sql`select lower('INFO') as word`)[0]?.word, 'info', 'its own rule is another');

  const { workspace, survey, hash } = await createBatch(store, { recipients: [{ email: 'INFO@EXAMPLE.COM' }] });
  const invite = (email: string) => acceptTrigger(store, hash, { recipients: [{ email }] }, 10_000);
  const claim = async () => store.claimInvitations(await idsOf(sql, survey), await createWorker(store));
  const statuses = async () => (await invitationsOf(sql, survey)).map(({ status }) => status);
  const suppressed = async () => (await sql`select email from invite.suppressions`).map(({ email }) => email);

  await t.test('unsubscribed', async (t) => {
    await claim();
    const [row] = await invitationsOf(sql, survey);
    const token = unsubscribeToken(row?.link_token ?? '');
    await store.unsubscribe(token);
    t.same(await suppressed(), ['info@example.com']);
    await invite('info@example.com');
    t.same(await claim(), []);
    t.same(await statuses(), ['sending', 'suppressed']);
    t.same((await store.resubscribe(token))?.unsubscribed, false);
    t.same(await suppressed(), []);
  });

  await t.test('hard bounced', async (t) => {
    await invite('INFO@example.com');
    const [claimed] = await claim();
    await store.settleInvitations([{ id: claimed?.id ?? '', claim_id: claimed?.claimId ?? '', outcome: 'suppressed' }]);
    t.same(await suppressed(), ['info@example.com']);
    await sql`delete from invite.suppressions`;
  });

  await t.test('reported by the relay', async (t) => {
    await sql`
      update invite.messages set relay_message_id = 'm1'
      where invitation_id = (select max(id) from test.invitations where survey_id = ${survey})`;
    await sql`
      select invite.record_relay_events('mailpit', ${sql.json([
        { event_id: 'e1', type: 'complaint', occurred_at: new Date(), relay_message_id: 'm1', email: 'info@EXAMPLE.com' },
      ])})`;
    t.same(await suppressed(), ['info@example.com']);
    await sql`delete from invite.suppressions`;
  });

  await t.test('cancelled and erased', async (t) => {
    await invite('INFO@example.com');
    t.match(await store.cancelEmail(workspace, 'info@EXAMPLE.COM'), { cancelled: 1 });
    const { erased, stillSending } = await store.eraseEmail(workspace, 'info@example.com', true);
    t.equal(erased + stillSending, (await statuses()).length);
    t.same(await suppressed(), ['info@example.com']);
  });

  await t.test('searched for', async (t) => {
    await invite('INGRID@example.com');
    await createMember(store, workspace, 'owner', 'IDA@EXAMPLE.COM');
    const [row] = await sql`select console.search_invitations(${survey}, 'INGR', null, null, 10) as ids`;
    t.equal(row?.ids.length, 1);
    t.same((await sql`select email from invite.members`)[0]?.email, 'ida@example.com');
    t.equal((await store.listSessions('IDA@example.com')).length, 1);
    t.equal(await store.endSessions('Ida@EXAMPLE.com'), 1);
  });

  await t.test('and a request has the address once', (t) => {
    const errors = new ErrorList();
    const limits = { maxRecipients: 10, maxMetadataBytes: 100, maxMessageBytes: 100 };
    const emails = ['INFO@example.com', 'info@EXAMPLE.COM'];
    t.equal(readRecipients({ emails }, limits as never, () => false, errors).length, 1);
    t.end();
  });
});

/** These apply to metadata values, which people search in the language of the database. */
const SEARCHED = new Set(['lower(search_values.search)', 'lower(search.search)']);

t.test("no function lowers an address by the database's locale", async (t) => {
  const folder = new URL('../../sql/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(functions|console|triggers)\//.test(file),
  );
  const calls = files
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), 'utf8').matchAll(
        /\blower\((?!coalesce|\w\.|next_open\.open_hours|invite\.zone_of)(?:[^()]|\([^()]*\))*\)/g,
      ),
    ])
    .map(([word]) => word);
  t.ok(calls.length > 10);
  t.same(
    calls.filter((word) => !word.includes('collate "C"') && !SEARCHED.has(word)),
    [],
  );
});

t.test('a database with another encoding is refused, and left as it is', async (t) => {
  const url = await createDatabase(t, "encoding 'LATIN1' locale 'C'");
  await t.rejects(
    migrate(url),
    new OperatorError(
      "The database's encoding is LATIN1, and the service needs UTF8: create database … encoding 'UTF8' template template0.",
    ),
  );
  const sql = openDatabase(url, { applicationName: 'tests' });
  t.teardown(() => sql.end());
  t.equal((await sql`select to_regnamespace('invite') as schema`)[0]?.schema, null);
});
