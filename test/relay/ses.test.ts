// Amazon SES's API: the requests byte for byte, and the meaning of its documented responses.
import t from 'tap';
import { ses } from '../../src/relay/ses.ts';
import { NOW, outgoingMessage } from '../fixtures/mail.ts';
import { checkAdapter } from '../fixtures/relay.ts';

checkAdapter(ses, { apiKey: 'AKIDEXAMPLE:secret' });

t.test("the region is the host's, also for FIPS and VPC endpoints", async (t) => {
  for (const [url, region] of [
    ['https://email.eu-central-1.amazonaws.com', 'eu-central-1'],
    ['https://email-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
    ['https://vpce-0a1b.email.eu-west-1.vpce.amazonaws.com', 'eu-west-1'],
    ['http://127.0.0.1:8005', 'us-east-1'],
  ] as const) {
    const { headers } = ses.build([outgoingMessage()], { url, apiKey: 'AKIDEXAMPLE:secret' }, NOW);
    t.match(headers.authorization, `Credential=AKIDEXAMPLE/20300131/${region}/ses/aws4_request`);
  }
});

t.test('the signature covers the requested path and depends on the secret', async (t) => {
  const signature = (url: string, apiKey = 'AKIDEXAMPLE:secret') =>
    ses.build([outgoingMessage()], { url, apiKey }, NOW).headers.authorization;
  t.not(signature('http://127.0.0.1:8005/ses/'), signature('http://127.0.0.1:8005'));
  t.equal(signature('http://127.0.0.1:8005/'), signature('http://127.0.0.1:8005'));
  t.not(signature('http://127.0.0.1:8005', 'AKIDEXAMPLE:other'), signature('http://127.0.0.1:8005'));
});

t.test('a long name becomes encoded words of at most 75 characters, and no character is split', async (t) => {
  const name = '🎉'.repeat(40);
  const { body } = ses.build([outgoingMessage({ to: { name, email: 'ada@example.com' } })], { url: ses.defaultUrl }, NOW);
  const words = JSON.parse(body).Destination.ToAddresses[0].replace(' <ada@example.com>', '').split(' ');
  t.ok(words.every((word: string) => word.length <= 75));
  t.equal(words.map((word: string) => Buffer.from(word.slice(10, -2), 'base64').toString()).join(''), name);
});
