// Rendering: what a recipient reads, what a header may contain, and that a second attempt has the same bytes.
import t from 'tap';
import { render } from '../../src/mail/render.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const rendered = (overrides: Parameters<typeof claimedInvitation>[0] = {}) => render(claimedInvitation(overrides), options);
const LINK = 'https://i.example/s/orders?invitation=ab12z9y8xJ0Q-s8_Kfwwm0Zq3vTRZ2m0zP9cE1x-A';
const BUTTON = new RegExp(`<a class="button" href="${LINK.replace('?', '[?]')}"[^>]*>Take the survey</a>`);
const UNSUBSCRIBE = 'https://i.example/u/ab12z9y8xJ0Q-s8_KfwyTml09ChVg_cjWFyNPdTfQ';

t.test('subject, text and HTML have values in place of the variables', async (t) => {
  const message = rendered();
  t.equal(message.subject, 'Acme: How was your order?');
  t.match(message.text, `Hello Ada Lovelace,\n\nplease answer: ${LINK}\n\nThank you!`);
  t.match(message.html, `<p>Hello Ada Lovelace,</p>\n<p>please answer: <a href="${LINK}">${LINK}</a></p>\n<p>Thank you!</p>`);
  t.same(message.to, { email: 'ada@example.com', name: 'Ada Lovelace' });
  t.same(message.from, options.from);
});

t.test("the link leads to the survey's public address if it has one", async (t) => {
  t.match(
    rendered({ surveyPublicUrl: 'https://s.example/x?a=1#b' }).text,
    'https://s.example/x?a=1&invitation=ab12z9y8xJ0Q-s8_Kfwwm0Zq3vTRZ2m0zP9cE1x-A#b',
  );
});

t.test('a name that is itself a variable is not expanded', async (t) => {
  const message = rendered({ name: '{{survey_link}}', subject: 'For {{recipient_name}}' });
  t.equal(message.subject, 'For {{survey_link}}');
  t.match(message.text, 'Hello {{survey_link}},');
  t.match(message.html, '<p>Hello {{survey_link}},</p>');
  t.equal(message.text.split(LINK).length, 2, 'the link is there once');
});

t.test('a message without the link gets it at its end', async (t) => {
  const message = rendered({ message: 'Hello {{recipient_name}}.\n' });
  t.match(message.text, `Hello Ada Lovelace.\n\n${LINK}\n\n--\n`);
  t.match(message.html, /<p>Hello Ada Lovelace\.<\/p>\n<table/);
  t.match(message.html, BUTTON);
  t.equal(rendered({ message: 'Go: {{survey_link}}' }).text.split(LINK).length, 2, 'one that has it gets no second');
});

t.test(
  'a link in its own paragraph is a button with its address in the footer, in any language; one in a sentence is a link',
  async (t) => {
    const { html } = rendered({ message: 'Hallo,\r\n\r\n {{survey_link}} \r\n\r\nDanke!' });
    t.match(html, BUTTON);
    t.equal(html.split(`href="${LINK}"`).length, 3, 'the button and the address');
    t.match(html, `Button doesn’t work? <a href="${LINK}"`);
    t.ok(html.indexOf('<p>Danke!') < html.lastIndexOf(LINK));
    t.match(
      html,
      /<a class="button"[^>]*background:#0b5cad;color:#ffffff/,
      'the link has its own background, or is taken for hidden text',
    );
    t.notMatch(rendered({ message: 'Hier: {{survey_link}}' }).html, /class="button"|Button doesn/);
  },
);

