// The pages of the API trigger over HTTP: the secret is shown once, the examples work as pasted, and the preview is the real email.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import t from 'tap';
import { DEFAULT_COOLDOWN } from '../../src/console/api-trigger/token-view.ts';
import { variableError } from '../../src/console/variables.ts';
import { constraintMessage } from '../../src/constraint-messages.ts';
import { render } from '../../src/mail/render.ts';
import { startTestServer } from '../fixtures/http.ts';
import { sqlstate } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const editor = await createMember(store, workspace, 'editor');
const PAGE = `/surveys/${survey}/api-trigger`;
const FIELDS = {
  name: 'Shop',
  cooldownSeconds: '0',
  defaultSubject: 'Hello {{recipient_name}}',
  defaultMessage: 'Please\r\nanswer',
  defaultReminders: '3',
  defaultReminderSubject: '',
  defaultReminderMessage: '',
};

/** Decodes escaped HTML. */
const unescaped = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
const examples = (text: string) =>
  [...text.matchAll(/<pre [^>]*data-copy="the [^"]* example">([\s\S]*?)<\/pre>/g)].map(([, code = '']) => unescaped(code));

/** Fills in and submits the form for a new token. */
async function create(name: string) {
  const form = await (await visit(url, `${PAGE}/new`, editor)).text();
  const token = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
  const send = () => visit(url, `${PAGE}/new`, editor, { token, name, cooldownSeconds: '0' });
  const response = await send();
  const text = await response.text();
  return { token, send, response, text, secret: />(sit_[\w-]{51})</.exec(text)?.[1] ?? '' };
}

t.test("only the response to the form shows the secret, and it isn't cached", async (t) => {
  const { token, response, text, secret } = await create('Once');
  t.equal(response.status, 200);
  t.equal(response.headers.get('cache-control'), 'no-store');
  t.match(secret, /^sit_/);
  t.ok(text.includes(`Bearer ${secret}`), 'the examples have it');
  for (const path of [PAGE, `${PAGE}/${token}`, `${PAGE}/${token}/delete`]) {
    t.notOk((await (await visit(url, path, editor)).text()).includes(secret), path);
  }
  const [row] = await sql`select t::text as row from invite.trigger_tokens as t where id = ${token}`;
  t.notOk(row?.row.includes(secret));
});

t.test('reloading the page with the secret creates nothing and says why', async (t) => {
  const { token, send } = await create('Reloaded');
  const again = await send();
  t.equal(again.status, 303);
  t.equal(again.headers.get('location'), `${PAGE}?done=token_created_before`);
  t.equal((await sql`select from invite.trigger_tokens where name = 'Reloaded'`).length, 1);
  t.equal((await visit(url, `${PAGE}/${token}`, editor)).status, 200);
});

t.test('a message is shown once, and not above the error of the next form', async (t) => {
  const { token } = await create('Twice');
  const { headers } = await visit(url, `${PAGE}/${token}`, editor, FIELDS);
  const path = headers.get('location') ?? '';
  const said = 'Changes saved.';
  t.ok((await (await visit(url, path, editor)).text()).includes(said));
  for (const [form, status] of [
    [{ ...FIELDS, name: '' }, 422],
    [{ ...FIELDS, csrf: '' }, 403],
  ] as const) {
    const refused = await visit(url, path, editor, form);
    t.equal(refused.status, status);
    t.notOk((await refused.text()).includes(said), `${status}`);
  }
  const missing = await visit(url, `/surveys/${survey}/api-trigger/none?done=token_changed`, editor);
  t.equal(missing.status, 404);
  t.notOk((await missing.text()).includes(said), '404');
});

t.test('an invalid field shows its error and keeps what was typed', async (t) => {
  const { token } = await create('Faults');
  for (const [field, value, text] of [
    ['name', '', 'A name has 1 to 255 characters.'],
    ['cooldownSeconds', 'soon', 'A cooldown is 0 to 86,400 seconds.'],
    ['cooldownSeconds', '86401', 'A cooldown is 0 to 86,400 seconds.'],
    ['defaultSubject', '', 'A subject is one line of 1 to 255 characters.'],
    ['defaultMessage', '', 'A message has 1 to 65,536 bytes.'],
    [
      'defaultMessage',
      '{{survey_link}}'.repeat(4300),
      'With these variables the email could exceed 256 KiB. Use fewer, or a shorter text.',
    ],
    [
      'defaultReminderMessage',
      '{{survey_link}}'.repeat(4300),
      'With these variables the reminder could exceed 256 KiB. Use fewer, or a shorter text.',
    ],
    ...['-1', '0, 3', '3, 3', '7, 3', '366', '1, 2, 3, 4, 5, 6', '1.5', '3;7', 'soon', '9999', ''].map(
      (days) =>
        [
          'defaultReminders',
          days,
          'Reminders are 0, or up to five ascending numbers of days from 1 to 365, such as 3, 7, 14.',
        ] as const,
    ),
  ] as const) {
    const response = await visit(url, `${PAGE}/${token}`, editor, { ...FIELDS, [field]: value });
    const page = unescaped(await response.text());
    t.equal(response.status, 422, field);
    t.ok(page.includes(`id="${field}-error" role="alert">${text}`), `${field}: ${text}`);
    t.ok(page.includes('Hello {{recipient_name}}') || field === 'defaultSubject');
  }
  t.equal((await visit(url, `${PAGE}/new`, editor, { name: '', cooldownSeconds: '60' })).status, 422);
  const preview = await visit(url, `${PAGE}/${token}/preview`, editor, {
    ...FIELDS,
    defaultMessage: '{{survey_link}}'.repeat(4300),
  });
  t.match(
    unescaped(await preview.text()),
    /This email can't be sent<\/h1>\n<p class="warning">The email has more than 262144 bytes\. Use/,
  );
});

t.test('a misspelt variable is refused at its field, and by command and SQL; its preview says so too', async (t) => {
  const { token } = await create('Misspelt');
  const errors = {
    defaultSubject: ['Hello {{recipient_nam}}', "{{recipient_nam}} isn't a variable. Did you mean {{recipient_name}}?"],
    defaultMessage: [
      '{{ survey_link }} {{foo}} {a} {{survey_link}}',
      "{{ survey_link }} isn't a variable. Did you mean {{survey_link}}? {{foo}} isn't a variable. There are {{recipient_name}}, {{workspace_name}}, {{survey_title}}, {{survey_link}}.",
    ],
    defaultReminderSubject: ['{{Survey_title}}', "{{Survey_title}} isn't a variable. Did you mean {{survey_title}}?"],
    defaultReminderMessage: ['{{}}', "{{}} isn't a variable. There are"],
  } as const;
  const preview = async (kind: string, overrides: Record<string, string>) =>
    unescaped(await (await visit(url, `${PAGE}/${token}/preview`, editor, { ...FIELDS, kind, ...overrides })).text());
  for (const [field, [text, error]] of Object.entries(errors)) {
    const refused = await visit(url, `${PAGE}/${token}`, editor, { ...FIELDS, [field]: text });
    t.equal(refused.status, 422, field);
    const page = unescaped(await refused.text());
    t.ok(page.includes(`id="${field}-error" role="alert">${error}`), error);
    t.ok(page.includes(text), 'what was typed stays');
    const kind = field.startsWith('defaultReminder') ? 'reminder' : 'invitation';
    t.ok((await preview(kind, { [field]: text })).includes(error), 'in the preview');
    const texts = { [field]: text };
    for (const save of [() => store.updateTriggerToken(token, texts), () => createToken(store, survey, texts)])
      t.equal((await Promise.resolve(save()).catch((error) => error)).constraint_name, 'trigger_tokens_unknown_variable');
  }
  const well = { defaultReminderSubject: 'Soon', defaultReminderMessage: '{{survey_title}}' };
  t.notOk(
    (await preview('reminder', { ...well, defaultMessage: '{{x}}' })).includes('class="warning"'),
    'only of the email it shows',
  );
  const said = await store.updateTriggerToken(token, { sender: { preheader: 'Hi {{nam}}' } }).then(
    () => undefined,
    (error) => constraintMessage(error),
  );
  t.match(said, /^preheader has \{\{nam\}\}, which isn't a variable\. There are \{\{recipient_name\}\}/);
  await store.updateTriggerToken(token, { defaultSubject: '{x} { {{recipient_name}} }} {{', sender: { name: 'A {{b}}' } });
});

t.test(
  'a misspelt variable of an older version stays until its text is changed, and requests are as free as before',
  async (t) => {
    const { token, secret } = await create('Old');
    await sql`alter table invite.trigger_tokens disable trigger _410_variables`;
    await store.updateTriggerToken(token, { defaultSubject: 'Hi {{nam}}' });
    await sql`alter table invite.trigger_tokens enable trigger _410_variables`;
    await store.updateTriggerToken(token, { defaultMessage: 'Hello', cooldownSeconds: 0 });
    const accepted = await fetch(`${url}/api/invitation-trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com', message: 'Hello {{nam}}' }),
    });
    t.equal(accepted.status, 200);
  },
);

t.test('what is said of variables stays short, however many there are', async (t) => {
  const text = Array.from({ length: 5000 }, (_, index) => `{{v${index}}} {{v${index}}}`).join('\n');
  t.match(variableError(text), /^\{\{v0\}\} .* \{\{v2\}\} isn't a variable\. There are [^.]*\. And 4997 more\.$/);
  t.match(variableError(`{{${'x'.repeat(1000)}}}`), /^\{\{x{40}…\}\} isn't/);
  t.equal(variableError('{{recipient_name}} {{{survey_link}}} {{a\nb}} { } {{}'), undefined);
});

t.test("the form suggests the table's default cooldown", async (t) => {
  const { token } = await createToken(store, survey, { cooldownSeconds: undefined });
  t.equal(String((await store.console.findTriggerToken(editor.session, survey, token))?.cooldownSeconds), DEFAULT_COOLDOWN);
});

t.test('saved texts have line feeds, and a preview saves nothing', async (t) => {
  const { token } = await create('Saved');
  await visit(url, `${PAGE}/${token}`, editor, FIELDS);
  t.match(await store.console.findTriggerToken(editor.session, survey, token), {
    name: 'Shop',
    defaultMessage: 'Please\nanswer',
  });
  await visit(url, `${PAGE}/${token}/preview`, editor, { ...FIELDS, defaultSubject: 'Unsaved' });
  t.match(await store.console.findTriggerToken(editor.session, survey, token), { defaultSubject: 'Hello {{recipient_name}}' });
});

t.test('the preview shows what a recipient without a name gets, and why it is not in the language that was chosen', async (t) => {
  const { token } = await create('Nameless');
  const show = async (overrides: object) =>
    (await visit(url, `${PAGE}/${token}/preview`, editor, { ...FIELDS, ...overrides })).text();
  const defaultMessage = 'Dear {{recipient_name}},\n\n{{survey_link}}';
  t.match(await show({ defaultMessage }), 'Dear Ada Lovelace,');
  const nameless = await show({ defaultMessage, nameless: 'yes' });
  t.match(nameless, '<h1>Acme: Customer survey</h1>');
  t.match(nameless, /<pre tabindex="0">Hello,\n\nhttps?:/);
  t.notMatch(nameless, /Ada|Dear/);
  const warning =
    'Recipients who read German get this email in English: not all texts of the email and the survey are translated.';
  t.match(await show({ language: 'de' }), warning);
  t.notMatch(await show({ language: 'en' }), 'Recipients who read');
});

t.test('the preview is byte for byte the email that the worker sends, in a sandboxed frame', async (t) => {
  const { token } = await create('Preview');
  const fields = { ...FIELDS, defaultMessage: '<script>alert(1)</script> {{survey_link}}', kind: 'reminder' };
  const response = await visit(url, `${PAGE}/${token}/preview`, editor, fields);
  const page = await response.text();
  const email = render(
    {
      id: '1',
      messageKind: 'reminder',
      messageNumber: 1,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      linkToken: 'preview-preview-previe',
      batchId: '00000000-0000-7000-8000-000000000000',
      subject: fields.defaultSubject,
      message: fields.defaultMessage,
      reminderSubject: null,
      reminderMessage: null,
      surveyId: survey,
      surveyTitle: 'Customer survey',
      pageTranslation: null,
      surveyPublicUrl: null,
      workspaceName: 'Acme',
      sender: null,
      language: null,
      requestLanguage: null,
      surveyLanguage: 'en',
      subjectLanguage: null,
      messageLanguage: null,
      translation: null,
      unconfirmedSince: null,
      question: null,
    },
    { publicUrl: url, from: { name: 'Surveys', email: 'surveys@localhost' } },
  );
  t.equal(unescaped(/srcdoc="([^"]*)"/.exec(page)?.[1] ?? ''), email.html);
  t.equal(unescaped(/<pre [^>]*>([\s\S]*)<\/pre>/.exec(page)?.[1] ?? ''), email.text);
  t.equal(unescaped(/<h1>(.*)<\/h1>/.exec(page)?.[1] ?? ''), 'Reminder: Hello Ada Lovelace');
  const policy = response.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox']) t.ok(policy.split('; ').includes(part), part);
  t.notMatch(policy, 'script-src');
  t.equal(response.headers.get('x-frame-options'), 'SAMEORIGIN');
});

t.test('the page of a token may frame our pages, and no site may frame it', async (t) => {
  const { token } = await create('Frames');
  const policy = (await visit(url, `${PAGE}/${token}`, editor)).headers.get('content-security-policy') ?? '';
  t.match(policy, "frame-src 'self'");
  t.match(policy, "frame-ancestors 'none'");
  t.notMatch(policy, 'unsafe');
});

t.test('the examples work as pasted: curl, Node and Python queue an invitation', async (t) => {
  const { text } = await create('Examples');
  const [curl = '', node = '', python = ''] = examples(text);
  const run = promisify(execFile);
  const batch = /^[\da-f-]{36}\s*$/;
  t.match((await run('sh', ['-c', curl])).stdout, /"ok":true/);
  t.match((await run(process.execPath, ['--input-type=module', '-e', node])).stdout, batch);
  const found = await run('python3', ['-c', '']).then(
    () => true,
    () => false,
  );
  if (!found) t.comment('Python is not installed');
  else t.match((await run('python3', ['-c', python])).stdout, batch, 'the same key: the same batch');
});

t.test("without the secret, the page shows a placeholder and the secret's last characters", async (t) => {
  const { token, secret } = await create('Placeholder');
  const text = await (await visit(url, `${PAGE}/${token}`, editor)).text();
  t.equal(examples(text).filter((example) => example.includes('Bearer YOUR_SECRET')).length, 5);
  t.ok(text.includes(`…${secret.slice(-4)}`));
});

t.test('an editor replaces a secret in two clicks; both are accepted until the old one is ended', async (t) => {
  const { token, secret } = await create('Replaced');
  const status = async (bearer: string) =>
    (
      await fetch(`${url}/api/invitation-trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: '{"email": "grace@example.com"}',
      })
    ).status;
  const page = async () => unescaped(await (await visit(url, `${PAGE}/${token}`, editor)).text());
  t.match(await page(), `href="${PAGE}/${token}/secret">Replace`);
  const form = await (await visit(url, `${PAGE}/${token}/secret`, editor)).text();
  const fields = { keep: '3600', replaces: /name="replaces" value="([^"]+)"/.exec(form)?.[1] ?? '' };
  t.equal(fields.replaces, secret.slice(-4));
  const submit = (sent: object = fields) => visit(url, `${PAGE}/${token}/secret`, editor, sent as Record<string, string>);
  const shown = unescaped(await (await submit()).text());
  const next = />(sit_[\w-]{51})</.exec(shown)?.[1] ?? '';
  t.match(shown, 'The old secret is accepted until');
  t.same([await status(secret), await status(next)], [200, 200]);
  t.equal((await submit()).headers.get('location'), `${PAGE}/${token}?done=token_secret_replaced_before`, 'a reload');
  t.match(await page(), 'End it now');
  t.match(unescaped(await (await visit(url, `${PAGE}/${token}/secret`, editor)).text()), /ends at once/);
  for (const text of [secret, next]) t.notMatch(await page(), text);
  t.equal(
    (await visit(url, `${PAGE}/${token}/secret/end`, editor, {})).headers.get('location'),
    `${PAGE}/${token}?done=token_secret_ended`,
  );
  t.same([await status(secret), await status(next)], [400, 200]);
  t.notMatch(await page(), 'End it now');
  t.equal((await submit({ keep: '5', replaces: next.slice(-4) })).status, 400, 'only what the page offers');
  const last = unescaped(await (await submit({ keep: '0', replaces: next.slice(-4) })).text());
  t.match(last, 'Requests with the old secret are rejected from now on.');
  t.equal(await status(next), 400);
});

