// Two people who have the same form open, over HTTP: what one has saved isn't undone by what the other's form still shows.
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { readLogo } from '../../src/uploads/logo.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { png } from '../fixtures/pictures.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

const decoded = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** The fields of the page's form that has this one, as a browser sends them. */
function formIn(page: string, field: string): URLSearchParams {
  const form = page.split('<form').find((part) => new RegExp(` name="${field}"`).test(part.split('</form>')[0] ?? '')) ?? '';
  const fields = new URLSearchParams();
  for (const [tag, kind, text = ''] of (form.split('</form>')[0] ?? '').matchAll(
    /<(input|textarea|select)\b[^>]*>(?:\n([^<]*)<\/textarea>)?/g,
  )) {
    const attribute = (name: string) => decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
    const [name, type] = [attribute('name'), attribute('type')];
    if (name === '' || (['checkbox', 'radio'].includes(type) && !tag.includes(' checked'))) continue;
    const chosen = /<option value="([^"]*)" selected/.exec(form.slice(form.indexOf(tag)))?.[1];
    const value = kind === 'select' ? (chosen ?? '') : kind === 'textarea' ? decoded(text) : attribute('value');
    fields.append(name, value.replaceAll(/\r?\n/g, '\r\n'));
  }
  return fields;
}

const errorIn = (page: string): string => /class="error"[^>]*>([^<]*)/.exec(page)?.[1] ?? '';

type Fields = Readonly<Record<string, string>>;

/** That a form has these values. */
const has = (t: Test, form: Fields, values: Fields, message = '') => {
  for (const [name, value] of Object.entries(values))
    t.equal((form[name] ?? '').trimEnd(), value.trimEnd(), `${message} ${name}`);
};

/** A page with a form, and values of its fields. */
interface Case {
  readonly path: string;
  /** What both change, in this order: before, one person's, the other's, and how an error writes the first person's. */
  readonly both: readonly [field: string, before: string, one: string, other: string, inWords?: string];
  /** What only the first changes. */
  readonly own: readonly [field: string, before: string, one: string];
  /** Stored before, beside those. */
  readonly more?: Fields;
  /** The button's action. */
  readonly action?: string;
}

const LONG = `${'Tak for dit køb 🙂 <b>“ & \r\n'.repeat(40)}`;
const CASES: Readonly<Record<string, Case>> = {
  'Settings of a survey': {
    path: '/surveys/SURVEY/settings',
    both: ['thanks', 'Thank you\r\nfor it', LONG, 'Thanks', `${LONG.replaceAll('\r\n', '\n').slice(0, 90)}`],
    own: ['title', 'Your order', 'Your “last” order'],
  },
  'whether anybody may respond': {
    path: '/surveys/SURVEY/settings',
    both: ['publicUrl', 'https://a.example/?a=1&b=2', 'https://b.example/?a=1&b=2', 'https://c.example'],
    own: ['openResponses', 'yes', ''],
  },
  'the button after the response': {
    path: '/surveys/SURVEY/settings',
    both: ['buttonLabel', 'Review us', 'Review "us" & them', 'Bewerten'],
    own: ['buttonUrl', 'https://a.example', 'https://b.example'],
  },
  'when it ends': {
    path: '/surveys/SURVEY/settings',
    both: ['closesAt', '2999-01-01T12:00', '2999-02-01T12:30', '2999-03-01T12:00', '2999-02-01 12:30'],
    own: ['responseLimit', '100', '500'],
  },
  'the email of a token': {
    path: '/surveys/SURVEY/api-trigger/TOKEN',
    both: [
      'defaultMessage',
      'Hi\r\n\r\n{{survey_link}}\r\n',
      'Hello\r\n\r\n{{survey_link}}',
      'Hej {{survey_link}}',
      'Hello\n\n{{survey',
    ],
    own: ['defaultReminders', '3, 7', '0'],
    more: { cooldownSeconds: '0' },
  },
  'the question in an email': {
    path: '/surveys/SURVEY/api-trigger/TOKEN',
    both: ['cooldownSeconds', '0', '90', '120'],
    own: ['questionInEmail', '', 'yes'],
  },
  'the sender of a workspace': {
    path: '/workspaces/WORKSPACE/sender',
    both: ['postal_address', 'Storgata 1\r\n0155 Oslo', 'Storgata 2\r\n0155 Oslo', 'Storgata 3', 'Storgata 2\n0155 Oslo'],
    own: ['reply_to', 'old@fjord.example', 'new@fjord.example'],
  },
  'the brand of a workspace': {
    path: '/workspaces/WORKSPACE/sender',
    both: ['accent_color', '#aa0000', '#00aa00', '#0000aa'],
    own: ['logo_alt', 'Acme', 'Acme & Co.'],
    more: { logo_url: 'https://a.example/logo.png' },
  },
  'the sender of a token': {
    path: '/surveys/SURVEY/api-trigger/TOKEN/sender',
    both: ['name', 'Shop', 'Shop “A”', 'Shop B'],
    own: ['reply_to', 'old@fjord.example', 'new@fjord.example'],
  },
  'a sending limit': {
    path: '/workspaces/WORKSPACE/limits?scope=recipient&domain=gmail.com',
    both: ['per_hour', '100', '200', '300'],
    own: ['per_day', '1000', '2000'],
  },
  'rules of a workspace': {
    path: '/workspaces/WORKSPACE/rules',
    both: ['closedDays', '2999-12-24', '2999-12-25', '2999-12-26'],
    own: ['restDays', '30', '14'],
    action: 'preview',
  },
  'rules of a survey': {
    path: '/surveys/SURVEY/rules',
    both: ['maxDelayHours', '7 days', '36 hours', '5 days'],
    own: ['timeZone', 'Asia/Tokyo', 'Europe/Oslo'],
    action: 'preview',
  },
};

