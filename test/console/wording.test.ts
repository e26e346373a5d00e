// The page of a workspace's own words, over HTTP: texts beside the service's, errors at their fields, outdated marks, CSV out and in.
import t from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { LANGUAGES, OWN_NAMES } from '../../src/languages/languages.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { run, runJson } from '../fixtures/program.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, url: databaseUrl, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

async function setup() {
  const { workspace, survey } = await createSurvey(store);
  const admin = await createMember(store, workspace, 'admin', `admin-${survey}@example.com`);
  const path = `/workspaces/${workspace}/wording`;
  const read = async (response: Response) => ({
    status: response.status,
    text: unescaped(await response.text()),
    to: response.headers.get('location'),
  });
  return {
    workspace,
    path,
    show: async (query = '') => read(await visit(url, path + query, admin)),
    save: async (fields: Record<string, string>, texts: Record<string, string> = {}) => {
      const named = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`text.${name}`, text]));
      return read(await visit(url, path, admin, { action: 'save', ...fields, ...named }));
    },
    async upload(language: string, csv: string) {
      const body = new FormData();
      for (const [name, value] of Object.entries({ csrf: csrfToken(admin.key), action: 'import', language }))
        body.set(name, value);
      body.set('file', new Blob([csv]), 'texts.csv');
      return read(
        await fetch(url + path, { method: 'POST', body, headers: { cookie: `session=${admin.key}` }, redirect: 'manual' }),
      );
    },
    words: async (language: string) =>
      (await sql`select words from invite.wordings where workspace_id = ${workspace} and language = ${language}`)[0]?.words ?? {},
  };
}
const entered = (page: string, name: string): string | undefined =>
  new RegExp(`<input type="text" value="([^"]*)" id="text\\.${name}"`).exec(page)?.[1] ??
  new RegExp(`<textarea[^>]* id="text\\.${name}"[^>]*>\n([^<]*)<`).exec(page)?.[1];

t.test('each text stands beside the service’s, empty at first, with ours as what will be said', async (t) => {
  const { show } = await setup();
  t.match((await show()).text, 'You have no words of your own yet.');
  const { status, text } = await show('?language=de');
  t.equal(status, 200);
  for (const name of OWN_NAMES) {
    t.equal(entered(text, name), '', name);
    t.match(text, `>${LANGUAGES.de[name]}</p>`, name);
  }
  t.match(text, `placeholder="${LANGUAGES.de.submit}"`);
  t.match(text, 'Informally');
  t.notMatch((await show('?language=sv')).text, 'Informally');
  const bulgarian = (await show('?language=bg')).text;
  t.match(bulgarian, `Recipients read Bulgarian once all ${OWN_NAMES.length} texts are here`);
  t.match(bulgarian, `lang="en" dir="ltr">${LANGUAGES.en.submit}</p>`);
  t.equal((await show('?language=no%20tag')).status, 422);
  t.match((await show('?language=PT_br')).text, 'Wording in Brazilian Portuguese', 'a tag as people write it');
});

t.test('what is changed is saved, and nothing else', async (t) => {
  const { save, show, words, path } = await setup();
  const saved = await save({ language: 'de', informal: 'yes' }, { submit: ' Los ', noAnswer: '' });
  t.equal(saved.to, `${path}?language=de&done=wording_saved`);
  t.same(await words('de'), { submit: 'Los' });
  t.match((await show('?language=de')).text, /value="yes" checked/);
  await save({ language: 'de' }, { submit: 'Los', thanks: 'Danke! Fertig.' });
  t.same(await words('de'), { submit: 'Los', thanks: 'Danke! Fertig.' });
  await save({ language: 'de' }, { submit: '' });
  t.same(await words('de'), { thanks: 'Danke! Fertig.' });
  t.match((await show()).text, /German<\/a>[\s\S]*informal/);
});

t.test('each wrong text has its error at its field, and what was entered stays', async (t) => {
  const { save, words } = await setup();
  const wrong = { submit: 'Los', emailReason: 'Weil {workspaces}', unsubscribeLine: 'Weg' };
  const { status, text } = await save({ language: 'de', informal: 'yes' }, wrong);
  t.match(text, /value="yes" checked/);
  t.equal(status, 422);
  t.match(text, /id="text.emailReason-error" role="alert">Use each of these, and no other: \{workspace\}\./);
  t.match(text, /id="text.unsubscribeLine-error" role="alert">Use each of these, and no other: \{link\}\./);
  t.equal(entered(text, 'submit'), 'Los');
  t.equal(entered(text, 'unsubscribeLine'), 'Weg');
  t.same(await words('de'), {});
});

