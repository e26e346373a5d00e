// Counts rejected requests by secret and code for the token's page. Counting only changes an entry in a Map, and never waits for the
// database.
import { isNotReady } from '../database/pool.ts';
import type { RejectionCount, Store } from '../database/store.ts';
import type { ApiError, ErrorCode } from '../errors.ts';
import { asApiError } from '../http/error-answer.ts';
import type { Log } from '../log.ts';
import { plural } from '../text.ts';
import { Cells } from './cells.ts';
import { RecipientObject, TriggerBody } from './schema.ts';

/** Milliseconds from the first count until the counts are written. */
const FLUSH_AFTER = 5_000;
/** Pairs of a secret, known or unknown, and a code. Further pairs aren't counted until these are written. */
const MAX_ENTRIES = 2_000;
/** Characters. */
const MAX_DETAIL = 255;

interface Entry {
  readonly secretHash: Buffer;
  readonly code: ErrorCode;
  rejected: number;
  /** By performance.now(). */
  lastAt: number;
  detail: string | undefined;
}

export interface RejectionCounter {
  /** @param error Why it was rejected. */
  count(secretHash: Buffer, error: unknown): void;
  /** Never rejects: while the database isn't ready, counts are kept. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** @param cells The databases of which tokens are known. */
export function createRejectionCounter(
  store: Pick<Store, 'recordRejections'>,
  log: Log,
  flushAfter = FLUSH_AFTER,
  cells = new Cells(),
): RejectionCounter {
  let entries = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  let closed = false;

  function add({ rejected, ...entry }: Entry): void {
    const key = entry.secretHash.toString('base64') + entry.code;
    const known = entries.get(key);
    if (known === undefined && entries.size >= MAX_ENTRIES) return;
    if (known === undefined) entries.set(key, { rejected, ...entry });
    else {
      known.rejected += rejected;
      if (entry.lastAt >= known.lastAt) Object.assign(known, { lastAt: entry.lastAt, detail: entry.detail });
    }
    if (closed) return;
    timer ??= setTimeout(() => void flush(), flushAfter).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const groups = [...Map.groupBy(entries.values(), ({ secretHash }) => cells.groupOf(secretHash)).values()];
    entries = new Map();
    // Anybody can invent a database, so of those without a known token only one is asked, and the next one later.
    const isKnown = ([first]: readonly Entry[]) => first !== undefined && cells.known(first.secretHash) !== undefined;
    const [first = [], ...later] = groups.filter((group) => !isKnown(group));
    for (const entry of later.flat()) add(entry);
    await Promise.all([...groups.filter(isKnown), first].map(record));
  }

  async function record(counted: readonly Entry[]): Promise<void> {
    if (counted.length === 0) return;
    try {
      await store.recordRejections(counted.map((entry) => toCount(entry, performance.now())));
    } catch (error) {
      const isRetried = isNotReady(error);
      log.warn({ err: error }, `counts of rejected requests could not be written${isRetried ? '; trying again' : ''}`);
      // After any other error, the database would refuse the same counts again.
      if (isRetried) for (const entry of counted) add(entry);
    }
  }

  function flush(): Promise<void> {
    last = last.then(write);
    return last;
  }

  return {
    count(secretHash, error) {
      const apiError = asApiError(error);
      add({ secretHash, code: apiError.code, rejected: 1, lastAt: performance.now(), detail: detailOf(apiError) });
    },
    flush,
    close() {
      closed = true;
      return flush();
    },
  };
}

const toCount = ({ secretHash, code, rejected, lastAt, detail }: Entry, now: number): RejectionCount => ({
  secret_hash: `\\x${secretHash.toString('hex')}`,
  code,
  rejected,
  age_seconds: Math.max(0, now - lastAt) / 1000,
  detail: detail?.slice(0, MAX_DETAIL),
});

/** Codes whose message says more than the code, and repeats nothing from the request. */
const WITH_MESSAGE: ReadonlySet<ErrorCode> = new Set(['invalid_json', 'unsupported_content_type', 'body_too_large']);

const FIELDS: ReadonlySet<string> = new Set([...Object.keys(TriggerBody.properties), 'Idempotency-Key']);
const RECIPIENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(RecipientObject.properties));

/** The field and the rule it broke. An unknown field isn't named: its name may be an address or a secret. */
export function detailOf({ code, message, details, status, retryAfterSeconds }: ApiError): string | undefined {
  if (WITH_MESSAGE.has(code)) return message;
  if (status === 429 && retryAfterSeconds !== undefined)
    return `The last request came ${plural(retryAfterSeconds, 'second')} too early.`;
  const first = details.find((detail) => detail.code === code) ?? details[0];
  if (first === undefined) return undefined;
  const field = fieldOf(first.field);
  return `${code === 'unknown_field' && field === UNNAMED ? 'one of the names' : field} ${first.message}`;
}

const UNNAMED = 'a field';

/** emails[2].email → emails[].email; an unknown name → a field. */
function fieldOf(path: string): string {
  const [, name = '', inList, part] = /^([\w-]+)(\[\d+\])?(?:\.(.*))?$/s.exec(path) ?? [];
  if (!FIELDS.has(name)) return UNNAMED;
  if (inList === undefined || part === undefined) return inList === undefined ? name : `${name}[]`;
  return `${name}[].${RECIPIENT_FIELDS.has(part.split(/[.[]/)[0] ?? '') ? part.split(/[.[]/)[0] : '…'}`;
}
