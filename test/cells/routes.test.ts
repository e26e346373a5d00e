// What a router gets is complete: every function that the web server may call has a route, and every type that it names is there. This needs no
// PL/Proxy, since only the definitions are looked at.
import { globSync, readFileSync } from 'node:fs';
import t from 'tap';
import { type Catalog, readCatalog } from '../../src/cells/catalog.ts';
import { routerSql } from '../../src/cells/router-sql.ts';
import { LISTED_NAMES, routeOf } from '../../src/cells/routes.ts';
import type { Sql } from '../../src/database/pool.ts';
import { createTestDatabase } from '../fixtures/setup.ts';
import { filesOf, read } from '../runner/graph.ts';

const cell = await createTestDatabase(t);
const catalog: Catalog = await readCatalog(cell.connect());
const nameOf = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`;
const routed = catalog.functions.filter((one) => !['none', 'named'].includes(routeOf(one).to));

t.test('every function that the web server may call has a route', async (t) => {
  t.ok(catalog.functions.length > 100);
  for (const one of catalog.functions) t.doesNotThrow(() => routeOf(one), nameOf(one));
});

t.test('a new function without a route fails', async (t) => {
  const admin = cell.connectAsAdmin();
  await admin.unsafe(`create function invite.brand_new(id text) returns text language sql security definer as 'select id'`);
  await admin.unsafe('grant execute on function invite.brand_new to invite_web');
  const changed = await readCatalog(cell.connect());
  t.throws(() => routerSql(changed), { message: /^invite\.brand_new has no route/ });
  await admin.unsafe('drop function invite.brand_new');
});

t.test('the lists name nothing that is gone, and no server calls what has no route', async (t) => {
  const names = new Set(catalog.functions.map(nameOf));
  t.same(
    LISTED_NAMES.filter((name) => !names.has(name)),
    [],
  );
  const serverFiles = filesOf('src/database').map((file) => read(file));
  const unrouted = catalog.functions.filter((one) => routeOf(one).to === 'none' && one.schema === 'console').map(nameOf);
  t.ok(unrouted.length > 0);
  t.same(
    unrouted.filter((name) => serverFiles.some((text) => text.includes(`${name}(`))),
    [],
  );
});

t.test('what SQL raises ends with the name of its constraint, since PL/Proxy passes on only the message', async (t) => {
  let seen = 0;
  // invite.trigger runs in the customer's own transaction, so no router is between.
  const files = globSync('sql/{functions,triggers,console}/**/*.sql').filter((file) => !file.endsWith('/reject_trigger.sql'));
  for (const file of files) {
    for (const [, message = '', constraint = ''] of read(file).matchAll(
      /raise exception '((?:[^']|'')*)'[^;]*?constraint = ('\w+'|[\w.]+)/g,
    )) {
      seen += 1;
      const name = constraint.replaceAll("'", '');
      t.ok(message.endsWith(constraint.startsWith("'") ? `(${name})` : '(%)'), `${file}: ${message}, ${constraint}`);
    }
  }
  t.ok(seen > 30);
});

t.test('the text is the same each time', async (t) => {
  t.equal(routerSql(await readCatalog(cell.connect())), routerSql(catalog));
});

/** What a caller sees of the functions and the types of a database. */
async function seen(sql: Sql) {
  await sql`set search_path = pg_catalog`;
  const functions = await sql`
    select
      p.oid::regproc::text as name, pg_get_function_arguments(p.oid) as arguments, pg_get_function_result(p.oid) as result
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('invite', 'console')`;
  const types = await sql`
    select
      format_type(t.oid, null) as name,
      array(select e.enumlabel::text from pg_enum as e where e.enumtypid = t.oid order by e.enumsortorder) as labels,
      array(
        select a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        from pg_attribute as a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped order by a.attnum
      ) as attributes
    from pg_type as t join pg_namespace as n on n.oid = t.typnamespace
    where n.nspname in ('invite', 'console') and t.typtype in ('c', 'e')`;
  return {
    functions: new Map(functions.map(({ name, ...rest }) => [name, rest])),
    types: new Map(types.map(({ name, ...rest }) => [name, rest])),
  };
}

t.test('a router has the same functions and types, and needs nothing else', async (t) => {
  const database = await createTestDatabase(t);
  const admin = database.connectAsAdmin();
  await admin.unsafe('drop schema invite, console cascade');
  await admin.unsafe(readFileSync(new URL('../../src/cells/router.sql', import.meta.url), 'utf8'));
  // PL/Proxy itself isn't needed to see whether all names are known.
  const text = routerSql(catalog).replaceAll(
    /language plproxy security definer\nas \$\$ .* \$\$;/g,
    `language plpgsql as 'begin end';`,
  );
  t.notMatch(text, /plproxy/);
  await admin.unsafe(text);
  const [of, here] = [await seen(cell.connectAsAdmin()), await seen(admin)];
  t.same([...here.functions.keys()].sort(), [...new Set(routed.map(nameOf))].sort());
  for (const [name, made] of here.functions) t.same(made, of.functions.get(name), name);
  for (const [name, made] of here.types) t.same(made, of.types.get(name), name);
});
