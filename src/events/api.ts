// GET /api/batches/:uuid and GET /api/events. A backend that triggers invitations reads here what became of the batches of its token's
// survey. A token that may not read gets 404, the same as for a batch that doesn't exist.
import type { IncomingMessage } from 'node:http';
import type { Request } from 'polka';
import type { EventPage } from '../database/events.ts';
import type { Store } from '../database/store.ts';
import { askAs } from '../database/turns.ts';
import { ApiError, invalidField, missingToken } from '../errors.ts';
import { type Answer, json } from '../http/answer.ts';
import { FloodGuard } from '../http/flood-guard.ts';
import { readRowId, readUuid } from '../http/ids.ts';
import { note } from '../http/notes.ts';
import { readNumber } from '../http/query.ts';
import type { Readiness } from '../http/readiness.ts';
import { bearerOf, hashSecret, homeOfHash } from '../secret.ts';
import type { Feed } from './feed.ts';
import { withResponseUrl } from './response-url.ts';

const DEFAULT_ROWS = 100;
const MAX_ROWS = 1000;
/** Seconds. */
const MAX_WAIT = 30;

const UNKNOWN_CURSOR =
  'must be a next or cursor that this list has returned, since the database was last restored; without it, the list begins with the oldest event';

export interface ReadingContext {
  publicUrl(): string;
  readonly store: Pick<Store, 'tokenBatch' | 'tokenEvents'>;
  readonly feed: Feed;
  readonly readiness: Readiness;
  /** The limit for one token. Its trigger requests are counted separately. */
  readonly requestsPerMinute: number;
  /** The limit for one client address. It counts only requests with tokens that haven't read anything before, and keeps those that get 404. */
  readonly unknownPerMinute: number;
  clientAddress(request: IncomingMessage): string;
}

export function createReading({
  publicUrl,
  store,
  feed,
  readiness,
  requestsPerMinute,
  unknownPerMinute,
  clientAddress,
}: ReadingContext) {
  const guard = new FloodGuard({ requestsPerMinute, unknownPerMinute });

  /** By token: the workspace in whose turns it reads, once it is known. */
  const workspaces = new Map<string, string>();

  const refusal = (countedBy: 'token' | 'address', retryAfterSeconds: number) =>
    new ApiError(
      'flood_protection',
      countedBy === 'token'
        ? `A token may read ${requestsPerMinute} times a minute.`
        : 'Too many requests that were not found, from your address.',
      { retryAfterSeconds },
    );

  /**
   * @param go Continues with what was found. Meanwhile the request no longer keeps others of its address waiting.
   * @throws {ApiError}
   */
  async function read<T>(
    request: Request,
    find: (secretHash: Buffer, key: string) => Promise<T | undefined>,
    go: (found: T, secretHash: Buffer) => Promise<T> = async (found) => found,
  ): Promise<T> {
    const secret = bearerOf(request.headers.authorization);
    if (secret === undefined) throw missingToken();
    const secretHash = hashSecret(secret);
    const key = secretHash.toString('base64');
    await readiness.ready();
    const isGone = () => request.socket.destroyed;
    const asker = { group: workspaces.get(key) ?? key, isGone };
    const look = () => askAs(asker, () => find(secretHash, key));
    const found = await guard.lookUp(key, clientAddress(request), look, refusal);
    if (found === undefined) throw nothingHere();
    return askAs({ group: workspaces.get(key) ?? key, isGone }, () => go(found, secretHash));
  }

  return {
    async batch(request: Request): Promise<Answer> {
      const after = position(request, 'after');
      const limit = readNumber(request, 'limit', DEFAULT_ROWS, 1, MAX_ROWS);
      const id = readUuid(request.params.uuid);
      const { batch, recipients } = await read(request, async (secretHash) =>
        id === undefined ? undefined : store.tokenBatch(secretHash, id, after, limit),
      );
      note(request, { workspace: batch.workspace, survey: batch.survey, batch: id });
      const next = recipients.length === limit ? (recipients.at(-1)?.invitation ?? null) : null;
      return json(200, { ok: true, batch, recipients, next });
    },

    async events(request: Request): Promise<Answer> {
      const after = cursor(request, 'after');
      const limit = readNumber(request, 'limit', DEFAULT_ROWS, 1, MAX_ROWS);
      const wait = readNumber(request, 'wait', 0, 0, MAX_WAIT);
      const deadline = performance.now() + wait * 1000;
      const find = async (secretHash: Buffer, key: string) => {
        const found = await store.tokenEvents(secretHash, after, limit);
        if (typeof found === 'object') {
          workspaces.set(key, found.workspaceId);
          note(request, { workspace: found.workspaceId });
        }
        return found;
      };
      const waitFor = async (first: Found, secretHash: Buffer) => {
        let found: Found | undefined = first;
        while (
          isEmpty(found) &&
          (await feed.wait(found.workspaceId, found.nextPosition, deadline - performance.now(), request, homeOfHash(secretHash)))
        ) {
          found = await store.tokenEvents(secretHash, found.next, limit);
        }
        if (found === undefined) throw nothingHere();
        return found;
      };
      const page = await read(request, find, waitFor);
      if (page === 'unknown_cursor') throw invalidField('after', UNKNOWN_CURSOR);
      const base = publicUrl();
      return json(200, { ok: true, events: page.events.map((event) => withResponseUrl(event, base)), next: page.next });
    },
  };
}

type Found = EventPage | 'unknown_cursor';

const nothingHere = () => new ApiError('not_found', 'There is nothing here that this token may read.');

const isEmpty = (page: Found | undefined): page is EventPage => typeof page === 'object' && page.events.length === 0;

/** Undefined: from the oldest event on. */
function cursor(request: Request, name: string): string | undefined {
  const text = request.query[name];
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string' || !/^[\w-]{1,100}$/.test(text)) throw invalidField(name, UNKNOWN_CURSOR);
  return text;
}

const position = (request: Request, name: string): string => {
  const text = request.query[name] ?? '0';
  const id = typeof text === 'string' ? readRowId(text) : undefined;
  if (id === undefined) throw invalidField(name, 'must be a whole number');
  return id;
};