t.test('a deleted token rejects its callers, and its queued invitations are still sent', async (t) => {
  const { token, secret } = await create('Deleted');
  const call = () =>
    fetch(`${url}/api/invitation-trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"email": "grace@example.com"}',
    });
  t.equal((await call()).status, 200);
  t.match(await (await visit(url, `${PAGE}/${token}/delete`, editor)).text(), 'unknown_token');
  t.equal((await visit(url, `${PAGE}/${token}/delete`, editor, {})).headers.get('location'), `${PAGE}?done=token_deleted`);
  t.equal((await call()).status, 400);
  t.match(await sql`select status from test.invitations where email = 'grace@example.com'`, [{ status: 'queued' }]);
  t.equal((await visit(url, `${PAGE}/${token}`, editor)).status, 404);
});

t.test('an admin allows reading, and ends it; an editor sees which, and no function changes it for them', async (t) => {
  const admin = await createMember(store, workspace, 'admin');
  const { token, secret } = await create('Reader');
  const path = `${PAGE}/${token}`;
  const status = async () => (await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${secret}` } })).status;
  const page = async (member = editor) => unescaped(await (await visit(url, path, member)).text());
  t.match(await page(), /Off\.<\/strong> This token can only invite people/);
  t.match(await page(), 'An owner or admin can change this.');
  t.notMatch(await page(), 'Allow reading');
  t.equal(await status(), 404);
  t.equal((await visit(url, `${path}/reading`, editor, { allow: 'yes' })).status, 403);
  const settings = { allowReading: true };
  t.equal(await sqlstate(store.console.updateTriggerToken(editor.session, survey, token, settings)), 'IT403');
  const newToken = { id: randomUUID(), name: 'Other', secretHash: Buffer.alloc(40, 5), secretHint: 'hint', ...settings };
  t.equal(await sqlstate(store.console.createTriggerToken(editor.session, survey, newToken)), 'IT403');

  t.match(await page(admin), 'Allow reading');
  const allowed = await visit(url, `${path}/reading`, admin, { allow: 'yes' });
  t.equal(allowed.headers.get('location'), `${path}?done=token_reading_allowed`);
  t.match(await page(), /On\.<\/strong> Anyone with this token's secret can read/);
  t.equal(await status(), 200);
  t.match(await store.findWorkspace(workspace), { records_events: true }, 'so that there are events to read');
  await visit(url, path, editor, FIELDS);
  t.equal(await status(), 200, "an editor's other changes leave it");
  t.equal((await visit(url, `${path}/reading`, admin, { allow: 'no' })).status, 303);
  t.equal(await status(), 404);
  const audit = await sql`
    select actor, detail from invite.audit_log where action = 'token_changed' and detail ? 'allow_reading' and subject in ('Reader', 'Shop') order by id`;
  t.match(audit, [
    { actor: admin.email, detail: { allow_reading: true } },
    { actor: admin.email, detail: { allow_reading: false } },
  ]);
});
