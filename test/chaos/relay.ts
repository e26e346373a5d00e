// A stand-in for Resend with its documented idempotency. It counts the emails that were requested and delivered, and can misbehave.
// Sources: resend.com/docs/dashboard/emails/idempotency-keys, resend.com/docs/api-reference/errors.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './misbehaviour.ts';

interface Email {
  readonly to: string[];
  readonly subject: string;
  readonly headers: Record<string, string>;
}

/** The counts of one email. */
interface Count {
  /** How often the relay would have delivered the email without idempotency keys. */
  requested: number;
  delivered: number;
  /** How often the relay accepted the email but the worker didn't get the response. */
  lost: number;
}

export interface RelayOptions {
  /** Time from a request to its response, in milliseconds. */
  readonly delayMs: number;
  /** Returns the fault of the next request. */
  readonly fault?: () => Fault | undefined;
  /** Returns whether the relay rejects an email because of its content. */
  readonly rejects?: (email: Email) => boolean;
  /** Called with the address of each email that the relay accepts. */
  readonly onEmail?: (address: string) => void;
}

/** Starts the stand-in on a free port of loopback. */
export async function startRelay({ delayMs, fault = () => undefined, rejects = () => false, onEmail }: RelayOptions) {
  const counts = new Map<string, Count>();
  // This map holds digests, not bodies. A gigabyte of emails would stop this process for garbage collection, and the product would seem
  // slow.
  const answers = new Map<string, { digest: string; answer: string }>();
  const number = (what: (count: Count) => boolean) => [...counts.values()].filter(what).length;

  /** Accepts the emails of a request, or repeats the earlier response to it. Returns the status and body of the response. */
  function accept(key: string, body: string, emails: readonly Email[]): [status: number, body: string] {
    const digest = hash('sha1', body);
    const earlier = answers.get(key);
    for (const email of emails) {
      const id = email.headers['Message-ID'] ?? '';
      const count = counts.get(id) ?? { requested: 0, delivered: 0, lost: 0 };
      counts.set(id, count);
      count.requested += 1;
      if (earlier === undefined) count.delivered += 1;
      if (count.requested === 1) onEmail?.(addressOf(email));
    }
    if (earlier !== undefined && earlier.digest !== digest) return [409, error(409, 'invalid_idempotent_request')];
    const ids = emails.map((_, index) => ({ id: `${answers.size}-${index}` }));
    const answer = earlier?.answer ?? JSON.stringify(body.startsWith('[') ? { data: ids } : ids[0]);
    answers.set(key, { digest, answer });
    return [200, answer];
  }

  const server = createServer(async (request, response) => {
    const wrong = fault();
    if (wrong?.when === 'unread') return wrong.answer(response, '');
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined);
    // A worker that is killed or gives up breaks the connection. Then nothing is accepted.
    if (chunks === undefined || !request.complete) return;
    if (wrong?.when === 'rejected') return wrong.answer(response, '');
    const body = Buffer.concat(chunks).toString();
    const emails = [JSON.parse(body)].flat() as Email[];
    if (emails.some(rejects)) {
      await delay(delayMs);
      return json(response, 422, error(422, 'validation_error'));
    }
    const [status, answer] = accept(String(request.headers['idempotency-key']), body, emails);
    await delay(delayMs);
    if (wrong?.loses) for (const email of emails) lose(email);
    if (wrong !== undefined) return wrong.answer(response, answer);
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  const lose = (email: Email) => {
    const count = counts.get(email.headers['Message-ID'] ?? '');
    if (count !== undefined) count.lost += 1;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns how many emails the relay accepted. */
    emails: () => counts.size,
    /** Returns how many emails were requested again after the relay had accepted them. */
    repeated: () => number(({ requested }) => requested > 1),
    /** Returns how many emails were requested again for no reason: all earlier responses had arrived. */
    needless: () => number(({ requested, lost }) => requested > lost + 1),
    /** Returns how many emails were delivered twice although the relay honors the idempotency key. */
    doubled: () => number(({ delivered }) => delivered > 1),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Returns the address of an email, also from `Name <address>`. */
const addressOf = ({ to }: Email): string => /[^\s<>]+@[^\s<>]+/.exec([to].flat()[0] ?? '')?.[0] ?? '';

/** Returns an error as Resend formats it. */
export const error = (statusCode: number, name: string): string =>
  JSON.stringify({ statusCode, name, message: `This is ${name}.` });

export const json = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