/** The pages of a new workspace, and two people who have them open. */
async function open({ path: pattern, both, own, more, action }: Case) {
  const fixture = await createSurvey(store);
  const { workspace, survey } = fixture;
  const { token } = await createToken(store, survey);
  const path = pattern.replace('SURVEY', survey).replace('WORKSPACE', workspace).replace('TOKEN', token);
  const member = (name: string) => createMember(store, workspace, 'owner', `${name}@${workspace}.example`);
  const [ada, bo] = [await member('ada'), await member('bo')];
  const read = async (who: typeof ada) => (await visit(url, path, who)).text();
  const send = (who: typeof ada, body: URLSearchParams) =>
    fetch(url + path, { method: 'POST', redirect: 'manual', headers: who.headers, body });
  /** Sends the form with what is changed in it. */
  function post(who: typeof ada, form: URLSearchParams, changes: Fields) {
    const body = new URLSearchParams(form);
    for (const [name, value] of Object.entries(changes)) body.set(name, value);
    if (action !== undefined) body.set('action', action);
    return send(who, body);
  }
  /** After a preview of what it changes, too. */
  async function save(t: Test, who: typeof ada, form: URLSearchParams, changes: Fields = {}) {
    const answer = await post(who, form, changes);
    const text = await answer.text();
    if (action === undefined) return t.equal(answer.status, 303, errorIn(text));
    t.equal(answer.status, 200, errorIn(text));
    const body = formIn(text, 'rules');
    body.set('action', 'save');
    return t.equal((await send(who, body)).status, 303);
  }
  const page = {
    ...fixture,
    ...{ token, ada, bo, read, send, post, save },
    form: async (who: typeof ada) => formIn(await read(who), both[0]),
    /** What is stored, as a form that is opened now has it. */
    now: async () => Object.fromEntries(formIn(await read(ada), both[0])) as Fields,
  };
  const before = { ...more, [both[0]]: both[1], ...(own[1] !== '' && { [own[0]]: own[1] }) };
  await page.save(t, ada, await page.form(ada), before);
  return page;
}

