// Compresses responses: assets once, large pages each time they are sent.
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompressSync, gzip, gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';

/** Bytes. A smaller page fits into the first packets without compression. */
const MIN_PAGE = 8 * 1024;

const gzipped = promisify(gzip);

export const compressOnce = (body: string): NonNullable<Answer['compressed']> => ({
  br: brotliCompressSync(body),
  gzip: gzipSync(body),
});

const accepts = ({ headers }: IncomingMessage, encoding: string): boolean =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((accepted) => accepted.trim().replace(/;q=(?!0(\.0*)?$).*/, '') === encoding);

/**
 * A page that another site opens isn't compressed. Such a page may repeat text that the site sent, next to a secret, and from the
 * compressed length the site could guess the secret (BREACH). Browsers that don't send Sec-Fetch-Site get compressed pages: there only the
 * form's token is protected, because it is masked (session.ts).
 */
const isOurs = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};

/** The body in an encoding that the client accepts, with the headers for that encoding. Refusing a request must cost little, so errors aren't compressed. */
export async function encode(
  request: IncomingMessage,
  { status, type, body, compressed }: Answer,
): Promise<{ body: string | Buffer; headers: Record<string, string> }> {
  const vary = { vary: 'accept-encoding' };
  if (compressed !== undefined) {
    const encoding = accepts(request, 'br') ? 'br' : accepts(request, 'gzip') ? 'gzip' : undefined;
    if (encoding === undefined) return { body, headers: vary };
    return { body: compressed[encoding], headers: { ...vary, 'content-encoding': encoding } };
  }
  if (
    status >= 400 ||
    type !== 'text/html' ||
    Buffer.byteLength(body) < MIN_PAGE ||
    !isOurs(request) ||
    !accepts(request, 'gzip')
  )
    return { body, headers: {} };
  return { body: await gzipped(body), headers: { ...vary, 'content-encoding': 'gzip' } };
}
