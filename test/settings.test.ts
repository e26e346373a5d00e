// Each setting of a trigger token, a survey and a workspace is set to another value by SQL, by a command and on its page; the row has it, and
// the audit log says so.
import t from 'tap';
import { TOKEN_FIELDS } from '../src/console/api-trigger/token-fields.ts';
import { constraintMessage } from '../src/constraint-messages.ts';
import { startTestServer } from './fixtures/http.ts';
import { createMember, visit } from './fixtures/members.ts';
import { run } from './fixtures/program.ts';
import { SETTINGS, type Setting, type Value } from './fixtures/settings.ts';
import { createSurvey, createTestDatabase, createToken } from './fixtures/setup.ts';

const { sql, store, url: databaseUrl, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const PAGES = { trigger_tokens: '/surveys/{survey}/api-trigger/{id}', surveys: '/surveys/{id}', workspaces: '/workspaces/{id}' };

type Table = keyof typeof SETTINGS;

async function createRow(table: Table) {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  const { token } = await createToken(store, survey, { defaultReminders: [9] });
  const owner = await createMember(store, workspace, 'owner', `owner-${survey}@example.com`);
  return { workspace, survey, owner, id: { trigger_tokens: token, surveys: survey, workspaces: workspace }[table] };
}
type Target = Awaited<ReturnType<typeof createRow>>;

const rowOf = async (table: Table, id: string) => (await sql`select * from invite.${sql(table)} where id = ${id}`)[0] ?? {};
const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(id|workspace|survey|version)\}/g, (_, name: string) => values[name] ?? '');

/** The fields of a page's form as they stand, so that changing one changes no other. */
async function fieldsOf(page: string): Promise<Record<string, string>> {
  const decode = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of page.matchAll(
    /<input(?=[^>]* name="(\w+)")(?=[^>]* value="([^"]*)")[^>]*type="(?:text|url|number|email)"/g,
  ))
    fields[name] = decode(value);
  for (const [, name = '', value = ''] of page.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>([^<]*)</g))
    fields[name] = decode(value).trim();
  for (const [input] of page.matchAll(/<input[^>]* type="(?:radio|checkbox)"[^>]* checked[^>]*>/g)) {
    const [, name = ''] = / name="(\w+)"/.exec(input) ?? [];
    fields[name] = / value="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return fields;
}

/** What a page that was refused says is wrong. */
const errorsOf = (page: string) => Array.from(page.matchAll(/ role="alert"[^>]*>([^<]*)/g), ([, text]) => text).join(' ');

const WAYS = {
  sql: async (target: Target, { sql: [value, statement] }: Setting, column: string) => {
    const settings = JSON.stringify({ [column]: value });
    await sql.unsafe(fill(statement, target as never).replace('{settings}', `'${settings}'::jsonb`));
    return value;
  },
  cli: async (target: Target, { cli = [null] }: Setting) => {
    const [value, ...args] = cli;
    const { code, stderr } = await run({ DATABASE_URL: databaseUrl }, ...args.map((arg) => fill(arg as string, target as never)));
    if (code !== 0) throw new Error(stderr);
    return value;
  },
  page: async (target: Target, { page = [null, '', {}] }: Setting, _: string, table: Table) => {
    const [value, path, changes] = page;
    const below = fill(PAGES[table], target as never);
    const shown = await (await visit(url, below + path, target.owner)).text();
    const row = await rowOf(table, target.id);
    const given = Object.fromEntries(
      Object.entries(changes).map(([name, text]) => [name, fill(text, { version: String(row.questions_version) })]),
    );
    const response = await visit(url, below + path, target.owner, { ...(await fieldsOf(shown)), ...given });
    if (response.status !== 303) throw new Error(`${path}: ${response.status}: ${errorsOf(await response.text())}`);
    return value;
  },
};

