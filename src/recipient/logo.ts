// GET /logo/NAME: an uploaded logo. Under a name there is never another picture, so browsers keep it, and this process those that are asked for.
import type { Request } from 'polka';
import type { Store } from '../database/store.ts';
import { ApiError } from '../errors.ts';
import { UPLOADED_LOGO } from '../html/logo.ts';
import type { Answer, Handler } from '../http/answer.ts';
import type { AddressLimit } from '../http/rate-limit.ts';

/** Bytes of the logos that are kept, at least 80. The ones kept longest are dropped for others. */
const MAX_KEPT = 16 * 1024 * 1024;

const TYPES = { png: 'image/png', jpg: 'image/jpeg' } as const;

/**
 * Only what isn't kept counts towards the limit, and of that only what doesn't exist: the mailboxes of many people get an email's pictures from
 * the same few addresses.
 */
export function showLogo({ findLogo }: Pick<Store, 'findLogo'>, limit: AddressLimit): Handler {
  const kept = new Map<string, Answer>();
  let size = 0;
  const keep = (path: string, answer: Answer) => {
    if (kept.has(path)) return;
    kept.set(path, answer);
    size += answer.body.length;
    for (const [oldest, { body }] of kept) {
      if (size <= MAX_KEPT) break;
      kept.delete(oldest);
      size -= body.length;
    }
  };
  return async (request: Request) => {
    const { logo: path = '' } = request.params;
    const known = kept.get(path);
    if (known !== undefined) return known;
    limit.take(request);
    const [, home = '', name = '', , , extension] = UPLOADED_LOGO.exec(`/logo/${path}`) ?? [];
    const picture = extension === undefined ? null : await findLogo(home, name);
    if (picture === null) throw new ApiError('not_found', 'No such logo.');
    limit.giveBack(request);
    const answer = { status: 200, type: TYPES[extension as keyof typeof TYPES], body: picture, headers: HEADERS } as const;
    keep(path, answer);
    return answer;
  };
}

/** A picture needs nothing, so whatever a browser takes it for, it gets nothing. Other sites may show it: web mail does. */
const HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', 'content-security-policy': "default-src 'none'" };