for (const [name, one] of Object.entries(CASES)) {
  const [both, before, adas, bos, inWords = adas] = one.both;
  const [own, ownBefore, changed] = one.own;

  t.test(`${name}: what one changes stays when the other saves a form that was opened before`, async (t) => {
    const { ada, bo, form, save, now } = await open(one);
    const [first, second] = [await form(ada), await form(bo)];
    t.equal(first.get(own) ?? '', ownBefore);
    await save(t, ada, first, { [own]: changed });
    await save(t, bo, second, { [both]: bos });
    has(t, await now(), { [own]: changed, [both]: bos });
  });

  t.test(`${name}: who changes the same is told so, and replaces it on saving again`, async (t) => {
    const { ada, bo, form, post, save, now } = await open(one);
    const [first, second] = [await form(ada), await form(bo)];
    await save(t, ada, first, { [both]: adas, [own]: changed });
    const refused = await post(bo, second, { [both]: bos });
    t.equal(refused.status, 422);
    const page = await refused.text();
    const said = decoded(new RegExp(`id="${both}-error" role="alert">([^<]*)<`).exec(page)?.[1] ?? '');
    t.ok(said.startsWith(`Somebody else has changed this to “${inWords}`), said);
    t.match(said, '” since you opened it. Save again to put yours in its place.');
    t.ok(said.length < 220);
    t.equal(page.match(/ role="alert"/g)?.length, 1, 'the other field is no conflict');
    const again = formIn(page, both);
    has(t, Object.fromEntries(again), { [both]: bos, [own]: changed }, 'what was typed, and what is stored of the rest');
    has(t, await now(), { [both]: adas }, 'nothing is saved yet');
    await save(t, bo, again);
    has(t, await now(), { [both]: bos, [own]: changed });
  });

  t.test(`${name}: both want the same, and a form without the hidden field is saved as it is`, async (t) => {
    const { ada, bo, form, save, post, now } = await open(one);
    const [first, second] = [await form(ada), await form(bo)];
    await save(t, ada, first, { [both]: adas });
    t.ok((await post(bo, second, { [both]: adas })).status < 400);
    second.delete('saw');
    await save(t, bo, second);
    has(t, await now(), { [both]: before });
  });
}

const SETTINGS = CASES['Settings of a survey'] as Case;
const ENDS = CASES['when it ends'] as Case;

t.test('a form with an old response limit does not close a survey whose limit was raised', async (t) => {
  const { survey, ada, bo, form, save } = await open({
    ...ENDS,
    both: ['responseLimit', '2', '500', '600'],
    own: ['linkDays', '10', '30'],
  });
  const [first, second] = [await form(ada), await form(bo)];
  await save(t, ada, first, { responseLimit: '500' });
  for (let count = 0; count < 3; count += 1)
    t.match(await sql`select * from invite.record_response(${survey}, '{}')`, [{ outcome: 'recorded' }]);
  await save(t, bo, second, { linkDays: '20' });
  t.match(await sql`select state, response_limit, link_days from invite.surveys where id = ${survey}`, [
    { state: 'active', response_limit: 500, link_days: 20 },
  ]);
});

t.test('each field that both changed says so, also one that was emptied', async (t) => {
  const { ada, bo, form, save, post, now } = await open(SETTINGS);
  const [first, second] = [await form(ada), await form(bo)];
  await save(t, ada, first, { title: 'Adas', thanks: '' });
  const page = await (await post(bo, second, { title: 'Bos', thanks: 'Bos' })).text();
  t.match(decoded(page), 'id="title-error" role="alert">Somebody else has changed this to “Adas” since you opened it.');
  t.match(page, 'id="thanks-error" role="alert">Somebody else has emptied this since you opened it.');
  await save(t, bo, formIn(page, 'thanks'));
  has(t, await now(), { title: 'Bos', thanks: 'Bos' });
});

t.test("an error at one field doesn't bring back an old value of another", async (t) => {
  const { ada, bo, form, save, post, now } = await open(SETTINGS);
  const [first, second] = [await form(ada), await form(bo)];
  await save(t, ada, first, { thanks: 'Adas' });
  const refused = await post(bo, second, { publicUrl: 'no address' });
  t.equal(refused.status, 422);
  await save(t, bo, formIn(await refused.text(), 'thanks'), { publicUrl: 'https://a.example' });
  has(t, await now(), { thanks: 'Adas', publicUrl: 'https://a.example' });
});

t.test("line ends and spaces that a product has stored aren't somebody's change", async (t) => {
  const { workspace, survey, ada, bo, form, save, now } = await open(SETTINGS);
  await store.upsertSurvey({ workspaceId: workspace, id: survey, title: ' Your order ', thanks: 'A\r\nB\n' });
  const [first, second] = [await form(ada), await form(bo)];
  await save(t, ada, first, { title: 'Adas', thanks: 'Adas' });
  await save(t, bo, second, { publicUrl: 'https://a.example' });
  has(t, await now(), { title: 'Adas', thanks: 'Adas' });
});

t.test('a logo elsewhere that was typed while another was uploaded is told so, at its field', async (t) => {
  const { workspace, ada, bo, form, post, save, now } = await open(CASES['the brand of a workspace'] as Case);
  const second = await form(bo);
  const path = await store.console.addLogo(ada.session, workspace, await readLogo(Readable.from([png(480, 160)])));
  await store.setWorkspaceSender(workspace, { logo_url: path });
  const refused = await post(bo, second, { logo_url: 'https://b.example/b.png' });
  t.equal(refused.status, 422);
  const page = await refused.text();
  t.match(decoded(page), `id="logo_url-error" role="alert">Somebody else has changed this to “${path}`);
  await save(t, bo, formIn(page, 'logo_alt'));
  has(t, await now(), { logo_url: 'https://b.example/b.png' });
});