for (const table of Object.keys(SETTINGS) as Table[]) {
  t.test(`each column of ${table} is a setting, or has a reason why not`, async (t) => {
    const columns = await sql`
      select attname from pg_attribute where attrelid = ${`invite.${table}`}::regclass and attnum > 0 and not attisdropped`;
    for (const { attname } of columns)
      t.ok(
        SETTINGS[table][attname],
        `test/fixtures/settings.ts needs ${table}.${attname}: how SQL, a command and a page set it, or why it is no setting`,
      );
    t.equal(Object.keys(SETTINGS[table]).length, columns.length, 'and no entry is without a column');
  });

  for (const [column, setting] of Object.entries(SETTINGS[table])) {
    if (typeof setting === 'string') continue;
    t.test(`${table}.${column} is set in each way, and audited`, async (t) => {
      for (const way of ['sql', 'cli', 'page'] as const) {
        if (setting[way] === undefined) {
          t.ok(setting.without, `${way}: there is a reason`);
          continue;
        }
        const target = await createRow(table);
        const [{ last } = {}] = await sql`select coalesce(max(id), 0) as last from invite.audit_log`;
        const before = await rowOf(table, target.id);
        const value = await WAYS[way](target, setting, column, table);
        const after = await rowOf(table, target.id);
        const stored: Value = column.endsWith('_at') ? after[column] !== null : after[column];
        const hint = way === 'cli' ? ': see src/commands and src/database' : '';
        t.same(stored, value, `${way}: the row has it${hint}`);
        const others = Object.keys(after).filter((name) => typeof SETTINGS[table][name] === 'object' && name !== column);
        t.same(
          Object.fromEntries(others.map((name) => [name, after[name]])),
          Object.fromEntries(others.map((name) => [name, before[name]])),
          `${way}: nothing else changed`,
        );
        const audited = await sql`
          select action, detail from invite.audit_log where id > ${last} and action = ${setting.audit} order by id`;
        t.ok(
          audited.some(({ detail }) => detail.changed === undefined || detail.changed.includes(setting.changed ?? column)),
          `${way}: the audit log names it`,
        );
      }
    });
  }
}

t.test('what a setting may not be has words, for each table', async (t) => {
  const rules = await sql`
    select c.conname, c.conrelid::regclass::text as of, a.attname
    from pg_constraint as c
    join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'c' and c.conrelid = any (array['invite.trigger_tokens', 'invite.surveys', 'invite.workspaces']::regclass[])`;
  for (const { conname, of, attname } of rules) {
    const setting = SETTINGS[of.replace('invite.', '') as Table][attname];
    // A form of JSON has a trigger, whose words name the place.
    if (typeof setting !== 'object' || /_(object|array)$/.test(conname)) continue;
    t.ok(constraintMessage({ constraint_name: conname }), `src/constraint-messages.ts needs words for ${conname}`);
    if (of !== 'invite.trigger_tokens' || !setting.sql[1].includes('update_trigger_token')) continue;
    const named = Object.values(TOKEN_FIELDS).some((field) => field.rules.includes(conname));
    t.ok(named, `a field of src/console/api-trigger/token-fields.ts needs the rule ${conname}`);
  }
});

t.test('the view of tokens has each setting', async (t) => {
  const columns =
    await sql`select attname from pg_attribute where attrelid = 'invite.trigger_token_overview'::regclass and attnum > 0`;
  for (const [name, setting] of Object.entries(SETTINGS.trigger_tokens))
    if (typeof setting === 'object')
      t.ok(
        columns.some(({ attname }) => attname === name),
        `sql/views/trigger_token_overview.sql needs the column ${name}: pages and commands read it there`,
      );
});

t.test('a setting of a token takes the role that token_settings says', async (t) => {
  const settings = await sql`select name, least_role from invite.token_settings()`;
  const named = Object.entries(SETTINGS.trigger_tokens).filter(
    ([, setting]) => typeof setting === 'object' && setting.sql[1].includes('update_trigger_token'),
  );
  t.same(
    settings.map(({ name }) => name).sort(),
    named.map(([name]) => name).sort(),
    'sql/functions/admin/token_settings.sql has each',
  );
  const target = await createRow('trigger_tokens');
  const member = {
    editor: await createMember(store, target.workspace, 'editor'),
    viewer: await createMember(store, target.workspace, 'viewer'),
  };
  for (const { name, least_role } of settings) {
    const setting = SETTINGS.trigger_tokens[name] as Setting;
    const change = (session: Buffer) =>
      store.console.updateTriggerToken(session, target.survey, target.id, { [camel(name)]: setting.sql[0] } as never);
    await t.rejects(change(member.viewer.session), name);
    if (least_role === 'editor') await change(member.editor.session);
    else await t.rejects(change(member.editor.session), name);
    await change(target.owner.session);
  }
});

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
