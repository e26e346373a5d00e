// Compression of answers: assets once, large pages as they are sent.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';

/** Bytes of a page; a smaller one fits into the first packets as it is. */
const MIN_PAGE = 8 * 1024;

const gzipped = promisify(gzip);

export const compressOnce = (body: string): NonNullable<Answer['compressed']> => ({
  br: brotliCompressSync(body),
  gzip: gzipSync(body),
});

const accepts = ({ headers }: IncomingMessage, encoding: string): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => one.trim().replace(/;q=(?!0(\.0*)?$).*/, '') === encoding);

/**
 * A page that another site opens stays as it is: it could watch the length of a page that repeats what it sent beside what it may not see
 * (BREACH). Browsers that don't tell who opens a page are left with the form's token, which is masked (session.ts).
 */
const isOurs = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};

/** The body as the client takes it, with the headers of that. */
export async function encode(
  request: IncomingMessage,
  { type, body, compressed }: Answer,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const vary = { vary: 'accept-encoding' };
  if (compressed !== undefined) {
    const encoding = accepts(request, 'br') ? 'br' : accepts(request, 'gzip') ? 'gzip' : undefined;
    if (encoding === undefined) return { body, headers: vary };
    return { body: compressed[encoding], headers: { ...vary, 'content-encoding': encoding } };
  }
  if (type !== 'text/html' || Buffer.byteLength(body) < MIN_PAGE || !isOurs(request) || !accepts(request, 'gzip'))
    return { body, headers: {} };
  return { body: await gzipped(body), headers: { ...vary, 'content-encoding': 'gzip' } };
}
