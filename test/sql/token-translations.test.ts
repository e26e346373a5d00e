// The translations of a token's texts: which are outdated, and misspelt variables, in the same way by SQL, by command and on the page.
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import type { TokenTranslation } from '../../src/database/store.ts';
import { TEMPLATE_VARIABLES } from '../../src/mail/template.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

async function setup() {
  const fixture = await createSurvey(store);
  const { token } = await createToken(store, fixture.survey, { defaultSubject: 'How was it?', defaultMessage: 'Hello' });
  const editor = await createMember(store, fixture.workspace, 'editor');
  const path = `/surveys/${fixture.survey}/api-trigger/${token}/translations`;
  const page = async () =>
    (await (await visit(url, `${path}?language=sv`, editor)).text()).replace(/&#(\d+);/g, (_, code) =>
      String.fromCharCode(Number(code)),
    );
  return {
    ...{ ...fixture, token, page },
    save: (texts: object) => visit(url, path, editor, { action: 'translate', language: 'sv', ...texts }),
    marked: async () => [...(await page()).matchAll(/id="([^"]*)-before"/g)].map(([, name]) => name),
    csv: async () => (await visit(url, `${path}.csv?language=sv`, editor)).text(),
  };
}

t.test('a text whose original has changed since is marked, until it is given again or said to fit', async (t) => {
  const { token, workspace, page, save, marked, csv } = await setup();
  await store.setWorkspaceSender(workspace, { name: 'Acme', button_text: 'Go' });
  await store.setTokenTranslation(token, 'sv', { subject: 'Hur var det?', message: 'Hej', button_text: 'Till' });
  t.same(await marked(), []);
  await store.updateTriggerToken(token, { defaultSubject: 'How did it go?', defaultMessage: 'Hi' });
  await store.setWorkspaceSender(workspace, { name: 'Acme', button_text: 'Start' });
  t.same(await marked(), ['subject', 'message', 'button_text'], "also the workspace's");
  t.match(await page(), /id="subject-before"><p>The original has changed. It read: <span[^>]*>How was it\?/);
  t.match((await page()).replace(/<[^>]+>/g, ' '), /Swedish\s+0\s+3\s/);
  t.match(await csv(), 'How was it?');
  const texts = { subject: 'Hur var det?', message: 'Hej!', button_text: 'Till' };
  await save(texts);
  t.same(await marked(), ['subject', 'button_text'], 'what is saved as it was stays marked');
  await save({ ...texts, 'fits.button_text': 'yes' });
  t.same(await marked(), ['subject']);
  await store.setTokenTranslation(token, 'sv', { subject: 'Hur var det?' });
  t.same(await marked(), [], 'by command and SQL, a text that is given again is looked at');
  await store.setTokenTranslation(token, 'sv', { subject: '', message: '', button_text: '' });
  const [row] = await sql`select translations, translated_from from invite.trigger_tokens where id = ${token}`;
  t.same(row, { translations: null, translated_from: null });
});

t.test('a misspelt variable is refused by SQL, by command and on the page, each naming it', async (t) => {
  const { token, save } = await setup();
  const said = (texts: TokenTranslation) =>
    Promise.resolve(store.setTokenTranslation(token, 'sv', texts)).then(
      () => undefined,
      (error) => constraintMessage(error),
    );
  t.equal(
    await said({ subject: 'Hej {{name}}' }),
    "sv.subject has {{name}}, which isn't a variable. There are {{recipient_name}}, {{workspace_name}}, {{survey_title}}, {{survey_link}}.",
  );
  t.match(await said({ message: 'Hej {{recipient_name}} {{Survey_link}}' }), /sv\.message has \{\{Survey_link\}\}/);
  const refused = await save({ subject: 'Hej {{name}}' });
  t.equal(refused.status, 422);
  t.equal(await said({ message: TEMPLATE_VARIABLES.map((name) => `{{${name}}}`).join(' ') }), undefined, 'each of ours is known');
  t.equal(await said({ subject: 'Hej {name} {{ {{recipient_name}}' }), undefined, 'other braces are text');
});
