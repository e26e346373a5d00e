// AWS Signature Version 4 gives the values that AWS published.
import t from 'tap';
import { sign, signingKey } from '../../src/relay/sigv4.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

t.test('the signing key is the one of the General Reference (examples of how to derive a signing key)', async (t) => {
  t.equal(
    signingKey(SECRET, '20150830', 'us-east-1', 'iam').toString('hex'),
    'c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9',
  );
});

t.test('a request is signed as post-vanilla of aws-sig-v4-test-suite', async (t) => {
  const signed = sign({
    host: 'example.amazonaws.com',
    path: '/',
    body: '',
    region: 'us-east-1',
    service: 'service',
    accessKeyId: 'AKIDEXAMPLE',
    secret: SECRET,
    now: new Date('2015-08-30T12:36:00Z'),
  });
  t.same(signed, {
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
      'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  });
});
