// The relay, in its own process: Mailpit's API with a delay of DELAY_MS, and a counter. With LATE=1 it also measures how late each email
// is.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './child.ts';

export interface RelayCount {
  readonly emails: number;
  /** Times of the first and the last email, in milliseconds. */
  readonly first: number;
  readonly last: number;
  /** Delay of each email in milliseconds. Its address has the time when it was due, as in due1767225600000.1@example.com. */
  readonly late: readonly number[];
}

const DELAY_MS = Number(process.env.DELAY_MS ?? 0);
const none = { emails: 0, first: 0, last: 0, late: [] as number[] };
let count = { ...none };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  const done = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ID":"1"}');
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const now = Date.now();
    if (count.emails === 0) count.first = now;
    count.emails += 1;
    count.last = now;
    const due = process.env.LATE && /due(\d+)\.\d+@/.exec(Buffer.concat(chunks).toString())?.[1];
    if (due) count.late.push(now - Number(due));
    if (DELAY_MS === 0) done();
    else setTimeout(done, DELAY_MS);
  });
});

server.listen(0, '127.0.0.1', () =>
  answer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, (question: 'count' | 'reset'): RelayCount => {
    const counted = count;
    if (question === 'reset') count = { ...none, late: [] };
    return counted;
  }),
);
