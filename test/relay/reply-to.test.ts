// Each relay gets the address for replies in the field that its API has for it (SMTP: smtp-sender.test.ts).
import t from 'tap';
import { RELAYS } from '../../src/relay/registry.ts';
import { NOW, outgoingMessage } from '../fixtures/mail.ts';

/** As the body has it. */
const FIELDS: Readonly<Record<keyof typeof RELAYS, string>> = {
  mailpit: '"ReplyTo":[{"Email":"care@fjord.example"}]',
  resend: '"reply_to":"care@fjord.example"',
  postmark: '"ReplyTo":"care@fjord.example"',
  sendgrid: '"reply_to":{"email":"care@fjord.example"}',
  mailgun: 'h%3AReply-To=care%40fjord.example',
  brevo: '"replyTo":{"email":"care@fjord.example"}',
  ses: '"ReplyToAddresses":["care@fjord.example"]',
};

for (const [name, { adapter }] of Object.entries(RELAYS)) {
  t.test(`${name} gets the address for replies if there is one`, async (t) => {
    const body = (replyTo?: string) =>
      adapter.build([outgoingMessage({ replyTo })], { url: adapter.defaultUrl, apiKey: 'key:secret' }, NOW).body;
    t.ok(body('care@fjord.example').includes(FIELDS[name as keyof typeof FIELDS]), body('care@fjord.example'));
    t.notMatch(body(), /reply/i);
  });
}
