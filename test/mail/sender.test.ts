// The sender and the look of an email: the workspace sets them within the operator's limits.
import t from 'tap';
import { accentOf, contrast } from '../../src/html/accent.ts';
import { render } from '../../src/mail/render.ts';
import { checkSenderDomain, mayUseAddress } from '../../src/mail/sender.ts';
import { constraint } from '../fixtures/inspect.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const options = {
  publicUrl: 'https://i.example',
  from: { name: 'Surveys', email: 'surveys@example.org' },
  senderDomains: ['fjord.example', 'mail.acme.example'],
};
const SENDER = {
  name: 'Fjord Outdoor',
  email: 'hello@fjord.example',
  reply_to: 'care+nps@fjord.example',
  logo_url: 'https://fjord.example/logo.png?a=1&b=2',
  logo_alt: 'Fjord "Outdoor"',
  accent_color: '#ff8800',
  postal_address: 'Fjord Outdoor AS\nStorgata 1\n0155 Oslo',
  recipient_word: 'there',
};
const rendered = (sender: object | null, overrides: Parameters<typeof claimedInvitation>[0] = {}) =>
  render(claimedInvitation({ sender, ...overrides }), options);

t.test('an email comes from the sender, and its Message-ID is of that domain', async (t) => {
  const { from, replyTo, headers } = rendered(SENDER);
  t.same(from, { name: 'Fjord Outdoor', email: 'hello@fjord.example' });
  t.equal(replyTo, 'care+nps@fjord.example');
  t.match(headers['Message-ID'], /@fjord\.example>$/);
});

t.test("what a sender doesn't say is MAIL_FROM's", async (t) => {
  t.same(rendered(null).from, options.from);
  t.equal(rendered(null).replyTo, undefined);
  t.same(rendered({ name: 'Fjord' }).from, { name: 'Fjord', email: 'surveys@example.org' });
  t.same(rendered({ email: 'hello@fjord.example' }).from, { name: 'Surveys', email: 'hello@fjord.example' });
});

t.test('an address of a domain that is not allowed, or no longer, is never sent from', async (t) => {
  for (const email of ['a@other.example', 'a@example.org', 'a@sub.fjord.example', 'a@fjord.example.evil.example']) {
    t.same(rendered({ ...SENDER, email }).from, { name: 'Fjord Outdoor', email: 'surveys@example.org' }, email);
    t.equal(await constraint((async () => checkSenderDomain({ email }, options))()), 'sender_domain', email);
  }
  t.doesNotThrow(() => checkSenderDomain({ email: 'A@Fjord.Example' }, options));
  t.doesNotThrow(() => checkSenderDomain({ email: '' }, options), 'an empty one is removed');
  const only = { from: options.from };
  t.ok(mayUseAddress('a@Example.ORG', only), "without a setting MAIL_FROM's domain is allowed");
  t.notOk(mayUseAddress('a@fjord.example', only));
});

t.test('people can unsubscribe by an email to the address for replies, too', async (t) => {
  t.equal(
    rendered(SENDER).headers['List-Unsubscribe'],
    '<https://i.example/u/ab12z9y8xJ0Q-s8_KfwyTml09ChVg_cjWFyNPdTfQ>, <mailto:care%2Bnps@fjord.example?subject=unsubscribe>',
  );
  t.notMatch(rendered({ name: 'Fjord' }).headers['List-Unsubscribe'], 'mailto');
});

t.test("the logo stands in the name's place, with a text for those who don't load it", async (t) => {
  const { html } = rendered(SENDER);
  t.match(
    html,
    '<img class="logo" src="https://fjord.example/logo.png?a=1&#38;b=2" alt="Fjord &#34;Outdoor&#34;" height="40" style="display:block;',
  );
  const { html: short } = rendered({ logo_url: SENDER.logo_url }, { message: 'Hi' });
  t.match(short, 'alt="Acme"');
  t.ok(short.length > 3200, 'spam filters take a picture in less HTML for all there is');
  t.equal(rendered({ name: 'Acme' }, { message: 'Hi' }).html.includes('    '), false);
});

t.test('an uploaded logo has an absolute address and its own size, at most 40 pixels high and 240 wide', async (t) => {
  const logo = (name: string) =>
    /<img [^>]*>/.exec(rendered({ logo_url: `/logo/ab12z9y8${'0'.repeat(32)}-${name}` }).html)?.[0] ?? '';
  t.match(
    logo('480x160.png'),
    `<img class="logo" src="https://i.example/logo/ab12z9y8${'0'.repeat(32)}-480x160.png" alt="Acme" width="120" height="40" style="display:block;width:auto;height:40px;`,
  );
  t.match(logo('1000x100.jpg'), 'width="240" height="24" style="display:block;width:auto;height:24px;');
  t.match(logo('20x16.png'), 'width="20" height="16"', 'it is never larger than it is');
  t.match(logo('16x2000.png'), 'width="1" height="40"');
});

t.test('the postal address ends both parts', async (t) => {
  const { html, text } = rendered(SENDER);
  t.match(text, /\nUnsubscribe: \S+\n\nFjord Outdoor AS\nStorgata 1\n0155 Oslo\n$/);
  t.match(html, /<div dir="auto"[^>]*>Fjord Outdoor AS<br>\nStorgata 1<br>\n0155 Oslo<\/div><\/td>/);
});

t.test('a recipient without a name is called by the word for it, in the subject too', async (t) => {
  const nameless = { name: null, subject: 'Hi {{recipient_name}}, how was it?' };
  t.match(rendered(SENDER, nameless).text, 'Hello there,');
  t.equal(rendered(SENDER, nameless).subject, 'Hi there, how was it?');
  t.equal(rendered(SENDER, { ...nameless, name: 'Ada' }).subject, 'Hi Ada, how was it?');
});

t.test('every accent color is readable in light and dark', async (t) => {
  const rgb = (color: string) => color.match(/\w\w/g)?.map((two) => Number.parseInt(two, 16)) ?? [];
  const shades = ['00', '33', '80', 'cc', 'ff'];
  for (const color of shades.flatMap((red) => shades.flatMap((green) => shades.map((blue) => `#${red}${green}${blue}`)))) {
    const { light, dark } = accentOf(color);
    for (const [one, other] of [
      [light, '#ffffff'],
      [light, '#f1f3f6'],
      [dark, '#1d2126'],
      [dark, '#121418'],
      [dark, '#0b1a2a'],
    ] as const) {
      const ratio = contrast(rgb(one), rgb(other));
      if (ratio < 4.5) t.fail(`${color}: ${one} on ${other} has ${ratio.toFixed(2)}`);
    }
  }
  t.equal(accentOf('#0b5cad').light, '#0b5cad', 'one that is readable stays as it is');
  const { html } = rendered(SENDER);
  const { light, dark } = accentOf('#ff8800');
  t.match(rendered(SENDER, { message: '{{survey_link}}' }).html, `<td align="center" bgcolor="${light}"`);
  t.match(html, `.sheet a{color:${dark}!important}`);
  t.notMatch(html, '#0b5cad');
});
