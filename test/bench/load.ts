// Creates the load in its own process, with autocannon. Each client sends its next request after the last response, or all clients together
// keep a steady rate. The clients use the secrets in turn.
import autocannon from 'autocannon';
import { answer } from './child.ts';

export interface Load {
  readonly url: string;
  readonly clients: number;
  readonly secrets: readonly string[];
  readonly recipients?: number;
  /** Set either a time or a number of requests. */
  readonly seconds?: number;
  readonly requests?: number;
  /** Requests per second of all clients together. With a rate, latency counts from the time at which a request should have been sent. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  /** Number of responses by status. Status 0 means that there was no response. */
  readonly statuses: Record<string, number>;
}

answer('', async ({ url, clients, secrets, recipients = 1, seconds, requests, rate }: Load): Promise<LoadResult> => {
  let client = 0;
  const body = (person: string) =>
    JSON.stringify(
      recipients === 1
        ? { email: `${person}@example.com`, name: 'Ada', metadata: { order: person } }
        : {
            emails: Array.from({ length: recipients }, (_, index) => ({ email: `${person}.${index}@example.com`, name: 'Ada' })),
          },
    );
  const result = await autocannon({
    url,
    method: 'POST',
    connections: clients,
    ...(requests !== undefined ? { amount: requests } : { duration: seconds ?? 1 }),
    ...(rate !== undefined && { overallRate: rate }),
    timeout: 30,
    setupClient(connection) {
      const secret = secrets[client % secrets.length];
      connection.setHeadersAndBody(
        { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        Buffer.from(body(`person${client}`)),
      );
      client += 1;
    },
  });
  const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, Number(count)] as const);
  return {
    perSecond: result.requests.total / result.duration,
    mean: result.latency.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    statuses: { ...Object.fromEntries(statuses), ...(result.errors > 0 && { 0: result.errors }) },
  };
});
