// Resend's API: the requests byte for byte, and what its documented answers mean.
import t from 'tap';
import { resend } from '../../src/relay/resend.ts';
import { contractResponse, contracts, outgoingMail } from '../fixtures/mail.ts';

const rest =
  '"text":"Hello","html":"<p>Hello</p>","headers":{"Message-ID":"<batch.7.invitation@example.org>","List-Unsubscribe":"<https://surveys.example.org/u/token>","List-Unsubscribe-Post":"List-Unsubscribe=One-Click"},"tags":[{"name":"invitation","value":"7"}]}';
const golden = [
  {
    mail: outgoingMail(),
    body: `{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"A question",${rest}`,
  },
  {
    mail: outgoingMail({ to: { name: 'Müller, Jörg', email: 'joerg@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"Müller, Jörg\\" <joerg@example.com>"],"subject":"A question",${rest}`,
  },
  {
    mail: outgoingMail({ to: { name: '', email: 'ada@example.com' }, subject: '🎉 Ça va?' }),
    body: `{"from":"Surveys <surveys@example.org>","to":["ada@example.com"],"subject":"🎉 Ça va?",${rest}`,
  },
  {
    mail: outgoingMail({ to: { name: 'A "B" \\ <eve@example.com>', email: 'ada@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"A \\\\\\"B\\\\\\" \\\\\\\\ <eve@example.com>\\" <ada@example.com>"],"subject":"A question",${rest}`,
  },
];

t.test('a mail is one request, the same bytes at every attempt', async (t) => {
  for (const { mail, body } of golden) {
    const request = resend.build(mail, 're_key');
    t.same(request, {
      path: '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer re_key',
        'idempotency-key': 'batch.7.invitation',
      },
      body,
    });
    t.same(resend.build(mail, 're_key'), request);
  }
});

for (const contract of contracts('resend')) {
  t.test(`its answer means what is documented: ${contract.case}`, async (t) => {
    t.match(contract.source, /^https:\/\//, 'the source is named');
    t.same(resend.classify(contractResponse(contract), contract.attempt ?? 1), contract.expect);
  });
}
