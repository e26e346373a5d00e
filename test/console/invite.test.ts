// Lists over HTTP: forms with a file, what is refused of them, formulas in the download, a test workspace.
import { request } from 'node:http';
import t from 'tap';
import { csrfToken } from '../../src/console/session.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';
import { acceptUploads } from '../fixtures/uploads.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey } = await createSurvey(store);
const editor = await createMember(store, workspace, 'editor');
const path = `/surveys/${survey}/invite`;
const csrf = csrfToken(editor.key);

/** The fields in this order; a Blob is a file. */
async function submit(fields: readonly (readonly [string, string | Blob, string?])[], to = path) {
  const body = new FormData();
  for (const [name, value, file] of fields) typeof value === 'string' ? body.append(name, value) : body.append(name, value, file);
  const response = await fetch(url + to, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `session=${editor.key}` },
    body,
  });
  return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
}
const csv = (text: string | Buffer) => new Blob([text], { type: 'text/csv' });
const take = (text: string | Buffer, name = 'people.csv') =>
  submit([
    ['csrf', csrf],
    ['list', ''],
    ['file', csv(text), name],
  ]);
const uploads = async (): Promise<number> => (await sql`select from invite.uploads where survey_id = ${survey}`).length;

t.test('a file becomes a list', async (t) => {
  const { status, location } = await take('email;name\nada@example.com;Ada\n', 'Kunden "März" \u202e.csv');
  t.equal(status, 303);
  const [upload] =
    await sql`select name, state, lines, people, created_by from invite.uploads where id = ${location.split('/').at(-1) ?? ''}`;
  t.match(upload, { state: 'checked', lines: 1, people: 1, created_by: 'editor@example.com' });
  t.match(upload?.name, /^Kunden/);
});

t.test('a form is refused without its token, or with the token after the file', async (t) => {
  const before = await uploads();
  const file = ['file', csv('ada@example.com'), 'people.csv'] as const;
  for (const fields of [[file], [['csrf', 'x'.repeat(43)], file], [file, ['csrf', csrf]]] as const)
    t.equal((await submit(fields as never)).status, 403);
  t.equal(await uploads(), before);
});

t.test('what is no list says so at its field, and leaves nothing behind', async (t) => {
  const before = await uploads();
  for (const [text, sentence] of [
    ['', 'There is nobody in this list.'],
    [`email\n"${'x\n'.repeat(20_000)}`, 'is too long. Is a quotation mark not closed?'],
    ['a@example.com\n'.repeat(20_001), 'The list has more than 20,000 lines. Split it into several.'],
    [Buffer.alloc(17 * 1024 * 1024, 'a@example.com,x\n'), 'The list has more than 20,000 lines.'],
    [Buffer.alloc(17 * 1024 * 1024, '\n'), 'The list has more than 20,000 lines. Split it into several.'],
    [`email\n${`"${'x'.repeat(18_000)}",y\n`.repeat(1000)}`, 'A file must have at most 16 MiB.'],
    [`email${',x'.repeat(50)}`, 'has more than 50 columns'],
  ] as const) {
    const answer = await take(text);
    t.equal(answer.status, 422, sentence);
    t.match(answer.text, new RegExp(`id="file-error" role="alert">[^<]*${sentence}`));
  }
  t.match(
    (
      await submit([
        ['csrf', csrf],
        ['list', '  '],
      ])
    ).text,
    'id="list-error"',
  );
  t.match(
    await submit([
      ['csrf', csrf],
      ['list', 'x'.repeat(3 * 1024 * 1024)],
    ]),
    { status: 400 },
  );
  t.match(await submit([['csrf', csrf], ...Array.from({ length: 30 }, (_, at) => [`f${at}`, 'x'] as const)]), { status: 400 });
  t.equal(await uploads(), before);
});

