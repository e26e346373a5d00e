// Counts refused requests by secret and code, and writes the counts every few seconds: an integrator sees on the token's page why
// requests are refused. A refused request costs an entry of a Map; the database is not asked, and nobody waits for it.
import { isNotReady } from '../database/pool.ts';
import type { RejectionCount, Store } from '../database/store.ts';
import type { ApiError, ErrorCode } from '../errors.ts';
import { asApiError } from '../http/error-answer.ts';
import type { Log } from '../log.ts';
import { RecipientObject, TriggerBody } from './schema.ts';

/** From the first count to its writing. Milliseconds. */
const FLUSH_AFTER = 5_000;
/** Pairs of secret and code between two writings; further ones are not counted. Secrets that no token has take places too. */
const MAX_ENTRIES = 2_000;
/** Characters of a detail. */
const MAX_DETAIL = 255;

interface Entry {
  readonly secretHash: Buffer;
  readonly code: ErrorCode;
  rejected: number;
  /** By performance.now(). */
  lastAt: number;
  detail: string | undefined;
}

export interface Refusals {
  /** Counts a refusal. @param error What the request was refused with. */
  count(secretHash: Buffer, error: unknown): void;
  /** Writes what was counted. Never rejects: what the database cannot take now is kept and tried again. */
  flush(): Promise<void>;
  /** Writes what was counted, and no more after that. */
  close(): Promise<void>;
}

export function createRefusals(store: Pick<Store, 'recordRejections'>, log: Log, flushAfter = FLUSH_AFTER): Refusals {
  let entries = new Map<string, Entry>();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  let closed = false;

  /** Adds to an entry, which keeps the later time and detail. */
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
    const counted = [...entries.values()];
    if (counted.length === 0) return;
    entries = new Map();
    try {
      await store.recordRejections(counted.map((entry) => toCount(entry, performance.now())));
    } catch (error) {
      const again = isNotReady(error);
      log.warn({ err: error }, `counts of refused requests could not be written${again ? '; trying again' : ''}`);
      // What the database does not take for another reason it would never take.
      if (again) for (const entry of counted) add(entry);
    }
  }

  /** One after the other. */
  function flush(): Promise<void> {
    last = last.then(write);
    return last;
  }

  return {
    count(secretHash, error) {
      const fault = asApiError(error);
      add({ secretHash, code: fault.code, rejected: 1, lastAt: performance.now(), detail: detailOf(fault) });
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

/** Codes whose message is the reader's, and says more than the code. */
const TELLING: ReadonlySet<ErrorCode> = new Set(['invalid_json', 'unsupported_content_type', 'body_too_large']);

const FIELDS: ReadonlySet<string> = new Set([...Object.keys(TriggerBody.properties), 'Idempotency-Key']);
const RECIPIENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(RecipientObject.properties));

/**
 * What was wrong, in words of ours: the field and the rule. Names of fields that are not ours are the caller's words, and may be
 * anything: they are left out.
 */
export function detailOf({ code, message, details, status, retryAfterSeconds }: ApiError): string | undefined {
  if (TELLING.has(code)) return message;
  if (status === 429 && retryAfterSeconds !== undefined) return `The last one came ${retryAfterSeconds} s too early.`;
  const first = details.find((one) => one.code === code) ?? details[0];
  if (first === undefined) return undefined;
  const field = fieldOf(first.field);
  return `${code === 'unknown_field' && field === UNNAMED ? 'one of the names' : field} ${first.message}`;
}

/** Stands for a name that is not ours. */
const UNNAMED = 'a field';

/** emails[2].email → emails[].email; a name that is not ours → a field. */
function fieldOf(path: string): string {
  const [, name = '', inList, part] = /^([\w-]+)(\[\d+\])?(?:\.(.*))?$/s.exec(path) ?? [];
  if (!FIELDS.has(name)) return UNNAMED;
  if (inList === undefined || part === undefined) return inList === undefined ? name : `${name}[]`;
  return `${name}[].${RECIPIENT_FIELDS.has(part.split(/[.[]/)[0] ?? '') ? part.split(/[.[]/)[0] : '…'}`;
}