t.test('an outdated text is marked, counted and beside what ours said, until it is changed or said to fit', async (t) => {
  const { save, show, workspace } = await setup();
  await store.setWording(workspace, 'it', { submit: 'Via', optional: '(libero)' });
  await sql`update invite.wordings set originals = jsonb_build_object('submit', 'Manda', 'optional', '(se vuole)') where workspace_id = ${workspace}`;
  const before = (await show('?language=it')).text;
  t.match(before, '2 texts of the service have changed since you worded them.');
  t.match(before, 'It read: <span class="text" lang="it" dir="ltr">Manda</span>');
  t.match((await show()).text, '<strong>2</strong>');
  await save({ language: 'it' }, { submit: 'Via', optional: '(libero)', thanks: 'Grazie!' });
  t.match((await show('?language=it')).text, '2 texts of the service have changed', 'saving another text is no look at these');
  await save({ language: 'it', 'fits.text.submit': 'yes' }, { submit: 'Via', optional: '(libero)' });
  t.match((await show('?language=it')).text, '1 text of the service has changed');
  await save({ language: 'it' }, { optional: '(se ti va)' });
  t.notMatch((await show('?language=it')).text, 'changed since');
});

t.test('a file goes out and comes back as it was, with what it changes shown first', async (t) => {
  const { path, show, save, upload, words, workspace } = await setup();
  await store.setWording(workspace, 'de', { submit: '=1+1', optional: '"frei"; -' });
  const admin = await createMember(store, workspace, 'admin', `csv-${workspace}@example.com`);
  const response = await visit(url, `${path}.csv?language=de`, admin);
  t.match(response.headers.get('content-disposition'), /filename="wording-de-.*\.csv"/);
  const csv = await response.text();
  t.equal(csv.split('\r\n').length, OWN_NAMES.length + 2);
  t.match(
    (await upload('de', csv)).text,
    'The file changes nothing',
    'what a spreadsheet would take for a formula comes back as it was',
  );
  const changed = csv.replace(`"${LANGUAGES.de.noAnswer}",`, `"${LANGUAGES.de.noAnswer}","Sag ich nicht"`);
  t.not(changed, csv);
  const preview = await upload('de', changed);
  t.equal(preview.status, 200);
  t.match(preview.text, 'The file changes 1 text');
  t.match(preview.text, 'Sag ich nicht');
  t.notOk('noAnswer' in (await words('de')), 'nothing is changed by looking');
  const taken = /name="taken" value="(\{.*?\})"/.exec(preview.text)?.[1] ?? '';
  await save({ action: 'take', language: 'de', taken });
  t.match(await words('de'), { noAnswer: 'Sag ich nicht', submit: '=1+1' });
  const wrong = await upload('de', 'name;text\nemailReason;"Weil"\nsubmit;Weiter\nnone;x\n');
  t.equal(wrong.status, 422);
  t.match(wrong.text, 'can’t be taken'.replace('’', "'"));
  t.match(wrong.text, '{workspace}');
  t.match(wrong.text, 'The file changes 1 text');
  t.match(wrong.text, /aren't texts here: none\./);
  t.match((await upload('de', 'a;b\n1;2\n')).text, 'headings');
  t.match((await upload('de', '')).text, 'headings');
  for (const odd of ['', '[]', '7', '{"submit": 7}', '{"constructor": "x"}'])
    t.ok([303, 422].includes((await save({ action: 'take', language: 'de', taken: odd })).status), odd);
  t.equal((await show('?language=de')).status, 200);
});

t.test('the command line does the same', async (t) => {
  const { workspace, words } = await setup();
  const env = { DATABASE_URL: databaseUrl };
  t.match((await run(env, 'wording', 'list', workspace)).stdout, 'no words of its own');
  t.equal((await run(env, 'wording', 'set', workspace, 'de_at', 'submit', 'Gemma')).code, 0);
  t.same(await words('de-AT'), { submit: 'Gemma' });
  t.match(await runJson(env, 'wording', 'list', workspace), [
    { language: 'de-AT', base: 'de', own: 1, missing: 0, spoken: true },
  ]);
  const wrong = await run(env, 'wording', 'set', workspace, 'de', 'emailReason', 'x');
  t.not(wrong.code, 0);
  t.match(wrong.stderr, '{workspace}');
  t.equal((await run(env, 'wording', 'address', workspace, 'de', 'informal')).code, 0);
  t.match((await run(env, 'wording', 'show', workspace, 'de')).stdout, 'Du erhältst');
  const file = `${t.testdir({})}/de.csv`;
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, (await run(env, 'wording', 'export', workspace, 'de')).stdout.replace(/("submit","[^"]*",)/, '$1"Los"'));
  t.match((await run(env, 'wording', 'import', workspace, 'de', file, '--dry-run')).stdout, '1 text would change');
  t.same(await words('de'), {});
  t.match((await run(env, 'wording', 'import', workspace, 'de', file)).stdout, '1 text changed');
  t.same(await words('de'), { submit: 'Los' });
  await run(env, 'wording', 'remove', workspace, 'de', 'submit');
  t.same(await words('de'), {});
  t.match((await run(env, 'wording', 'set', workspace, 'no tag', 'submit', 'x')).stderr, 'no language tag');
  t.not((await run(env, 'wording', 'list', 'none')).code, 0);
});
