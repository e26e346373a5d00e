// The unsubscribe page: a GET changes nothing. A POST unsubscribes, from the button or by a mail client's one click (RFC 8058).
import t from 'tap';
import { unsubscribeLink } from '../../src/mail/links.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));

/** Creates an invitation. Returns its link, and whether its address is suppressed. */
async function setup(email = 'ada@example.com') {
  const { batch, workspace } = await createBatch(store, { recipients: [{ email }] });
  const [invitation] = await sql`select id, link_token from test.invitations where batch_id = ${batch}`;
  const suppressed = async () =>
    (await sql`select email, reason from invite.suppressions where workspace_id = ${workspace}`).map((row) => ({ ...row }));
  return {
    link: unsubscribeLink(url, invitation?.link_token),
    linkToken: invitation?.link_token as string,
    suppressed,
  };
}

t.test('opening the page shows the address and a button, and changes nothing', async (t) => {
  const { link, suppressed } = await setup();
  for (const method of ['GET', 'HEAD', 'GET']) {
    const response = await fetch(link, { method });
    t.equal(response.status, 200);
    if (method === 'GET')
      t.match(
        await response.text(),
        /Acme to <b class="address">ada@example\.com<\/b>\?<\/p>\s*<form method="post" action="\/u\/[a-z0-9]{8}[\w-]{33}">/,
      );
  }
  t.strictSame(await suppressed(), []);
});

t.test('a POST unsubscribes, whatever its body is, without a redirect', async (t) => {
  const multipart = new FormData();
  multipart.set('List-Unsubscribe', 'One-Click');
  for (const [kind, body] of [
    ['a one-click form', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    ['a multipart form', multipart],
    ['an empty body', null],
  ] as const) {
    const { link, suppressed } = await setup();
    const response = await fetch(link, { method: 'POST', body, redirect: 'manual' });
    t.equal(response.status, 200, kind);
    t.match(await response.text(), 'Acme won’t send any more survey emails', kind);
    t.equal(response.headers.get('set-cookie'), null);
    t.strictSame(await suppressed(), [{ email: 'ada@example.com', reason: 'unsubscribe' }], kind);
  }
});

t.test('unsubscribing again is answered alike, and the page says so from then on', async (t) => {
  const { link, suppressed } = await setup();
  for (const method of ['POST', 'POST', 'GET']) {
    const response = await fetch(link, { method });
    t.equal(response.status, 200);
    t.match(await response.text(), '<h1>Unsubscribed</h1>');
  }
  t.equal((await suppressed()).length, 1);
});

t.test(
  'a recipient subscribes again by a form of its own; a GET of its address does nothing, and a reload says how it is',
  async (t) => {
    const { link, suppressed } = await setup();
    t.match(await (await fetch(link, { method: 'POST' })).text(), `action="${new URL(link).pathname}/subscribe"`);
    t.equal((await fetch(`${link}/subscribe`)).status, 404);
    t.match(await (await fetch(`${link}?done=subscribed`)).text(), '<h1>Unsubscribed</h1>', 'the address alone changes nothing');
    t.equal((await suppressed()).length, 1);
    const answer = await fetch(`${link}/subscribe`, { method: 'POST', redirect: 'manual' });
    t.equal(answer.status, 303);
    t.strictSame(await suppressed(), []);
    const shown = await fetch(new URL(answer.headers.get('location') ?? '', link));
    t.match(await shown.text(), '<h1>You’re subscribed again</h1>');
    t.equal((await fetch(`${url}/u/${'x'.repeat(37)}/subscribe`, { method: 'POST' })).status, 404);
  },
);

t.test('a recipient chooses fewer emails instead by a form of its own, and takes it back by another', async (t) => {
  const { link, suppressed } = await setup();
  const { pathname } = new URL(link);
  const send = async (path: string) => {
    const answer = await fetch(`${link}/${path}`, { method: 'POST', redirect: 'manual' });
    t.equal(answer.status, 303, path);
    t.equal(answer.headers.get('location'), `${pathname}?done=saved`);
    return (await fetch(new URL(answer.headers.get('location') ?? '', link))).text();
  };
  const offers = (text: string) => [...text.matchAll(/action="\/u\/[^/"]+([^"]*)"/g)].map(([, path]) => path);
  t.strictSame(offers(await (await fetch(link)).text()), ['', '/choose/once-a-month', '/choose/not-this-survey']);
  const once = await send('choose/once-a-month');
  t.match(once, '<h1>Your choice has been saved</h1>');
  t.match(once, 'Acme will invite <b class="address">ada@example.com</b> to a survey at most once a month.');
  t.strictSame(offers(once), ['/take-back/once-a-month', '/choose/not-this-survey', '']);
  const both = await send('choose/not-this-survey');
  t.match(both, 'any more emails about “Customer survey”.');
  t.strictSame(offers(both), ['/take-back/once-a-month', '/take-back/not-this-survey', '']);
  t.strictSame(offers(await send('choose/not-this-survey')), offers(both), 'again changes nothing');
  t.match(await (await fetch(link)).text(), '<h1>Unsubscribe</h1>', 'the address without the query is the page as it is');
  t.strictSame(offers(await send('take-back/once-a-month')), ['/take-back/not-this-survey', '/choose/once-a-month', '']);
  t.strictSame(offers(await send('take-back/not-this-survey')), ['/choose/once-a-month', '/choose/not-this-survey', '']);
  t.strictSame(await suppressed(), []);
});

t.test('only these choices can be made, by POST alone, and one click stays total', async (t) => {
  const { link, suppressed } = await setup();
  for (const path of ['choose/never', 'choose/once_a_month', 'choose/', 'choose', 'take-back/toString', 'take-back/%00'])
    t.equal((await fetch(`${link}/${path}`, { method: 'POST' })).status, 404, path);
  t.equal((await fetch(`${link}/choose/once-a-month`)).status, 404);
  for (const path of ['choose/once-a-month', 'take-back/once-a-month'])
    t.equal((await fetch(`${url}/u/${'x'.repeat(37)}/${path}`, { method: 'POST' })).status, 404);
  t.equal((await sql`select from invite.recipient_choices`).length, 0);
  await fetch(`${link}/choose/once-a-month`, { method: 'POST' });
  await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  t.match(await suppressed(), [{ reason: 'unsubscribe' }]);
  t.notMatch(await (await fetch(link)).text(), /choose|take-back/, 'who is unsubscribed has nothing less to choose');
});

t.test('who complained or bounced is offered no way back, and takes none', async (t) => {
  const { link, suppressed } = await setup();
  await fetch(link, { method: 'POST' });
  await sql`update invite.suppressions set reason = 'complaint' where reason = 'unsubscribe'`;
  t.notMatch(await (await fetch(link)).text(), /<form|complaint/);
  await fetch(`${link}/subscribe`, { method: 'POST' });
  t.match(await suppressed(), [{ reason: 'complaint' }]);
});

t.test('an unknown link is 404 for either method, and suppresses nobody', async (t) => {
  const { linkToken } = await setup();
  const guessed = linkToken.slice(0, 19) + 'x'.repeat(22);
  for (const path of [
    '/u/unknown',
    `/u/${guessed}`,
    `/u/${'x'.repeat(37)}`,
    '/u/',
    '/u/%00',
    '/u/%E0%A4%A',
    `/u/${'x'.repeat(5000)}`,
  ]) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url + path, { method });
      t.equal(response.status, 404, `${method} ${path.slice(0, 20)}`);
      t.match(await response.text(), 'Page not found');
    }
  }
});

