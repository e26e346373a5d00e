// Mailgun's API: the requests byte for byte, and the meaning of its documented responses.
import t from 'tap';
import { mailgun } from '../../src/relay/mailgun.ts';
import { NOW, outgoingMessage } from '../fixtures/mail.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(mailgun);

t.test("the domain is the setting's, or by default the sender's", async (t) => {
  const path = (domain?: string) => mailgun.build([outgoingMessage()], { url: mailgun.defaultUrl, domain }, NOW).path;
  t.equal(path('mg.example.org'), '/v3/mg.example.org/messages');
  t.equal(path(), '/v3/example.org/messages');
});
