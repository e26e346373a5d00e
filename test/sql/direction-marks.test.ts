// Invisible marks that turn the direction of text: names of recipients lose them, texts that a header or a page shows can't have them.
import t from 'tap';
import { constraintMessage } from '../../src/constraint-messages.ts';
import { DIRECTION_MARKS, hasDirectionMark } from '../../src/text.ts';
import { startTestServer } from '../fixtures/http.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const server = await startTestServer(t, urlAs('invite_web'));
const MARKS = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

t.test('SQL and TypeScript know the same marks', async (t) => {
  const rows = await sql<{ mark: string }[]>`
    select chr(c) as mark from generate_series(1, 1114111) as c
    where c not between 55296 and 57343 and chr(c) ~ invite.direction_marks() order by c`;
  t.same(
    rows.map(({ mark }) => mark),
    MARKS,
  );
  const known = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(hasDirectionMark);
  t.same(known, MARKS);
  t.equal(`[${DIRECTION_MARKS}]`.toUpperCase(), String((await sql`select upper(invite.direction_marks()) as marks`)[0]?.marks));
});

t.test("a recipient's name loses them, over HTTP and from SQL, and keeps what right-to-left scripts need", async (t) => {
  const { survey } = await createSurvey(store);
  const { secret, token } = await createToken(store, survey);
  const name = `${MARKS.join('A')}da \u200fמרים\u200e`;
  const kept = 'AAAAAAAAda \u200fמרים\u200e';
  const alone = await server.post({ email: 'ada@example.com', name }, { secret });
  t.match(alone, { status: 200 });
  t.match(await server.post({ emails: [{ email: 'bob@example.com', name }] }, { secret }), { status: 200 });
  await sql`select invite.trigger(${token}, ${sql.json([{ email: 'eve@example.com', name }])})`;
  const names = await sql<{ name: string }[]>`select name from invite.invitations where survey_id = ${survey}`;
  t.strictSame(
    names.map((row) => row.name),
    [kept, kept, kept],
  );
});

t.test('the subject of a request is refused with one, over HTTP and from SQL', async (t) => {
  const { survey } = await createSurvey(store);
  const { secret, token } = await createToken(store, survey);
  for (const mark of MARKS) {
    const { status, body } = await server.post({ email: 'ada@example.com', subject: `Pay${mark} now` }, { secret });
    t.equal(status, 400);
    t.match(body.error?.details, [{ field: 'subject', message: /marks that turn its direction/ }]);
    const call = sql`select invite.trigger(${token}, '["ada@example.com"]', subject => ${`Pay${mark} now`})`;
    t.equal(await constraint(call), 'batches_subject_marks');
  }
  t.match(
    await server.post({ email: 'ada@example.com', message: '\u2067مرحبا\u2069' }, { secret }),
    { status: 200 },
    'a message may',
  );
});

t.test('every text of an owner that a header or a page shows is refused with one, and says why', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  const { session } = await createMember(store, workspace, 'owner');
  const question = { id: 'a', type: 'text', label: 'Why?' };
  for (const mark of MARKS) {
    const text = `a${mark}b`;
    const refused: Record<string, () => PromiseLike<unknown>> = {
      workspaces_name_marks: () => store.console.updateWorkspace(session, workspace, text),
      surveys_title_marks: () => sql`update invite.surveys set title = ${text} where id = ${survey}`,
      surveys_thanks_marks: () => sql`update invite.surveys set thanks = ${text} where id = ${survey}`,
      trigger_tokens_name_marks: () => store.updateTriggerToken(token, { name: text }),
      trigger_tokens_subject_marks: () => store.updateTriggerToken(token, { defaultSubject: text }),
      trigger_tokens_reminder_subject_marks: () => store.updateTriggerToken(token, { defaultReminderSubject: text }),
      members_email_folded: () => store.upsertMember(workspace, `${text}@example.com`, 'viewer'),
      suppressions_email_form: () => store.suppressEmail(workspace, `${text}@example.com`),
      sender_name: () => store.setWorkspaceSender(workspace, { name: text }),
      sender_logo_alt: () => store.setWorkspaceSender(workspace, { logo_alt: text }),
      sender_postal_address: () => store.setWorkspaceSender(workspace, { postal_address: text }),
      sender_recipient_word: () => store.updateTriggerToken(token, { sender: { recipient_word: text } }),
      surveys_questions_form: () => sql`
        update invite.surveys set questions = ${sql.json([{ ...question, label: text }])} where id = ${survey}`,
      surveys_translations_form: () => sql`select invite.set_survey_translation(${survey}, 'de', ${sql.json({ title: text })})`,
      trigger_tokens_translations_form: () =>
        sql`select invite.set_token_translation(${token}, 'de', ${sql.json({ subject: text })})`,
    };
    for (const [name, change] of Object.entries(refused)) {
      t.equal(await constraint(change()), name, `${name} ${mark.codePointAt(0)?.toString(16)}`);
      if (name.endsWith('_marks')) t.match(constraintMessage({ constraint_name: name }), /invisible marks/);
    }
    t.equal(
      await constraint(sql`select invite.set_survey_translation(${survey}, 'de', ${sql.json({ thanks: text })})`),
      'surveys_translations_form',
    );
  }
});
