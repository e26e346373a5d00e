// Resend's API: the requests byte for byte, and the meaning of its documented responses.
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Messages } from '../../src/relay/relay.ts';
import { resend } from '../../src/relay/resend.ts';
import { answered, contracts, NOW, outgoingMessage } from '../fixtures/mail.ts';

const rest =
  '"text":"Hello","html":"<p>Hello</p>","headers":{"Message-ID":"<batch.7.invitation@example.org>","List-Unsubscribe":"<https://surveys.example.org/u/token>","List-Unsubscribe-Post":"List-Unsubscribe=One-Click","Auto-Submitted":"auto-generated"},"tags":[{"name":"invitation","value":"7"}]}';
const config = { url: resend.defaultUrl, apiKey: 're_key' };
const golden = [
  {
    message: outgoingMessage(),
    body: `{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"A question",${rest}`,
  },
  {
    message: outgoingMessage({ to: { name: 'Müller, Jörg', email: 'joerg@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"Müller, Jörg\\" <joerg@example.com>"],"subject":"A question",${rest}`,
  },
  {
    message: outgoingMessage({ to: { name: '', email: 'ada@example.com' }, subject: '🎉 Ça va?' }),
    body: `{"from":"Surveys <surveys@example.org>","to":["ada@example.com"],"subject":"🎉 Ça va?",${rest}`,
  },
  {
    message: outgoingMessage({ to: { name: 'A "B" \\ <eve@example.com>', email: 'ada@example.com' } }),
    body: `{"from":"Surveys <surveys@example.org>","to":["\\"A \\\\\\"B\\\\\\" \\\\\\\\ <eve@example.com>\\" <ada@example.com>"],"subject":"A question",${rest}`,
  },
];

t.test('a message is one request, with the same bytes at every attempt', async (t) => {
  for (const { message, body } of golden) {
    const request = resend.build([message], config, NOW);
    t.same(request, {
      path: '/emails',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer re_key',
        'idempotency-key': 'batch.7.invitation',
      },
      body,
    });
    t.same(resend.build([message], config, NOW), request);
  }
});

t.test('a batch is one request, whose key identifies exactly these messages', async (t) => {
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
      // The key is the SHA-256 of the JSON list of the messages' keys.
      'idempotency-key': `batch.${createHash('sha256').update('["batch.7.invitation","batch.8.invitation"]').digest('hex')}`,
      'x-batch-validation': 'strict',
    },
    body: `[{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"A question",${rest},{"from":"Surveys <surveys@example.org>","to":["Ada Lovelace <ada@example.com>"],"subject":"🎉 Ça va?",${rest.replace('"7"', '"8"')}]`,
  });
  t.same(resend.build([one, two], config, NOW), request);
  const keyOf = (messages: Messages) => resend.build(messages, config, NOW).headers['idempotency-key'];
  t.not(keyOf([two, one]), keyOf([one, two]), 'another order is another request');
  t.ok(String(keyOf([one, two])).length <= 256);
});

for (const contract of contracts('resend')) {
  t.test(`its answer means what is documented: ${contract.case}`, async (t) => {
    t.match(contract.source, /^https:\/\//, 'the source is named');
    t.same(resend.classify(...answered(contract)), [contract.expect].flat());
  });
}