t.test('the HTML names the workspace, supports dark mode, loads nothing, and is small', async (t) => {
  const { html } = rendered({ message: 'Hello,\n\n{{survey_link}}' });
  t.match(html, />Acme<\/td>/);
  t.match(html, '<meta name="color-scheme" content="light dark">');
  t.match(html, '@media (prefers-color-scheme:dark)');
  t.notMatch(html, /<script|<link|<img|src=|url\(|@import/);
  t.ok(Buffer.byteLength(html) < 4000, `${Buffer.byteLength(html)} bytes`);
});

t.test('without a name, a line that greets by name is the greeting without one; elsewhere nothing is left of it', async (t) => {
  for (const [line, expected] of [
    ['Dear {{recipient_name}},', 'Hello,'],
    ['Dear Mr/Ms {{recipient_name}}:', 'Hello,'],
    ['{{recipient_name}}!', 'Hello,'],
    ['Thank you, {{recipient_name}}!', 'Thank you!'],
    ['Your order has arrived, {{recipient_name}}!', 'Your order has arrived!'],
    ['Dear {{recipient_name}}, how was your order?', 'Dear, how was your order?'],
    ['{{recipient_name}}, how was your order?', 'how was your order?'],
    ['¡{{recipient_name}}, su opinión cuenta!', '¡su opinión cuenta!'],
    ['{{recipient_name}} – how was it?', 'how was it?'],
    ['Thanks. {{recipient_name}}, one question', 'Thanks. one question'],
    ['Thanks from us to {{recipient_name}} and all who helped', 'Thanks from us to and all who helped'],
  ] as const)
    for (const name of [null, '']) {
      const message = rendered({ name, message: `${line}\n\nHow was it?\n{{survey_link}}` });
      t.equal(message.text.split('\n')[0], expected, line);
      t.match(message.text, '\n\nHow was it?\n');
      t.equal(message.to.name, '');
    }
  t.match(rendered({ message: 'Dear {{recipient_name}}, hi' }).text, /^Dear Ada Lovelace, hi/, 'a name is there');
  t.match(
    rendered({ name: null, message: 'One\nDear {{recipient_name}},\nthree' }).text,
    /^One\nDear,\nthree/,
    'the first line greets',
  );
});

t.test('without a name, a subject that needs one is the subject of every new token', async (t) => {
  for (const [subject, expected] of [
    ['How was your order, {{recipient_name}}?', 'Acme: How was your order?'],
    ['¡{{recipient_name}}, su opinión cuenta!', 'Acme: How was your order?'],
    ['{{recipient_name}}', 'Acme: How was your order?'],
    ['{{workspace_name}}, {{survey_title}}', 'Acme, How was your order?'],
  ] as const) {
    for (const name of [null, '']) t.equal(rendered({ name, subject }).subject, expected, subject);
    t.match(rendered({ subject: `${subject} {{recipient_name}}` }).subject, 'Ada Lovelace', 'a name is there');
  }
  const reminder = { name: null, messageKind: 'reminder', reminderSubject: 'Still time, {{recipient_name}}' } as const;
  t.equal(rendered(reminder).subject, 'Acme: How was your order?');
  t.equal(
    rendered({ ...reminder, reminderSubject: null, subject: '{{recipient_name}}' }).subject,
    'Reminder: Acme: How was your order?',
  );
});

t.test('no value gets into the HTML unescaped', async (t) => {
  const evil = `<b a="1" c='2'>&`;
  const escaped = '&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;';
  const message = `${evil} {{recipient_name}} {{workspace_name}} {{survey_title}} {{survey_link}}`;
  const { html, text } = rendered({
    name: evil,
    workspaceName: evil,
    surveyTitle: evil,
    surveyPublicUrl: `https://s.example/?${evil}`,
    message,
  });
  t.notMatch(html, evil);
  t.notMatch(html, '<b ');
  t.match(
    html,
    `<p>${escaped} ${escaped} ${escaped} ${escaped} <a href="https://s.example/?${escaped}&#38;invitation=`.replace(
      '&#38;&#38;i',
      '&#38;i',
    ),
  );
  t.match(html, `<title>${escaped}</title>`);
  t.match(html, `because ${escaped} invited`);
  t.match(text, `${evil} ${evil} ${evil} ${evil} https://s.example/?${evil}`, 'the text part needs no escaping');
});

t.test('no control character gets into the subject, a name or a header', async (t) => {
  const evil = 'a\r\nBcc: eve@example.com\u0000\u0007\u0085\tb';
  for (const mail of ['invitation', 'reminder'] as const) {
    const { subject, to, headers } = rendered({
      messageKind: mail,
      name: evil,
      workspaceName: evil,
      surveyTitle: evil,
      subject: '{{recipient_name}}\r\n{{survey_title}}',
    });
    for (const text of [subject, to.name, ...Object.entries(headers).flat()]) t.notMatch(text, /\p{Cc}/u);
    t.match(subject, 'a Bcc: eve@example.com b a Bcc', 'it is a space instead');
  }
});

t.test('paragraphs and line breaks are kept, whatever the line endings', async (t) => {
  const { html } = rendered({ message: 'One\r\ntwo\r\n\r\n\r\nthree\nfour' });
  t.match(html, '<p>One<br>\ntwo</p>\n<p>three<br>\nfour</p>');
});

t.test("a reminder says so in its subject, and an invitation doesn't", async (t) => {
  t.equal(rendered({ messageKind: 'reminder' }).subject, `Reminder: Acme: How was your order?`);
  t.notMatch(rendered().subject, 'Reminder');
});

t.test('a reminder uses its own texts without the prefix, and an invitation never does', async (t) => {
  const own = { reminderSubject: '{{recipient_name}}, still time', reminderMessage: 'Last call: {{survey_link}}' };
  const reminder = rendered({ messageKind: 'reminder', ...own });
  t.equal(reminder.subject, 'Ada Lovelace, still time');
  t.match(reminder.text, `Last call: ${LINK}\n\n--\n`);
  t.match(reminder.html, `<p>Last call: <a href="${LINK}">`);
  t.match(rendered({ messageKind: 'reminder', ...own, reminderMessage: null }).text, 'please answer', 'each by itself');
  t.equal(rendered({ messageKind: 'reminder', ...own, reminderSubject: null }).subject, `Reminder: Acme: How was your order?`);
  t.same(rendered(own), rendered());
});

t.test('a second attempt at a message is byte for byte the same', async (t) => {
  const first = rendered({ attempts: 1, claimId: '11111111-1111-4111-8111-111111111111' });
  const second = rendered({ attempts: 2, claimId: '22222222-2222-4222-8222-222222222222' });
  t.equal(JSON.stringify(second), JSON.stringify(first));
});

t.test('one-click unsubscribing is offered by one-line headers (RFC 8058) and by a link in both parts', async (t) => {
  const { headers, text, html } = rendered();
  t.equal(headers['List-Unsubscribe'], `<${UNSUBSCRIBE}>`);
  t.equal(headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click');
  t.match(text, `\nUnsubscribe: ${UNSUBSCRIBE}\n`);
  t.match(html, `<a href="${UNSUBSCRIBE}"`);
});

t.test(
  'an email says that it is automatic (RFC 3834), and which batch and survey complaints are to be counted for',
  async (t) => {
    const { headers } = rendered({ surveyId: 'shop:nps.2030', messageKind: 'reminder' });
    t.equal(headers['Auto-Submitted'], 'auto-generated');
    t.equal(headers['Feedback-ID'], '0190a1b2-0000-7000-8000-000000000001:shop.nps.2030:reminder:invitations');
  },
);

t.test('Message-ID and idempotency key belong to one message of one invitation', async (t) => {
  const first = rendered();
  t.match(first.headers['Message-ID'], /^<[\x21-\x7e]+@example\.org>$/);
  t.equal(
    rendered({ name: 'Other', attempts: 3, surveyTitle: 'Other' }).headers['Message-ID'],
    first.headers['Message-ID'],
    'it is stable',
  );
  const others = [
    first,
    rendered({ messageKind: 'reminder', messageNumber: 1 }),
    rendered({ messageKind: 'reminder', messageNumber: 2 }),
    rendered({ id: '8' }),
    rendered({ batchId: '0190a1b2-0000-7000-8000-000000000002' }),
  ];
  t.equal(new Set(others.map(({ headers }) => headers['Message-ID'])).size, others.length, 'it differs from every other message');
  t.equal(new Set(others.map(({ idempotencyKey }) => idempotencyKey)).size, others.length);
  for (const { idempotencyKey } of others) t.match(idempotencyKey, /^[\x21-\x7e]{1,256}$/);
});

const preheaderIn = (html: string) => /mso-hide:all">([^\u00a0]*)/.exec(html)?.[1];

t.test('an inbox shows the first sentence after the greeting, or the own line of the sender', async (t) => {
  const message =
    'Dear {{recipient_name}},\n\nhow was {{survey_title}}? Tell {{workspace_name}}.\n\n{{survey_link}}\n\nThank you!';
  for (const [expected, more] of Object.entries({
    'how was “Ski &#38; co.”?': { surveyTitle: '“Ski & co.”' },
    'how was it?': { name: null, surveyTitle: 'it' },
    'Read this.': { message: 'Hello,\n\n{{survey_link}}\n\nRead this. And that.' },
    'Ada, one question': { sender: { preheader: '{{recipient_name}}, one question' }, name: 'Ada' },
    '佐藤様、ご注文はいかがでしたか。': {
      message: '{{recipient_name}} 様\n\n佐藤様、ご注文はいかがでしたか。お聞かせください。\n\n{{survey_link}}',
    },
    อยากทราบความคิดเห็นของคุณ: {
      message: 'สวัสดีคุณ {{recipient_name}}\n\nอยากทราบความคิดเห็นของคุณ\n\n{{survey_link}}',
      ...{ name: null, surveyLanguage: 'th' },
    },
    'one question': {
      message: 'Hi {{recipient_name}}\n\none question',
      name: null,
      sender: { greeting_without_name: 'Hi there' },
    },
    // A letter with its marks is whole or isn't there.
    [`${'กี่'.repeat(50)}…`]: { message: `${'กี่'.repeat(300)}\n\n{{survey_link}}` },
    [`${'a'.repeat(149)}…`]: { message: `${'a'.repeat(149)}ที่\n\n{{survey_link}}` },
    [`${'a'.repeat(150)}…`]: { message: `${'a'.repeat(1000)}\n\n{{survey_link}}` },
  }))
    t.equal(preheaderIn(rendered({ message, pageTranslation: null, ...more }).html), expected);
  t.equal(preheaderIn(rendered({ message: '{{survey_link}}' }).html), undefined, 'nothing but the button');
});

t.test('the button says what the sender or a translation sets', async (t) => {
  const sender = { button_text: 'Rate your order' };
  t.match(rendered({ message: '{{survey_link}}', sender }).html, '>Rate your order</a></td>');
  const translation = { language: 'de', subject: 'S', message: '{{survey_link}}', button_text: 'Jetzt bewerten' };
  const { html } = rendered({ message: '{{survey_link}}', sender, language: 'de', translation });
  t.match(html, '>Jetzt bewerten</a></td>');
});

t.test('a default subject leaves out the workspace if the email comes in its name', async (t) => {
  const subject = '{{workspace_name}}: {{survey_title}}';
  t.equal(rendered({ subject, workspaceName: 'Acme', surveyTitle: 'Hi', sender: { name: 'Acme' } }).subject, 'Hi');
  t.equal(rendered({ subject, workspaceName: 'Acme', surveyTitle: 'Hi', sender: { name: 'Ada of Acme' } }).subject, 'Acme: Hi');
  t.equal(
    rendered({ subject: `Now ${subject}`, workspaceName: 'Acme', surveyTitle: 'Hi', sender: { name: 'Acme' } }).subject,
    'Now Acme: Hi',
  );
});
