// The size of an email: everything that the trigger accepts can be rendered. A message that is too large is neither rendered nor sent.
import t from 'tap';
import { render } from '../../src/mail/render.ts';
import { fitsEmail, MAX_EMAIL_BYTES, maxEmailBytes, subjectBytes } from '../../src/mail/size.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const options = { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } };
const rendered = (overrides: Parameters<typeof claimedInvitation>[0]) => render(claimedInvitation(overrides), options);

/** The longest names and the longest link. */
const LONGEST = {
  name: '\u{1F600}'.repeat(255),
  workspaceName: '"'.repeat(255),
  surveyTitle: '\u{1F600}'.repeat(255),
  surveyPublicUrl: `https://example.com/${'x'.repeat(1980)}`,
  subject: 'Hello',
};
const SHAPES: Record<string, (count: number) => string> = {
  'plain text': (count) => 'Hello, how are you? '.repeat(count * 50),
  'characters that HTML escapes': (count) => `&<>"'`.repeat(count * 50),
  lines: (count) => 'a\n'.repeat(count * 50),
  paragraphs: (count) => 'a\r\n\r\n'.repeat(count * 50),
  'wide characters': (count) => '\u{1F600}'.repeat(count * 50),
  'links in a line': (count) => '{{survey_link}} '.repeat(count),
  'links as buttons': (count) => '{{survey_link}}\n\n'.repeat(count),
  names: (count) => '{{recipient_name}}{{workspace_name}}{{survey_title}}'.repeat(count),
};

for (const [what, make] of Object.entries(SHAPES)) {
  t.test(`${what}: the largest message that is accepted fits, with the longest names and link`, async (t) => {
    let count = 1;
    while (fitsEmail(make(count + 1)) && make(count + 1).length <= 65_536) count += 1;
    const { text, html } = rendered({ ...LONGEST, message: make(count) });
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(html);
    t.ok(bytes <= maxEmailBytes(make(count)), `${bytes} of ${maxEmailBytes(make(count))} bytes`);
    t.ok(bytes <= MAX_EMAIL_BYTES);
  });
}

t.test('a common email with a link for each score is accepted, and a text of links is not', async (t) => {
  const scores = Array.from({ length: 11 }, (_, score) => `${score}: {{survey_link}}`).join('\n');
  t.ok(fitsEmail(`Hello {{recipient_name}},\n\n${scores}\n\n{{workspace_name}}`));
  t.ok(fitsEmail('Hello. '.repeat(9362)), '64 KiB of plain text');
  t.notOk(fitsEmail('{{survey_link}}'.repeat(4300)));
});

t.test('what is too large is not rendered', async (t) => {
  const links = '{{survey_link}}'.repeat(4300);
  const tooLarge = { message: 'the email has more than 262144 bytes' };
  t.throws(() => rendered({ message: links }), tooLarge);
  t.throws(() => rendered({ message: 'Hello', reminderMessage: links, messageKind: 'reminder' }), tooLarge);
  const escaped = { message: '{{survey_link}} '.repeat(20), surveyPublicUrl: `https://a.example/?${'&'.repeat(1900)}` };
  t.ok(fitsEmail(escaped.message));
  t.throws(() => rendered(escaped), tooLarge, 'what shows only in the link');
  const titles = { subject: '{{survey_title}}'.repeat(15), surveyTitle: 'x'.repeat(255) };
  t.throws(() => rendered(titles), { message: 'the subject has more than 998 bytes' });
});

t.test('the bytes of a subject are those of its header', async (t) => {
  t.equal(subjectBytes('Hello'), 5);
  t.ok(subjectBytes('é'.repeat(255)) < 998);
  t.ok(subjectBytes('\u{1F600}'.repeat(255)) > 998);
});