t.test('a form that is none, and one that is cut off', async (t) => {
  const send = (type: string, body: string, cut = false) =>
    new Promise<number | string>((resolve) => {
      const headers = {
        cookie: `session=${editor.key}`,
        'content-type': type,
        'content-length': Buffer.byteLength(body) + (cut ? 1000 : 0),
      };
      const sent = request(url + path, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
      sent.write(body, () => cut && setImmediate(() => sent.destroy()));
      if (!cut) sent.end();
    });
  t.equal(await send('multipart/form-data', 'x'), 400);
  t.equal(await send('multipart/form-data; boundary=b', 'x'), 400);
  const before = await uploads();
  const parts = `--b\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${'a@example.com\r\n'.repeat(9000)}`;
  await send('multipart/form-data; boundary=b', parts, true);
  await until('nothing is left of it', async () => (await uploads()) === before);
  t.equal((await take('ada@example.com')).status, 303, 'the next one is read');
});

t.test('the lines that are not invited download as CSV, formulas as text', async (t) => {
  const { location } = await take('email,name\n=cmd()@x,"=1+1"\nok@example.com,Ok\nOK@example.com,@SUM(A1)\n');
  const download = await visit(url, `${location}/not-invited.csv`, editor);
  t.match(download.headers.get('content-disposition'), 'not-invited-customer-survey');
  const text = await download.text();
  t.match(text, `2,"The address isn't a valid email address`);
  t.match(text, `"'=cmd()@x","'=1+1"`);
  t.match(text, `4,"An earlier line has this address.","OK@example.com","'@SUM(A1)"`);
});

t.test('the by-hand token is shown, edited, and has no secret', async (t) => {
  await take('ada@example.com');
  const [token] = await sql`select id from invite.trigger_tokens where survey_id = ${survey} and is_by_hand`;
  const tokenPath = `/surveys/${survey}/api-trigger/${token?.id}`;
  t.match(
    await (await visit(url, `/surveys/${survey}/api-trigger`, editor)).text(),
    /Invited by hand<\/a> <span class="dim">no secret/,
  );
  const page = await (await visit(url, tokenPath, editor)).text();
  t.notMatch(page, 'Call it');
  t.notMatch(page, `${tokenPath}/secret`);
  const replaced = await visit(url, `${tokenPath}/secret`, editor, { keep: '0' });
  t.equal(replaced.status, 400);
  const texts = {
    name: 'Invited by hand',
    defaultSubject: 'Hi {{recipient_name}}',
    defaultMessage: 'Please',
    defaultReminders: '3',
  };
  t.equal((await visit(url, tokenPath, editor, { ...texts, cooldownSeconds: '60' })).status, 422);
  t.equal((await visit(url, tokenPath, editor, { ...texts, cooldownSeconds: '0' })).status, 303);
  const { location } = await submit([
    ['csrf', csrf],
    ['list', 'Bo <bo@example.com>'],
  ]);
  t.match(await (await visit(url, `${location}/email`, editor)).text(), '<h1>Hi Bo</h1>');
});

t.test('in a test workspace, people can be simulated, and nothing leaves', async (t) => {
  const test = await store.createTestWorkspace(workspace, undefined);
  const [tested] = await sql`select id from invite.surveys where workspace_id = ${test}`;
  const { status, location } = await submit(
    [
      ['csrf', csrf],
      ['list', 'scores.9@sim.invalid\nada@example.com'],
    ],
    `/surveys/${tested?.id}/invite`,
  );
  t.equal(status, 303);
  t.equal((await visit(url, location, editor, { action: 'send', when: 'now' })).status, 303);
  await acceptUploads(store);
  t.same(await sql`select email from invite.invitations where survey_id = ${tested?.id} order by email`, [
    { email: 'ada@example.com' },
    { email: 'scores.9@sim.invalid' },
  ]);
  t.match(await store.findUpload(location.split('/').at(-1) ?? ''), { state: 'sent' });
  t.match((await take('never@sim.invalid')).location, path);
  const [line] = await sql`select outcome from invite.upload_lines where cells = '{never@sim.invalid}'`;
  t.equal(line?.outcome, 'invalid', 'a real workspace invites none of them');
});

t.test('discarding cancels no list that somebody has sent meanwhile; cancelling one is asked for', async (t) => {
  const discard = async (location: string) => {
    const { status, headers } = await visit(url, location, editor, { action: 'discard' });
    return [status, headers.get('location')];
  };
  const first = await take('unsent@example.com\n');
  t.same(await discard(first.location), [303, `${path}?done=list_discarded`]);
  t.equal(await store.findUpload(first.location.split('/').at(-1) ?? ''), null);
  const { location } = await take('sent@example.com\n');
  const id = location.split('/').at(-1) ?? '';
  t.equal((await visit(url, location, editor, { action: 'send', when: 'now' })).status, 303);
  t.same(await discard(location), [303, `${location}?done=list_sent_before`]);
  await acceptUploads(store);
  t.match(await store.findUpload(id), { state: 'sent' });
  t.same(await discard(location), [303, `${location}?done=list_sent_before`]);
  t.match(await store.findUpload(id), { state: 'sent' });
  t.equal((await sql`select from invite.invitations where survey_id = ${survey} and email = 'sent@example.com'`).length, 1);
  t.equal((await visit(url, location, editor, { action: 'cancel' })).status, 303);
  t.match(await store.findUpload(id), { state: 'cancelling' });
});
