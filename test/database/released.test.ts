// Processes of the last release run on this version's schema until they are restarted: whatever they call is still there.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { findLost, lastRelease, listCalls } from '../fixtures/calls.ts';
import { createTestDatabase } from '../fixtures/setup.ts';

const { sql, connect } = await createTestDatabase(t);
/** The first whose databases are migrated. */
const FIRST = '0.2.0';

t.test('everything that the last release calls is still there', async (t) => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, last = ''] = /^## (\d+\.\d+\.\d+)/m.exec(changelog) ?? [];
  const release = lastRelease();
  if (last.localeCompare(FIRST, 'en', { numeric: true }) < 0) return t.equal(release, undefined, 'nothing is released yet');
  t.equal(release?.version, last, 'after a release, run npm run -s schema -- --release');
  t.strictSame(findLost(release?.calls ?? [], await listCalls(sql)), []);
});

t.test('what is taken away from callers is found, and what is added is fine', async (t) => {
  const before = await listCalls(sql);
  const names = before.map(({ name }) => name);
  for (const name of [
    'invite.accept_triggers',
    'invite.settle_invitations',
    'invite.trigger',
    'console.surveys',
    'invite.results',
  ]) {
    t.ok(names.includes(name), name);
  }
  t.notOk(names.includes('invite.check_triggers'), 'what only SQL calls may change');
  t.strictSame(findLost(before, before), []);
  const after = async (statements: string) => {
    let lost: string[] = [];
    await connect()
      .begin(async (transaction) => {
        await transaction.unsafe(statements);
        lost = findLost(before, await listCalls(transaction as never));
        throw new Error('roll back');
      })
      .catch((error: Error) => {
        if (error.message !== 'roll back') throw error;
      });
    return lost;
  };
  const remove = 'drop function invite.schema_version()';
  const create = (parameters: string, returns = 'integer') =>
    `${remove}; create function invite.schema_version(${parameters}) returns ${returns} language sql as 'select 1'`;
  t.strictSame(await after(remove), ['invite.schema_version is gone']);
  t.strictSame(await after(create('more text')), ['invite.schema_version requires another parameter']);
  t.strictSame(await after(create('more text default null')), []);
  t.strictSame(await after(create('', 'smallint')), ['invite.schema_version has no column  integer at its place']);
  t.strictSame(await after('create or replace view invite.paused_sending as select *, 1 as more from invite.paused_sending'), []);
  t.strictSame(await after('alter view invite.paused_sending rename column scope to what'), [
    'invite.paused_sending has no column scope text at its place',
  ]);
  t.strictSame(await after('alter type console.survey add attribute more text'), []);
  t.match(await after('alter type console.survey drop attribute title cascade'), [/^console\.surveys has no column title text/]);
});