t.test('a logo that somebody else has put in the place of the one to remove stays, until it is seen', async (t) => {
  const { workspace, ada, bo, read, send, now } = await open(CASES['the brand of a workspace'] as Case);
  const removal = formIn(await read(bo), 'logo_url');
  t.equal(removal.get('logo_url'), '');
  const path = await store.console.addLogo(ada.session, workspace, await readLogo(Readable.from([png(480, 160)])));
  await store.setWorkspaceSender(workspace, { logo_url: path });
  const refused = await send(bo, removal);
  t.equal(refused.status, 422);
  const page = await refused.text();
  t.match(decoded(page), `id="logo_url-error" role="alert">Somebody else has changed this to “${path}`);
  t.match(await store.console.workspaceSender(ada.session, workspace), { logo_url: path });
  t.equal((await send(bo, formIn(page, 'logo_url'))).status, 303);
  has(t, await now(), { logo_url: '' });
});

t.test('what a form showed of one limit says nothing about another that is chosen in it', async (t) => {
  const { workspace, ada, form, save } = await open(CASES['a sending limit'] as Case);
  const filled = await form(ada);
  await store.console.setCap(ada.session, workspace, 'recipient', 'other.example', { perHour: 1, perDay: 2 });
  await save(t, ada, filled, { domain: 'Other.example', per_day: '' });
  const caps = await store.console.caps(ada.session, workspace);
  const numbers = caps.map(({ domain, ownPerHour, ownPerDay }) => [domain, ownPerHour, ownPerDay]);
  t.same(numbers.sort(), [
    ['gmail.com', 100, 1000],
    ['other.example', 100, null],
  ]);
});

const RULES = CASES['rules of a workspace'] as Case;

t.test('a preview that is saved or edited after others changed the same rule is refused', async (t) => {
  const { workspace, bo, form, post, send, save, now } = await open(RULES);
  for (const action of ['save', 'edit']) {
    await store.setWorkspaceRules(workspace, { restDays: 30, maxDelayHours: null });
    const preview = await (await post(bo, await form(bo), { restDays: '10' })).text();
    await store.setWorkspaceRules(workspace, { restDays: 20, maxDelayHours: 48 });
    const body = formIn(preview, 'rules');
    body.set('action', action);
    const refused = await send(bo, body);
    t.equal(refused.status, 422, action);
    const page = await refused.text();
    t.match(decoded(page), 'id="restDays-error" role="alert">Somebody else has changed this to “20 days” since you opened it.');
    await save(t, bo, formIn(page, 'restDays'));
    has(t, await now(), { restDays: '10', maxDelayHours: '2 days' });
  }
});

t.test('a suggestion that was shown before others set a rule that it would change is refused', async (t) => {
  const { workspace, bo, form, read, send } = await open(RULES);
  const suggestion = formIn(await read(bo), 'saw');
  t.notOk(suggestion.has('restDays'), 'a form of its own');
  t.ok((await form(bo)).has('restDays'));
  await store.setWorkspaceRules(workspace, { openHours: '{[480,1200)}' });
  suggestion.set('action', 'suggest');
  const refused = await send(bo, suggestion);
  t.equal(refused.status, 422);
  t.match(decoded(await refused.text()), ' autofocus>Hours: Somebody else has changed this to “Mon 08:00–20:00” since');
});

t.test("rules that can't be read keep what their form showed, and hours are told above it", async (t) => {
  const { workspace, bo, form, post, save } = await open(RULES);
  const stale = await form(bo);
  await store.setWorkspaceRules(workspace, { restDays: 20, openHours: '{[480,1200)}' });
  const unread = await (await post(bo, stale, { timeZone: 'Nowhere/Else' })).text();
  await save(t, bo, formIn(unread, 'restDays'), { timeZone: 'Asia/Tokyo' });
  t.match(await store.findWorkspace(workspace), { rest_days: 20, time_zone: 'Asia/Tokyo', open_hours: '{[480,1200)}' });
  const refused = await post(bo, stale, { 'hours-sun': 'no' });
  t.equal(refused.status, 422);
  t.match(decoded(await refused.text()), ' autofocus>Hours: Somebody else has changed this to “Mon 08:00–20:00” since');
});
