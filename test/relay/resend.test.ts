// Resend's API: the requests byte for byte, and what its documented answers mean.
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Messages } from '../../src/relay/relay.ts';
import { resend } from '../../src/relay/resend.ts';
import { answered, contracts, NOW, outgoingMessage } from '../fixtures/mail.ts';

const rest =
  '"text":"Hello","html":"<p>Hello</p>","headers":{"Message-ID":"<batch.7.invitation@example.org>","List-Unsubscribe":"<https://surveys.example.org/u/token>","List-Unsubscribe-Post":"List-Unsubscribe=One-Click"},"tags":[{"name":"invitation","value":"7"}]}';
const config = { url: resend.defaultUrl, apiKey: 're_key' };
const golden = [
  {
    mail: outgoingMessage(),
    body: `{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"A question",${rest}`,
  },
  {
    mail: outgoingMessage({ to: { name: 'Müller, Jörg', email: 'joerg@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"Müller, Jörg\\" <joerg@example.com>"],"subject":"A question",${rest}`,
  },
  {
    mail: outgoingMessage({ to: { name: '', email: 'ada@example.com' }, subject: '🎉 Ça va?' }),
    body: `{"from":"Surveys <surveys@example.org>","to":["ada@example.com"],"subject":"🎉 Ça va?",${rest}`,
  },
  {
    mail: outgoingMessage({ to: { name: 'A "B" \\ <eve@example.com>', email: 'ada@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"A \\\\\\"B\\\\\\" \\\\\\\\ <eve@example.com>\\" <ada@example.com>"],"subject":"A question",${rest}`,
  },
];

t.test('a mail is one request, the same bytes at every attempt', async (t) => {
  for (const { mail, body } of golden) {
    const request = resend.build([mail], config, NOW);
    t.same(request, {
      path: '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer re_key',
        'idempotency-key': 'batch.7.invitation',
      },
      body,
    });
    t.same(resend.build([mail], config, NOW), request);
  }
});

t.test('mails of a batch are one request, whose key stands for exactly these mails', async (t) => {
  const [one, two] = [
    outgoingMessage(),
    outgoingMessage({ id: '8', idempotencyKey: 'batch.8.invitation', subject: '🎉 Ça va?' }),
  ];
  const request = resend.build([one, two], config, NOW);
  t.same(request, {
    path: '/emails/batch',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer re_key',
      // sha256 of the JSON list of the mails' keys
      'idempotency-key': `batch.${createHash('sha256').update('["batch.7.invitation","batch.8.invitation"]').digest('hex')}`,
      'x-batch-validation': 'strict',
    },
    body: `[{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"A question",${rest},{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"🎉 Ça va?",${rest.replace('"7"', '"8"')}]`,
  });
  t.same(resend.build([one, two], config, NOW), request);
  const keyOf = (mails: Messages) => resend.build(mails, config, NOW).headers['idempotency-key'];
  t.not(keyOf([two, one]), keyOf([one, two]), 'another order is another request');
  t.ok(String(keyOf([one, two])).length <= 256);
});

for (const contract of contracts('resend')) {
  t.test(`its answer means what is documented: ${contract.case}`, async (t) => {
    t.match(contract.source, /^https:\/\//, 'the source is named');
    t.same(resend.classify(...answered(contract)), [contract.expect].flat());
  });
}
