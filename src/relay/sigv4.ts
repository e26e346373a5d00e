// AWS Signature Version 4 for a POST without a query. Source:
// docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHmac } from 'node:crypto';
import { sha256 } from '../secret.ts';

export interface Signable {
  readonly host: string;
  /** Only unreserved characters and slashes. */
  readonly path: string;
  readonly body: string;
  readonly region: string;
  readonly service: string;
  readonly accessKeyId: string;
  readonly secret: string;
  readonly now: Date;
}

const hex = (text: string): string => sha256(text).toString('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The key that signs for one day (YYYYMMDD), region and service. */
export const signingKey = (secret: string, day: string, region: string, service: string): Buffer =>
  [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`) as Buffer;

export function sign({ host, path, body, region, service, accessKeyId, secret, now }: Signable) {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const signed = 'host;x-amz-date';
  const request = ['POST', path, '', `host:${host}`, `x-amz-date:${time}`, '', signed, hex(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, hex(request)].join('\n');
  const signature = hmac(signingKey(secret, day, region, service), text).toString('hex');
  return {
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}
