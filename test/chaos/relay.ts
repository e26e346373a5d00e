// A stand-in for Resend with its documented idempotency, which counts: mails asked for, and mails delivered. It can misbehave.
// Sources: resend.com/docs/dashboard/emails/idempotency-keys, resend.com/docs/api-reference/errors.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from './misbehaviour.ts';

interface Mail {
  readonly headers: Record<string, string>;
}

/** What a mail has been through. */
interface Count {
  /** Requests that the relay would have taken: without idempotency, the times it was delivered. */
  asked: number;
  delivered: number;
  /** Answers of the relay, after it had taken the mail, that the worker did not get. */
  spoilt: number;
}

export interface RelayOptions {
  /** From a request until its answer, in milliseconds. */
  readonly delayMs: number;
  /** What goes wrong with the next request; undefined: nothing. */
  readonly fault?: () => Fault | undefined;
}

/** Starts the stand-in on a free port of loopback. */
export async function startRelay({ delayMs, fault = () => undefined }: RelayOptions) {
  const counts = new Map<string, Count>();
  const answers = new Map<string, { body: string; answer: string }>();
  const number = (what: (count: Count) => boolean) => [...counts.values()].filter(what).length;

  /** Takes the mails of a request, or tells that it has had them: the status and the body of the answer. */
  function take(key: string, body: string, mails: readonly Mail[]): [status: number, body: string] {
    const earlier = answers.get(key);
    for (const mail of mails) {
      const id = mail.headers['Message-ID'] ?? '';
      const count = counts.get(id) ?? { asked: 0, delivered: 0, spoilt: 0 };
      counts.set(id, count);
      count.asked += 1;
      if (earlier === undefined) count.delivered += 1;
    }
    if (earlier !== undefined && earlier.body !== body) return [409, error(409, 'invalid_idempotent_request')];
    const ids = mails.map((_, index) => ({ id: `${answers.size}-${index}` }));
    const answer = earlier?.answer ?? JSON.stringify(body.startsWith('[') ? { data: ids } : ids[0]);
    answers.set(key, { body, answer });
    return [200, answer];
  }

  const server = createServer(async (request, response) => {
    const wrong = fault();
    if (wrong?.when === 'unread') return wrong.answer(response, '');
    const chunks: Buffer[] | undefined = await request.toArray().catch(() => undefined);
    // A worker that is killed, or gives up, breaks off: nothing was taken then.
    if (chunks === undefined || !request.complete) return;
    if (wrong?.when === 'refused') return wrong.answer(response, '');
    const body = Buffer.concat(chunks).toString();
    const mails = [JSON.parse(body)].flat() as Mail[];
    const [status, answer] = take(String(request.headers['idempotency-key']), body, mails);
    await delay(delayMs);
    if (wrong?.loses) for (const mail of mails) spoil(mail);
    if (wrong !== undefined) return wrong.answer(response, answer);
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  const spoil = (mail: Mail) => {
    const count = counts.get(mail.headers['Message-ID'] ?? '');
    if (count !== undefined) count.spoilt += 1;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Mails that the relay has taken. */
    mails: () => counts.size,
    /** Mails that were asked for twice, after the relay had taken them. */
    repeated: () => number(({ asked }) => asked > 1),
    /** Mails among them whose answers had all arrived: nobody had a reason to ask again. */
    needless: () => number(({ asked, spoilt }) => asked > spoilt + 1),
    /** Mails that were delivered twice, though the relay honours the idempotency key. */
    doubled: () => number(({ delivered }) => delivered > 1),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Resend's shape of an error. */
export const error = (statusCode: number, name: string): string =>
  JSON.stringify({ statusCode, name, message: `This is ${name}.` });

/** An answer as JSON. */
export const json = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
