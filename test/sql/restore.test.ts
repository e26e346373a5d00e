// Runs the recipe for dump and restore exactly as docs/recipes.md shows it. The restored database works for the same roles.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/database/pool.ts';
import { createStore } from '../../src/database/store.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const ROOT = new URL('../../', import.meta.url);
const database = await createTestDatabase(t);
const { sql, store } = database;
const [row] = await sql`select current_setting('server_version_num')::integer / 10000 as server`;
const client = Number(/(\d+)/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? 0);

t.test(
  'the recipe restores a dump',
  { skip: client < row?.server && `pg_dump is older than PostgreSQL ${row?.server}` },
  async (t) => {
    const name = new URL(database.url).pathname.slice(1);
    const restored = `${name}_restored`;
    const file = join(tmpdir(), `${name}.dump`);
    const cluster = new URL(database.cluster);
    const address = (url: string) => url.replace(new RegExp(`/${name}\\b`), `/${restored}`);
    const { hash, survey } = await createBatch(store);

    const [, recipe = ''] = /^```sh\n(pg_dump [\s\S]*?)^```/m.exec(readFileSync(new URL('docs/recipes.md', ROOT), 'utf8')) ?? [];
    const script = recipe
      .replaceAll('invitations.dump', file)
      .replace(' invitations\n', ` ${name}\n`)
      .replaceAll(/\brestored\b/g, restored)
      .replace(/postgres:\S+/, address(database.url))
      .replace('invitation-trigger ', `${process.execPath} src/cli.ts `);
    t.match(script, /pg_restore .*\n.*roles\.sql/);
    t.teardown(async () => {
      rmSync(file, { force: true });
      const admin = openDatabase(database.cluster, { applicationName: 'tests' });
      await admin.unsafe(`drop database if exists ${restored} with (force)`);
      await admin.end();
    });
    const { status, stderr } = spawnSync('bash', ['-euc', script], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        ...process.env,
        PGHOST: cluster.hostname,
        PGPORT: cluster.port,
        PGUSER: cluster.username,
        PGPASSWORD: decodeURIComponent(cluster.password),
      },
    });
    t.equal(status, 0, stderr);

    const copy = openDatabase(address(database.url), { applicationName: 'tests' });
    t.teardown(() => copy.end());
    const defaults = (connection: typeof sql) =>
      connection`select defaclrole::regrole::text as role, defaclobjtype::text as type, defaclacl::text as acl from pg_default_acl`;
    t.ok((await defaults(sql)).length > 0);
    t.same(await defaults(copy), await defaults(sql), 'new functions are nobody else’s');
    t.match(await copy`select status from invite.messages where survey_id = ${survey}`, [{ status: 'queued' }]);
    t.equal((await copy`select from graphile_worker.jobs`).length, (await sql`select from graphile_worker.jobs`).length);
    const web = openDatabase(address(database.urlAs('invite_web')), { applicationName: 'tests' });
    t.teardown(() => web.end());
    const accepted = await acceptTrigger(createStore(web), hash, { recipients: [{ email: 'bob@example.com' }] }, 10_000);
    t.equal(accepted.outcome, 'accepted');
  },
);