t.test('the token of the tracked link, which a survey page of others receives, does not open the page', async (t) => {
  const { linkToken, suppressed } = await setup();
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${url}/u/${linkToken}`, { method });
    t.equal(response.status, 404);
    t.notMatch(await response.text(), 'ada@example.com');
  }
  t.strictSame(await suppressed(), []);
});

t.test('SQL alone takes the digest of the link token, and neither that token itself nor its name without it', async (t) => {
  const tokenOf = (link: string) => new URL(link).pathname.slice('/u/'.length);
  const { link, linkToken } = await setup();
  const token = tokenOf(link);
  // The name of the invitation: the home and the hidden id.
  const [name, digest] = [token.slice(0, 19), token.slice(19)];
  t.equal(linkToken.slice(0, 19), name);
  const found = async (token: string) => (await sql`select from invite.find_unsubscribe_link(${token})`).length;
  t.equal(await found(token), 1);
  for (const wrong of [
    linkToken,
    `${name}${linkToken}`,
    name,
    digest,
    `${name}${'x'.repeat(22)}`,
    `0${token}`,
    `${token}A`,
    `${tokenOf((await setup()).link).slice(0, 19)}${digest}`,
    `test${token.slice(4)}`,
  ])
    t.equal(await found(wrong), 0, wrong);
});

t.test('an address is shown escaped, on a page that is not stored and sends no referrer', async (t) => {
  const { link } = await setup("o'brien&co@example.com");
  const response = await fetch(link);
  t.match(await response.text(), /<b class="address">o&#39;brien&#38;co@example\.com<\/b>/);
  t.match(Object.fromEntries(response.headers), {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
  });
});

t.test('the link of an erased invitation says that there is nothing to unsubscribe, and has no button', async (t) => {
  const { link, suppressed } = await setup('erased@example.com');
  const [row] = await sql`
    select b.workspace_id from test.invitations as i join invite.batches as b on b.id = i.batch_id
    where i.email = 'erased@example.com'`;
  await store.eraseEmail(row?.workspace_id, 'erased@example.com', false);
  for (const method of ['GET', 'POST']) {
    const response = await fetch(link, { method });
    t.equal(response.status, 200);
    const text = await response.text();
    t.match(text, 'has been erased');
    t.notMatch(text, '<form');
  }
  t.strictSame(await suppressed(), []);
});
