// Mailpit's send API: the requests byte for byte, and the meaning of its documented responses.
import t from 'tap';
import { mailpit } from '../../src/relay/mailpit.ts';
import { answered, contracts, NOW, outgoingMessage } from '../fixtures/mail.ts';

const headers =
  '{"Message-ID":"<batch.7.invitation@example.org>","List-Unsubscribe":"<https://surveys.example.org/u/token>","List-Unsubscribe-Post":"List-Unsubscribe=One-Click","Auto-Submitted":"auto-generated","Feedback-ID":"batch:survey:invitation:invitations"}';
const config = { url: mailpit.defaultUrl };
const golden = [
  {
    message: outgoingMessage(),
    body: `{"From":{"Name":"Surveys","Email":"surveys@example.org"},"To":[{"Name":"Ada Lovelace","Email":"ada@example.com"}],"Subject":"A question","Text":"Hello","HTML":"<p>Hello</p>","Headers":${headers}}`,
  },
  {
    message: outgoingMessage({ to: { name: 'Müller, Jörg', email: 'joerg@example.com' } }),
    body: `{"From":{"Name":"Surveys","Email":"surveys@example.org"},"To":[{"Name":"Müller, Jörg","Email":"joerg@example.com"}],"Subject":"A question","Text":"Hello","HTML":"<p>Hello</p>","Headers":${headers}}`,
  },
  {
    message: outgoingMessage({ to: { name: '', email: 'ada@example.com' }, subject: '🎉 Ça va?' }),
    body: `{"From":{"Name":"Surveys","Email":"surveys@example.org"},"To":[{"Name":"","Email":"ada@example.com"}],"Subject":"🎉 Ça va?","Text":"Hello","HTML":"<p>Hello</p>","Headers":${headers}}`,
  },
];

t.test('a message is one request, with the same bytes at every attempt', async (t) => {
  for (const { message, body } of golden) {
    const request = mailpit.build([message], config, NOW);
    t.same(request, {
      path: '/api/v1/send',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
    });
    t.same(mailpit.build([message], config, NOW), request);
  }
});

t.test('a key is sent as user and password', async (t) => {
  t.equal(
    mailpit.build([outgoingMessage()], { ...config, apiKey: 'user:pässword' }, NOW).headers.authorization,
    'Basic dXNlcjpww6Rzc3dvcmQ=',
  );
});

t.test('no header is set that Mailpit would refuse', async (t) => {
  const refused = ['to', 'from', 'cc', 'bcc', 'reply-to', 'date', 'subject', 'content-type', 'mime-version'];
  const names = Object.keys(JSON.parse(mailpit.build([outgoingMessage()], config, NOW).body).Headers).map((name) =>
    name.toLowerCase(),
  );
  t.same(
    names.filter((name) => refused.includes(name)),
    [],
  );
  t.ok(names.includes('list-unsubscribe'));
});

for (const contract of contracts('mailpit')) {
  t.test(`its answer means what is documented: ${contract.case}`, async (t) => {
    t.match(contract.source, /^(https:\/\/|\S+:\S+@[0-9a-f]{7})/, 'the source is named');
    t.same(mailpit.classify(...answered(contract)), [contract.expect].flat());
  });
}
